"""MS104 index-past-host-window."""

from __future__ import annotations

import pytest

from memstile.core.facts import MISSING, IndexFacts, Kind, Layer, Reading
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms104_index_past_host_window import RULE
from memstile.core.settings import DEFAULTS
from tests.core.rule_tools import about, file, on_disk, said

LONG = b"".join(b"- [n](notes/note-%d.md) - x\n" % n for n in range(1, 206))
HINT = (
    "claude-code loads 200 lines and 25,000 UTF-16 units of the trimmed text; "
    "shorten or move entries until all are inside"
)


def lost(words: str, line: int, layer: str = "index on disk") -> list[Finding]:
    message = f"claude-code does not load {words.replace('{}', layer)}"
    return [Finding("MS104", Severity.WARNING, "v/MEMORY.md", message, HINT, line=line)]


ROWS = [
    pytest.param(on_disk(file(LONG[: LONG.index(b"note-200")])), [], id="inside"),
    pytest.param(
        on_disk(file(LONG)),
        lost("5 entries of the {}: note-201.md, note-202.md, note-203.md and 2 more", 201),
        id="the entries are named, by their slugs alone",
    ),
    pytest.param(
        on_disk(file(b"a\n" * 200 + b"b"), layer=Layer.STAGED),
        lost("1 entry of the {}: line 201", 201, "staged index"),
        id="one entry without a pointer",
    ),
    pytest.param(
        on_disk(file(b"a\n" * 200 + b"[x](\x1b[31m.md)\n")),
        lost("1 entry of the {}: \\x1b[31m.md", 201),
        id="a hostile slug is escaped",
    ),
    pytest.param(on_disk(file(b"a\n" * 199 + b"b\n\n\n \n")), [], id="blank lines at the end are trimmed"),
    pytest.param(on_disk(Reading(Kind.TOO_LARGE)), [], id="not read"),
    pytest.param(on_disk(MISSING), [], id="missing"),
]


@pytest.mark.parametrize(("index", "expected"), ROWS)
def test_the_entries_that_a_host_does_not_load_are_named(index: IndexFacts, expected: list[Finding]) -> None:
    assert said(RULE, about(index)) == expected


@pytest.mark.parametrize("windows", [(), ("no-such-host",)])
def test_only_configured_windows_count(windows: tuple[str, ...]) -> None:
    assert said(RULE, about(on_disk(file(LONG)), settings=DEFAULTS._replace(index_windows=windows))) == []
