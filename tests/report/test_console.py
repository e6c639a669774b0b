"""report/console.py: text that is harmless on a stream."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.report.console import COLOURS, encodable, inert, json_text, painted
from memstile.report.model import Style

INERT = [
    pytest.param("", "", id="nothing"),
    pytest.param("a::error::b", "a::error::b", id="in a line"),
    pytest.param("::error::b", "\\x3a:error::b", id="at the start of a line"),
    pytest.param("  ::error::b", "  \\x3a:error::b", id="after blanks"),
    pytest.param("a\n::error::b", "a\n\\x3a:error::b", id="on a later line"),
    pytest.param("\x1b[1m::error::b", "\x1b[1m\\x3a:error::b", id="after a colour"),
    pytest.param(":::", "\\x3a::", id="three colons"),
    pytest.param(": b", ": b", id="one colon"),
    pytest.param("a ##[error]b", "a \\x23#[error]b", id="old command"),
    pytest.param("##vso[task.complete]", "\\x23#vso[task.complete]", id="pipelines command"),
    pytest.param("###[error]", "#\\x23#[error]", id="three signs"),
    pytest.param("## heading [1]", "## heading [1]", id="heading"),
    pytest.param("[####|##]!  ", "[####|##]!  ", id="bar"),
]


@pytest.mark.parametrize(("text", "result"), INERT)
def test_inert_escapes_what_a_ci_takes_for_a_command(text: str, result: str) -> None:
    assert inert(text) == result


ENCODED = [
    pytest.param("a\u65e5\xe9", "utf-8", "a\u65e5\xe9", id="utf-8"),
    pytest.param("a\u65e5\xe9", "latin-1", "a\\u65e5\xe9", id="latin-1"),
    pytest.param("a\u65e5\xe9", "ascii", "a\\u65e5\\xe9", id="ascii"),
    pytest.param("a\u65e5\xe9", "no-such-encoding", "a\\u65e5\\xe9", id="unknown"),
    pytest.param("a\u65e5\xe9", "rot13", "a\\u65e5\\xe9", id="not an encoding of text"),
]


@pytest.mark.parametrize(("text", "encoding", "result"), ENCODED)
def test_characters_an_encoding_lacks_are_escaped(text: str, encoding: str, result: str) -> None:
    assert encodable(text, encoding) == result


def test_colour_is_used_only_if_the_style_has_it() -> None:
    assert painted("a", "error", Style(use_colour=True)) == "\x1b[1;31ma\x1b[0m"
    assert painted("", "error", Style(use_colour=True)) == ""
    assert painted("a", "error", Style()) == "a"
    assert set(COLOURS) >= {"error", "warning", "info"}


@given(st.lists(st.text('#[]\\"a:', max_size=8)))
def test_a_json_document_gives_its_value_back_and_holds_no_command(value: list[str]) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert inert(text) == text
