"""hosts/copilot.py: the recorded payloads of both dialects of Copilot CLI 1.0.102, and the replies to them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Applied, Edit, Opaque, Outcome, Patch, Substitutions, Whole, apply
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import naming
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_glance import is_none_of_ours
from memstile.hook_run import run
from memstile.hosts.copilot import CARRIES, EVENTS, HOST, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply, as_mapping
from tests.hosts.payload_tools import JSON, altered, recorded

PAYLOADS = recorded("copilot")
FOLDER = "/home/user/project"
FIRST = Request(Event.OTHER, session="07ea0d6b-59c9-4bcd-9cab-d9dab896fba9", cwd=FOLDER)
PATCHED = FIRST._replace(session="0bd4f215-9b91-4fd9-961b-a9041add8c0b")


def event_of(name: str) -> str:
    """Give the event of a record: the first word of the file's name, which the hook had on its command line."""
    return name.rpartition("/")[2].removeprefix("repo-").removesuffix(".json").partition("-")[0]


def at(base: Request, host_event: str) -> Request:
    return base._replace(event=EVENTS[host_event], host_event=host_event)


def created(path: str, content: bytes) -> tuple[Write, ...]:
    return (Write(path, Substitutions((Edit(b"", b""),), if_missing=content)),)


def edited(old: bytes) -> tuple[Write, ...]:
    return (Write(f"{FOLDER}/ok.md", Substitutions((Edit(old, b"bye"),))),)


def call(tool: str, arguments: dict[str, object], kind: Kind = Kind.OTHER, writes: tuple[Write, ...] = ()) -> Request:
    return FIRST._replace(tool=tool, arguments=arguments, kind=kind, writes=writes)


def edit_call(tool: str, old: str) -> Request:
    arguments: dict[str, object] = {"path": f"{FOLDER}/ok.md", "old_str": old, "new_str": "bye"}
    return call(tool, arguments, Kind.WRITE, edited(old.encode()))


def envelope(path: str) -> str:
    return f"*** Begin Patch\n*** Add File: {path}\n+# Index\n*** End Patch\n"


def patch_call(tool: str, path: str) -> Request:
    writes = (Write(path, Patch(envelope(path))),)
    return PATCHED._replace(tool=tool, kind=Kind.WRITE, writes=writes)


A_FILE: dict[str, object] = {"path": "a.md", "content": "x"}
OK: dict[str, object] = {"path": f"{FOLDER}/ok.md", "file_text": "hello\n"}
INDEX: dict[str, object] = {"path": f"{FOLDER}/MEMORY.md", "file_text": "# Index\n- one\n"}
SHELL_ARGUMENTS: dict[str, object] = {"command": "printf shell > shell.md", "description": "w"}
BASH, CLAUDE_BASH = (call(tool, SHELL_ARGUMENTS, Kind.SHELL) for tool in ("bash", "Bash"))
SERVED = call("mem-memory_write", A_FILE, writes=naming(A_FILE))
SERVED_RESULT = SERVED._replace(opening="memory_write ok")
FAIL, RPC = call("mem-memory_fail", {}), call("mem-memory_rpcerr", {})
OK_CREATED, OK_WRITTEN = (
    call(tool, OK, Kind.WRITE, created(f"{FOLDER}/ok.md", b"hello\n")) for tool in ("create", "Write")
)

# What is read beside the event; a record that is not here is of no tool call.
CALLS: dict[str, tuple[Request, bool | None]] = {
    "preToolUse-create": (call("create", INDEX, Kind.WRITE, created(f"{FOLDER}/MEMORY.md", b"# Index\n- one\n")), None),
    "postToolUse-create": (OK_CREATED, False),
    "preToolUse-edit": (edit_call("edit", "hello"), None),
    "postToolUse-edit": (edit_call("edit", "hello"), False),
    "preToolUse-edit-fail": (edit_call("edit", "absent"), None),
    "postToolUseFailure-edit-fail": (edit_call("edit", "absent"), True),
    "preToolUse-bash": (BASH, None),
    "postToolUse-bash": (BASH, None),
    "preToolUse-mem-memory_write": (SERVED, None),
    "postToolUse-mem-memory_write": (SERVED_RESULT, False),
    "preToolUse-mem-memory_fail-fail": (FAIL, None),
    "postToolUseFailure-mem-memory_fail-fail": (FAIL, True),
    "preToolUse-mem-memory_rpcerr": (RPC, None),
    "postToolUseFailure-mem-memory_rpcerr-fail": (RPC, True),
    "repo-PreToolUse-Write": (OK_WRITTEN, None),
    "repo-PostToolUse-Write": (OK_WRITTEN, False),
    "repo-PreToolUse-Edit": (edit_call("Edit", "hello"), None),
    "repo-PostToolUse-Edit": (edit_call("Edit", "hello"), False),
    "repo-PreToolUse-Edit-fail": (edit_call("Edit", "absent"), None),
    "repo-PostToolUseFailure-Edit-fail": (edit_call("Edit", "absent"), True),
    "repo-PreToolUse-Bash": (CLAUDE_BASH, None),
    "repo-PostToolUse-Bash": (CLAUDE_BASH, None),
    "repo-PreToolUse-mem-memory_write": (SERVED, None),
    "repo-PostToolUse-mem-memory_write": (SERVED_RESULT, False),
    "repo-PreToolUse-mem-memory_fail-fail": (FAIL, None),
    "repo-PostToolUseFailure-mem-memory_fail-fail": (FAIL, True),
    "repo-PreToolUse-mem-memory_rpcerr": (RPC, None),
    "repo-PostToolUseFailure-mem-memory_rpcerr-fail": (RPC, True),
    "apply-patch-model/preToolUse-apply_patch": (patch_call("apply_patch", "MEMORY.md"), None),
    "apply-patch-model/postToolUse-apply_patch": (patch_call("apply_patch", "ok.md"), False),
    "apply-patch-model/repo-PreToolUse-Edit": (patch_call("Edit", "ok.md"), None),
    "apply-patch-model/repo-PostToolUse-Edit": (patch_call("Edit", "ok.md"), False),
}
PLAIN = ("sessionStart", "userPromptSubmitted", "sessionEnd", "repo-UserPromptSubmit")
SILENT = ("agentStop", "permissionRequest")
EXPECTED = {
    **{f"{name}.json": at(request, event_of(name))._replace(is_error=flag) for name, (request, flag) in CALLS.items()},
    **{f"{name}.json": at(FIRST, event_of(name)) for name in PLAIN},
    **{f"apply-patch-model/{name}.json": at(PATCHED, event_of(name)) for name in PLAIN},
    **{name: NOTHING._replace(host_event=event_of(name)) for name in PAYLOADS if event_of(name) in SILENT},
}


def test_every_recorded_payload_is_in_the_table() -> None:
    assert set(PAYLOADS) == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_is_read_with_its_event_on_the_command_line(name: str) -> None:
    assert parse(PAYLOADS[name], event_of(name)) == EXPECTED[name]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "repo-" in name])
def test_a_payload_in_pascal_case_names_its_event(name: str) -> None:
    assert parse(PAYLOADS[name], "") == EXPECTED[name]


@pytest.mark.parametrize("event", ["", "preToolUse"])
def test_a_payload_that_names_its_hook_is_of_that_hook(event: str) -> None:
    assert parse(PAYLOADS["permissionRequest-edit.json"], event) == NOTHING._replace(host_event="permissionRequest")


CALL: dict[str, object] = {"sessionId": "s", "cwd": "/p"}
A_CALL = Request(Event.TOOL_CALL, "preToolUse", session="s", cwd="/p")
ODD: dict[str, tuple[object, str, Request]] = {
    "nothing": ({}, "preToolUse", NOTHING._replace(host_event="preToolUse", missing="hook_event_name")),
    "no-event": (CALL, "", NOTHING._replace(missing="hook_event_name")),
    "unknown-event": (CALL, "preCompact", NOTHING._replace(host_event="preCompact")),
    "no-tool-name": ({**CALL, "toolArgs": {}}, "preToolUse", A_CALL._replace(missing="toolName")),
    "no-arguments": ({**CALL, "toolName": "edit"}, "preToolUse", A_CALL._replace(tool="edit", missing="toolArgs")),
    "subagent": (
        {**CALL, "agentId": "a"},
        "sessionStart",
        Request(Event.SESSION_START, "sessionStart", "s", "a", cwd="/p"),
    ),
    "arguments-as-a-json-text": (
        {**CALL, "toolName": "bash", "toolArgs": '{"command": "ls"}'},
        "preToolUse",
        A_CALL._replace(tool="bash", kind=Kind.SHELL, arguments={"command": "ls"}),
    ),
    "text-that-is-no-patch": (
        {**CALL, "toolName": "apply_patch", "toolArgs": "hello"},
        "preToolUse",
        A_CALL._replace(tool="apply_patch", missing="toolArgs"),
    ),
    "create-without-content": (
        {**CALL, "toolName": "create", "toolArgs": {"path": "a.md"}},
        "preToolUse",
        A_CALL._replace(
            tool="create",
            kind=Kind.WRITE,
            arguments={"path": "a.md"},
            writes=(Write("a.md", Opaque("no content key is known")),),
        ),
    ),
    "file-tool-of-a-server": (
        {**CALL, "toolName": "my-fs-write_file", "toolArgs": A_FILE},
        "preToolUse",
        A_CALL._replace(
            tool="my-fs-write_file", kind=Kind.WRITE, arguments=A_FILE, writes=(Write("a.md", Whole(b"x")),)
        ),
    ),
    "read": (
        {**CALL, "toolName": "view", "toolArgs": {"path": "MEMORY.md"}},
        "preToolUse",
        A_CALL._replace(tool="view", kind=Kind.READ, arguments={"path": "MEMORY.md"}),
    ),
    "rejected-result": (
        {**CALL, "toolName": "bash", "toolArgs": {}, "toolResult": {"resultType": "rejected"}},
        "postToolUse",
        Request(
            Event.TOOL_RESULT, "postToolUse", "s", cwd="/p", tool="bash", kind=Kind.SHELL, arguments={}, is_error=True
        ),
    ),
}


@pytest.mark.parametrize("row", ODD)
def test_a_payload_that_was_not_recorded_is_read(row: str) -> None:
    payload, event, expected = ODD[row]
    assert parse(payload, event) == expected


# Copilot CLI 1.0.102 made the first, and said of the others that the path exists.
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, Applied(Outcome.DONE, b"x")),
        (b"", Applied(Outcome.REJECTED)),
        (b"- one\n", Applied(Outcome.REJECTED)),
        (b"- one\r\n", Applied(Outcome.REJECTED)),
    ],
    ids=["missing", "empty", "there", "there-with-crlf"],
)
def test_create_makes_a_file_and_overwrites_none(before: bytes | None, after: Applied) -> None:
    arguments = {"path": "MEMORY.md", "file_text": "x"}
    (write,) = parse({**CALL, "toolName": "create", "toolArgs": arguments}, "preToolUse").writes
    assert apply(write.change, before, matching=HOST.matching) == after


def denied(reason: str) -> dict[str, object]:
    return {"permissionDecision": "deny", "permissionDecisionReason": reason}


CONTEXT: dict[str, object] = {"additionalContext": "t"}
REPLIES: dict[str, tuple[Answer, Event, dict[str, object]]] = {
    "silence": (Answer(), Event.TOOL_CALL, {}),
    "deny": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-and-person": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, denied("r")),
    "ask-is-a-denial": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-without-a-reason": (Answer(Verdict.DENY, "C", " \n"), Event.TOOL_CALL, denied("memstile refused this call")),
    "warn": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_CALL, CONTEXT),
    "warn-person-alone": (Answer(Verdict.WARN, "C", "", "p"), Event.TOOL_CALL, {}),
    "warn-at-start": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_START, CONTEXT),
    "warn-at-a-prompt": (Answer(Verdict.WARN, "C", "t"), Event.TURN_START, CONTEXT),
    "warn-after": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_RESULT, CONTEXT),
    "deny-too-late": (Answer(Verdict.DENY, "C", "t"), Event.TOOL_RESULT, CONTEXT),
    "failure-at-an-unknown-event": (Answer(Verdict.WARN, "C", "", "p"), Event.OTHER, {}),
    "text-at-the-end": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_END, {}),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, body = REPLIES[row]
    assert reply(answer, Request(event)) == (Reply(json.dumps(body)) if body else NO_REPLY)


@pytest.mark.parametrize("event", ["", "preToolUse", "PreToolUse", "no such"])
def test_a_payload_that_cannot_be_read_is_refused_with_exit_code_0(event: str) -> None:
    assert refuse("r", event) == Reply(json.dumps(denied("r")))


@pytest.mark.parametrize("event", ["userPromptSubmitted", "postToolUse", "SessionStart"])
def test_what_is_no_tool_call_is_not_refused(event: str) -> None:
    assert refuse("r", event) == Reply(stderr="r\n")


def test_a_warning_is_carried_at_once_and_an_ask_is_a_denial() -> None:
    channels = CARRIES[Event.TOOL_CALL]
    assert channels == {Channel.DENY, Channel.MODEL}
    assert carried(Answer(Verdict.ASK, "C", "r"), channels) == (Answer(Verdict.DENY, "C", "r"), "")
    assert carried(Answer(Verdict.WARN, "C", "t"), channels) == (Answer(Verdict.WARN, "C", "t"), "")


def test_a_bare_patch_is_refused_where_it_lets_the_index_outgrow_its_cap(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/MEMORY.md").write_text("- one\n" * 200)
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    text = "*** Begin Patch\n*** Update File: vault/MEMORY.md\n@@\n+- two\n - one\n*** End Patch\n"
    payload = {**CALL, "cwd": str(tmp_path), "toolName": "apply_patch", "toolArgs": text}
    words = Words(["copilot", "preToolUse", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "no.toml")])
    told = json.loads(run(words, json.dumps(payload).encode(), {}, time.time()).stdout)
    assert (told["permissionDecision"], "from 200 to 201 lines" in told["permissionDecisionReason"]) == ("deny", True)


GLANCES = [
    ("preToolUse-edit.json", "preToolUse", True),
    ("repo-PreToolUse-Edit.json", "", True),
    ("preToolUse-bash.json", "preToolUse", True),
    ("preToolUse-create.json", "preToolUse", False),  # of MEMORY.md
    ("apply-patch-model/repo-PreToolUse-Edit.json", "", False),  # a patch is always read
    ("preToolUse-edit.json", "", False),  # without its event it may be anything
    ("postToolUse-edit.json", "postToolUse", False),
]


@pytest.mark.parametrize(("name", "event", "is_none"), GLANCES)
def test_a_call_about_no_note_ends_at_the_glance(name: str, event: str, tmp_path: Path, *, is_none: bool) -> None:
    raw = json.dumps(as_mapping(PAYLOADS[name])).replace("ok.md", "ok.py").replace("shell.md", "shell.txt").encode()
    assert is_none_of_ours(raw, "copilot", event, "", str(tmp_path / "none.toml")) is is_none


@settings(max_examples=200)
@given(payload=JSON | altered(PAYLOADS.values()), event=st.text(max_size=9) | st.sampled_from(list(EVENTS)))
def test_parse_is_total(payload: object, event: str) -> None:
    request = parse(payload, event)
    assert isinstance(request, Request)
    assert not (request.missing and request.writes)


def test_the_row_of_the_host_says_what_was_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.takes_text) == ("copilot", "recorded", ("1.0.102",), False)
