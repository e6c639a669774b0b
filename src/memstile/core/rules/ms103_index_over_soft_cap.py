"""Warn when an index comes near its hard cap.

Between the soft and the hard cap everything is still loaded, and there is time to compact in peace.

    Found:  151 lines, or 20,481 bytes.
    Passes: 150 lines and 20,480 bytes.

Mend it: plan a compaction: shorten the longest lines first, then move topics to their own notes.

Settings: index.mode, index.soft_lines, index.soft_bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.caps import over_hard, over_soft
from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told
from memstile.core.wording import compaction, index_name, sizes


def check(facts: Facts) -> Iterator[Told]:
    """Judge each index that is within its hard caps."""
    caps = facts.settings.caps
    for index in facts.indexes:
        size = index.now.size
        if size is None or over_hard(size, caps):
            continue
        over = over_soft(size, caps)
        if over:
            yield Told(
                index.path,
                f"{index_name(index)} is {sizes(over, 'soft cap')}",
                f"plan a compaction: {compaction(over, index.now.data)}",
            )


RULE = Rule(
    "MS103",
    "index-over-soft-cap",
    Severity.WARNING,
    "index",
    "the index is over its soft cap",
    check,
    __doc__ or "",
)
