"""Warn when a host does not load the whole index, and name the entries it leaves out.

Hosts count in their own units. Claude Code loads the first 200 lines and 25,000 UTF-16 code units of the trimmed
text: 600 less than the hard cap of 25,600 bytes, so an index can pass the cap and still lose its tail.

    Found:  190 lines and 25,300 ASCII bytes: the last entries are not loaded.
    Passes: 199 lines and 24,900 bytes.

Mend it: shorten or move entries until all are inside; put what matters most first.

Settings: index.mode, index.windows (the hosts whose windows count).
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import counted, grouped
from memstile.core.windows import WINDOWS, Lost, unloaded
from memstile.core.wording import index_name, some


def check(facts: Facts) -> Iterator[Told]:
    """Lay each configured window over each index that was read."""
    for index in facts.indexes:
        for name in facts.settings.index_windows:
            window = WINDOWS.get(name)
            lost = unloaded(window, index.now.data) if window and index.now.data else Lost()
            if window and lost.total:
                entries = "1 entry" if lost.total == 1 else f"{grouped(lost.total)} entries"
                names = some((row.label for row in lost.rows), count=lost.total)
                loads = f"{counted(window.max_lines, 'line')} and {grouped(window.max_units)} UTF-16 units"
                yield Told(
                    index.path,
                    f"{name} does not load {entries} of the {index_name(index)}: {names}",
                    f"{name} loads {loads} of the trimmed text; shorten or move entries until all are inside",
                    line=lost.rows[0].line,
                )


RULE = Rule(
    "MS104",
    "index-past-host-window",
    Severity.WARNING,
    "index",
    "a host does not load the whole index",
    check,
    __doc__ or "",
)
