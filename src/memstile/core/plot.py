"""Draw a size over time as text: a curve of steps, with a row of its own for each cap and host window, in ASCII."""

from __future__ import annotations

from memstile.core.record import NamedTuple
from memstile.core.text import grouped, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MIN_CELLS, MAX_CELLS = 10, 1_000
MIN_ROWS, MAX_ROWS = 3, 100
_WITH_NAMES = 30
"""Cells of the curve below which the names of the marks are left out: the numbers at the left tell them too."""


class Point(NamedTuple):
    """A size from a time on, until the next point. time: seconds since 1970. value: >= 0, in the unit of its plot."""

    time: float
    value: int


class Mark(NamedTuple):
    """A size that is drawn across. sign: one character. is_limit: past it the curve is drawn with "!"."""

    name: str
    value: int
    sign: str = "-"
    is_limit: bool = False


class Plot(NamedTuple):
    """One curve.

    unit: "lines" or "bytes". points: oldest first. ticks: texts for times from since to until, both included, at equal
    distances.
    """

    unit: str
    points: tuple[Point, ...]
    marks: tuple[Mark, ...]
    since: float
    until: float
    ticks: tuple[str, ...] = ()


class Column(NamedTuple):
    """What the curve does within a slice of time: its lowest, highest and last size."""

    low: int
    high: int
    last: int


def columns(plot: Plot, count: int) -> tuple[Column | None, ...]:
    """Cut a plot into slices of one length; None before its first point.

    count: from 1 to MAX_CELLS, else the nearest. A size holds until the next, so that a slice without a point has that
    of the one before. A point outside since..until is left out, but for the last one before it, which holds at its
    start.
    """
    slices: list[list[int]] = [[] for _ in range(min(max(count, 1), MAX_CELLS))]
    now: int | None = None
    for point in plot.points:
        if point.time < plot.since:
            now = point.value
        elif point.time <= plot.until:  # False for NaN too
            slices[_slice(point.time, plot, len(slices))].append(point.value)
    found: list[Column | None] = []
    for values in slices:
        every = values if now is None else [now, *values]
        now = every[-1] if every else None
        found.append(Column(min(every), max(every), every[-1]) if every else None)
    return tuple(found)


def _slice(time: float, plot: Plot, count: int) -> int:
    span = plot.until - plot.since
    return min(int((time - plot.since) / span * count), count - 1) if 0 < span < 1e16 else count - 1


class Scale(NamedTuple):
    """Which row a size is drawn in, from 0 at the bottom. stops: (size, row), rising in both."""

    stops: tuple[tuple[int, int], ...]

    def row(self, size: int) -> int:
        """Give the row of a size.

        What is past a mark is above its row, what is not never is, and nothing but 0 is at the bottom.
        """
        below, low = 0, 0
        for stop, row in self.stops:
            if size <= stop:
                return low - (below - size) * (row - low) // (stop - below) if size > below else low
            below, low = stop, row
        return low


def scale(sizes: Iterable[int], marks: Sequence[Mark], rows: int) -> Scale:
    """Make a scale on which each mark has a row of its own. rows: raised where there are too few for that."""
    stops = sorted({mark.value for mark in marks if mark.value > 0})
    top = max([*sizes, *stops, 1])
    stops += [top] if top not in stops else []
    last = max(rows, len(stops) + 1) - 1
    found: list[tuple[int, int]] = []
    for number, stop in enumerate(stops):
        least, most = found[-1][1] + 1 if found else 1, last - (len(stops) - 1 - number)
        found.append((stop, min(max(least, (stop * last + top // 2) // top), most)))
    return Scale(tuple(found))


class _Laid(NamedTuple):
    """One plot with its scale. numbers: at the left, names: of the marks, by row."""

    plot: Plot
    measure: Scale
    numbers: dict[int, str]
    names: dict[int, str]


def drawn(plots: Sequence[Plot], width: int, height: int) -> list[str]:
    """Draw plots below each other, their times in line.

    width: columns of the terminal; height: rows of each curve, more where the marks need them. Result: lines of at
    most `width` columns, if that is 30 or more, safe to show; for each plot its unit, the curve, the times.
    """
    laid = [_laid(plot, min(max(height, MIN_ROWS), MAX_ROWS)) for plot in plots]
    gutter = max([len(number) for row in laid for number in row.numbers.values()], default=0)
    beside = max([len(name) + 1 for row in laid for name in row.names.values()], default=0)
    room = width - gutter - 2
    has_names = room - beside >= _WITH_NAMES
    cells = min(max(room - beside if has_names else room, MIN_CELLS), MAX_CELLS)
    return [line for row in laid for line in _lines(row, gutter, cells, has_names=has_names)]


def _laid(plot: Plot, rows: int) -> _Laid:
    marks = [mark for mark in plot.marks if mark.value > 0]
    measure = scale((point.value for point in plot.points), marks, rows)
    numbers = {row: grouped(size) for size, row in ((0, 0), *measure.stops)}
    return _Laid(plot, measure, numbers, _names(marks, measure))


def _lines(laid: _Laid, gutter: int, cells: int, *, has_names: bool) -> list[str]:
    lines = [f"{laid.plot.unit:>{gutter}}"]
    for row, picture in reversed(_canvas(laid.plot, laid.measure, cells).items()):
        name = laid.names.get(row, "") if has_names else ""
        lines.append(f"{laid.numbers.get(row, ''):>{gutter}} |{picture} {name}".rstrip())
    return [*lines, f"{'':>{gutter}} +{'-' * cells}", *_times(laid.plot, gutter + 2, cells)]


def _names(marks: Sequence[Mark], measure: Scale) -> dict[int, str]:
    names: dict[int, str] = {}
    for mark in marks:
        row = measure.row(mark.value)
        names[row] = f"{names[row]}, {shown(mark.name)}" if row in names else shown(mark.name)
    return names


def _canvas(plot: Plot, measure: Scale, cells: int) -> dict[int, str]:
    """Draw the cells, row by row from the bottom."""
    marks = [mark for mark in plot.marks if mark.value > 0]
    top = measure.stops[-1][1]
    limit = min([measure.row(mark.value) for mark in marks if mark.is_limit], default=top)
    signs = {measure.row(mark.value): mark.sign for mark in reversed(marks)}
    spans = [column and (measure.row(column.low), measure.row(column.high)) for column in columns(plot, cells)]
    canvas = {}
    for row in range(top + 1):
        curve, free = "!" if row > limit else "*", signs.get(row, " ")
        canvas[row] = "".join(curve if span and span[0] <= row <= span[1] else free for span in spans)
    return canvas


def _times(plot: Plot, indent: int, cells: int) -> list[str]:
    """Write as many of the times as fit, at equal distances."""
    ticks = [shown(tick) for tick in plot.ticks]
    length = max(map(len, ticks), default=0)
    for step in (1, 2, 4):
        some = ticks[::step]
        last = len(some) - 1
        if last > 0 and (cells - length) // last > length:
            places = [(number * (cells - length) // last, tick) for number, tick in enumerate(some)]
            line = ""
            for at, tick in places:
                line = line.ljust(at) + tick
            return [" " * indent + line]
    return []
