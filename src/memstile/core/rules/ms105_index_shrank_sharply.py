"""Warn when an index loses more than half of its lines or bytes at once.

A wipe is a shrink, and shrinking always passes: a compaction may well look like this. So does an agent that wrote
before it read. The old content is still in git; the hint shows how to get it back.

    Found:  120 lines to 12 lines.
    Passes: 120 lines to 70 lines; an index of less than 20 lines and 2,000 bytes, whatever happens to it.

Mend it, if it was not meant: restore the index from the base, then make the smaller change.

Settings: index.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts, IndexFacts, Kind
from memstile.core.finding import Severity
from memstile.core.measure import Size
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import counted
from memstile.core.wording import index_name

MIN_LINES = 20
MIN_BYTES = 2_000
_HINT = "if that was not meant: this writes the old content beside it, to take back what is missed"


def check(facts: Facts) -> Iterator[Told]:
    """Compare each index with its base."""
    for index in facts.indexes:
        before = index.base.size if index.base else None
        if not before or ((before.lines or 0) < MIN_LINES and before.bytes < MIN_BYTES):
            continue
        told = _loss(index, before)
        if told and not (index.now.kind is Kind.MISSING and index.may_vanish):
            yield Told(
                index.path,
                told,
                _HINT,
                index.restore,
            )


def _loss(index: IndexFacts, before: Size) -> str:
    now = index.now.size
    if now is None:
        return ""
    # Lines that were not counted, of an index too large to read, are not compared.
    lost_lines = now.lines is not None and before.lines is not None and now.lines * 2 < before.lines
    if not lost_lines and now.bytes * 2 >= before.bytes:
        return ""
    was = _size(before.lines, before.bytes)
    if index.now.kind is Kind.MISSING:
        return f"{index_name(index)} is gone; {index.base_name} had {was}"
    return f"{index_name(index)} fell from {was} to {_size(now.lines, now.bytes)} (base: {index.base_name})"


def _size(lines: int | None, size: int) -> str:
    return (f"{counted(lines, 'line')} and " if lines is not None else "") + counted(size, "byte")


RULE = Rule(
    "MS105",
    "index-shrank-sharply",
    Severity.WARNING,
    "index",
    "the index lost more than half of its content",
    check,
    __doc__ or "",
)
