"""One vault that is watched: where it is, what was seen of it, what is known of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from memstile.core.watch_known import NOTHING, Known
from memstile.core.watch_restore import PEACE, Fight, Mark
from memstile.indexes import joined
from memstile.outcome import Vault
from memstile.watch_git import Around
from memstile.watch_places import Signature


@dataclass
class Watched:
    """The state of one vault, changed by the watcher's one thread alone.

    tops: the work trees that could carry it. root: device and inode of its folder when it was armed, None while it
    cannot be reached. target: the file its index was then. head: of its repositories, as `head_mark` gives it. seen:
    of the index, when it was last looked at. rules: of all that decides what git carries. accepted: where the accepted
    content was last seen in this run. polled: why its changes are looked for, "" where they are announced. event:
    seconds since 1970, of the last change. lines, bytes: of the index. armed: the folders that are listened to.
    elsewhere: where links lead by now that led to it.
    is_partly_ignored: git ignores its files one by one, so that it may not ignore the next one.
    """

    vault: Vault
    tops: tuple[str, ...] = ()
    repositories: tuple[Around, ...] = ()
    known: Known = NOTHING
    root: tuple[int, int] | None = None
    target: str = ""
    head: bytes | None = b""
    seen: Signature | None = None
    rules: tuple[Signature, ...] | None = None
    accepted: Mark | None = None
    fight: Fight = PEACE
    polled: str = ""
    event: float = 0.0
    lines: int | None = None
    bytes: int | None = None
    armed: list[str] = field(default_factory=list)
    elsewhere: frozenset[str] = frozenset()
    is_partly_ignored: bool = False

    @property
    def folder(self) -> str:
        """Give its folder, resolved."""
        return self.vault.real

    @property
    def index(self) -> str:
        """Give the path of its index; a link in it is not followed."""
        return os.path.join(self.vault.real, self.vault.settings.index_name)

    @property
    def shown(self) -> str:
        """Name its index as the person would."""
        return joined(self.vault.shown, self.vault.settings.index_name)


def target(watched: Watched) -> str:
    """Give the file that an index really is: what a link leads to."""
    return os.path.realpath(watched.index)
