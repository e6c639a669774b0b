"""core/matching.py: what hosts take for the same text, and how they write text into a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.matching import (
    Matching,
    encoded,
    is_blank,
    loosened,
    may_match,
    with_lf,
    with_line_ends_of,
)

BOM = b"\xef\xbb\xbf"

ENCODED = [
    pytest.param("", b"", id="empty"),
    pytest.param("a\r\n", b"a\r\n", id="line ends stay"),
    pytest.param("记忆 🧠", "记忆 🧠".encode(), id="CJK and emoji"),
    pytest.param("x \ud83e y", b"x \xef\xbf\xbd y", id="lone high surrogate"),
    pytest.param("\udce9\ud83e", b"\xef\xbf\xbd\xef\xbf\xbd", id="two lone surrogates"),
]


@pytest.mark.parametrize(("text", "data"), ENCODED)
def test_text_is_encoded_as_hosts_write_it(text: str, data: bytes) -> None:
    assert encoded(text) == data


@given(st.text(st.characters(codec=None, categories=None)))
def test_encoding_is_total_and_gives_text(text: str) -> None:
    assert encoded(text) == encoded(encoded(text).decode())


BLANK = [
    pytest.param(b"", True, id="empty"),
    pytest.param(b" \t\r\n\n", True, id="ASCII white space"),
    pytest.param(BOM + b"\n", True, id="byte order mark"),
    pytest.param("\u00a0\n\u2028".encode(), True, id="no-break space, line separator"),
    pytest.param(b"\n.\n", False, id="a full stop"),
    pytest.param(b"\xff", False, id="no text at all"),
    pytest.param(b"\x00", False, id="NUL"),
]


@pytest.mark.parametrize(("data", "expected"), BLANK)
def test_a_file_of_white_space_is_blank(data: bytes, expected: bool) -> None:
    assert is_blank(data) is expected


# Old text that the file does not hold byte for byte. Found: whether Claude Code 2.1.332 made the edit all the same.
TYPOGRAPHIC = [
    pytest.param('one "q" it\'s', "one “q” it’s\n", True, id="straight for curly"),
    pytest.param("one “q” it’s", 'one "q" it\'s\n', True, id="curly for straight"),
    pytest.param(r"- \u8bb0\u5fc6", "- 记忆\n", True, id="escape for character"),
    pytest.param("a 记 b", "a \\u8bb0 b\n", True, id="character for escape"),
    pytest.param("one <fnr> two", "one <function_results> two\n", True, id="short for a long tag"),
    pytest.param("one\n\nH: two", "one\n\nHuman: two\n", True, id="short for a speaker"),
    pytest.param("never there", "one\ntwo\n", False, id="absent"),
    pytest.param("café", "cafe\u0301\n", False, id="composed for decomposed"),
    pytest.param("    one", "\ton\n", False, id="blanks for a tab"),
    pytest.param("     2\ttwo", "one\ntwo\n", False, id="with a line number"),
    pytest.param("a &amp; q", "a & q\n", False, id="entity"),
    pytest.param('a \\"q\\"', 'a "q"\n', False, id="backslash before a quote"),
    pytest.param('a "q"', "a 「q」\n", False, id="CJK quotes"),
    pytest.param("two\r\n", "one\n", False, id="other line end, and absent"),
]


@pytest.mark.parametrize(("old", "data", "is_found"), TYPOGRAPHIC)
def test_only_what_claude_code_was_seen_to_overlook_may_match(old: str, data: str, is_found: bool) -> None:
    assert may_match(encoded(old), data.encode(), Matching.TYPOGRAPHIC) is is_found


@pytest.mark.parametrize(("old", "data", "is_found"), TYPOGRAPHIC)
def test_an_exact_host_overlooks_nothing_and_a_loose_one_anything(old: str, data: str, is_found: bool) -> None:
    answers = [may_match(encoded(old), data.encode(), matching) for matching in (Matching.EXACT, Matching.LOOSE)]
    assert answers == [False, True]


UTF_16 = [
    pytest.param("two\n", True, id="in the file"),
    pytest.param("never there", False, id="absent"),
]


@pytest.mark.parametrize(("old", "is_found"), UTF_16)
def test_claude_code_finds_text_in_a_file_of_utf_16(old: str, is_found: bool) -> None:
    data = "\ufeffone\ntwo\n".encode("utf-16-le")
    answers = [may_match(old.encode(), content, Matching.TYPOGRAPHIC) for content in (data, data[2:])]
    assert answers == [is_found, False]


EVENED = st.text("ab\n \t\u00a0\u3000-\u2010\u2014\u2212'’‘\"“”记", max_size=12)


@given(EVENED, EVENED, EVENED)
def test_text_that_differs_in_blanks_dashes_and_quotes_alone_is_found_loosened(a: str, b: str, c: str) -> None:
    evened = b.translate({0xA0: " ", 0x3000: " ", **dict.fromkeys([0x2010, 0x2014, 0x2212], "-"), 0x2019: "'"})
    assert loosened(evened.strip(" \t").encode()) in loosened((a + b + c).encode())


LINE_ENDS = [
    pytest.param(b"", b"a\n", b"a\n", id="new file"),
    pytest.param(b"a\r\nb\r\n", b"x\ny\n", b"x\r\ny\r\n", id="CRLF"),
    pytest.param(b"a\r\nb\r\nc\nd\r\n", b"x\ny\n", b"x\r\ny\r\n", id="CRLF more often"),
    pytest.param(b"a\r\nb\n", b"x\ny\n", b"x\ny\n", id="as often as LF"),
    pytest.param(b"a\r\nb\r\nc\nd\n", b"x\n", b"x\n", id="two and two"),
    pytest.param(b"a\rb\rc\n", b"x\n", b"x\n", id="a lone CR is no line end"),
    pytest.param(b"l\n" * 3 + b"line\r\n" * 2_000, b"x\n", b"x\r\n", id="CRLF after three LF"),
    pytest.param(b"l\r\n" * 1_000 + b"line\n" * 4_000, b"x\n", b"x\r\n", id="the head alone counts"),
    pytest.param(b"l\n" * 2_048 + b"line\r\n" * 4_000, b"x\n", b"x\n", id="CRLF past the head"),
]


@pytest.mark.parametrize(("before", "data", "after"), LINE_ENDS)
def test_a_text_gets_the_line_ends_of_most_of_the_head(before: bytes, data: bytes, after: bytes) -> None:
    assert with_line_ends_of(before, data) == after


@given(st.text("ab\n").map(str.encode))
def test_line_ends_go_there_and_back(data: bytes) -> None:
    crlf = with_line_ends_of(b"\r\n", data)
    assert (with_lf(crlf), crlf.count(b"\r\n")) == (data, data.count(b"\n"))
