"""The debouncer: what rests is judged after the quiet period, what never rests at the ceiling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.debounce import Timing, Wait, due_at, is_due, is_overdue, touch

TIMING = Timing(quiet_s=0.3, max_wait_s=5.0)
MOMENTS = st.floats(min_value=0, max_value=1e6)
TIMINGS = st.builds(Timing, st.floats(min_value=0.01, max_value=100), st.floats(min_value=0.01, max_value=100))


def touched(*times: float) -> Wait:
    wait = None
    for time in times:
        wait = touch(wait, time)
    assert wait
    return wait


@pytest.mark.parametrize(
    ("times", "due"),
    [
        pytest.param((10.0,), 10.3, id="one change"),
        pytest.param((10.0, 10.2), 10.5, id="each change begins the quiet period anew"),
        pytest.param((10.0, 10.2, 10.2), 10.5, id="two at once"),
        pytest.param(tuple(10 + 0.2 * number for number in range(40)), 15.0, id="a writer who never pauses"),
        pytest.param((10.0, 9.0), 10.3, id="a clock that went back"),
    ],
)
def test_what_changed_is_due(times: tuple[float, ...], due: float) -> None:
    wait = touched(*times)
    assert due_at(wait, TIMING) == pytest.approx(due)
    assert not is_due(wait, TIMING, due - 0.001)
    assert is_due(wait, TIMING, due + 0.001)


def test_at_the_ceiling_it_is_judged_in_the_middle_of_a_change() -> None:
    wait = touched(10.0, 14.9)
    assert (is_overdue(wait, TIMING, 14.999), is_overdue(wait, TIMING, 15.0)) == (False, True)


@given(st.lists(MOMENTS, min_size=1), TIMINGS)
def test_nothing_waits_longer_than_the_ceiling(times: list[float], timing: Timing) -> None:
    wait = touched(*times)
    assert due_at(wait, timing) <= wait.first + timing.max_wait_s


@given(st.lists(MOMENTS, min_size=1), TIMINGS)
def test_nothing_is_judged_before_it_was_quiet_unless_the_ceiling_is_met(times: list[float], timing: Timing) -> None:
    wait = touched(*times)
    due = due_at(wait, timing)
    assert due >= wait.last + timing.quiet_s or due == wait.first + timing.max_wait_s


@given(st.lists(MOMENTS, min_size=1), MOMENTS, TIMINGS)
def test_a_further_change_never_brings_it_forward(times: list[float], more: float, timing: Timing) -> None:
    wait = touched(*sorted(times))
    assert due_at(touch(wait, more), timing) >= due_at(wait, timing)
