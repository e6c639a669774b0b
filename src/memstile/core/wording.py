"""Words that several rules share: sizes against caps, the cheapest cuts, lists of paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memstile.core.caps import Excess
from memstile.core.facts import IndexFacts, Layer
from memstile.core.text import counted, grouped, shown

MERGED = "HEAD and the merged commits"
"""What the base of a merge is called."""

_NAMES = {
    Layer.DISK: "index on disk",
    Layer.STAGED: "staged index",
    Layer.FILTERED: "index on disk (git filters it)",
}


def index_name(index: IndexFacts) -> str:
    """Name the bytes that were measured: the layers of one index may differ."""
    return _NAMES[index.layer]


def sizes(excess: Sequence[Excess], cap: str) -> str:
    """Write "210 lines, hard cap 200; 26,000 bytes, hard cap 25,600"."""
    return "; ".join(f"{grouped(e.after)} {e.dimension}, {cap} {grouped(e.cap)}" for e in excess)


def growth(excess: Sequence[Excess], cap: str) -> str:
    """Write "from 210 to 211 lines, hard cap 200", each dimension with both numbers."""
    return "; ".join(
        f"from {grouped(e.before or 0)} to {grouped(e.after)} {e.dimension}, {cap} {grouped(e.cap)}" for e in excess
    )


def amounts(excess: Sequence[Excess]) -> str:
    """Write what has to go: "11 lines and 400 bytes"."""
    return _amounts((e.dimension, e.by) for e in excess)


def least_amounts(excess: Sequence[Excess]) -> str:
    """Write what has to go before the growth rule lets a change through: "1 line"."""
    return _amounts((e.dimension, e.grown_by) for e in excess)


def _amounts(rows: Iterable[tuple[str, int]]) -> str:
    return " and ".join(counted(amount, dimension.removesuffix("s")) for dimension, amount in rows)


def cheapest_cuts(data: bytes | None, most: int = 3) -> str:
    """Name the longest lines of an index: where the fewest edits win the most bytes.

    data: the index, None when it was not read. Result: "" or "line 12 (412 bytes), line 40 (388 bytes)".
    """
    if not data:
        return ""
    lines = sorted(enumerate(data.split(b"\n"), 1), key=lambda row: -len(row[1]))[:most]
    return ", ".join(f"line {number} ({counted(len(line), 'byte')})" for number, line in lines if line.strip())


def compaction(excess: Sequence[Excess], data: bytes | None) -> str:
    """Say how far it is to the cap and where to start; long lines are named where bytes are too many."""
    return f"cut {amounts(excess)}{_longest(excess, data)}"


def way_back(excess: Sequence[Excess], data: bytes | None) -> str:
    """Say as `compaction` does what takes back a growth, and what is left to the cap then."""
    least, every = least_amounts(excess), amounts(excess)
    if least == every:
        return compaction(excess, data)
    return f"cut {least} to pass, {every} to be within the cap{_longest(excess, data)}"


def _longest(excess: Sequence[Excess], data: bytes | None) -> str:
    cuts = cheapest_cuts(data) if any(e.dimension == "bytes" for e in excess) else ""
    return f"; longest: {cuts}" if cuts else ""


def some(names: Iterable[str], most: int = 3, count: int = 0) -> str:
    """Write the first names, escaped, and how many more there are. count: of all, where not all are given."""
    every = [shown(name) for name in names]
    more = max(count, len(every)) - most
    return ", ".join(every[:most]) + (f" and {grouped(more)} more" if more > 0 else "")
