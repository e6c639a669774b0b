"""Decide whether an index that grew past its cap may be put back: only what was seen growing, and never in a fight."""

from __future__ import annotations

from memstile.core.record import NamedTuple
from memstile.core.settings import Settings

WINDOW_S, MOST = 60.0, 3
"""So often in so many seconds an index is put back; who writes it once more means it, or is a program in a loop."""


class Mark(NamedTuple):
    """What an index was part of when it was looked at. root: device and inode of the vault's folder. git: what HEAD of
    its repositories was, b"" outside any; None while git is in the middle of something."""

    root: tuple[int, int]
    git: bytes | None = b""


class Fight(NamedTuple):
    """How often an index was put back of late. times: in seconds of a clock that only goes forward. is_over: it was
    given up."""

    times: tuple[float, ...] = ()
    is_over: bool = False


PEACE = Fight()


def why_not(settings: Settings, mode: str, accepted: Mark | None, now: Mark, *, is_read: bool) -> str:
    """Say what speaks against putting an index back, "" for nothing.

    mode: of the watcher. accepted: where the accepted content was last seen in this run, None where it was not: then
    the index grew while nobody watched. now: where it is now. is_read: its content is known.
    """
    if mode != "enforce" or settings.index_mode != "enforce":
        return 'watch.mode is "audit"' if mode != "enforce" else 'index.mode is "audit"'
    if accepted is None:
        return "it grew while nobody watched"
    if accepted.root != now.root:
        return "the vault's folder is another one than it was"
    if now.git is None:
        return "git is in the middle of a merge, a rebase or the like"
    if accepted.git != now.git:
        return "git's HEAD moved, so that it may be a checkout, a merge or a pull"
    return "" if is_read else "it is too large to be read"


def may_fight(fight: Fight, now: float) -> bool:
    """Tell whether an index may be put back once more."""
    return not fight.is_over and len(_recent(fight, now)) < MOST


def fought(fight: Fight, now: float) -> Fight:
    """Note that an index was put back."""
    return Fight((*_recent(fight, now), now))


def given_up(fight: Fight) -> Fight:
    """Note that it is not put back any more."""
    return fight._replace(is_over=True)


def calmed(fight: Fight, now: float) -> Fight:
    """Begin anew after an accepted state, once a while has passed since the index was last put back."""
    return fight if _recent(fight, now) else PEACE


def _recent(fight: Fight, now: float) -> tuple[float, ...]:
    return tuple(time for time in fight.times if now - time < WINDOW_S)
