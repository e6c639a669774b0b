"""report/bars.py: gauges in ASCII."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.caps import Caps
from memstile.report.bars import MAX_OVERFLOW, Row, bar, draw
from memstile.report.model import Gauge, Style

BARS = [
    (0, "[...............|.....]   "),
    (1, "[#..............|.....]   "),
    (75, "[#######........|.....]   "),
    (149, "[##############.|.....]   "),
    (150, "[###############|.....]   "),
    (151, "[###############|#....]   "),
    (199, "[###############|####.]   "),
    (200, "[###############|#####]   "),
    (201, "[###############|#####]!  "),
    (230, "[###############|#####]!!!"),
    (10**9, "[###############|#####]!!!"),
]


@pytest.mark.parametrize(("size", "picture"), BARS)
def test_a_bar_shows_a_size_against_both_caps(size: int, picture: str) -> None:
    assert bar(Row("lines", size, 150, 200), 20) == picture


STATES = [(0, "good"), (150, "good"), (151, "warning"), (200, "warning"), (201, "error"), (None, "error")]


@pytest.mark.parametrize(("size", "state"), STATES)
def test_a_row_has_the_colour_of_the_cap_it_is_past(size: int | None, state: str) -> None:
    assert Row("lines", size, 150, 200).state == state


ANY_ROW = st.builds(Row, st.just("lines"), st.integers(0, 400), st.integers(1, 250), st.integers(1, 250))


@given(ANY_ROW, st.integers(2, 60))
def test_a_bar_never_lies_about_a_cap(row: Row, cells: int) -> None:
    picture = bar(row, cells)
    low, high = picture.split("|")
    assert len(picture) == cells + 3 + MAX_OVERFLOW
    size = row.size or 0
    assert ("#" in low, "!" in high) == (size > 0, size > row.hard)
    if row.soft < row.hard:
        assert size < row.soft or "." not in low
        assert ("#" in high) == (size > row.soft)


@given(ANY_ROW, st.integers(0, 400), st.integers(2, 60))
def test_a_larger_size_never_has_a_shorter_bar(row: Row, more: int, cells: int) -> None:
    larger = row._replace(size=(row.size or 0) + more)
    assert sum(map(bar(row, cells).count, "#!")) <= sum(map(bar(larger, cells).count, "#!"))


DRAWN = [
    pytest.param(
        Gauge("v/MEMORY.md", "on disk", 40, 25_601, Caps()),
        [
            "  v/MEMORY.md on disk",
            "    lines  [####...........|.....]        40 of    200  soft cap 150",
            "    bytes  [################|####]!   25,601 of 25,600  over by 1",
        ],
        id="over in bytes",
    ),
    pytest.param(
        Gauge("v/MEMORY.md", "staged", 151, 20_480, Caps(), ("a.md", "line 7"), "claude-code"),
        [
            "  v/MEMORY.md staged",
            "    lines  [###############|#....]       151 of    200  soft cap 150, over by 1",
            "    bytes  [################|....]    20,480 of 25,600  soft cap 20,480",
            "    not loaded by claude-code: 2 entries",
            "      a.md, line 7",
        ],
        id="over the soft cap, past a window",
    ),
    pytest.param(
        Gauge("v/MEMORY.md", "on disk", None, 9_000_000, Caps(), ("a\n",)),
        [
            "  v/MEMORY.md on disk",
            "    lines  not measured",
            "    bytes  [################|####]!!! 9,000,000 of 25,600  over by 8,974,400",
            "    not loaded: 1 entry",
            "      a\\n",
        ],
        id="too large to count lines",
    ),
    pytest.param(
        Gauge("v/MEMORY.md", "on disk", 200, 25_600, Caps()),
        [
            "  v/MEMORY.md on disk",
            "    lines  [###############|#####]       200 of    200  soft cap 150, over by 50",
            "    bytes  [################|####]    25,600 of 25,600  soft cap 20,480, over by 5,120",
        ],
        id="at the hard caps",
    ),
    pytest.param(
        Gauge("v/MEMORY.md", "on disk", None, None, Caps()),
        ["  v/MEMORY.md on disk: not measured"],
        id="nothing measured",
    ),
]


@pytest.mark.parametrize(("gauge", "lines"), DRAWN)
def test_a_gauge_is_drawn_so(gauge: Gauge, lines: list[str]) -> None:
    assert draw(gauge, Style(width=80)) == lines


WIDTHS = [(0, 10), (70, 10), (80, 20), (100, 40), (300, 40)]


@pytest.mark.parametrize(("width", "cells"), WIDTHS)
def test_a_bar_grows_with_the_terminal(width: int, cells: int) -> None:
    lines = draw(Gauge("v", "on disk", 1, 1, Caps()), Style(width=width))
    assert [line.index("]") - line.index("[") - 2 for line in lines[1:]] == [cells, cells]
