"""Decide when a file that changes has settled: a quiet period, and a ceiling on waiting for it."""

from __future__ import annotations

from memstile.core.record import NamedTuple


class Timing(NamedTuple):
    """Seconds. quiet_s: without a change, after which a file has settled. max_wait_s: after which it is judged anyway,
    so that a writer who never pauses cannot silence the watcher."""

    quiet_s: float = 0.3
    max_wait_s: float = 5.0


class Wait(NamedTuple):
    """Something that changed and was not judged yet. first, last: of its changes, in seconds of a clock that only goes
    forward."""

    first: float
    last: float


def touch(wait: Wait | None, now: float) -> Wait:
    """Note a change. wait: of the changes before it that were not judged, None for the first."""
    return Wait(now, now) if wait is None else Wait(wait.first, max(wait.last, now))


def due_at(wait: Wait, timing: Timing) -> float:
    """Say when it is to be judged, if nothing more comes."""
    return min(wait.last + timing.quiet_s, wait.first + timing.max_wait_s)


def is_due(wait: Wait, timing: Timing, now: float) -> bool:
    """Tell whether it is to be judged."""
    return now >= due_at(wait, timing)


def is_overdue(wait: Wait, timing: Timing, now: float) -> bool:
    """Tell whether it is to be judged though it may be in the middle of a change."""
    return now >= wait.first + timing.max_wait_s
