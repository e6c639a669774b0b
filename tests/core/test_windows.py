"""core/windows.py: what a host loads of an index."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.windows import MAX_NAMED, WINDOWS, Lost, Unloaded, Window, unloaded

CLAUDE = WINDOWS["claude-code"]
SMALL = Window("small", 3, 10, "", "")


def test_the_windows_are_those_of_the_contract() -> None:
    assert {name: (row.name, row.max_lines, row.max_units) for name, row in WINDOWS.items()} == {
        "claude-code": ("claude-code", 200, 25_000)
    }
    assert all(row.source and row.seen for row in WINDOWS.values())


def lines(*numbers: int) -> tuple[Unloaded, ...]:
    return tuple(Unloaded(number, f"line {number}") for number in numbers)


ROWS = [
    pytest.param(SMALL, b"", (), id="empty"),
    pytest.param(SMALL, b"a\nb\nc\n", (), id="as many lines as are loaded"),
    pytest.param(SMALL, b"a\nb\nc\nd", lines(4), id="a line more"),
    pytest.param(SMALL, b"a\nb\nc\n\n\n", (), id="line ends at the end are trimmed"),
    pytest.param(SMALL, b"\n \n\xef\xbb\xbfa\nb\nc\nd", lines(6), id="trimmed in front, numbered as in the file"),
    pytest.param(SMALL, b"a\n\nc\n\nd\n \ne\n", lines(5, 7), id="blank lines count and are not named"),
    pytest.param(SMALL, b"abcde\nfghi", (), id="as many units as are loaded"),
    pytest.param(SMALL, b"abcde\nfghij", lines(2), id="a unit more: the line is cut"),
    pytest.param(SMALL, b"abcdefghijk\nb", lines(1, 2), id="nothing is loaded whole"),
    pytest.param(SMALL, "記記記記記\n記記記記".encode(), (), id="a CJK letter is a unit"),
    pytest.param(SMALL, "😀😀😀😀😀".encode(), (), id="beyond the first plane a letter is two"),
    pytest.param(SMALL, "😀😀😀😀😀a".encode(), lines(1), id="and a unit more"),
    pytest.param(SMALL, b"\xff" * 10, (), id="a byte that is no text is a unit"),
    pytest.param(SMALL, b"\xff" * 11, lines(1), id="and a byte more"),
    pytest.param(SMALL, "\ufeff\u3000abcdefghij\u2029".encode(), (), id="what JavaScript trims is trimmed"),
    pytest.param(SMALL, b"a\rb\x0bc\nd\ne", (), id="LF alone ends a line"),
    pytest.param(SMALL, b" \n\n \n \n \n", (), id="blank all over"),
    pytest.param(SMALL, b"a\nb\nc\n[x](notes/y.md) z", (Unloaded(4, "y.md"),), id="an entry is named by its slug"),
    pytest.param(CLAUDE, b"a\n" * 200, (), id="claude-code: 200 lines"),
    pytest.param(CLAUDE, b"a\n" * 201, lines(201), id="claude-code: 201 lines"),
    pytest.param(CLAUDE, b"x" * 24_999 + b"\n", (), id="claude-code: 25,000 bytes"),
    pytest.param(CLAUDE, b"x" * 25_000 + b"\n", (), id="claude-code: the last line end is trimmed"),
    pytest.param(CLAUDE, b"x" * 25_001, lines(1), id="claude-code: 25,001 units"),
    pytest.param(CLAUDE, "記".encode() * 25_000, (), id="claude-code: 75,000 bytes are 25,000 units"),
]


@pytest.mark.parametrize(("window", "data", "expected"), ROWS)
def test_the_lines_that_a_host_does_not_load(window: Window, data: bytes, expected: tuple[Unloaded, ...]) -> None:
    assert unloaded(window, data) == Lost(expected, len(expected))


TEXTS = st.text(alphabet="ab\n \r\u2028\ufeff記😀", max_size=40)


def loaded_by_the_book(window: Window, text: str) -> str:
    """Cut a text as the host does, in its own units."""
    trimmed = text.strip("\t\n\v\f\r \u00a0\u2028\u2029\ufeff")
    first = "\n".join(trimmed.split("\n")[: window.max_lines])
    return first.encode("utf-16-le")[: window.max_units * 2].decode("utf-16-le", "ignore")


@given(TEXTS)
def test_what_is_not_named_is_loaded_whole(text: str) -> None:
    lost = {row.line for row in unloaded(SMALL, text.encode()).rows}
    loaded = loaded_by_the_book(SMALL, text)
    trimmed = text.strip("\t\n\v\f\r \u00a0\u2028\u2029\ufeff")
    skipped = text[: text.find(trimmed)].count("\n")
    whole = loaded.split("\n")
    for number, line in enumerate(trimmed.split("\n")):
        is_whole = number < len(whole) and whole[number] == line
        assert (skipped + number + 1 in lost) == (bool(line.strip()) and not is_whole)


@given(TEXTS, TEXTS)
def test_more_text_behind_never_brings_an_entry_back(text: str, more: str) -> None:
    before = unloaded(SMALL, (text + "x").encode()).rows
    assert set(before) - {before[-1] if before else None} <= set(unloaded(SMALL, (text + "x" + more).encode()).rows)


@given(st.binary(max_size=60))
def test_any_bytes_are_taken(data: bytes) -> None:
    unloaded(SMALL, data)


def test_of_very_many_lines_the_first_are_named_and_all_are_counted() -> None:
    lost = unloaded(SMALL, b"a\n" * 2_000_000)
    assert (len(lost.rows), lost.total) == (MAX_NAMED, 2_000_000 - SMALL.max_lines)
