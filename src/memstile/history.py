"""Tell how large an index has been over time, from the decision log, and make plots of it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memstile.audit_log import path_key
from memstile.audit_read import reading
from memstile.core.log_row import Row, read, redacted
from memstile.core.measure import Size
from memstile.core.plot import Mark, Plot, Point
from memstile.core.reading import Reading
from memstile.core.settings import Settings
from memstile.core.windows import WINDOWS
from memstile.disk import read_index

WRITTEN, PUT_BACK = "index_write", "watch_restore"
EVENTS = (WRITTEN, "index_look", "watch_seen", "watch_report", PUT_BACK)
"""Events of the log with sizes of an index: a call that would write it, and what was on disk."""

_QUERY = r"""
SELECT text FROM log WHERE text LIKE '%"index\_%' ESCAPE '\' OR text LIKE '%"watch\_%' ESCAPE '\' ORDER BY id
"""
"""Reading a row as JSON takes ten times as long as this takes to see that it is of another event."""

_MOST, _LAST = 2**53, 1e11  # more than any file and any clock has, and nothing else can be made of
_TICKS = 5


class Moment(NamedTuple):
    """The size of an index from a time on. time: seconds since 1970. size: lines None where they were not counted."""

    time: float
    size: Size


class History(NamedTuple):
    """What is known of one index. path: absolute. notes: what is not known.

    moments: of the log, oldest first, one for each change. refused: times of writes that were refused. now: on disk.
    """

    path: str
    moments: tuple[Moment, ...]
    refused: tuple[float, ...]
    now: Reading
    notes: tuple[str, ...] = ()


def history(state: str, index: str, settings: Settings) -> History:
    """Gather the sizes of an index. index: absolute. Raises StoreError."""
    rows = _rows(state, index, settings)
    moments = tuple(_changes(moment for row in rows for moment in _moments(row)))
    refused = tuple(row.time for row in rows if row.event == WRITTEN and _is_refused(row))
    return History(index, moments, refused, read_index(index), tuple(_notes(index, settings)))


def _rows(state: str, index: str, settings: Settings) -> list[Row]:
    with reading(state) as log:
        if log is None:
            return []
        paths = _logged(state, index, settings)
        rows = (read(text) for (text,) in log.execute(_QUERY) if isinstance(text, str))
        return [row for row in rows if row and row.path in paths and row.event in EVENTS]


def _logged(state: str, index: str, settings: Settings) -> set[str]:
    """Give what the log may call an index: as the settings have it now, and as they may have had it before."""
    how, most = settings.audit_path_redaction, settings.audit_max_path_chars
    key = path_key(state) if how == "hash" else b""
    hows = dict.fromkeys((how, "truncate", "full"))
    names = {redacted(path, one, most, key) for path in (index, os.path.realpath(index)) for one in hows}
    return names - {""}


def _moments(row: Row) -> Iterator[Moment]:
    """Give the sizes a row tells.

    A write that was refused left the index as it was. What was put back was there before, if for a moment only. All
    else compares with a size that may be hours old.
    """
    before, after = _size(row.lines_before, row.bytes_before), _size(row.lines_after, row.bytes_after)
    is_write = row.event == WRITTEN
    is_put_back = row.event == PUT_BACK and row.action == "deny"
    for size in (before if is_write or is_put_back else None, None if is_write and _is_refused(row) else after):
        if size and 0 < row.time < _LAST:
            yield Moment(row.time, size)


def _is_refused(row: Row) -> bool:
    return row.action in ("deny", "ask")  # whether a person agreed to an ask is not in the log


def _size(lines: int | None, size: int | None) -> Size | None:
    if size is None or not 0 <= size <= _MOST:
        return None
    return Size(lines if lines is not None and 0 <= lines <= _MOST else None, size)


def _changes(moments: Iterable[Moment]) -> Iterator[Moment]:
    last = None
    for moment in sorted(moments, key=lambda moment: moment.time):  # rows of several processes
        if moment.size != last:
            yield moment
        last = moment.size


def _notes(index: str, settings: Settings) -> Iterator[str]:
    how, most = settings.audit_path_redaction, settings.audit_max_path_chars
    if settings.audit_level == "off":
        yield "audit.level is off: nothing is logged"
    if how == "omit":
        yield "audit.path_redaction is omit: the log does not say of which index a size is"
    if how == "truncate" and len(os.path.realpath(index)) > most:
        yield f"the log keeps {most:,} characters of a path: an index elsewhere with the same ending counts as this one"


def plots(found: History, settings: Settings, since: float, now: float) -> tuple[Plot, ...]:
    """Make a plot for lines and one for bytes, with the caps and the host windows.

    since: seconds since 1970, 0.0 for the first moment. What is on disk now is the last point.
    """
    moments = [*found.moments, *([Moment(now, found.now.size)] if found.now.size else [])]
    start = since or min((moment.time for moment in moments), default=now)
    ticks = _ticks(start, now)
    caps, windows = settings.caps, [WINDOWS[name] for name in settings.index_windows if name in WINDOWS]
    lines = [Point(moment.time, moment.size.lines) for moment in moments if moment.size.lines is not None]
    sizes = [Point(moment.time, moment.size.bytes) for moment in moments]
    marks = _marks(caps.soft_lines, caps.hard_lines, ((window.name, window.max_lines) for window in windows))
    units = _marks(caps.soft_bytes, caps.hard_bytes, ((window.name, window.max_units) for window in windows))
    return (
        Plot("lines", tuple(lines), marks, start, now, ticks),
        Plot("bytes", tuple(sizes), units, start, now, ticks),
    )


def _marks(soft: int, hard: int, windows: Iterable[tuple[str, int]]) -> tuple[Mark, ...]:
    rows = [Mark("hard cap", hard, "=", is_limit=True), Mark("soft cap", soft, ".")]
    return (*rows, *(Mark(f"{name} window", most) for name, most in windows))


def _ticks(since: float, until: float) -> tuple[str, ...]:
    span = until - since
    layout = "%H:%M:%S" if span < 300 else "%m-%d %H:%M" if span < 5 * 86_400 else "%Y-%m-%d"
    return tuple(
        time.strftime(layout, time.localtime(since + span * number / (_TICKS - 1))) for number in range(_TICKS)
    )
