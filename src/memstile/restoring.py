"""Find what an index held before, choose one of it, and bring it back; what is replaced is kept."""

from __future__ import annotations

import datetime
import difflib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memstile.core.measure import MAX_READ_BYTES
from memstile.core.text import counted, shown
from memstile.disk import read_small
from memstile.errors import GuardError
from memstile.kept import Kept, keep, kept, read_kept
from memstile.put_back import Outcome, PutBack, put_back
from memstile.quarantine import quarantine_place, quarantined
from memstile.safe_write import look, replace

_MOST_DIFF_LINES = 5_000
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Past(NamedTuple):
    """A content an index held. is_accepted: else it was taken off, and is in quarantine."""

    kept: Kept
    is_accepted: bool

    @property
    def millis(self) -> int:
        """Give the time as it is shown, in milliseconds since 1970."""
        return int(self.kept.time * 1000)


def past(state: str, index: str) -> tuple[Past, ...]:
    """List what is known of an index: what was accepted, in the order it was, newest first; then what was taken off."""
    aside = quarantined(quarantine_place(state), index)
    return (*(Past(row, True) for row in kept(state, index)), *(Past(row, False) for row in aside))


def read(row: Past) -> bytes:
    """Read a content. Raises GuardError where it is gone, was changed, or is too large."""
    if row.is_accepted:
        try:
            return read_kept(row.kept)
        except OSError as error:
            raise GuardError(f"what was kept cannot be read: {error.strerror}", "choose another: --list") from error
    data = read_small(row.kept.place, MAX_READ_BYTES)
    if data is None:
        raise GuardError("what was put aside cannot be read", f"look at {shown(row.kept.place)}")
    return data


def moment(text: str, now: float) -> float:
    """Read a time: "2026-12-07 12:00:40.123", with or without its end, or how long ago: 90s, 30m, 2h, 3d.

    Without an offset it is local time. Result: seconds since 1970. Raises GuardError for anything else.
    """
    number, unit = text[:-1], text[-1:]
    if unit in _UNITS and number.isascii() and number.isdigit():
        return now - int(number[:9]) * _UNITS[unit]
    try:
        return datetime.datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise GuardError(f"{shown(text)} is no time", "write it as --list does, or as 30m, 2h or 3d ago") from error


def time_told(seconds: float) -> str:
    """Write a time the way `moment` reads it."""
    return datetime.datetime.fromtimestamp(int(seconds * 1000) / 1000).isoformat(" ", "milliseconds")


def chosen(rows: Sequence[Past], at: float) -> Past | None:
    """Choose what was put aside at exactly a time, else the last content that had been accepted by then."""
    millis = round(at * 1000)
    exact = (row for row in rows if not row.is_accepted and row.millis == millis)
    return next(exact, None) or next((row for row in rows if row.is_accepted and row.millis <= millis), None)


def previous(rows: Sequence[Past], now_there: bytes | None) -> Past | None:
    """Choose the last accepted content that is another than what the index holds."""
    for row in rows:
        if row.is_accepted and (now_there is None or row.kept.size.bytes != len(now_there) or read(row) != now_there):
            return row
    return None


def difference(now_there: bytes, data: bytes, name: str, then: str) -> Iterator[str]:
    """Write the lines of a diff, safe to show. name: of the index; then: the time of the other content."""
    before, after = (list(_lines(side)) for side in (now_there, data))
    if max(len(before), len(after)) > _MOST_DIFF_LINES:
        yield f"too long for a diff: {counted(len(before), 'line')} now, {counted(len(after), 'line')} then"
        return
    yield from difflib.unified_diff(before, after, f"{shown(name)}, now", f"{shown(name)}, {then}", lineterm="")


def _lines(data: bytes) -> Iterable[str]:
    text = data.decode("utf-8", "surrogateescape")
    rows = text.split("\n")
    last = rows.pop()
    return [shown(row) for row in rows] + ([f"{shown(last)} (no newline at the end)"] if last else [])


def bring_back(state: str, index: str, now_there: bytes | None, data: bytes, now: float) -> PutBack:
    """Give an index an earlier content, which then counts as accepted. Raises GuardError where it cannot be done.

    now_there: what it held when the person was asked, None for no file. Result: where that is now, and what is to be
    said of it.
    """
    try:
        done = PutBack(Outcome.DONE) if now_there is None else _replaced(state, index, now_there, data, now)
        if now_there is None:
            _made(index, data)
        keep(state, index, data, now)
    except OSError as error:
        raise GuardError(f"cannot restore: {error.strerror}", f"see {shown(error.filename or index)}") from error
    return done


def _replaced(state: str, index: str, now_there: bytes, data: bytes, now: float) -> PutBack:
    done = put_back(index, now_there, data, quarantine_place(state), now)
    if done.outcome is Outcome.CHANGED:
        raise GuardError("the index was changed by somebody else after it was shown", "run it again")
    if done.outcome is Outcome.FAILED:
        raise GuardError(f"cannot restore the index: {done.why}", "nothing was changed")
    return done


def _made(index: str, data: bytes) -> None:
    seen = look(index, os.path.basename(index))
    if seen.status:
        raise GuardError("the index was made by somebody else after it was looked at", "run it again")
    replace(seen, data)
