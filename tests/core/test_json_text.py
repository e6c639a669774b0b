"""core/json_text.py reads and writes what `json` does, without loading it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.json_text import UNREADABLE, dumps, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_written_is_read_by_both(value: object) -> None:
    assert json.loads(dumps(value)) == loads(dumps(value)) == value


@given(VALUES, st.booleans())
def test_what_json_writes_is_read(value: object, is_ascii: bool) -> None:
    assert loads(json.dumps(value, ensure_ascii=is_ascii, indent=1)) == value


def theirs(text: str) -> object:
    """Read with json; a tab or a line break as it stands in a text is let through, as ours does."""
    try:
        return json.loads(text.strip(" \t\r\n"), strict=False)
    except (ValueError, RecursionError):
        return UNREADABLE


TEXTS = ["", " ", "{", '{"a":', "[1,]", "nul", "1 2", "{} {}", "[1] x", "\ufeff{}", "'a'", '{"a":1,"a":2}', '"\ud800"',
         '"a\tb"', "01", "1e5", "-", "Infinity", "-Infinity", "9" * 5_000, '"\\ud800"', '"\\x"',
         "[" * 100_000, "\x00"]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=[ascii(text)[:20] for text in TEXTS])
def test_odd_text_is_read_as_json_reads_it(text: str) -> None:
    assert loads(text) == theirs(text)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\ud8 \n', max_size=20))
def test_any_text_is_read_as_json_reads_it(text: str) -> None:
    assert repr(loads(text)) == repr(theirs(text))


def test_what_is_no_json_value_is_written_all_the_same() -> None:
    written = dumps({"a": (1, 2), "b": 10**5000, "c": b"x", 1: None, "d": float("inf")})
    assert json.loads(written) == {"a": [1, 2], "b": None, "c": "b'x'", "1": None, "d": None}
