"""What the watcher knows outlives it, and what cannot be read is nothing known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.measure import Size
from memstile.core.watch_known import NOTHING, Known, read, written

COUNTS = st.integers(min_value=0, max_value=2**53)
SIZES = st.none() | st.builds(Size, st.none() | COUNTS, COUNTS)
TEXTS = st.text(max_size=20)
KNOWN = st.builds(
    Known,
    SIZES,
    TEXTS,
    TEXTS,
    st.tuples(TEXTS) | st.just(()),
    SIZES,
    st.tuples(TEXTS, TEXTS),
    st.just(""),
    st.just(0.0),
)


@given(KNOWN)
def test_it_is_read_back_as_it_was_written(known: Known) -> None:
    assert read(written(known)) == known


def test_a_state_that_waits_is_not_kept() -> None:
    known = Known(Size(1, 2), "a", "b", waiting_digest="c", waiting_since=3.0)
    assert read(written(known)) == Known(Size(1, 2), "a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '[[1, 2], "a", "b"]',
        '[[1, 2], 3, "b", [], null, []]',
        '[[1, 2], "a", "b", [4], null, []]',
        '[[1, 2], "a", "b", [], null, "x"]',
    ],
)
def test_what_is_no_such_text_is_nothing_known(text: str) -> None:
    assert read(text) == NOTHING


@pytest.mark.parametrize("size", ["[1]", "[1, null]", "[-1, 2]", "[true, 2]", "[1, 2, 3]", '"x"', "[1.5, 2]"])
def test_a_size_that_is_none_is_left_out(size: str) -> None:
    assert read(f'[{size}, "a", "b", [], null, []]') == Known(None, "a", "b")


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr))
def test_reading_is_total(text: str) -> None:
    assert isinstance(read(text), Known)
