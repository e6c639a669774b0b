"""Sizes of an index in words: against caps, how much to cut, and where that is cheapest."""

from __future__ import annotations

from memstile.core.caps import Excess
from memstile.core.pointers import label
from memstile.core.text import counted, grouped, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


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
    return " and ".join(counted(e.by, e.dimension.removesuffix("s")) for e in excess)


_MOST_SORTED_BYTES = 2 * 1024 * 1024
"""Nobody shortens a larger index line by line, and splitting 25 million lines takes seconds."""


def longest(data: bytes | None, most: int = 3) -> str:
    """Name the longest lines of an index: where the fewest edits win the most bytes.

    data: the index, None when it was not read. Result: "line 12, deploy.md (412 bytes); line 40 (388 bytes)": an entry
    goes by the note it points to, never by its text. "" also for an index that is very large.
    """
    if not data or len(data) > _MOST_SORTED_BYTES:
        return ""
    rows = sorted(enumerate(data.split(b"\n"), 1), key=lambda row: -len(row[1]))[:most]
    return "; ".join(f"{_entry(line, number)} ({counted(len(line), 'byte')})" for number, line in rows if line.strip())


def _entry(line: bytes, number: int) -> str:
    slug = label(line[:2_000].decode("utf-8", "replace"), number)
    return slug if slug == f"line {number}" else f"line {number}, {shown(slug)}"
