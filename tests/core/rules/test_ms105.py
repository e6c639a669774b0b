"""MS105 index-shrank-sharply."""

from __future__ import annotations

import pytest

from memstile.core.facts import MISSING, IndexFacts, Kind, Reading
from memstile.core.finding import Finding, Severity
from memstile.core.measure import Size
from memstile.core.rules.ms105_index_shrank_sharply import RULE
from tests.core.rule_tools import about, on_disk, said, sized


def told(words: str) -> list[Finding]:
    hint = "if that was not meant: this writes the old content beside it, to take back what is missed"
    return [Finding("MS105", Severity.WARNING, "v/MEMORY.md", words, hint, ("git restore x",))]


GONE = told("index on disk is gone; HEAD had 120 lines and 6,000 bytes")

ROWS = [
    pytest.param(on_disk(sized(0, 0)), [], id="no base is known"),
    pytest.param(on_disk(sized(60, 3_000), sized(120, 6_000)), [], id="exactly half is left"),
    pytest.param(
        on_disk(sized(59, 6_000), sized(120, 6_000)),
        told("index on disk fell from 120 lines and 6,000 bytes to 59 lines and 6,000 bytes (base: HEAD)"),
        id="less than half of the lines",
    ),
    pytest.param(
        on_disk(sized(120, 2_999), sized(120, 6_000)),
        told("index on disk fell from 120 lines and 6,000 bytes to 120 lines and 2,999 bytes (base: HEAD)"),
        id="less than half of the bytes",
    ),
    pytest.param(on_disk(sized(0, 0), sized(19, 1_999)), [], id="a trivial index"),
    pytest.param(
        on_disk(sized(0, 0), sized(20, 100)),
        told("index on disk fell from 20 lines and 100 bytes to 0 lines and 0 bytes (base: HEAD)"),
        id="20 lines are not trivial",
    ),
    pytest.param(
        on_disk(sized(0, 0), sized(1, 2_000)),
        told("index on disk fell from 1 line and 2,000 bytes to 0 lines and 0 bytes (base: HEAD)"),
        id="2,000 bytes are not trivial",
    ),
    pytest.param(on_disk(MISSING, sized(120, 6_000)), GONE, id="gone"),
    pytest.param(on_disk(MISSING, sized(120, 6_000))._replace(may_vanish=True), [], id="gone, as it may"),
    pytest.param(
        on_disk(sized(1, 1), sized(120, 6_000))._replace(may_vanish=True),
        told("index on disk fell from 120 lines and 6,000 bytes to 1 line and 1 byte (base: HEAD)"),
        id="it may vanish, not shrink",
    ),
    pytest.param(on_disk(sized(1, 1), MISSING), [], id="new"),
    pytest.param(on_disk(sized(1, 1), Reading(Kind.UNREADABLE)), [], id="a base that cannot be read"),
    pytest.param(
        on_disk(sized(1, 1), Reading(Kind.TOO_LARGE, Size(None, 9_000_000))),
        told("index on disk fell from 9,000,000 bytes to 1 line and 1 byte (base: HEAD)"),
        id="a base too large to count its lines",
    ),
    pytest.param(on_disk(Reading(Kind.UNREADABLE), sized(120, 6_000)), [], id="an index that cannot be read"),
]


@pytest.mark.parametrize(("index", "expected"), ROWS)
def test_a_loss_of_more_than_half_is_told(index: IndexFacts, expected: list[Finding]) -> None:
    assert said(RULE, about(index)) == expected
