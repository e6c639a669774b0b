"""core/plot.py: a curve of sizes as text, true to its caps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.plot import Column, Mark, Plot, Point, columns, drawn, scale

HARD, SOFT, WINDOW = Mark("hard cap", 200, "=", is_limit=True), Mark("soft cap", 150, "."), Mark("host window", 200)


def plot(*values: int, marks: tuple[Mark, ...] = (HARD, SOFT, WINDOW), until: float = 10.0) -> Plot:
    """Make a plot of one size a second, from 0."""
    points = tuple(Point(float(time), value) for time, value in enumerate(values))
    return Plot("lines", points, marks, 0.0, until, ("mon", "tue", "wed"))


WIDE = """\
lines
210 |                     !!!!!!!!!!!!!!!
200 |==============********============== hard cap, host window
150 |.......********..................... soft cap
    |********
    |
    |
    |
  0 |
    +------------------------------------
     mon             tue              wed
"""

NARROW = """\
lines
210 |      !!!!
200 |====***===
150 |..***.....
    |***
    |
    |
    |
  0 |
    +----------
     mon    wed
"""


@pytest.mark.parametrize(("width", "picture"), [(63, WIDE), (12, NARROW)])
def test_a_curve_is_drawn_with_its_caps(width: int, picture: str) -> None:
    assert "\n".join(drawn([plot(100, 120, 150, 150, 151, 200, 210, 210, 205)], width, 8)) + "\n" == picture


def test_plots_below_each_other_have_their_times_in_line() -> None:
    many = drawn([plot(1, marks=()), plot(123_456, marks=())], 17, 3)
    assert {line.index("+") for line in many if "+" in line} == {8}
    assert [line.split("|")[0] for line in many if "|" in line] == [
        "      1 ",
        "        ",
        "      0 ",
        "123,456 ",
        "        ",
        "      0 ",
    ]


def test_a_plot_without_points_has_its_caps_alone() -> None:
    assert not any("*" in line or "!" in line for line in drawn([plot()], 60, 8))
    assert drawn([], 60, 8) == []


def test_a_size_holds_until_the_next_one() -> None:
    points = (Point(-5.0, 7), Point(2.0, 9), Point(2.5, 4), Point(8.0, 5), Point(99.0, 1))
    found = columns(Plot("lines", points, (), 0.0, 10.0), 5)
    assert found == (Column(7, 7, 7), Column(4, 9, 4), Column(4, 4, 4), Column(4, 4, 4), Column(4, 5, 5))


def test_before_the_first_size_there_is_none() -> None:
    assert columns(Plot("lines", (Point(6.0, 1),), (), 0.0, 10.0), 3) == (None, Column(1, 1, 1), Column(1, 1, 1))


def test_a_time_that_is_no_number_is_left_out() -> None:
    points = (Point(float("nan"), 1), Point(float("inf"), 2))
    assert columns(Plot("lines", points, (), 0.0, 10.0), 2) == (None, None)


def test_names_are_safe_to_show() -> None:
    assert "\x1b" not in "".join(drawn([plot(1, marks=(Mark("\x1b[31m", 5),))], 80, 3))


SIZES = st.integers(0, 10**9)
MARKS = st.lists(st.builds(Mark, st.just("m"), st.integers(-3, 30_000), st.just("-"), st.booleans()), max_size=5)


@given(st.lists(SIZES, max_size=20), MARKS, st.integers(-5, 60))
def test_what_is_past_a_mark_is_above_it_and_nothing_else_is(sizes: list[int], marks: list[Mark], rows: int) -> None:
    measure = scale(sizes, marks, rows)
    every = sorted({0, *sizes, *(mark.value for mark in marks if mark.value > 0)})
    drawn_at = [measure.row(size) for size in every]
    assert drawn_at == sorted(drawn_at)
    assert [size for size, row in zip(every, drawn_at, strict=True) if row == 0] == [0]
    for mark in marks:
        above = [size for size in every if measure.row(size) > measure.row(mark.value)]
        assert above == [size for size in every if size > max(mark.value, 0)]


@given(
    st.lists(st.tuples(st.floats(), st.integers(-5, 40_000)), max_size=30),
    MARKS,
    st.floats(),
    st.floats(),
    st.integers(30, 200),
    st.integers(-3, 40),
    st.lists(st.text(max_size=12), max_size=6),
)
def test_any_plot_fits_the_terminal(
    points: list[tuple[float, int]],
    marks: list[Mark],
    since: float,
    until: float,
    width: int,
    height: int,
    ticks: list[str],
) -> None:
    made = Plot("bytes", tuple(Point(*row) for row in points), tuple(marks), since, until, tuple(ticks))
    lines = drawn([made], width, height)
    assert max(map(len, lines)) <= width
    assert all(line.isprintable() and line == line.rstrip() for line in lines[:-1])


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(0, 400)), min_size=1, max_size=30), st.integers(1, 60))
def test_no_size_is_lost_between_columns(rows: list[tuple[float, int]], count: int) -> None:
    points = [Point(*row) for row in sorted(rows)]
    found = [row for row in columns(Plot("lines", tuple(points), (), 0.0, 10.0), count) if row]
    sizes = [point.value for point in points]
    assert (min(row.low for row in found), max(row.high for row in found)) == (min(sizes), max(sizes))
    assert all(row.low <= row.last <= row.high for row in found)
    assert found[-1].last == sizes[-1]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=10))
def test_only_what_is_past_the_hard_cap_is_drawn_as_such(sizes: list[int]) -> None:
    picture = "".join(drawn([plot(*sizes)], 80, 12))
    assert ("!" in picture) is any(size > 200 for size in sizes)
