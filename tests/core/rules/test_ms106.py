"""MS106 index-unmeasurable."""

from __future__ import annotations

import pytest

from memstile.core.facts import MISSING, IndexFacts, Kind, Layer, Reading
from memstile.core.finding import Finding, Severity
from memstile.core.measure import Size
from memstile.core.rules.ms106_index_unmeasurable import RULE
from tests.core.rule_tools import about, on_disk, said, sized


def told(words: str, hint: str, severity: Severity = Severity.ERROR) -> list[Finding]:
    return [Finding("MS106", severity, "v/MEMORY.md", f"{words}", hint)]


ROWS = [
    pytest.param(on_disk(sized(1, 1)), [], id="a file"),
    pytest.param(on_disk(MISSING), [], id="missing"),
    pytest.param(
        on_disk(Reading(Kind.UNREADABLE, why="Permission denied")),
        told(
            "index on disk cannot be measured: Permission denied",
            "make it readable for the user who runs this check",
        ),
        id="unreadable",
    ),
    pytest.param(
        on_disk(Reading(Kind.NOT_REGULAR, why="a FIFO")),
        told("index on disk cannot be measured: a FIFO", "replace it with a regular file"),
        id="no file",
    ),
    pytest.param(
        on_disk(Reading(Kind.TOO_LARGE, Size(None, 9), why="9,000,000 bytes"), layer=Layer.STAGED),
        told(
            "staged index cannot be measured: 9,000,000 bytes",
            "move its content to notes; only the byte count was judged",
            Severity.WARNING,
        ),
        id="too large: its bytes were judged",
    ),
    pytest.param(
        on_disk(Reading(Kind.UNREADABLE, why="unmerged: several versions"), layer=Layer.STAGED),
        told("staged index cannot be measured: unmerged: several versions", "resolve the conflict, then git add"),
        id="a conflict",
    ),
    pytest.param(
        on_disk(Reading(Kind.UNREADABLE, why="a\nb\x1b")),
        told("index on disk cannot be measured: a\\nb\\x1b", "make it readable for the user who runs this check"),
        id="the reason is escaped",
    ),
]


@pytest.mark.parametrize(("index", "expected"), ROWS)
def test_an_index_that_cannot_be_measured_is_never_clean(index: IndexFacts, expected: list[Finding]) -> None:
    assert said(RULE, about(index)) == expected
