"""What a row of the table of settings says about its key."""

from __future__ import annotations

from enum import Enum

from memstile.core.record import NamedTuple
from memstile.core.settings import DEFAULTS


class Kind(Enum):
    """How a value is written."""

    CHOICE = "one of a few words"
    INTEGER = "a whole number"
    SECONDS = "a number of seconds"
    BOOLEAN = "true or false"
    TEXTS = "a list of text"
    FILE_NAME = "the name of a markdown file, without a folder"
    VAULTS = "a list of tables"


class Tighter(Enum):
    """Which of two values guards more."""

    LATER = "the later choice"
    LEVEL = "the later choice, where profile stands for warn (compat) or deny (strict)"
    LOWER = "the lower number"
    TRUE = "true"
    MORE = "more entries"
    FEWER = "fewer entries"
    VAULTS = "more vaults, and modes that ask more of git"
    NONE = "neither"


class Authority(Enum):
    """What a project's file may do with a key; in CI, without a user's file, it may do anything."""

    TIGHTEN = "tighten"
    OWN = "own"
    USER_ONLY = "user-only"


class Key(NamedTuple):
    """One row of KEYS. name: dotted. says: one sentence for the docs and the schema.

    choices: the words a CHOICE may be, loosest first, or the entries TEXTS may hold (() is any).
    least, most: limits of a number, both legal.
    """

    name: str
    kind: Kind
    tighter: Tighter
    authority: Authority
    says: str
    choices: tuple[str, ...] = ()
    least: float = 1
    most: float = 1_000_000_000

    @property
    def table(self) -> str:
        """Give the TOML table the key is in, "" for the top of the file."""
        return self.name.rpartition(".")[0]

    @property
    def field(self) -> str:
        """Give the field of Settings that holds the value."""
        return "vaults" if self.kind is Kind.VAULTS else self.name.replace(".", "_")

    @property
    def default(self) -> object:
        """Give the built-in value."""
        return getattr(DEFAULTS, self.field)
