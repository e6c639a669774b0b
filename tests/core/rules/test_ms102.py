"""MS102 index-over-cap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.facts import MISSING, IndexFacts, Kind, Layer, Reading
from memstile.core.finding import Finding, Severity
from memstile.core.measure import Size
from memstile.core.rules.ms101_index_grew_over_cap import RULE as MS101
from memstile.core.rules.ms102_index_over_cap import RULE
from memstile.core.settings import DEFAULTS
from tests.core.rule_tools import about, on_disk, said, sized

UNREADABLE = Reading(Kind.UNREADABLE, why="x")


def over(severity: Severity, words: str, hint: str) -> list[Finding]:
    return [Finding("MS102", severity, "v/MEMORY.md", words, hint)]


ERROR, WARNING = Severity.ERROR, Severity.WARNING

ROWS = [
    pytest.param(on_disk(sized(200, 25_600)), [], id="at the caps"),
    pytest.param(
        on_disk(sized(201, 25_600)),
        over(ERROR, "index on disk is 201 lines, hard cap 200", "cut 1 line"),
        id="a line over",
    ),
    pytest.param(
        on_disk(sized(200, 25_601)),
        over(ERROR, "index on disk is 25,601 bytes, hard cap 25,600", "cut 1 byte"),
        id="a byte over",
    ),
    pytest.param(
        on_disk(sized(210, 26_000), sized(210, 26_000)),
        over(
            WARNING,
            "index on disk is 210 lines, hard cap 200; 26,000 bytes, hard cap 25,600; not larger than HEAD",
            "cut 10 lines and 400 bytes",
        ),
        id="as it was: a warning",
    ),
    pytest.param(on_disk(sized(211, 9_000), sized(210, 9_000)), [], id="grown: MS101 has told it"),
    pytest.param(
        on_disk(sized(211, 9_000), UNREADABLE),
        over(
            ERROR,
            "index on disk is 211 lines, hard cap 200; growth not verified: HEAD could not be read",
            "cut 11 lines",
        ),
        id="a base that cannot be read: said loudly",
    ),
    pytest.param(
        on_disk(sized(211, 9_000), Reading(Kind.TOO_LARGE, Size(None, 9_000_000))),
        over(
            ERROR,
            "index on disk is 211 lines, hard cap 200; growth not verified: HEAD could not be read",
            "cut 11 lines",
        ),
        id="a base of which only the bytes are known",
    ),
    pytest.param(
        on_disk(sized(201, 1))._replace(is_carried=False),
        over(WARNING, "index on disk is 201 lines, hard cap 200", "cut 1 line"),
        id="not carried by the commit: a warning",
    ),
    pytest.param(
        on_disk(sized(201, 1), layer=Layer.FILTERED),
        over(ERROR, "index on disk (git filters it) is 201 lines, hard cap 200", "cut 1 line"),
        id="behind a filter",
    ),
    pytest.param(
        on_disk(Reading(Kind.UNREADABLE, Size(None, 25_601), why="x")),
        over(ERROR, "index on disk is 25,601 bytes, hard cap 25,600", "cut 1 byte"),
        id="unreadable, but its bytes are known",
    ),
    pytest.param(on_disk(UNREADABLE), [], id="unreadable"),
    pytest.param(on_disk(MISSING), [], id="missing"),
]


@pytest.mark.parametrize(("index", "expected"), ROWS)
def test_an_index_over_a_hard_cap_is_told(index: IndexFacts, expected: list[Finding]) -> None:
    assert said(RULE, about(index)) == expected


SIZES = st.builds(sized, st.none() | st.integers(198, 203), st.integers(25_598, 25_603))


@given(SIZES, st.none() | SIZES)
def test_an_index_over_a_hard_cap_is_told_by_exactly_one_rule(now: Reading, base: Reading | None) -> None:
    facts = about(on_disk(now, base))
    size = now.size or Size(None, 0)
    is_over = (size.lines or 0) > 200 or size.bytes > 25_600
    told = [*said(MS101, facts), *said(RULE, facts)]
    assert len(told) == is_over
    assert not any(finding.severity is WARNING for finding in told) or base is not None


@given(SIZES, SIZES, st.sampled_from(["off", "audit", "enforce"]))
def test_a_stricter_mode_never_tells_less(now: Reading, base: Reading, mode: str) -> None:
    modes = ["off", "audit", "enforce"]
    weight = [
        max(
            (f.severity for f in said(RULE, about(on_disk(now, base), settings=DEFAULTS._replace(index_mode=m)))),
            default=0,
        )
        for m in modes[: modes.index(mode) + 1]
    ]
    assert weight == sorted(weight)
