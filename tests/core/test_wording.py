"""core/wording.py: words that rules share."""

from __future__ import annotations

import pytest

from memstile.core.caps import Excess
from memstile.core.facts import IndexFacts, Kind, Layer, Reading
from memstile.core.wording import amounts, cheapest_cuts, compaction, growth, index_name, sizes, some, way_back

LINES = Excess("lines", 1_999, 2_011, 200)
BYTES = Excess("bytes", None, 25_601, 25_600)


def test_sizes_stand_beside_their_caps() -> None:
    assert sizes((LINES, BYTES), "hard cap") == "2,011 lines, hard cap 200; 25,601 bytes, hard cap 25,600"
    assert sizes((BYTES,), "soft cap") == "25,601 bytes, soft cap 25,600"
    assert sizes((), "hard cap") == ""


def test_growth_tells_both_numbers() -> None:
    assert growth((LINES, BYTES), "hard cap") == (
        "from 1,999 to 2,011 lines, hard cap 200; from 0 to 25,601 bytes, hard cap 25,600"
    )


def test_amounts_are_what_has_to_go() -> None:
    assert [amounts((LINES,)), amounts((LINES, BYTES))] == ["1,811 lines", "1,811 lines and 1 byte"]


def test_what_takes_back_a_growth_is_told_beside_the_way_to_the_cap() -> None:
    assert way_back((LINES, BYTES._replace(before=3)), b"a") == (
        "cut 12 lines and 1 byte to pass, 1,811 lines and 1 byte to be within the cap; longest: line 1 (1 byte)"
    )
    assert way_back((LINES._replace(before=200),), b"a") == "cut 1,811 lines"


CUTS = [
    (None, ""),
    (b"", ""),
    (b"\n\n", ""),
    (b"a", "line 1 (1 byte)"),
    (b"a\nccc\nbb\ndddd\n", "line 4 (4 bytes), line 2 (3 bytes), line 3 (2 bytes)"),
    (b"aa\nbb\ncc\ndd", "line 1 (2 bytes), line 2 (2 bytes), line 3 (2 bytes)"),
    ("記\nab".encode(), "line 1 (3 bytes), line 2 (2 bytes)"),
    (b"x" * 1_500, "line 1 (1,500 bytes)"),
]


@pytest.mark.parametrize(("data", "expected"), CUTS)
def test_the_longest_lines_are_the_cheapest_cuts(data: bytes | None, expected: str) -> None:
    assert cheapest_cuts(data) == expected
    assert compaction((BYTES,), data) == "cut 1 byte" + (f"; longest: {expected}" if expected else "")


def test_of_many_names_the_first_are_told() -> None:
    assert [some([]), some("ab"), some("abc"), some("abcd"), some(["a\nb"], 1), some(map(str, range(1_500)))] == [
        "",
        "a, b",
        "a, b, c",
        "a, b, c and 1 more",
        "a\\nb",
        "0, 1, 2 and 1,497 more",
    ]


@pytest.mark.parametrize("layer", Layer)
def test_every_layer_has_a_name_of_its_own(layer: Layer) -> None:
    names = [index_name(IndexFacts("x", row, Reading(Kind.MISSING))) for row in Layer]
    assert index_name(IndexFacts("x", layer, Reading(Kind.MISSING))) in names
    assert len(set(names)) == len(Layer)
