"""hosts/cline.py: the recorded payloads of the CLI 3.0.65, the extension's as documented, and the replies."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Applied, Content, Edit, Insertion, Opaque, Outcome, Patch, Substitutions, Whole, apply
from memstile.core.matching import Matching
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.verdict import Verdict
from memstile.hosts.cline import CARRIES, EVENTS, HOST, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply, as_mapping
from tests.hosts.payload_tools import JSON, altered, recorded

PAYLOADS = {name.removesuffix(".json"): as_mapping(payload) for name, payload in recorded("cline").items()}
FOLDER = "/home/user/project"
OK = f"{FOLDER}/ok.md"


def edited(path: str, old: bytes, new: bytes) -> tuple[Write, ...]:
    return (Write(path, Substitutions((Edit(old, new),), if_missing=new)),)


CREATED, ABSENT = edited(OK, b"", b"hello\n"), edited(OK, b"absent", b"bye")
# How each record is read: event, tool, kind, writes, call, whether it failed.
READ: dict[str, tuple[Event, str, Kind, tuple[Write, ...], str, bool | None]] = {
    "TaskStart": (Event.SESSION_START, "", Kind.OTHER, (), "", None),
    "PreToolUse-editor": (Event.TOOL_CALL, "editor", Kind.WRITE, CREATED, "call_0_0", None),
    "PostToolUse-editor": (Event.TOOL_RESULT, "editor", Kind.WRITE, CREATED, "call_0_0", False),
    "PreToolUse-editor-fail": (Event.TOOL_CALL, "editor", Kind.WRITE, ABSENT, "call_3_0", None),
    "PostToolUse-editor-fail": (Event.TOOL_RESULT, "editor", Kind.WRITE, ABSENT, "call_3_0", True),
    "PreToolUse-run_commands": (Event.TOOL_CALL, "run_commands", Kind.SHELL, (), "call_1_0", None),
    "PostToolUse-run_commands": (Event.TOOL_RESULT, "run_commands", Kind.SHELL, (), "call_1_0", False),
    "PostToolUse-run_commands-fail": (Event.TOOL_RESULT, "run_commands", Kind.SHELL, (), "call_2_0", True),
    "PreToolUse-mem__memory_write": (
        Event.TOOL_CALL,
        "mem__memory_write",
        Kind.OTHER,
        (Write("a.md", Opaque("the tool is not known")),),
        "call_6_0",
        None,
    ),
    "PostToolUse-mem__memory_write": (
        Event.TOOL_RESULT,
        "mem__memory_write",
        Kind.OTHER,
        (Write("a.md", Opaque("the tool is not known")),),
        "call_6_0",
        False,
    ),
}


@pytest.mark.parametrize("event_word", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("name", PAYLOADS)
def test_a_recorded_payload_is_read(name: str, *, event_word: bool) -> None:
    event, tool, kind, writes, call, is_error = READ[name]
    payload = PAYLOADS[name]
    host_event = name.partition("-")[0]
    row = as_mapping(payload.get("tool_call") or payload.get("tool_result"))
    assert parse(payload, host_event if event_word else "") == Request(
        event,
        host_event,
        session="conv_1796078587297_s1rmy13",
        call=call,
        cwd=FOLDER,
        tool=tool,
        kind=kind,
        writes=writes,
        arguments=as_mapping(row["input"]) if row else None,
        is_error=is_error,
    )


def called(tool: str, arguments: object) -> dict[str, object]:
    return {"hookName": "tool_call", "workspaceRoots": ["/p"], "tool_call": {"name": tool, "input": arguments}}


M = "/p/MEMORY.md"
REJECTED = Applied(Outcome.REJECTED)


def done(data: bytes) -> Applied:
    return Applied(Outcome.DONE, data)


# What the CLI 3.0.65 made of a file, run on each row.
RAN: dict[str, tuple[dict[str, object], Content, Applied]] = {
    "new": ({"new_text": "a"}, None, done(b"a")),
    "new-empty-old": ({"new_text": "a", "old_text": ""}, None, done(b"a")),
    "new-any-old": ({"new_text": "made", "old_text": "absent"}, None, done(b"made")),
    "nulls": ({"new_text": "x", "old_text": None, "insert_line": None}, None, done(b"x")),
    "no-overwrite": ({"new_text": "whole\n"}, b"a\n", REJECTED),
    "replace": ({"new_text": "$& $1", "old_text": "b"}, b"a b a", done(b"a $& $1 a")),
    "replace-twice": ({"new_text": "c", "old_text": "a"}, b"a b a", REJECTED),
    "replace-absent": ({"new_text": "", "old_text": "a b"}, b"a $& $1 a", REJECTED),
    "replace-other-indentation": ({"new_text": "x\ny", "old_text": "alpha\nbeta"}, b"  alpha\n  beta\n", REJECTED),
    "replace-crlf": ({"new_text": "c\nd", "old_text": "x"}, b"x\r\nb\r\n", done(b"c\r\nd\r\nb\r\n")),
    "replace-across-crlf": ({"new_text": "c\nd", "old_text": "a\nb"}, b"a\r\nb\r\n", done(b"c\r\nd\r\n")),
    "insert-top": ({"new_text": "ins", "insert_line": 1}, b"  alpha\n", done(b"ins\n  alpha\n")),
    "insert-end": ({"new_text": "x\n", "insert_line": 3}, b"a\nb\n", done(b"a\nb\nx\n\n")),
    "insert-open-end": ({"new_text": "x", "insert_line": 3}, b"a\nb", done(b"a\nb\nx")),
    "insert-text-of-digits": ({"new_text": "x", "insert_line": "2"}, b"a\nb\n", done(b"a\nx\nb\n")),
    "insert-wins-over-old": ({"new_text": "x", "old_text": "a", "insert_line": 2}, b"a\nb\n", done(b"a\nx\nb\n")),
    "insert-empty-file": ({"new_text": "x", "insert_line": 1}, b"", done(b"x\n")),
    "insert-breaks": ({"new_text": "x\n\n", "insert_line": 2}, b"a\nb\n", done(b"a\nx\n\n\nb\n")),
    "insert-0": ({"new_text": "x", "insert_line": 0}, b"a\n", REJECTED),
    "insert-past-the-end": ({"new_text": "x", "insert_line": 99}, b"a\n", REJECTED),
    "insert-missing-file": ({"new_text": "x", "insert_line": 1}, None, REJECTED),
}


@pytest.mark.parametrize("row", RAN)
def test_the_editor_leaves_what_the_real_one_left(row: str) -> None:
    arguments, before, after = RAN[row]
    request = parse(called("editor", {"path": M, **arguments}), "PreToolUse")
    assert request.kind is Kind.WRITE
    assert [(write.path, apply(write.change, before)) for write in request.writes] == [(M, after)]


PATCH = "*** Begin Patch\n*** Add File: m\n+a\n*** End Patch"
CALLS: dict[str, tuple[object, str, Kind, tuple[Write, ...]]] = {
    "no-path": (called("editor", {"new_text": "a"}), "editor", Kind.WRITE, ()),
    "no-text": (called("editor", {"path": M}), "editor", Kind.WRITE, ()),
    "insert-somewhere": (
        called("editor", {"path": M, "new_text": "a", "insert_line": [1]}),
        "editor",
        Kind.WRITE,
        (Write(M, Opaque("the tool does not say what will be in the file")),),
    ),
    "insert-true": (
        called("editor", {"path": M, "new_text": "a", "insert_line": True}),
        "editor",
        Kind.WRITE,
        (Write(M, Insertion(0, b"a")),),
    ),
    "patch": (called("apply_patch", {"input": PATCH}), "apply_patch", Kind.WRITE, (Write("m", Patch(PATCH)),)),
    "read": (called("read_files", {"files": [{"path": M}]}), "read_files", Kind.READ, ()),
    "arguments-as-text": (called("editor", "{"), "editor", Kind.WRITE, ()),
    "server": (
        called("fs__write_file", {"path": M, "content": "a"}),
        "fs__write_file",
        Kind.WRITE,
        (Write(M, Whole(b"a")),),
    ),
    "server-reads": (called("fs__read_text_file", {"path": M}), "fs__read_text_file", Kind.READ, ()),
}


def extension(tool: str, parameters: object) -> dict[str, object]:
    return {
        "hookName": "PreToolUse",
        "workspaceRoots": ["/p"],
        "preToolUse": {"toolName": tool, "parameters": parameters},
    }


CALLS |= {
    "extension-write": (
        extension("write_to_file", {"path": "m", "content": "a"}),
        "write_to_file",
        Kind.WRITE,
        (Write("m", Whole(b"a")),),
    ),
    "extension-replace": (
        extension("replace_in_file", {"path": "m", "diff": "<<<<<<< SEARCH"}),
        "replace_in_file",
        Kind.WRITE,
        (Write("m", Opaque("the tool does not say what will be in the file")),),
    ),
    "extension-server-with-a-name-of-cline": (
        extension("use_mcp_tool", {"tool_name": "write_to_file", "arguments": {"file_path": "m", "content": "a"}}),
        "write_to_file",
        Kind.WRITE,
        (Write("m", Whole(b"a")),),
    ),
    "extension-server": (
        extension(
            "use_mcp_tool",
            {"server_name": "fs", "tool_name": "write_file", "arguments": '{"path": "m", "content": "a"}'},
        ),
        "write_file",
        Kind.WRITE,
        (Write("m", Whole(b"a")),),
    ),
}


@pytest.mark.parametrize("row", CALLS)
def test_a_call_names_the_files_that_it_would_write(row: str) -> None:
    payload, tool, kind, writes = CALLS[row]
    request = parse(payload, "PreToolUse")
    assert request._replace(arguments=None) == Request(
        Event.TOOL_CALL, "PreToolUse", cwd="/p", tool=tool, kind=kind, writes=writes
    )


BASE = Request(Event.TOOL_CALL, "PreToolUse", cwd="/p")
ODD: dict[str, tuple[object, str, Request]] = {
    "nothing": ({}, "", NOTHING._replace(missing="hookName")),
    "no-object": (["a"], "PreToolUse", NOTHING._replace(host_event="PreToolUse", missing="hookName")),
    "other-event": ({"hookName": "agent_end"}, "", NOTHING._replace(host_event="agent_end")),
    "no-tool": ({"hookName": "tool_call", "workspaceRoots": ["/p"]}, "", BASE._replace(missing="tool_call.name")),
    "no-arguments": (called("editor", None), "", BASE._replace(missing="tool_call.input")),
    "a-subagent": (
        {"hookName": "agent_start", "agent_id": "a", "parent_agent_id": "b", "taskId": "t"},
        "",
        Request(Event.SESSION_START, "TaskStart", session="t", agent="a"),
    ),
    "no-folder": (
        {"hookName": "prompt_submit", "workspaceRoots": []},
        "",
        Request(Event.TURN_START, "UserPromptSubmit"),
    ),
}


@pytest.mark.parametrize("row", ODD)
def test_an_odd_payload_says_what_it_lacks(row: str) -> None:
    payload, event, request = ODD[row]
    assert parse(payload, event) == request


@pytest.mark.parametrize(
    ("output", "older", "is_error"),
    [
        ({"isError": True}, {"success": True}, True),
        ([{"success": True}, {"success": False}], {"success": True}, True),
        ("text", {"success": True}, False),
    ],
)
def test_success_of_the_older_field_is_not_believed(output: object, older: object, *, is_error: bool) -> None:
    row = {"name": "x", "input": {}, "output": output}
    assert parse({"hookName": "tool_result", "tool_result": row, "postToolUse": older}, "").is_error is is_error


def test_the_extension_says_success_alone() -> None:
    results: list[dict[str, object]] = [
        {"toolName": "x", "parameters": {}, "success": success} for success in (True, False)
    ]
    read = [parse({"hookName": "PostToolUse", "postToolUse": result}, "").is_error for result in results]
    assert read == [False, None]


def said(**body: object) -> Reply:
    return Reply(json.dumps(body))


WARNING = Answer(Verdict.WARN, "C", "t")
REPLIES: dict[str, tuple[Answer, Event, Reply]] = {
    "silence": (Answer(), Event.TOOL_CALL, NO_REPLY),
    "deny": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, said(cancel=True, errorMessage="r")),
    "ask": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, said(cancel=True, errorMessage="r")),
    "no-reason": (Answer(Verdict.DENY), Event.TOOL_CALL, said(cancel=True, errorMessage="memstile refused this call")),
    "warn-before": (WARNING, Event.TOOL_CALL, said(cancel=False, contextModification="t")),
    "warn-after": (WARNING, Event.TOOL_RESULT, said(cancel=False, contextModification="t")),
    "deny-too-late": (
        Answer(Verdict.DENY, "C", "r"),
        Event.TOOL_RESULT,
        said(cancel=False, contextModification="r"),
    ),
    "warn-at-start": (WARNING, Event.SESSION_START, NO_REPLY),
    "person": (Answer(Verdict.WARN, "C", "", "p"), Event.TOOL_CALL, NO_REPLY),
    "long": (
        Answer(Verdict.WARN, "C", "t" * 50_001),
        Event.TOOL_CALL,
        said(cancel=False, contextModification="t" * 50_000),
    ),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, reply_said = REPLIES[row]
    assert reply(answer, Request(event)) == reply_said


def test_only_a_call_has_something_to_refuse() -> None:
    denied = said(cancel=True, errorMessage="r")
    told = {event: refuse("r", event) for event in ("", *EVENTS)}
    assert told == {"": denied, **dict.fromkeys(EVENTS, Reply(stderr="r\n")), "PreToolUse": denied}


def test_a_text_of_the_start_waits_for_the_first_call() -> None:
    assert carried(WARNING, CARRIES.get(Event.SESSION_START, ())) == (Answer(Verdict.ALLOW, "C"), "t")
    assert CARRIES[Event.TOOL_CALL] == {Channel.DENY, Channel.MODEL}


ANSWERS = st.builds(Answer, st.sampled_from(list(Verdict)), st.just("C"), st.text(max_size=8), st.text(max_size=8))


@settings(max_examples=150)
@given(
    payload=JSON | altered(PAYLOADS.values()) | altered([called("editor", {"path": M, "new_text": "a"})]),
    event=st.text(max_size=12) | st.sampled_from(["", *EVENTS]),
    answer=ANSWERS,
)
def test_parse_and_reply_are_total(payload: object, event: str, answer: Answer) -> None:
    request = parse(payload, event)
    assert not (request.missing and request.writes)
    told = reply(answer, request)
    body = json.loads(told.stdout) if told.stdout else {}
    assert set(body) <= {"cancel", "errorMessage", "contextModification"}
    assert (told.stderr, told.exit_code) == ("", 0)


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from(["path", "new_text", "old_text", "insert_line"]), JSON | st.just("1")))
def test_any_arguments_of_the_editor_are_read(arguments: dict[str, object]) -> None:
    for write in parse(called("editor", arguments), "").writes:
        apply(write.change, b"a\n")


def test_the_row_of_the_host_says_what_was_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.matching) == (
        "cline",
        "recorded",
        ("3.0.65",),
        Matching.EXACT,
    )
    assert "the model is not told why" in HOST.slips[0]
