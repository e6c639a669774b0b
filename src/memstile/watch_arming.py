"""Listen to the folder of a vault, notice when it is another one, and bring parts back that died."""

from __future__ import annotations

import os
from collections.abc import Iterable

from memstile.carriers import is_below
from memstile.core.text import shown
from memstile.core.watch_report import Event, Report
from memstile.watch_git import head_mark
from memstile.watch_places import identity, polled_type, signature
from memstile.watch_source import Source
from memstile.watch_vault import Watched, target

_FIRST_S, _MOST_S = 1.0, 30.0
"""Seconds until a part that died is brought back once more: twice as long each time, up to half a minute."""


def arm(watched: Watched, others: Iterable[Watched], source: Source) -> list[Report]:
    """Listen to a vault's folder as it is now, and to that of the file its index links to. Result: what is new to tell.

    others: the vaults that are watched; what lies in one that is listened to is heard with it.
    """
    watched.root, watched.accepted = identity(watched.folder), None
    watched.head, watched.seen, watched.target = (
        head_mark(watched.repositories),
        signature(watched.index),
        target(watched),
    )
    if watched.root is None:
        return []
    kind = polled_type(watched.folder)
    is_heard = any(watched.folder in row.armed or _holds(row, watched) for row in others if row is not watched)
    outside = os.path.dirname(watched.target)
    folders = [] if kind or is_heard else [watched.folder]
    folders += [] if kind or is_below(outside, watched.folder) else [outside]
    reasons = [source.arm(folder, folder == watched.folder) for folder in folders]
    watched.armed = folders
    why = f"its file system, {shown(kind)}, does not tell of changes" if kind else next(filter(None, reasons), "")
    is_news, watched.polled = bool(why) and why != watched.polled, why
    message = f"it is looked at once a second instead of listened to: {why}"
    return [about(watched)._replace(event=Event.TROUBLE, severity="warning", message=message)] if is_news else []


def _holds(outer: Watched, inner: Watched) -> bool:
    """Tell whether an outer vault is listened to, and an inner one with it."""
    is_listened_to = outer.root is not None and outer.folder in outer.armed and not outer.polled
    return is_listened_to and is_below(inner.folder, outer.folder)


def check_root(watched: Watched, others: Iterable[Watched], source: Source) -> list[Report]:
    """Notice that a vault's folder went, came, or is another one by now. Result: what is to be told; [] for nothing."""
    now = identity(watched.folder)
    if now == watched.root:
        return []
    for folder in watched.armed:
        source.disarm(folder)
    watched.armed = []
    was_there, watched.root = watched.root is not None, now
    if now is None:
        watched.accepted = None
        return [about(watched)._replace(severity="warning", message="the vault's folder cannot be reached")]
    message = "the vault's folder was replaced by another one" if was_there else "the vault's folder can be reached"
    return [about(watched)._replace(event=Event.BACK, message=message), *arm(watched, others, source)]


def about(watched: Watched) -> Report:
    """Begin a report on the folder of a vault."""
    return Report(Event.GONE, watched.vault.shown, watched.vault.shown, watched.index)


class Lives:
    """Sees to it that each part of a source lives; waits longer between two attempts the more often one failed."""

    def __init__(self, source: Source) -> None:
        """All live."""
        self.restarts = 0
        self._source = source
        self._next_at, self._wait_s = 0.0, _FIRST_S

    def check(self, vaults: Iterable[Watched], steady: float) -> list[str]:
        """Bring parts back that died. Result: their names, [] where none did, or it is too early to try again."""
        dead = [name for name, is_alive in self._source.threads().items() if not is_alive]
        if not dead:
            self._wait_s = _FIRST_S if steady > self._next_at + _MOST_S else self._wait_s
            return []
        if steady < self._next_at:
            return []
        self._next_at, self._wait_s = steady + self._wait_s, min(2 * self._wait_s, _MOST_S)
        self.restarts += 1
        self._source.revive()
        for watched in vaults:
            watched.accepted = None  # nobody saw what happened meanwhile
            for folder in watched.armed:
                self._source.arm(folder, folder == watched.folder)
        return dead


def is_led_elsewhere(watched: Watched) -> bool:
    """Notice once that a link on the way to a vault leads to another folder by now."""
    if watched.vault.paths == (watched.folder,):
        return False
    ways = frozenset(map(os.path.realpath, watched.vault.paths)) - {watched.folder}
    is_news, watched.elsewhere = bool(ways - watched.elsewhere), ways
    return is_news
