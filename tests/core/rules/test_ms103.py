"""MS103 index-over-soft-cap."""

from __future__ import annotations

import pytest

from memstile.core.facts import MISSING, IndexFacts, Kind, Layer, Reading
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms103_index_over_soft_cap import RULE
from tests.core.rule_tools import about, on_disk, said, sized


def over(words: str, hint: str) -> list[Finding]:
    return [Finding("MS103", Severity.WARNING, "v/MEMORY.md", words, f"plan a compaction: {hint}")]


ROWS = [
    pytest.param(on_disk(sized(150, 20_480)), [], id="at the soft caps"),
    pytest.param(
        on_disk(sized(151, 20_480)), over("index on disk is 151 lines, soft cap 150", "cut 1 line"), id="a line over"
    ),
    pytest.param(
        on_disk(sized(150, 20_481), layer=Layer.STAGED),
        over("staged index is 20,481 bytes, soft cap 20,480", "cut 1 byte"),
        id="a byte over",
    ),
    pytest.param(
        on_disk(sized(200, 25_600), sized(200, 25_600)),
        over("index on disk is 200 lines, soft cap 150; 25,600 bytes, soft cap 20,480", "cut 50 lines and 5,120 bytes"),
        id="at the hard caps, whatever it was before",
    ),
    pytest.param(on_disk(sized(201, 1)), [], id="over the hard cap: others speak"),
    pytest.param(on_disk(MISSING), [], id="missing"),
    pytest.param(on_disk(Reading(Kind.UNREADABLE)), [], id="unreadable"),
]


@pytest.mark.parametrize(("index", "expected"), ROWS)
def test_an_index_near_its_hard_cap_is_told(index: IndexFacts, expected: list[Finding]) -> None:
    assert said(RULE, about(index)) == expected
