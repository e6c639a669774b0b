"""A rule is appended on a line of its own, with the file's own line ends, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.appending import appended, line_end, opening

BOM = b"\xef\xbb\xbf"

# id: (the file, what the rule adds to it)
FILES = {
    "no file": (b"", b"/m/\n"),
    "one line": (b"a\n", b"/m/\n"),
    "no final line break": (b"a", b"\n/m/\n"),
    "CRLF": (b"a\r\nb\r\n", b"/m/\r\n"),
    "CRLF, no final line break": (b"a\r\nb", b"\r\n/m/\r\n"),
    "the last line end counts": (b"a\r\nb\n", b"/m/\n"),
    "LF first, CRLF last": (b"a\nb\r\n", b"/m/\r\n"),
    "BOM and nothing": (BOM, b"/m/\n"),
    "BOM and a line": (BOM + b"a", b"\n/m/\n"),
    "only a line break": (b"\n", b"/m/\n"),
    "only CRLF": (b"\r\n", b"/m/\r\n"),
    "a lone CR ends no line": (b"a\r", b"\n/m/\n"),
    "bytes that are no text": (b"\xff\xfe\0\n", b"/m/\n"),
}


@pytest.mark.parametrize(("data", "added"), FILES.values(), ids=FILES)
def test_a_rule_gets_a_line_of_its_own(data: bytes, added: bytes) -> None:
    assert appended(data, b"/m/") == data + added


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", BOM, b" ", b"\0"])).map(b"".join))
def test_every_byte_before_stays_and_the_rule_stands_alone(data: bytes) -> None:
    after = appended(data, b"/m/")
    assert after.startswith(data)
    assert after[len(data) :] == opening(data) + b"/m/" + line_end(data)
    assert after.removeprefix(BOM).split(b"\n")[-2].removesuffix(b"\r") == b"/m/"
    assert line_end(after) == line_end(data)
