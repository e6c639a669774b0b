"""core/measure.py: lines and bytes as hosts count them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.measure import EMPTY, MAX_READ_BYTES, Size, measure
from tests.core.data import index_of

BOM = b"\xef\xbb\xbf"
NOT_LINE_BREAKS = "\u2028\u2029\x85\x0b\x0c"  # str.splitlines breaks at each of them; no host does

SIZES = [
    pytest.param(b"", Size(0, 0), id="empty"),
    pytest.param(b"\n", Size(1, 1), id="one empty line"),
    pytest.param(b"\n\n\n", Size(3, 3), id="empty lines only"),
    pytest.param(b"a", Size(1, 1), id="one line without newline"),
    pytest.param(b"a\n", Size(1, 2), id="one line"),
    pytest.param(b"a\nb", Size(2, 3), id="last line without newline"),
    pytest.param(b"a\nb\n", Size(2, 4), id="last line with newline"),
    pytest.param(b" ", Size(1, 1), id="a blank is a line"),
    pytest.param(b"a\r\nb\r\n", Size(2, 6), id="CRLF: one line, two bytes"),
    pytest.param(b"a\r\nb\r", Size(2, 5), id="CRLF cut before its LF"),
    pytest.param(b"a\rb\rc\r", Size(1, 6), id="CR alone ends no line"),
    pytest.param(b"\n\r\n\r", Size(3, 4), id="LF CR"),
    pytest.param(BOM, Size(1, 3), id="BOM alone"),
    pytest.param(BOM + b"a\n", Size(1, 5), id="BOM before a line"),
    pytest.param("日本語\n".encode(), Size(1, 10), id="CJK: three bytes a character"),
    pytest.param("🧠".encode(), Size(1, 4), id="emoji: four bytes"),
    pytest.param("e\u0301\n".encode(), Size(1, 4), id="decomposed accent"),
    pytest.param(NOT_LINE_BREAKS.encode(), Size(1, 10), id="what Python alone calls a line break"),
    pytest.param(b"\x1c\x1d\x1e\n", Size(1, 4), id="file, group and record separator"),
    pytest.param(b"caf\xe9\n\x92\n", Size(2, 7), id="Latin-1, bad UTF-8"),
    pytest.param(b"\xe6\x97", Size(1, 2), id="UTF-8 cut inside a character"),
    pytest.param(b"\xff\xfe\xfd\n", Size(1, 4), id="bytes of no encoding"),
    pytest.param(b"a\x00b\x00\n", Size(1, 5), id="NUL"),
    pytest.param("a\nb\n".encode("utf-16-le"), Size(3, 8), id="UTF-16 LE: the half after the last LF is a line"),
    pytest.param("a\nb\n".encode("utf-16-be"), Size(2, 8), id="UTF-16 BE"),
    pytest.param("\u0a0a".encode("utf-16-be"), Size(2, 2), id="UTF-16: raw bytes, never decoded"),
]


@pytest.mark.parametrize(("data", "size"), SIZES)
def test_only_lf_ends_a_line_and_bytes_are_raw(data: bytes, size: Size) -> None:
    assert measure(data) == size


def test_the_size_of_no_bytes_is_empty() -> None:
    assert measure(b"") == EMPTY == Size(lines=0, bytes=0)


@pytest.mark.parametrize("lines", [1, 2, 149, 150, 151, 199, 200, 201])
def test_lines_are_exact_around_the_caps(lines: int) -> None:
    data = index_of(lines, 20_000)
    assert measure(data) == Size(lines, 20_000)
    assert measure(data[:-1]) == Size(lines, 19_999), "the last line counts without its newline"
    assert measure(data + b"x") == Size(lines + 1, 20_001), "an open line counts"


@pytest.mark.parametrize("size", [20_479, 20_480, 20_481, 25_599, 25_600, 25_601])
def test_bytes_are_exact_around_the_caps(size: int) -> None:
    assert measure(index_of(150, size)) == Size(150, size)


def test_a_legal_index_of_200_lines_and_25600_bytes_is_measured_as_such() -> None:
    assert measure(index_of(200, 25_600)) == Size(200, 25_600)


def test_line_breaks_of_unicode_inside_180_lines_leave_180() -> None:
    lines = [f"- [a{c}b](note.md)\n" for c in NOT_LINE_BREAKS * 8] + ["- [ab](note.md)\n"] * 140
    text = "".join(lines)
    assert len(text.splitlines()) == 220, "the trap is there"
    assert measure(text.encode()).lines == 180


def test_cjk_is_over_in_bytes_while_under_in_characters() -> None:
    text = ("記憶" * 24 + "\n") * 180
    assert len(text) == 8_820
    assert measure(text.encode()) == Size(180, 26_100)


def test_few_lines_of_many_bytes_show_both_numbers() -> None:
    assert measure(index_of(146, 53_000)) == Size(146, 53_000)


def test_a_utf16_index_is_measured_by_its_bytes() -> None:
    text = "- [note](note.md)\n" * 40
    little_endian = b"\xff\xfe" + text.encode("utf-16-le")
    assert measure(little_endian) == Size(41, 2 + 40 * 36)


def test_the_largest_file_that_is_read_has_8_mib() -> None:
    assert MAX_READ_BYTES == 8_388_608


# Few letters, so that line ends and their neighbours are common.
CONTENTS = st.lists(st.sampled_from([b"\n", b"\r", b"a", b"\xff", b"\x00", "\u2028".encode()])).map(b"".join)
ANY_CONTENTS = CONTENTS | st.binary()


@given(ANY_CONTENTS)
def test_measure_agrees_with_reading_a_binary_file_line_by_line(data: bytes) -> None:
    assert measure(data) == Size(len(io.BytesIO(data).readlines()), len(data))


@given(ANY_CONTENTS, ANY_CONTENTS)
def test_sizes_add_up_over_a_line_end(above: bytes, below: bytes) -> None:
    first, second = measure(above + b"\n"), measure(below)
    assert first.lines is not None
    assert second.lines is not None
    assert measure(above + b"\n" + below) == Size(first.lines + second.lines, len(above) + 1 + len(below))


@given(ANY_CONTENTS)
def test_an_open_last_line_counts_like_a_closed_one(data: bytes) -> None:
    closed = data if data.endswith(b"\n") or not data else data + b"\n"
    assert measure(closed).lines == measure(data).lines == data.count(b"\n") + (closed != data)


@given(ANY_CONTENTS, ANY_CONTENTS)
def test_more_content_is_never_fewer_lines(data: bytes, more: bytes) -> None:
    longer, shorter = measure(data + more), measure(data)
    assert longer.lines is not None
    assert shorter.lines is not None
    assert longer.lines >= shorter.lines
