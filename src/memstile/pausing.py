"""Pause the hooks for a while, and tell whether they are paused. It is the only way to turn a guard off, and ends."""

from __future__ import annotations

import os
import time

from memstile.errors import GuardError
from memstile.hook_state import MAX_PAUSE_S, paused_until, write_quietly

_UNITS = {"s": 1, "m": 60, "h": 3600}


def seconds_of(text: str) -> int:
    """Read a duration: "90s", "30m", "2h", or "0". Raises GuardError for any other: a bare number has no unit."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "")
    if text == "0":
        return 0
    if not unit or not number.isascii() or not number.isdigit():
        raise GuardError(f"{text} is no duration", "write it as 90s, 30m or 2h; a day, 24h, is the longest")
    seconds = int(number[:9]) * _UNITS[unit]
    if seconds > MAX_PAUSE_S:
        raise GuardError(
            f"{text} is longer than a day, which is the longest", "a pause is for a task; for good, change the settings"
        )
    return seconds


def pause(state: str, seconds: int, now: float) -> float:
    """Let every hook call through for so many seconds; 0 ends a pause. Result: when it ends, seconds since 1970."""
    until = int(now) + seconds
    if not write_quietly(os.path.join(state, "pause"), f"{until if seconds else 0} {int(now)}\n".encode()):
        raise GuardError("the state folder cannot be written", "see who owns it: `memstile status` names it")
    return float(until)


def pause_told(state: str, now: float) -> str:
    """Say that the hooks are paused and until when, "" where they are on."""
    until = paused_until(state, now)
    return f"paused until {time.strftime('%Y-%m-%d %H:%M:%S %Z', time.localtime(until))}" if until else ""
