"""Draw the size of an index against its caps, in ASCII."""

from __future__ import annotations

from memstile.core.record import NamedTuple
from memstile.core.text import grouped, shown
from memstile.report.console import painted
from memstile.report.model import Gauge, Style
from memstile.report.telling import elided

MAX_OVERFLOW = 3


class Row(NamedTuple):
    """One dimension of a gauge. size: None where not measured."""

    dimension: str
    size: int | None
    soft: int
    hard: int

    @property
    def state(self) -> str:
        """Name the colour: past the hard cap, past the soft cap, or fine."""
        if self.size is None or self.size > self.hard:
            return "error"
        return "warning" if self.size > self.soft else "good"


def bar(row: Row, cells: int) -> str:
    """Draw a size: "[###|.]" with a mark at the soft cap and the hard cap at the bracket, "!" past it.

    cells: >= 2, inside the brackets. Result: always 3 + cells + MAX_OVERFLOW long. What is past a cap shows
    by one sign at least past its mark, what is not never does, and nothing but 0 is drawn empty.
    """
    size = row.size or 0
    tick = min(cells - 1, max(1, cells * row.soft // max(row.hard, 1)))
    low = _share(min(size, row.soft), row.soft, tick)
    high = _share(min(size, row.hard) - row.soft, row.hard - row.soft, cells - tick)
    over = _share(size - row.hard, row.hard, cells)
    inside = "#" * low + "." * (tick - low) + "|" + "#" * high + "." * (cells - tick - high)
    return f"[{inside}]" + ("!" * min(over, MAX_OVERFLOW)).ljust(MAX_OVERFLOW)


def _share(part: int, whole: int, cells: int) -> int:
    if part <= 0:
        return 0
    return max(1, part * cells // whole) if whole > 0 else cells


def draw(gauge: Gauge, style: Style) -> list[str]:
    """Draw a gauge: what was measured, a row for lines, a row for bytes, and what a host does not load."""
    caps = gauge.caps
    rows = (
        Row("lines", gauge.lines, caps.soft_lines, caps.hard_lines),
        Row("bytes", gauge.bytes, caps.soft_bytes, caps.hard_bytes),
    )
    name = f"  {shown(gauge.path)} {shown(gauge.layer)}"
    sizes = [len(grouped(row.size)) for row in rows if row.size is not None]
    if not sizes:
        return [f"{name}: {painted('not measured', 'error', style)}"]
    limits = max(len(grouped(row.hard)) for row in rows)
    cells = max(10, min(40, style.width - 60))
    lines = [name]
    for row in rows:
        if row.size is None:
            lines.append(f"    {row.dimension}  {painted('not measured', row.state, style)}")
            continue
        numbers = f"{grouped(row.size):>{max(sizes)}} of {grouped(row.hard):>{limits}}"
        picture = painted(bar(row, cells), row.state, style)
        lines.append(f"    {row.dimension}  {picture} {numbers}  {painted(_comment(row), row.state, style)}")
    return lines + _unloaded(gauge, style)


def _comment(row: Row) -> str:
    size = row.size or 0
    if size > row.hard:
        return f"over by {grouped(size - row.hard)}"
    if size > row.soft:
        return f"soft cap {grouped(row.soft)}, over by {grouped(size - row.soft)}"
    return f"soft cap {grouped(row.soft)}"


def _unloaded(gauge: Gauge, style: Style) -> list[str]:
    if not gauge.unloaded:
        return []
    number = gauge.lost
    by = f" by {shown(gauge.unloaded_by)}" if gauge.unloaded_by else ""
    told = f"not loaded{by}: {grouped(number)} {'entry' if number == 1 else 'entries'}"
    return [f"    {painted(told, 'warning', style)}", f"      {elided(gauge.unloaded, style.width - 6, count=number)}"]
