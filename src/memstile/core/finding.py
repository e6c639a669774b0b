"""A finding: what one rule says about one vault, before anybody lays it out."""

from __future__ import annotations

from enum import IntEnum

from memstile.core.record import NamedTuple


class Severity(IntEnum):
    """How much a finding weighs. ERROR alone fails a run; --strict lets WARNING fail it too."""

    INFO = 1
    WARNING = 2
    ERROR = 3


class Finding(NamedTuple):
    """One fault, with numbers and a way to mend it. Holds paths, numbers and slugs, never note text.

    path: the file or folder it is about, as the person would type it, not escaped.
    line: 1-based line of `path`, None where no line applies.
    message: one sentence without full stop; names in it are escaped.
    hint: what to do, in words. commands: shell commands that mend it, in order, ready to paste.
    paths: every file concerned, not escaped, as the person would type them; () when `path` is all.
    """

    code: str
    severity: Severity
    path: str
    message: str
    hint: str = ""
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    line: int | None = None
