"""core/caps.py: what is over a cap, and the growth rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.caps import Caps, Excess, grown_over_hard, over_hard, over_soft
from memstile.core.measure import EMPTY, Size

CAPS = Caps()


def lines(before: int | None, after: int, cap: int = 200) -> Excess:
    return Excess("lines", before, after, cap)


def size(before: int | None, after: int, cap: int = 25_600) -> Excess:
    return Excess("bytes", before, after, cap)


def test_the_caps_are_those_of_the_contract() -> None:
    assert Caps() == Caps(hard_lines=200, hard_bytes=25_600, soft_lines=150, soft_bytes=20_480)


OVER_HARD = [
    pytest.param(Size(0, 0), (), id="nothing"),
    pytest.param(Size(1, 1), (), id="one line"),
    pytest.param(Size(199, 25_599), (), id="below both caps"),
    pytest.param(Size(200, 25_600), (), id="at both caps: legal"),
    pytest.param(Size(201, 25_600), (lines(None, 201),), id="a line over"),
    pytest.param(Size(200, 25_601), (size(None, 25_601),), id="a byte over"),
    pytest.param(Size(201, 25_601), (lines(None, 201), size(None, 25_601)), id="both over, lines first"),
    pytest.param(Size(146, 53_000), (size(None, 53_000),), id="few lines, many bytes"),
    pytest.param(Size(None, 25_600), (), id="lines not counted, bytes at the cap"),
    pytest.param(Size(None, 25_601), (size(None, 25_601),), id="lines not counted, bytes over"),
]


@pytest.mark.parametrize(("after", "excess"), OVER_HARD)
def test_over_the_hard_cap_is_more_than_the_cap(after: Size, excess: tuple[Excess, ...]) -> None:
    assert over_hard(after, CAPS) == excess


OVER_SOFT = [
    pytest.param(Size(0, 0), (), id="nothing"),
    pytest.param(Size(150, 20_480), (), id="at both soft caps: legal"),
    pytest.param(Size(151, 20_480), (lines(None, 151, 150),), id="a line over"),
    pytest.param(Size(150, 20_481), (size(None, 20_481, 20_480),), id="a byte over"),
    pytest.param(Size(230, 30_000), (lines(None, 230, 150), size(None, 30_000, 20_480)), id="past the hard cap too"),
    pytest.param(Size(None, 20_481), (size(None, 20_481, 20_480),), id="lines not counted"),
]


@pytest.mark.parametrize(("after", "excess"), OVER_SOFT)
def test_over_the_soft_cap_is_more_than_the_cap(after: Size, excess: tuple[Excess, ...]) -> None:
    assert over_soft(after, CAPS) == excess


def test_an_excess_tells_the_size_before_where_it_is_known() -> None:
    after = Size(230, 30_000)
    assert over_hard(after, CAPS, Size(210, 20_000)) == (lines(210, 230), size(20_000, 30_000))
    assert over_hard(after, CAPS, Size(None, 20_000)) == (lines(None, 230), size(20_000, 30_000))
    assert over_hard(after, CAPS, EMPTY) == (lines(0, 230), size(0, 30_000))
    assert over_soft(after, CAPS, Size(210, 20_000)) == (lines(210, 230, 150), size(20_000, 30_000, 20_480))


def test_an_excess_tells_how_much_has_to_go() -> None:
    assert [e.by for e in over_hard(Size(211, 25_601), CAPS)] == [11, 1]
    assert [e.by for e in over_soft(Size(211, 25_601), CAPS)] == [61, 5_121]


GROWTH = [
    pytest.param(Size(210, 9_000), Size(205, 9_000), (), id="210 to 205 lines: shrinks"),
    pytest.param(Size(210, 9_000), Size(210, 9_000), (), id="210 to 210 lines: stays"),
    pytest.param(Size(210, 9_000), Size(211, 9_000), (lines(210, 211),), id="210 to 211 lines: grows"),
    pytest.param(Size(199, 9_000), Size(200, 9_000), (), id="grows to the line cap"),
    pytest.param(Size(200, 9_000), Size(201, 9_000), (lines(200, 201),), id="grows past the line cap"),
    pytest.param(Size(50, 25_599), Size(50, 25_600), (), id="grows to the byte cap"),
    pytest.param(Size(50, 25_600), Size(50, 25_601), (size(25_600, 25_601),), id="grows past the byte cap"),
    pytest.param(Size(210, 9_000), Size(210, 9_100), (), id="bytes grow while legal, lines stay over"),
    pytest.param(Size(210, 9_000), Size(205, 9_100), (), id="lines down, bytes up while legal"),
    pytest.param(Size(210, 9_000), Size(200, 9_000), (), id="shrinks to the cap"),
    pytest.param(Size(210, 9_000), EMPTY, (), id="a wipe is a shrink"),
    pytest.param(Size(230, 20_000), Size(221, 19_500), (), id="shrinks but is still over"),
    pytest.param(Size(210, 20_000), Size(199, 20_900), (), id="apart (a): lines down, bytes up while legal"),
    pytest.param(Size(150, 27_000), Size(160, 26_500), (), id="apart (b): lines up while legal, bytes down"),
    pytest.param(
        Size(230, 20_000), Size(225, 26_000), (size(20_000, 26_000),), id="apart (c): bytes rise past the cap"
    ),
    pytest.param(Size(210, 26_000), Size(211, 26_001), (lines(210, 211), size(26_000, 26_001)), id="both grow over"),
    pytest.param(EMPTY, Size(200, 25_600), (), id="no base: a new index at the cap"),
    pytest.param(EMPTY, Size(215, 9_000), (lines(0, 215),), id="no base: a new index over the cap"),
    pytest.param(EMPTY, Size(1, 25_601), (size(0, 25_601),), id="no base: one long line"),
    pytest.param(Size(None, 9_000), Size(215, 9_000), (), id="base lines unknown: lines are not judged"),
    pytest.param(
        Size(None, 9_000),
        Size(215, 26_000),
        (size(9_000, 26_000),),
        id="base lines unknown: bytes are judged",
    ),
    pytest.param(Size(210, 9_000), Size(None, 9_000), (), id="lines after unknown: lines are not judged"),
    pytest.param(Size(0, 1), Size(None, 26_000), (size(1, 26_000),), id="lines after unknown: bytes are judged"),
    pytest.param(Size(None, 9_000_000), Size(None, 9_000_000), (), id="too large to read, unchanged"),
]


@pytest.mark.parametrize(("before", "after", "excess"), GROWTH)
def test_the_growth_rule_names_what_is_over_and_grew(before: Size, after: Size, excess: tuple[Excess, ...]) -> None:
    assert grown_over_hard(before, after, CAPS) == excess


def test_the_projects_own_caps_are_the_ones_compared_with() -> None:
    small = Caps(hard_lines=10, hard_bytes=100, soft_lines=5, soft_bytes=50)
    assert over_hard(Size(11, 100), small) == (lines(None, 11, 10),)
    assert over_soft(Size(5, 51), small) == (size(None, 51, 50),)
    assert grown_over_hard(Size(9, 99), Size(11, 101), small) == (lines(9, 11, 10), size(99, 101, 100))


# Numbers close to each other, so that equal, one less and one more are common.
NUMBERS = st.integers(0, 12)
ALL_CAPS = st.builds(Caps, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
SIZES = st.builds(Size, st.none() | NUMBERS, NUMBERS)


@given(SIZES, SIZES, ALL_CAPS)
def test_the_growth_rule_is_the_sentence_of_the_contract(before: Size, after: Size, caps: Caps) -> None:
    refused = {
        dimension
        for dimension, b, a, cap in (
            ("lines", before.lines, after.lines, caps.hard_lines),
            ("bytes", before.bytes, after.bytes, caps.hard_bytes),
        )
        if b is not None and a is not None and a > cap and a > b
    }
    assert {e.dimension for e in grown_over_hard(before, after, caps)} == refused


@given(SIZES, SIZES, ALL_CAPS)
def test_what_grew_over_is_part_of_what_is_over(before: Size, after: Size, caps: Caps) -> None:
    over = over_hard(after, caps, before)
    grown = grown_over_hard(before, after, caps)
    assert [e for e in over if e in grown] == list(grown)


@given(SIZES, ALL_CAPS)
def test_a_size_is_never_growth_over_itself(size: Size, caps: Caps) -> None:
    assert grown_over_hard(size, size, caps) == ()


@given(SIZES, SIZES, ALL_CAPS)
def test_lines_that_were_not_counted_are_never_named(before: Size, after: Size, caps: Caps) -> None:
    unknown = after._replace(lines=None)
    named = [*over_hard(unknown, caps, before), *over_soft(unknown, caps, before)]
    named += grown_over_hard(before, unknown, caps)
    named += grown_over_hard(before._replace(lines=None), after, caps)
    assert {e.dimension for e in named} <= {"bytes"}


@given(SIZES, ALL_CAPS, st.none() | SIZES)
def test_an_excess_is_always_past_its_cap(size: Size, caps: Caps, before: Size | None) -> None:
    excess = [*over_hard(size, caps, before), *over_soft(size, caps, before)]
    assert all(e.by > 0 and e.after == getattr(size, e.dimension) for e in excess)
    assert all(e.before == (getattr(before, e.dimension) if before else None) for e in excess)
