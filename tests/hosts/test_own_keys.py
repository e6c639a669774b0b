"""A host's own tools are read by that host's own keys: no other argument changes what a call is seen to write."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.request import Kind
from memstile.core.tool_keys import KNOWN, SOURCE_KEYS
from memstile.hosts import HOSTS, host_named
from tests.hosts.payload_tools import JSON

M = "/v/MEMORY.md"
PATCH = f"*** Begin Patch\n*** Update File: {M}\n@@\n-a\n+b\n*** End Patch"
EDITOR: tuple[Mapping[str, object], ...] = (
    {"command": "create", "path": M, "file_text": "a"},
    {"command": "str_replace", "path": M, "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": M, "insert_line": 1, "new_str": "b"},
)
EDITOR_KEYS = ("command", "path", "file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range")


class Call(NamedTuple):
    """A call of a host's own tool, with all the keys that the host knows for it. optional: those it does without."""

    host: str
    tool: str
    arguments: Mapping[str, object]
    optional: tuple[str, ...] = ()


def swap(path: str, old: str, new: str) -> dict[str, object]:
    return {path: M, old: "a", new: "b"}


def swaps(path: str, old: str, new: str) -> dict[str, object]:
    return {path: M, "edits": [{old: "a", new: "b"}]}


STRINGS, CAMEL = ("file_path", "old_string", "new_string"), ("filePath", "oldString", "newString")
CALLS = [
    Call("claude-code", "Write", {"file_path": M, "content": "a"}),
    Call("claude-code", "Edit", swap(*STRINGS), ("replace_all",)),
    Call("claude-code", "MultiEdit", swaps(*STRINGS)),
    Call("claude-code", "NotebookEdit", {"notebook_path": M, "new_source": "a"}),
    Call("dsh", "write", {"file_path": M, "content": "a"}),
    Call("dsh", "edit", swap(*STRINGS), ("replace_all",)),
    *(Call("dsh", "str_replace_editor", arguments, EDITOR_KEYS) for arguments in EDITOR),
    Call("codex", "apply_patch", {"command": PATCH}),
    Call("gemini", "write_file", {"file_path": M, "content": "a"}),
    Call("gemini", "replace", swap(*STRINGS), ("allow_multiple",)),
    *(Call("copilot", tool, {"path": M, "file_text": "a"}) for tool in ("create", "Write")),
    *(Call("copilot", tool, swap("path", "old_str", "new_str")) for tool in ("edit", "Edit")),
    *(Call("copilot", "str_replace_editor", arguments, EDITOR_KEYS) for arguments in EDITOR),
    Call("windsurf", "write_code", swaps(*STRINGS)),
    Call("cline", "editor", swap("path", "old_text", "new_text"), ("insert_line",)),
    Call("cline", "editor", {"path": M, "new_text": "a", "insert_line": 1}, ("old_text",)),
    Call("cline", "apply_patch", {"input": PATCH}),
    Call("cline", "write_to_file", {"path": M, "content": "a"}),
    Call("cline", "replace_in_file", {"path": M, "diff": "a"}),
    Call("opencode", "write", {"filePath": M, "content": "a"}),
    Call("opencode", "edit", swap(*CAMEL), ("replaceAll",)),
    Call("opencode", "multiedit", swaps(*CAMEL)),
    *(Call("opencode", tool, {"patchText": PATCH}) for tool in ("apply_patch", "patch")),
]


def writes(call: Call, more: Mapping[str, object]) -> str:
    """Read a call with more arguments, and write out what it would write: records of two kinds can be equal."""
    arguments = {**more, **call.arguments}
    payload = {
        "claude-code": {"hook_event_name": "PreToolUse", "tool_name": call.tool, "tool_input": arguments},
        "gemini": {"hook_event_name": "BeforeTool", "tool_name": call.tool, "tool_input": arguments},
        "copilot": {"hookName": "preToolUse", "toolName": call.tool, "toolArgs": arguments},
        "windsurf": {"agent_action_name": f"pre_{call.tool}", "tool_info": arguments},
        "cline": {"hookName": "tool_call", "tool_call": {"name": call.tool, "input": arguments}},
        "opencode": {"hook": "before", "input": {"tool": call.tool}, "output": {"args": arguments}},
    }
    payload["dsh"] = payload["codex"] = payload["claude-code"]
    request = host_named(call.host).parse(payload[call.host], "")
    assert request.kind is Kind.WRITE
    return repr(request.writes)


MORE = st.dictionaries(
    st.sampled_from([*sorted(KNOWN), *SOURCE_KEYS, "edits", "dryRun", "append", "cwd", "insert_text"])
    | st.text(max_size=8),
    JSON | st.sampled_from(["", "decoy", "/v/other.md", M, PATCH, True, [], [{"old_string": "x", "new_string": ""}]]),
    max_size=6,
)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.host}-{call.tool}-{'-'.join(call.arguments)}")
@settings(max_examples=25)
@given(more=MORE)
def test_no_argument_that_a_host_does_not_know_changes_what_is_written(call: Call, more: dict[str, object]) -> None:
    unknown = {key: value for key, value in more.items() if key not in call.optional}
    assert writes(call, {}) not in ("()", "")
    assert writes(call, unknown) == writes(call, {})


# Tools whose keys are known from records of another kind, or not at all.
ELSEWHERE = {("copilot", "apply_patch")}


def test_each_own_tool_that_writes_is_tried() -> None:
    tried = {(call.host, call.tool) for call in CALLS}
    there = {
        (name, tool)
        for name in {call.host for call in CALLS}
        for tool, row in importlib.import_module(HOSTS[name]).TOOLS.items()
        if row.kind is Kind.WRITE
    }
    assert there - tried == ELSEWHERE
    assert tried <= there
