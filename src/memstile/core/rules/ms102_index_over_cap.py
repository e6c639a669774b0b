"""Report an index that is over a hard cap.

An error where nothing is known about growth (a plain `memstile check`, or a base that cannot be read), since entries
are lost at every session. A warning where a base shows that this change did not make it larger: then the author of the
change is not to blame, and compaction must stay possible. `--strict` fails on the warning too.

    Found:  201 lines, or 25,601 bytes.
    Passes: 200 lines and 25,600 bytes: the caps themselves are legal.

Mend it: move topics to their own notes and leave one-line pointers; archive what is cold.

Settings: index.mode, index.hard_lines, index.hard_bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memstile.core.caps import Excess, grown_over_hard, over_hard
from memstile.core.facts import Facts, IndexFacts, Kind
from memstile.core.finding import Severity
from memstile.core.measure import Size
from memstile.core.rules.rule import Rule, Told
from memstile.core.wording import compaction, index_name, sizes


def check(facts: Facts) -> Iterator[Told]:
    """Judge each index by its size alone, unless MS101 has refused it."""
    caps = facts.settings.caps
    for index in facts.indexes:
        size, base = index.now.size, index.base
        if size is None:
            continue
        before = base.size if base else None
        over = over_hard(size, caps, before)
        if not over or (before and grown_over_hard(before, size, caps)):
            continue
        yield Told(
            index.path,
            f"{index_name(index)} is {sizes(over, 'hard cap')}{_compared(index, before)}",
            compaction(over, index.now.data),
            severity=Severity.WARNING if _is_excused(index, over) else Severity.ERROR,
        )


def _is_excused(index: IndexFacts, over: Sequence[Excess]) -> bool:
    """Tell whether a base shows that nothing grew; a base that could not be read shows nothing."""
    return not index.is_carried or all(row.before is not None and row.before >= row.after for row in over)


def _compared(index: IndexFacts, before: Size | None) -> str:
    if index.base is None:
        return ""
    if before is None or index.base.kind is not Kind.FILE:
        return f"; growth not verified: {index.base_name} could not be read"
    return f"; not larger than {index.base_name}"


RULE = Rule(
    "MS102",
    "index-over-cap",
    Severity.ERROR,
    "index",
    "the index is over its hard cap",
    check,
    __doc__ or "",
)
