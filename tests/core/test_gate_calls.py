"""core/gate_calls.py: which class a tool call is of, and how its result ended."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate_calls import Call, classify_call, outcome_of
from memstile.core.gate_words import CallClass, Classification
from memstile.core.memory_servers import BASIC_MEMORY
from memstile.core.turn_calls import Outcome
from tests.hosts.payload_tools import JSON

SERVERS = ("basic-memory", "notes")
CONTROL, SEARCH, READ, WRITE, DESTRUCTIVE, OTHER = CallClass

NAMES = [
    ("mcp__basic-memory__search_notes", SEARCH),
    ("mcp__basic-memory__grep", SEARCH),
    ("mcp__basic-memory__recent_activity", READ),
    ("mcp__basic-memory__write_note", WRITE),
    ("mcp__basic-memory__delete_project", DESTRUCTIVE),
    ("mcp__basic-memory__brand_new_tool", WRITE),
    ("mcp__basic-memory__", WRITE),
    ("mcp__basic-memory__Search_Notes", WRITE),
    ("mcp__notes__search_notes", SEARCH),
    ("mcp__plugin_bm_basic-memory__delete_note", DESTRUCTIVE),
    ("mcp__plugin_my_plugin_basic-memory__build_context", SEARCH),
    ("mcp__basic-memory__memstile_classify", CONTROL),
    ("mcp__notes__memstile_classify", CONTROL),
    ("mcp__memstile__classify", CONTROL),
    ("mcp__plugin_memstile_memstile__classify", CONTROL),
    ("bmpp__classify", CONTROL),
    ("mcp__memstile__status", OTHER),
    ("mcp__guard__classify", OTHER),
    ("mcp__other__memstile_classify", OTHER),
    ("basic-memory__write_note", OTHER),
    ("write_note", OTHER),
    ("mcp__my-basic-memory__write_note", OTHER),
    ("mcp__basic-memory-2__write_note", OTHER),
    ("mcp__plugin_x_my-basic-memory__write_note", OTHER),
    ("mcp__plugin__basic-memory", OTHER),
    ("MCP__basic-memory__write_note", OTHER),
    ("Write", OTHER),
    ("", OTHER),
]


@pytest.mark.parametrize(("tool", "kind"), NAMES)
def test_a_name_gives_the_class(tool: str, kind: CallClass) -> None:
    assert classify_call(tool, {}, SERVERS).kind is kind


def test_every_tool_of_basic_memory_has_a_class() -> None:
    counts = {kind: list(BASIC_MEMORY.values()).count(kind) for kind in CallClass}
    assert counts == {CONTROL: 0, SEARCH: 4, READ: 17, WRITE: 4, DESTRUCTIVE: 2, OTHER: 0}


@pytest.mark.parametrize(
    ("arguments", "task"),
    [
        ({"task": "simple"}, Classification.SIMPLE),
        ({"task": "complex", "rationale": "many notes"}, Classification.COMPLEX),
        ({"task": "unknown"}, None),
        ({"task": "Simple"}, None),
        ({"task": ["simple"]}, None),
        ({"task": None}, None),
        ({}, None),
        (None, None),
        ("simple", None),
        (7, None),
    ],
)
def test_a_control_call_declares(arguments: object, task: Classification | None) -> None:
    assert classify_call("mcp__memstile__classify", arguments, SERVERS) == Call(
        CONTROL, "mcp__memstile__classify", task=task
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "task"),
    [
        ("Bash", {"command": "memstile classify simple"}, Classification.SIMPLE),
        ("bash", {"command": "memstile classify complex\n", "timeout": 5}, Classification.COMPLEX),
        ("shell", {"command": ["memstile", "classify", "simple"]}, Classification.SIMPLE),
        ("run_commands", {"commands": ["memstile classify simple"]}, Classification.SIMPLE),
        ("Bash", {"command": "memstile classify other"}, None),
        ("Bash", {"command": "memstile classify simple; rm -rf /"}, None),
        ("Bash", {"command": "cd x && memstile classify simple"}, None),
        ("Bash", {"command": "memstile  classify simple"}, None),
        ("Bash", {"command": "echo memstile classify simple"}, None),
        ("Bash", {"command": "memstile classify simple", "cmd": "other"}, None),
        ("run_commands", {"commands": ["memstile classify simple", "ls"]}, None),
        ("Bash", {"command": [["memstile"]]}, None),
        ("Bash", {"command": 7}, None),
        ("Bash", None, None),
        ("Write", {"command": "memstile classify simple"}, None),
    ],
)
def test_a_shell_call_declares_only_where_it_is_exactly_that(
    tool: str, arguments: object, task: Classification | None
) -> None:
    call = classify_call(tool, arguments, SERVERS)
    assert (call.kind, call.task) == (OTHER if task is None else CONTROL, task)


@pytest.mark.parametrize(
    ("overwrite", "is_overwrite"),
    [
        (True, True),
        (False, False),
        ("yes", True),
        (1, True),
        ("true", True),
        (None, False),
        ("false", False),
        (0, False),
    ],
)
def test_what_is_not_plainly_false_may_overwrite(overwrite: object, is_overwrite: bool) -> None:
    call = classify_call("mcp__basic-memory__write_note", {"title": "t", "overwrite": overwrite}, SERVERS)
    assert (call.is_create, call.is_overwrite) == (overwrite is not True, is_overwrite)


@pytest.mark.parametrize("arguments", [None, "text", 7, []])
def test_arguments_that_are_no_object_make_a_create(arguments: object) -> None:
    call = classify_call("mcp__basic-memory__write_note", arguments, SERVERS)
    assert call == Call(WRITE, "mcp__basic-memory__write_note", "basic-memory", arguments, is_create=True)


@given(
    st.text(max_size=9) | st.sampled_from([name for name, _ in NAMES]) | st.just("Bash"),
    JSON | st.dictionaries(st.sampled_from(["task", "command", "title", "directory", "identifier"]), JSON),
    st.lists(st.text(max_size=4)).map(tuple),
)
def test_any_call_is_read(tool: str, arguments: object, servers: tuple[str, ...]) -> None:
    call = classify_call(tool, arguments, (*servers, *SERVERS))
    assert call.tool == tool
    assert json.dumps(call.target)


@pytest.mark.parametrize(
    ("is_error", "opening", "outcome"),
    [
        (False, "", Outcome.DONE),
        (False, "[]", Outcome.DONE),
        (False, "Found: # Search Failed", Outcome.DONE),
        (True, "", Outcome.FAILED),
        (None, "", Outcome.FAILED),
        (False, "# Search Failed", Outcome.FAILED),
        (False, "# Search Failed - Invalid Syntax", Outcome.FAILED),
        (False, 'MCP tool "basic-memory/search_ro" is still running after 1s. It was moved', Outcome.UNFINISHED),
        (False, 'MCP tool "basic-memory" is fine', Outcome.DONE),
    ],
)
def test_a_result_ended(is_error: bool | None, opening: str, outcome: Outcome) -> None:
    assert outcome_of(is_error, opening) is outcome
