"""Hooks are merged into a host's JSON without touching what others wrote, and taken out without a trace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.setups.hook_lists import Entries, put, take
from memstile.setups.json_source import Malformed, parse
from memstile.setups.setup import Unmergeable

HOOK = {"type": "command", "command": "/py", "args": ["-I", "-S", "/state/launcher/memstile_hook.py", "claude-code"]}
OLD = {"type": "command", "command": "/old/py /state/launcher/memstile_hook.py claude-code"}
ENTRIES: Entries = {"PreToolUse": [{"matcher": "Write", "hooks": [HOOK]}], "SessionStart": [{"hooks": [HOOK]}]}
TEXTS = [
    pytest.param('{"a": 1}', id="one line"),
    pytest.param('{"a":1}', id="no blanks"),
    pytest.param('{\n  "a": 1\n}\n', id="two blanks"),
    pytest.param('{\n\t"a": 1\n}', id="tabs, no last line break"),
    pytest.param('{\r\n    "a": 1\r\n}\r\n', id="CRLF"),
    pytest.param('\ufeff{"a": 1}', id="a byte order mark"),
    pytest.param('{\n  // why\n  "a": 1, // because\n}\n', id="comments and a trailing comma"),
    pytest.param(
        '{\n  "hooks": {\n    "PreToolUse": [\n      {"hooks": []} // theirs, with, commas\n    ]\n  }\n}', id="theirs"
    ),
    pytest.param(
        '{"hooks": {"PreToolUse": [{"matcher": "x", "hooks": [{"command": "x"}]}], "Stop": []}}', id="an empty list"
    ),
    pytest.param('{"hooks": {"Stop": [1, null]}, "hooks": {"Stop": [{"hooks": 3}]}}', id="a name twice"),
    pytest.param('{"a": 1, "b": {"hooks": {"PreToolUse": []}}}', id="hooks of something else"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_merged_is_taken_out_without_a_trace(text: str) -> None:
    merged = put(text, ENTRIES)
    assert merged != text
    assert put(merged, ENTRIES) == merged
    assert take(merged) == text


MERGED = [
    pytest.param(None, '{\n  "hooks": {\n    "PreToolUse": [', id="no file"),
    pytest.param("  \n", '{\n  "hooks": {\n    "PreToolUse": [', id="blanks only"),
    pytest.param('{\n    "a": 1\n}', '{\n    "a": 1,\n    "hooks": {\n        "PreToolUse": [', id="indented by four"),
    pytest.param('{"a":1}', '{"a":1,"hooks":{"PreToolUse":[{"matcher":"Write"', id="in one line"),
]


@pytest.mark.parametrize(("text", "opening"), MERGED)
def test_new_entries_are_laid_out_like_the_rest(text: str | None, opening: str) -> None:
    merged = put(text, ENTRIES)
    assert merged.startswith(opening)
    assert json.loads(merged)["hooks"] == ENTRIES


def test_an_entry_of_an_older_run_is_replaced_in_its_place() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [OLD]}, {"hooks": [{"command": "theirs"}]}]}})
    expected = [*ENTRIES["PreToolUse"], {"hooks": [{"command": "theirs"}]}]
    assert json.loads(put(text, ENTRIES))["hooks"]["PreToolUse"] == expected


def test_an_event_that_is_not_asked_for_any_more_is_left() -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [OLD]}], "PreToolUse": []}})
    assert json.loads(put(text, ENTRIES))["hooks"] == ENTRIES


def test_of_a_group_with_hooks_of_others_only_ours_are_taken() -> None:
    text = json.dumps(
        {"hooks": {"PreToolUse": [{"matcher": "x", "hooks": [{"command": "a"}, HOOK, {"command": "b"}]}]}}
    )
    expected = {"hooks": {"PreToolUse": [{"matcher": "x", "hooks": [{"command": "a"}, {"command": "b"}]}]}}
    assert json.loads(take(text)) == expected
    assert json.loads(put(text, ENTRIES))["hooks"]["PreToolUse"] == [
        expected["hooks"]["PreToolUse"][0],
        *ENTRIES["PreToolUse"],
    ]


def test_the_flat_grammar_and_its_version() -> None:
    entries = {"preToolUse": [{"command": "/py /s/launcher/memstile_hook.py cursor"}]}
    text = '{"hooks": {"preToolUse": [{"command": "theirs"}]}}'
    merged = put(text, entries, {"version": 1})
    assert json.loads(merged) == {
        "hooks": {"preToolUse": [{"command": "theirs"}, *entries["preToolUse"]]},
        "version": 1,
    }
    assert put('{"version": 2}', entries, {"version": 1}).startswith('{"version": 2, "hooks"')


THEIRS = [
    "/home/u/check-memstile_hook.py --lint",
    "/home/u/memstile_hook.py --lint",
    "python -m pytest tests/launcher/memstile_hook.py.txt",
    "/home/u/launcher/memstile_hook.pyc",
    "grep memstile_hook.py 'unclosed",
]


@pytest.mark.parametrize("command", THEIRS)
def test_a_hook_that_is_only_called_alike_is_not_ours(command: str) -> None:
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}})
    assert (take(text), take(put(text, ENTRIES))) == (text, text)


OURS = [
    {"command": "/py", "args": ["-c", "exec(1)", "/home/a b/launcher/memstile_hook.py", "claude-code"]},
    {"command": "/py '/home/a b/launcher/memstile_hook.py' codex || exit 2"},
    {"command": "/py /s/launcher/memstile_hook.py codex 'unclosed"},
]


@pytest.mark.parametrize("hook", OURS)
def test_a_hook_that_starts_the_launcher_is_ours(hook: object) -> None:
    assert take(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})) == "{}"


REFUSED = [
    pytest.param("{", "it is no JSON: a quoted text is missing or broken in line 1", id="cut off"),
    pytest.param('{"a": 1}\n{}', "it is no JSON: more than one value in line 1", id="two values"),
    pytest.param('{"a": NaN}', "it is no JSON: a value is missing in line 1", id="NaN"),
    pytest.param('{\n"a" 1}', "it is no JSON: a colon is missing in line 2", id="no colon"),
    pytest.param('{"a": 1 "b": 2}', "it is no JSON: a comma is missing in line 1", id="no comma"),
    pytest.param("[]", "it holds no object", id="a list"),
    pytest.param('{"hooks": []}', 'its "hooks" is no object', id="hooks as a list"),
    pytest.param('{"hooks": {"PreToolUse": {}}}', 'its "PreToolUse" is no list', id="an event as an object"),
    pytest.param("[" * 1000, "it is no JSON: too many levels in line 1", id="deep"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_cannot_be_merged_without_guessing_is_refused(text: str, message: str) -> None:
    with pytest.raises(Unmergeable) as caught:
        put(text, ENTRIES)
    assert caught.value.message == message


LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=5)}), max_size=2)},
    optional={"matcher": st.text(max_size=4)},
)
HOOKS = st.dictionaries(st.sampled_from(["PreToolUse", "Stop"]), st.lists(GROUPS, min_size=1, max_size=3), min_size=1)
SETTINGS = st.builds(
    lambda others, hooks: {**others, **hooks},
    st.dictionaries(st.text(max_size=5).filter(lambda name: name != "hooks"), VALUES, max_size=3),
    st.fixed_dictionaries({"hooks": HOOKS}),
)
LAYOUTS = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans(), "sort_keys": st.booleans()}
)


@settings(max_examples=60)
@given(SETTINGS, LAYOUTS, st.sampled_from(["", "\n", "\n\n"]))
def test_any_settings_come_back_byte_for_byte(value: object, layout: dict[str, object], end: str) -> None:
    text = json.dumps(value, **layout) + end  # type: ignore[arg-type]
    assert parse(text).plain() == value
    merged = put(text, ENTRIES)
    assert put(merged, ENTRIES) == merged
    assert take(merged) == text


@settings(max_examples=100)
@given(st.text(alphabet='{}[]",:/*\\ \n1tn-.eE\ufeff', max_size=30))
def test_reading_agrees_with_json_where_json_reads_it(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        return
    try:
        assert parse(text).plain() == expected
    except Malformed as error:
        pytest.fail(f"{text!r}: {error}")
