"""Refuse an index that is over a hard cap and larger than before.

A host loads the first part of the index and drops the rest without a word, so each line past the cap pushes an entry
out of every later session. The rule looks at growth only, in lines and bytes apart: an index that is already over may
shrink step by step, and a change that leaves it as it was passes with a warning (MS102).

    Found:  MEMORY.md goes from 210 to 211 lines.
    Passes: 210 to 205 lines; 210 to 210 lines; 150 lines and 27,000 bytes to 160 lines and 26,500 bytes.

Mend it: move one topic to its own note and leave a one-line pointer, or shorten the longest lines; any result that is
not larger than before passes, even if it is still over the cap.

Settings: index.mode, index.hard_lines, index.hard_bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.caps import grown_over_hard
from memstile.core.facts import Facts, IndexFacts
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told
from memstile.core.wording import MERGED, growth, index_name, way_back


def check(facts: Facts) -> Iterator[Told]:
    """Judge each index that has a base."""
    for index in facts.indexes:
        if index.base is None or index.base.size is None or index.now.size is None:
            continue
        grown = grown_over_hard(index.base.size, index.now.size, facts.settings.caps)
        if grown:
            yield Told(
                index.path,
                f"{index_name(index)} grew {growth(grown, 'hard cap')} (base: {index.base_name})",
                _hint(index, way_back(grown, index.now.data)),
            )


def _hint(index: IndexFacts, cuts: str) -> str:
    if index.base_name == MERGED:
        return f"both sides of the merge added to it: {cuts}; then `git add` it and commit the merge"
    return cuts


RULE = Rule(
    "MS101",
    "index-grew-over-cap",
    Severity.ERROR,
    "index",
    "the index is over its hard cap and larger than the base",
    check,
    __doc__ or "",
)
