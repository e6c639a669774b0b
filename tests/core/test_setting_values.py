"""core/setting_values.py: what a value may be, and how it is written in a message."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.setting_key import Key
from memstile.core.setting_keys import KEYS
from memstile.core.setting_values import MAX_SHOWN_CHARS, Parsed, cut, from_text, parse, value_text

KEY = {key.name: key for key in KEYS}
LINES, MODE, QUIET, FILES = KEY["index.hard_lines"], KEY["index.mode"], KEY["watch.quiet_s"], KEY["gate.vault_files"]
WINDOWS, SERVERS, NAME = KEY["index.windows"], KEY["gate.servers"], KEY["index_name"]

NOT_LINES = "not a whole number from 1 to 1,000,000,000"
NOT_QUIET = "not a number of seconds from 0.01 to 86,400"
NOT_NAME = "not the plain name of a .md file"

USABLE = [
    pytest.param(LINES, 1, 1, id="the least number"),
    pytest.param(LINES, 1_000_000_000, 1_000_000_000, id="the largest number"),
    pytest.param(MODE, "off", "off", id="the first choice"),
    pytest.param(QUIET, 0.01, 0.01, id="the least time"),
    pytest.param(QUIET, 86_400, 86_400.0, id="the longest time, whole"),
    pytest.param(FILES, False, False, id="false"),
    pytest.param(WINDOWS, [], (), id="no window"),
    pytest.param(WINDOWS, ["claude-code", "claude-code"], ("claude-code",), id="a window twice"),
    pytest.param(SERVERS, ["b", "a"], ("b", "a"), id="any servers, in order"),
    pytest.param(NAME, "MEMORY.md", "MEMORY.md", id="the usual name"),
    pytest.param(NAME, "記憶.md", "記憶.md", id="a name in another script"),
]


@pytest.mark.parametrize(("key", "value", "read"), USABLE)
def test_a_usable_value_is_read(key: Key, value: object, read: object) -> None:
    assert parse(key, value) == Parsed(read)
    assert type(parse(key, value).value) is type(read)


OF_TEXT = [
    pytest.param(LINES, " 200 ", 200, id="digits with spaces around"),
    pytest.param(LINES, "200", 200, id="digits"),
    pytest.param(LINES, "0200", 200, id="digits with a zero in front"),
    pytest.param(LINES, " 0 ", " 0 ", id="a number past a limit"),
    pytest.param(LINES, "200k", "200k", id="a number with a unit"),
    pytest.param(MODE, " enforce\n", "enforce", id="a choice with space around"),
    pytest.param(MODE, " other ", " other ", id="no choice"),
    pytest.param(QUIET, " 1.25 ", 1.25, id="a time"),
    pytest.param(QUIET, "2", 2.0, id="a whole time"),
    pytest.param(QUIET, " 2s", " 2s", id="a time with a unit"),
    pytest.param(FILES, " true ", True, id="true"),
    pytest.param(FILES, "false", False, id="false"),
    pytest.param(FILES, "True", "True", id="true in capitals"),
    pytest.param(NAME, " A.md", " A.md", id="a name is what it is"),
]


@pytest.mark.parametrize(("key", "text", "value"), OF_TEXT)
def test_a_text_is_read_as_toml_would_give_it_or_left(key: Key, text: str, value: object) -> None:
    read = from_text(key, text)
    assert (read, type(read)) == (value, type(value))


@given(st.sampled_from(KEYS), st.text())
def test_any_text_is_read_or_left(key: Key, text: str) -> None:
    read = from_text(key, text)
    assert read == text or not parse(key, read).problem


UNUSABLE = [
    pytest.param(LINES, "200", f'is "200", {NOT_LINES}', id="a number in quotes"),
    pytest.param(QUIET, "2", f'is "2", {NOT_QUIET}', id="a time in quotes"),
    pytest.param(FILES, "true", 'is "true", not true or false', id="true in quotes"),
    pytest.param(MODE, "off ", 'is "off ", not one of off, audit, enforce', id="a choice with a space behind"),
    # The settings of case 015: anything but digits falls back and says so.
    pytest.param(LINES, "", f'is "", {NOT_LINES}', id="an empty number"),
    pytest.param(LINES, "0", f'is "0", {NOT_LINES}', id="zero as text"),
    pytest.param(LINES, "-1", f'is "-1", {NOT_LINES}', id="a negative number as text"),
    pytest.param(LINES, "200k", f'is "200k", {NOT_LINES}', id="a number with a unit"),
    pytest.param(LINES, "1e3", f'is "1e3", {NOT_LINES}', id="a number with an exponent"),
    pytest.param(LINES, "unlimited", f'is "unlimited", {NOT_LINES}', id="a word for a number"),
    pytest.param(LINES, "2_00", f'is "2_00", {NOT_LINES}', id="a number with an underscore, as text"),
    pytest.param(LINES, "²", f'is "²", {NOT_LINES}', id="a superscript"),
    pytest.param(LINES, "٢٠٠", f'is "٢٠٠", {NOT_LINES}', id="digits of another script"),
    pytest.param(LINES, "9" * 5_000, f'is "{"9" * 55}...", {NOT_LINES}', id="more digits than Python reads"),
    pytest.param(LINES, 0, f"is 0, {NOT_LINES}", id="zero"),
    pytest.param(LINES, -1, f"is -1, {NOT_LINES}", id="a negative number"),
    pytest.param(LINES, 1_000_000_001, f"is 1000000001, {NOT_LINES}", id="one too many"),
    pytest.param(LINES, 10**5_000, f"is a number of more than 18 digits, {NOT_LINES}", id="a number too long to write"),
    pytest.param(LINES, True, f"is true, {NOT_LINES}", id="true is no number"),
    pytest.param(LINES, 200.0, f"is 200.0, {NOT_LINES}", id="a whole float"),
    pytest.param(LINES, [200], f"is a list, {NOT_LINES}", id="a list of one number"),
    pytest.param(LINES, {}, f"is a table, {NOT_LINES}", id="a table"),
    pytest.param(LINES, date(2026, 1, 1), f"is a date or a time, {NOT_LINES}", id="a date"),
    pytest.param(MODE, "Enforce", 'is "Enforce", not one of off, audit, enforce', id="a choice in capitals"),
    pytest.param(MODE, True, "is true, not one of off, audit, enforce", id="true for a choice"),
    pytest.param(QUIET, 0, f"is 0, {NOT_QUIET}", id="no time"),
    pytest.param(QUIET, math.nan, f"is nan, {NOT_QUIET}", id="nan"),
    pytest.param(QUIET, math.inf, f"is inf, {NOT_QUIET}", id="infinity"),
    pytest.param(QUIET, 86_400.5, f"is 86400.5, {NOT_QUIET}", id="more than a day"),
    pytest.param(QUIET, 10**400, f"is a number of more than 18 digits, {NOT_QUIET}", id="a time no float holds"),
    pytest.param(QUIET, "0.3s", f'is "0.3s", {NOT_QUIET}', id="a time with a unit"),
    pytest.param(QUIET, "1.2.3", f'is "1.2.3", {NOT_QUIET}', id="two points"),
    pytest.param(QUIET, ".", f'is ".", {NOT_QUIET}', id="a point alone"),
    pytest.param(QUIET, False, f"is false, {NOT_QUIET}", id="false is no time"),
    pytest.param(FILES, 1, "is 1, not true or false", id="one is not true"),
    pytest.param(FILES, "yes", 'is "yes", not true or false', id="yes is not true"),
    pytest.param(WINDOWS, "claude-code", 'is "claude-code", not a list of text', id="text for a list"),
    pytest.param(NAME, "", f'is "", {NOT_NAME}', id="no name: it would match nothing"),
    pytest.param(NAME, ".md", f'is ".md", {NOT_NAME}', id="nothing before the ending"),
    pytest.param(NAME, "..", f'is "..", {NOT_NAME}', id="the folder above"),
    pytest.param(NAME, "a/MEMORY.md", f'is "a/MEMORY.md", {NOT_NAME}', id="a name with a folder"),
    pytest.param(NAME, "a\\MEMORY.md", f'is "a\\MEMORY.md", {NOT_NAME}', id="a name with a folder on Windows"),
    pytest.param(NAME, "*.md", f'is "*.md", {NOT_NAME}', id="a pattern"),
    pytest.param(NAME, "MEMORY.md ", f'is "MEMORY.md ", {NOT_NAME}', id="a space at the end"),
    pytest.param(NAME, "MEMORY.txt", f'is "MEMORY.txt", {NOT_NAME}', id="another ending"),
    pytest.param(NAME, "a\0.md", f'is "a\\x00.md", {NOT_NAME}', id="a NUL"),
    pytest.param(NAME, "\udcff.md", f'is "\\xff.md", {NOT_NAME}', id="a byte that is no text"),
    pytest.param(NAME, "a" * 253 + ".md", f'is "{"a" * 55}...", {NOT_NAME}', id="longer than a file name may be"),
]


@pytest.mark.parametrize(("key", "value", "problem"), UNUSABLE)
def test_an_unusable_value_is_told(key: Key, value: object, problem: str) -> None:
    assert parse(key, value) == Parsed(None, problem)


PARTLY = [
    pytest.param(
        WINDOWS, ["nohost", "claude-code"], ("claude-code",), 'holds "nohost", not one of claude-code', id="name"
    ),
    pytest.param(SERVERS, ["a", ""], ("a",), "holds an entry that is empty or no text", id="an empty entry"),
    pytest.param(SERVERS, ["a", " "], ("a",), "holds an entry that is empty or no text", id="a blank entry"),
    pytest.param(SERVERS, [["a"], "b"], ("b",), "holds an entry that is empty or no text", id="a list in the list"),
]


@pytest.mark.parametrize(("key", "value", "usable", "problem"), PARTLY)
def test_a_bad_entry_of_a_list_leaves_the_others(key: Key, value: object, usable: object, problem: str) -> None:
    assert parse(key, value) == Parsed(usable, problem)


TEXTS = [
    pytest.param("a", '"a"', id="text"),
    pytest.param("a\x1b[31m\u202e", '"a\\x1b[31m\\u202e"', id="text that acts on a terminal"),
    pytest.param("x" * 58, f'"{"x" * 58}"', id="the longest text"),
    pytest.param("x" * 59, f'"{"x" * 55}..."', id="text one longer"),
    pytest.param(True, "true", id="true"),
    pytest.param(0, "0", id="zero"),
    pytest.param(10**18, "a number of more than 18 digits", id="a long number"),
    pytest.param(-(10**18) + 1, "-999999999999999999", id="the longest number written"),
    pytest.param(0.3, "0.3", id="a float"),
    pytest.param((), "[]", id="an empty list"),
    pytest.param(("a", "b"), '["a", "b"]', id="a list"),
    pytest.param(["a", 1], "a list", id="a list of this and that"),
    pytest.param(("x" * 50, "y" * 50), '["' + "x" * 50 + '", "...]', id="a long list"),
    pytest.param({"a": 1}, "a table", id="a table"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_a_value_is_written_as_in_toml(value: object, text: str) -> None:
    assert value_text(value) == text


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.datetimes() | st.times(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(ANYTHING)
def test_what_is_shown_is_short_and_printable(value: object) -> None:
    assert len(value_text(value)) <= MAX_SHOWN_CHARS
    assert value_text(value).isprintable()


@given(st.text(st.characters()), st.integers(3, 80))
def test_a_cut_text_is_short_and_printable(text: str, max_chars: int) -> None:
    assert len(cut(text, max_chars)) <= max_chars
    assert cut(text, max_chars).isprintable()


@given(st.sampled_from(KEYS), ANYTHING)
def test_any_value_is_either_used_or_told(key: Key, value: object) -> None:
    read = parse(key, value)
    assert (read.value is None) <= bool(read.problem) or value is None
