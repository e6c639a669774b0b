"""MS101 index-grew-over-cap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.facts import MISSING, IndexFacts, Kind, Layer, Reading
from memstile.core.finding import Finding, Severity
from memstile.core.measure import Size
from memstile.core.rules.ms101_index_grew_over_cap import RULE
from memstile.core.settings import DEFAULTS
from memstile.core.wording import MERGED
from tests.core.data import index_of
from tests.core.rule_tools import about, file, on_disk, said, sized

UNREADABLE = Reading(Kind.UNREADABLE, why="x")
BYTES_ONLY = Reading(Kind.TOO_LARGE, Size(None, 9_000_000), why="x")


def grew(words: str, hint: str, *, layer: str = "index on disk") -> list[Finding]:
    message = f"{layer} grew {words} (base: HEAD)"
    return [Finding("MS101", Severity.ERROR, "v/MEMORY.md", message, hint)]


ROWS = [
    pytest.param(on_disk(sized(211, 9_000)), [], id="no base is known"),
    pytest.param(on_disk(sized(205, 9_000), sized(210, 9_000)), [], id="shrinks"),
    pytest.param(on_disk(sized(210, 9_000), sized(210, 9_000)), [], id="stays"),
    pytest.param(on_disk(sized(200, 25_600), sized(1, 1)), [], id="grows to the caps"),
    pytest.param(
        on_disk(sized(211, 9_000), sized(210, 9_000)),
        grew("from 210 to 211 lines, hard cap 200", "cut 1 line to pass, 11 lines to be within the cap"),
        id="grows in lines",
    ),
    pytest.param(
        on_disk(sized(225, 26_000), sized(230, 20_000)),
        grew("from 20,000 to 26,000 bytes, hard cap 25,600", "cut 400 bytes"),
        id="bytes alone are named",
    ),
    pytest.param(
        on_disk(sized(206, 26_000), sized(205, 25_600)),
        grew(
            "from 205 to 206 lines, hard cap 200; from 25,600 to 26,000 bytes, hard cap 25,600",
            "cut 1 line and 400 bytes to pass, 6 lines and 400 bytes to be within the cap",
        ),
        id="one dimension was over before",
    ),
    pytest.param(
        on_disk(sized(201, 25_601), MISSING),
        grew("from 0 to 201 lines, hard cap 200; from 0 to 25,601 bytes, hard cap 25,600", "cut 1 line and 1 byte"),
        id="new, in both dimensions",
    ),
    pytest.param(
        on_disk(file(index_of(201, 804)[:-8] + b"xxxxxx\n\n"), MISSING, layer=Layer.STAGED),
        grew(
            "from 0 to 201 lines, hard cap 200",
            "cut 1 line",
            layer="staged index",
        ),
        id="lines alone: that a line is long does not matter",
    ),
    pytest.param(on_disk(sized(300, 9_000), UNREADABLE), [], id="a base that cannot be read is not 0"),
    pytest.param(on_disk(sized(300, 9_000), BYTES_ONLY), [], id="a base whose lines are not known"),
    pytest.param(
        on_disk(sized(300, 26_000), Reading(Kind.UNREADABLE, Size(None, 25_000), why="x")),
        grew("from 25,000 to 26,000 bytes, hard cap 25,600", "cut 400 bytes"),
        id="a base whose bytes are known",
    ),
    pytest.param(on_disk(UNREADABLE, MISSING), [], id="an index that cannot be read"),
    pytest.param(
        on_disk(BYTES_ONLY, sized(1, 1)),
        grew("from 1 to 9,000,000 bytes, hard cap 25,600", "cut 8,974,400 bytes"),
        id="an index too large to read",
    ),
    pytest.param(on_disk(MISSING, sized(300, 30_000)), [], id="an index that is gone"),
]


@pytest.mark.parametrize(("index", "expected"), ROWS)
def test_growth_over_a_hard_cap_is_refused(index: IndexFacts, expected: list[Finding]) -> None:
    assert said(RULE, about(index)) == expected


def test_each_index_is_judged_by_the_settings() -> None:
    row = on_disk(sized(11, 1), sized(10, 1))
    small = DEFAULTS._replace(index_hard_lines=10)
    assert len(said(RULE, about(row, row, settings=small))) == 2
    audit = said(RULE, about(row, settings=small._replace(index_mode="audit")))
    assert [finding.severity for finding in audit] == [Severity.WARNING]
    assert said(RULE, about(row, settings=small._replace(index_mode="off"))) == []


def test_in_a_merge_the_hint_is_how_to_go_on_with_it() -> None:
    row = on_disk(sized(225, 9_000), sized(210, 9_000), layer=Layer.STAGED)._replace(base_name=MERGED)
    (told,) = said(RULE, about(row))
    assert (told.message, told.hint) == (
        "staged index grew from 210 to 225 lines, hard cap 200 (base: HEAD and the merged commits)",
        "both sides of the merge added to it: cut 15 lines to pass, 25 lines to be within the cap; then `git add` it "
        "and commit the merge",
    )


READINGS = st.builds(sized, st.none() | st.integers(195, 205), st.integers(25_595, 25_605)) | st.just(UNREADABLE)


@given(READINGS, READINGS)
def test_a_write_that_is_smaller_in_both_dimensions_always_passes(before: Reading, after: Reading) -> None:
    if before.size and after.size and after.size.bytes <= before.size.bytes:
        lines_shrink = before.size.lines is None or (after.size.lines or 0) <= before.size.lines
        if lines_shrink:
            assert said(RULE, about(on_disk(after, before))) == []
