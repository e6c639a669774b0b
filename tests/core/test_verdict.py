"""core/verdict.py: what a place does about a change of size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.caps import Caps, Excess, grown_over_hard
from memstile.core.measure import EMPTY, Size, measure
from memstile.core.verdict import Judgement, Verdict, judge
from tests.core.data import index_of

CAPS = Caps()
FINE = Judgement(Verdict.ALLOW, (), is_over_hard=False)


def over_soft(*excess: Excess) -> Judgement:
    return Judgement(Verdict.WARN, excess, is_over_hard=False)


def over_hard(*excess: Excess) -> Judgement:
    return Judgement(Verdict.WARN, excess, is_over_hard=True)


def refused(*excess: Excess) -> Judgement:
    return Judgement(Verdict.DENY, excess, is_over_hard=True)


def lines(before: int | None, after: int, cap: int = 200) -> Excess:
    return Excess("lines", before, after, cap)


def size(before: int | None, after: int, cap: int = 25_600) -> Excess:
    return Excess("bytes", before, after, cap)


CHANGES = [
    pytest.param(EMPTY, EMPTY, FINE, id="nothing to nothing"),
    pytest.param(EMPTY, Size(1, 1), FINE, id="a new index"),
    pytest.param(EMPTY, Size(150, 20_480), FINE, id="at both soft caps"),
    pytest.param(Size(150, 9_000), Size(151, 9_000), over_soft(lines(150, 151, 150)), id="a line over the soft cap"),
    pytest.param(Size(90, 1), Size(90, 20_481), over_soft(size(1, 20_481, 20_480)), id="a byte over the soft cap"),
    pytest.param(Size(180, 9_000), Size(170, 9_000), over_soft(lines(180, 170, 150)), id="shrinks, over the soft cap"),
    pytest.param(
        EMPTY,
        Size(200, 25_600),
        over_soft(lines(0, 200, 150), size(0, 25_600, 20_480)),
        id="at both hard caps: the soft warning only",
    ),
    pytest.param(Size(200, 9_000), Size(201, 9_000), refused(lines(200, 201)), id="a line over the hard cap"),
    pytest.param(Size(9, 25_600), Size(9, 25_601), refused(size(25_600, 25_601)), id="a byte over the hard cap"),
    pytest.param(Size(210, 9_000), Size(205, 9_000), over_hard(lines(210, 205)), id="210 to 205 passes"),
    pytest.param(Size(210, 9_000), Size(210, 9_000), over_hard(lines(210, 210)), id="210 to 210 passes with a warning"),
    pytest.param(Size(210, 9_000), Size(211, 9_000), refused(lines(210, 211)), id="210 to 211 is refused"),
    pytest.param(Size(230, 20_000), Size(221, 19_500), over_hard(lines(230, 221)), id="230 to 221 passes"),
    pytest.param(
        Size(210, 20_000),
        Size(199, 20_900),
        over_soft(lines(210, 199, 150), size(20_000, 20_900, 20_480)),
        id="apart (a): lines down to legal, bytes up while legal",
    ),
    pytest.param(
        Size(150, 27_000),
        Size(160, 26_500),
        over_hard(size(27_000, 26_500)),
        id="apart (b): lines up while legal, bytes down",
    ),
    pytest.param(
        Size(230, 20_000),
        Size(225, 26_000),
        refused(size(20_000, 26_000)),
        id="apart (c): refused, naming bytes only",
    ),
    pytest.param(EMPTY, Size(215, 9_000), refused(lines(0, 215)), id="no base: 215 lines are refused"),
    pytest.param(EMPTY, Size(146, 53_000), refused(size(0, 53_000)), id="no base: few lines, many bytes"),
    pytest.param(Size(260, 30_000), EMPTY, FINE, id="a wipe passes"),
    pytest.param(Size(None, 9_000), Size(215, 9_000), over_hard(lines(None, 215)), id="base lines unknown: a warning"),
    pytest.param(
        Size(None, 9_000),
        Size(215, 26_000),
        refused(size(9_000, 26_000)),
        id="base lines unknown: bytes alone refuse",
    ),
    pytest.param(
        Size(None, 9_000_000),
        Size(None, 8_999_999),
        over_hard(size(9_000_000, 8_999_999)),
        id="too large, shrinks",
    ),
    pytest.param(
        Size(None, 9_000_000),
        Size(None, 9_000_001),
        refused(size(9_000_000, 9_000_001)),
        id="too large, grows",
    ),
    pytest.param(Size(210, 9_000), Size(None, 9_000), FINE, id="lines after unknown: bytes alone decide"),
]


@pytest.mark.parametrize(("before", "after", "judgement"), CHANGES)
def test_a_change_is_judged_by_the_growth_rule(before: Size, after: Size, judgement: Judgement) -> None:
    assert judge(before, after, CAPS) == judgement


def test_contents_are_judged_as_they_are_measured() -> None:
    legal = index_of(200, 25_600)
    assert judge(EMPTY, measure(legal), CAPS).verdict is Verdict.WARN
    assert judge(measure(legal), measure(legal[:-1]), CAPS).is_over_hard is False
    assert judge(measure(legal), measure(legal + b"\n"), CAPS) == refused(lines(200, 201), size(25_600, 25_601))


def test_the_strictest_verdict_is_the_largest() -> None:
    assert sorted(Verdict) == [Verdict.ALLOW, Verdict.WARN, Verdict.ASK, Verdict.DENY]
    assert max(Verdict.WARN, Verdict.DENY, Verdict.ALLOW, Verdict.ASK) is Verdict.DENY


# Numbers close to each other, so that equal, one less and one more are common.
NUMBERS = st.integers(0, 12)
ALL_CAPS = st.builds(Caps, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
COUNTED = st.builds(Size, NUMBERS, NUMBERS)
SIZES = COUNTED | st.builds(Size, st.none(), NUMBERS)


@given(SIZES, COUNTED, NUMBERS, NUMBERS, ALL_CAPS)
def test_a_longer_result_never_gets_a_looser_verdict(
    before: Size, after: Size, more_lines: int, more_bytes: int, caps: Caps
) -> None:
    assert after.lines is not None
    longer = Size(after.lines + more_lines, after.bytes + more_bytes)
    assert judge(before, longer, caps).verdict >= judge(before, after, caps).verdict


@given(SIZES, NUMBERS, NUMBERS, ALL_CAPS)
def test_more_bytes_never_get_a_looser_verdict_where_lines_are_not_counted(
    before: Size, size: int, more: int, caps: Caps
) -> None:
    shorter, longer = Size(None, size), Size(None, size + more)
    assert judge(before, longer, caps).verdict >= judge(before, shorter, caps).verdict


@given(COUNTED, NUMBERS, NUMBERS, COUNTED, ALL_CAPS)
def test_a_larger_base_never_gets_a_stricter_verdict(
    before: Size, more_lines: int, more_bytes: int, after: Size, caps: Caps
) -> None:
    assert before.lines is not None
    larger = Size(before.lines + more_lines, before.bytes + more_bytes)
    assert judge(larger, after, caps).verdict <= judge(before, after, caps).verdict


@given(COUNTED, NUMBERS, NUMBERS, ALL_CAPS)
def test_shrinking_in_each_dimension_is_never_refused(
    after: Size, less_lines: int, less_bytes: int, caps: Caps
) -> None:
    assert after.lines is not None
    before = Size(after.lines + less_lines, after.bytes + less_bytes)
    assert judge(before, after, caps).verdict < Verdict.DENY
    assert judge(before, after._replace(lines=None), caps).verdict < Verdict.DENY


@given(SIZES, SIZES, ALL_CAPS)
def test_each_judgement_rests_on_what_it_says(before: Size, after: Size, caps: Caps) -> None:
    verdict, excess, is_over_hard = judge(before, after, caps)
    assert verdict in (Verdict.ALLOW, Verdict.WARN, Verdict.DENY)
    assert (excess == ()) is (verdict is Verdict.ALLOW)
    assert (excess == grown_over_hard(before, after, caps)) is (verdict in (Verdict.ALLOW, Verdict.DENY))
    assert is_over_hard is any(
        a is not None and a > cap for a, cap in zip(after, (caps.hard_lines, caps.hard_bytes), strict=True)
    )
    assert {e.dimension for e in excess} <= ({"bytes"} if after.lines is None else {"lines", "bytes"})


@given(
    st.integers(),
    st.integers(),
    st.none() | st.integers(),
    st.integers(),
    st.lists(st.integers(), min_size=4, max_size=4),
)
def test_judge_is_total(b: int, after_bytes: int, after_lines: int | None, c: int, caps: list[int]) -> None:
    for before in (Size(None, b), Size(c, b)):
        assert isinstance(judge(before, Size(after_lines, after_bytes), Caps(*caps)), Judgement)
