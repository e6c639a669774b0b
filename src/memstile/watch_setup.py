"""What a watcher is set up with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from memstile.core.settings import Settings
from memstile.core.watch_report import Report
from memstile.standing import Standing
from memstile.watch_vault import Watched

if TYPE_CHECKING:
    from memstile.watch_run import Watcher


class Clock(NamedTuple):
    """now: seconds since 1970. steady: seconds of a clock that only goes forward."""

    now: Callable[[], float]
    steady: Callable[[], float]


class Setup(NamedTuple):
    """What a watcher is set up with. settings: the person's own. find: gives the vaults below one that nobody watched
    before. renew: reads a vault's settings again, and says what is wrong with them. tell: is given what is to be told.
    beat: gives a sign of life. hold_s: how long a sharp loss has to last.
    """

    standing: Standing
    state: str
    settings: Settings
    find: Callable[[Watched], Iterable[Watched]]
    renew: Callable[[Watched], str]
    tell: Callable[[list[Report]], None]
    beat: Callable[[Watcher], None]
    hold_s: float
