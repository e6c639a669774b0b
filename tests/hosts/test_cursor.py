"""hosts/cursor.py: payloads as Cursor's documentation and reports have them, and the replies to them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Edit, Opaque, Patch, Substitutions, Whole
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import naming
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_glance import is_none_of_ours
from memstile.hook_run import run
from memstile.hosts.cursor import CARRIES, EVENTS, HOST, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply
from tests.hosts.payload_tools import JSON, altered

FOLDER = "/home/user/project"
COMMON: dict[str, object] = {
    "conversation_id": "c-1",
    "generation_id": "g-7",
    "model": "m",
    "cursor_version": "3.12.29",
    "workspace_roots": [FOLDER],
    "user_email": None,
    "transcript_path": None,
}
BASE = Request(Event.OTHER, session="c-1", turn="g-7", cwd=FOLDER)
PATCH = "*** Begin Patch\n*** Add File: MEMORY.md\n+# Index\n*** End Patch\n"
PATCH_WRITES = (Write("MEMORY.md", Patch(PATCH)),)
A_FILE: dict[str, object] = {"path": "a.md", "content": "x"}
INDEX = f"{FOLDER}/MEMORY.md"
OPAQUE = Opaque("no content key is known")


def payload(host_event: str, **fields: object) -> dict[str, object]:
    return {**COMMON, "hook_event_name": host_event, **fields}


def call(tool: str, tool_input: object, host_event: str = "preToolUse") -> dict[str, object]:
    return payload(host_event, tool_name=tool, tool_input=tool_input, tool_use_id="abc123", cwd=FOLDER)


def at(host_event: str) -> Request:
    return BASE._replace(event=EVENTS[host_event], host_event=host_event)


def read(tool: str, arguments: dict[str, object], *writes: Write, kind: Kind = Kind.WRITE) -> Request:
    return at("preToolUse")._replace(call="abc123", tool=tool, kind=kind, arguments=arguments, writes=writes)


WRITE: dict[str, object] = {"file_path": INDEX, "content": "# Index\n"}
SWAP: dict[str, object] = {"path": INDEX, "old_string": "a", "new_string": "b", "replace_all": True}
SWAPPED = Substitutions((Edit(b"a", b"b", replace_all=True),))
UNKNOWN_KEYS: dict[str, object] = {"file_path": INDEX, "streamContent": "x"}
HALF: dict[str, object] = {"path": INDEX, "old_string": "a"}
WRITTEN = read("Write", WRITE, Write(INDEX, Whole(b"# Index\n")))

ROWS: dict[str, tuple[object, Request]] = {
    "session-start": (payload("sessionStart"), at("sessionStart")),
    "prompt": (payload("beforeSubmitPrompt", prompt="hi"), at("beforeSubmitPrompt")),
    "session-end": (payload("sessionEnd"), at("sessionEnd")),
    "write": (call("Write", WRITE), WRITTEN),
    "write-with-edit-keys": (call("Write", SWAP), read("Write", SWAP, Write(INDEX, SWAPPED))),
    "write-with-keys-nobody-knows": (call("Write", UNKNOWN_KEYS), read("Write", UNKNOWN_KEYS, Write(INDEX, OPAQUE))),
    "replacement": (call("StrReplace", SWAP), read("StrReplace", SWAP, Write(INDEX, SWAPPED))),
    "half-a-replacement": (call("StrReplace", HALF), read("StrReplace", HALF, Write(INDEX, OPAQUE))),
    "deletion": (call("Delete", {"path": INDEX}), read("Delete", {"path": INDEX}, Write(INDEX, Whole(b"")))),
    "patch": (call("ApplyPatch", {"patch": PATCH}), read("ApplyPatch", {"patch": PATCH}, *PATCH_WRITES)),
    "patch-as-the-arguments": (
        call("ApplyPatch", PATCH),
        read("ApplyPatch", {}, *PATCH_WRITES)._replace(arguments=None),
    ),
    "patch-as-the-payload": (
        PATCH,
        Request(Event.TOOL_CALL, "preToolUse", tool="ApplyPatch", kind=Kind.WRITE, writes=PATCH_WRITES),
    ),
    "shell": (call("Shell", {"command": "ls"}), read("Shell", {"command": "ls"}, kind=Kind.SHELL)),
    "read": (call("Read", {"path": INDEX}), read("Read", {"path": INDEX}, kind=Kind.READ)),
    "served": (call("MCP:memory_write", A_FILE), read("MCP:memory_write", A_FILE, *naming(A_FILE), kind=Kind.OTHER)),
    "served-file-tool": (
        call("MCP:write_file", A_FILE),
        read("MCP:write_file", A_FILE, Write("a.md", Whole(b"x"))),
    ),
    "served-arguments-as-a-json-text": (
        call("MCP:write_file", json.dumps(A_FILE)),
        read("MCP:write_file", A_FILE, Write("a.md", Whole(b"x"))),
    ),
    "before-a-server": (
        payload("beforeMCPExecution", tool_name="write_file", tool_input=json.dumps(A_FILE), mcp_server_name="fs"),
        at("beforeMCPExecution")._replace(
            tool="write_file",
            served="mcp__fs__write_file",
            kind=Kind.WRITE,
            arguments=A_FILE,
            writes=(Write("a.md", Whole(b"x")),),
        ),
    ),
    "before-a-server-with-a-name-of-cursor": (
        payload("beforeMCPExecution", tool_name="Write", tool_input=json.dumps(A_FILE)),
        at("beforeMCPExecution")._replace(tool="Write", arguments=A_FILE, writes=naming(A_FILE)),
    ),
    "before-a-server-no-json": (
        payload("beforeMCPExecution", tool_name="write_file", tool_input="{", mcp_server_name="fs"),
        at("beforeMCPExecution")._replace(tool="write_file", missing="tool_input"),
    ),
    "before-a-shell": (
        payload("beforeShellExecution", command="ls", cwd="/elsewhere"),
        at("beforeShellExecution")._replace(
            tool="Shell", kind=Kind.SHELL, arguments={"command": "ls"}, cwd="/elsewhere"
        ),
    ),
    "before-a-shell-without-command": (
        payload("beforeShellExecution"),
        at("beforeShellExecution")._replace(missing="command"),
    ),
    "result": (
        call("Write", WRITE, "postToolUse"),
        WRITTEN._replace(event=Event.TOOL_RESULT, host_event="postToolUse", is_error=False),
    ),
    "failure": (
        call("Write", WRITE, "postToolUseFailure"),
        WRITTEN._replace(event=Event.TOOL_RESULT, host_event="postToolUseFailure", is_error=True),
    ),
    "beside-a-result": (
        payload("afterFileEdit", file_path=INDEX, edits=[{"old_string": "a", "new_string": "b"}]),
        NOTHING._replace(host_event="afterFileEdit"),
    ),
    "no-tool-name": (payload("preToolUse", tool_input={}), at("preToolUse")._replace(missing="tool_name")),
    "no-arguments": (
        payload("preToolUse", tool_name="Write"),
        at("preToolUse")._replace(tool="Write", missing="tool_input"),
    ),
    "no-event": (COMMON, NOTHING._replace(missing="hook_event_name")),
    "text-that-is-no-patch": ("hello", NOTHING._replace(missing="hook_event_name")),
    "nothing": ({}, NOTHING._replace(missing="hook_event_name")),
}
PAYLOADS = [row[0] for row in ROWS.values()]


@pytest.mark.parametrize("row", ROWS)
def test_a_payload_is_read(row: str) -> None:
    given_payload, expected = ROWS[row]
    assert parse(given_payload, "") == expected


@pytest.mark.parametrize(
    ("event", "kind"),
    [("preToolUse", Event.TOOL_CALL), ("postToolUse", Event.TOOL_RESULT), ("sessionStart", Event.OTHER)],
)
def test_a_bare_patch_is_of_the_event_on_the_command_line(event: str, kind: Event) -> None:
    request = parse(PATCH, event)
    assert (request.event, request.writes) == (kind, PATCH_WRITES if kind is not Event.OTHER else ())


def denied(reason: str, to_person: str = "") -> dict[str, object]:
    return {"permission": "deny", "user_message": to_person or reason, "agent_message": reason}


CONTEXT: dict[str, object] = {"additional_context": "t"}
REPLIES: dict[str, tuple[Answer, Event, dict[str, object]]] = {
    "silence": (Answer(), Event.TOOL_CALL, {}),
    "deny": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-and-person": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, denied("r", "p")),
    "ask-is-a-denial": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-without-a-reason": (Answer(Verdict.DENY, "C", " \n"), Event.TOOL_CALL, denied("memstile refused this call")),
    "warn-is-not-read-before-a-call": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_CALL, {}),
    "warn-person-alone": (Answer(Verdict.WARN, "C", "", "p"), Event.TOOL_CALL, {}),
    "warn-at-start": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_START, CONTEXT),
    "warn-is-not-read-at-a-prompt": (Answer(Verdict.WARN, "C", "t"), Event.TURN_START, {}),
    "warn-after": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_RESULT, CONTEXT),
    "deny-too-late": (Answer(Verdict.DENY, "C", "t"), Event.TOOL_RESULT, CONTEXT),
    "failure-at-an-unknown-event": (Answer(Verdict.WARN, "C", "", "p"), Event.OTHER, {}),
    "text-at-the-end": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_END, {}),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, body = REPLIES[row]
    assert reply(answer, Request(event)) == (Reply(json.dumps(body)) if body else NO_REPLY)


@pytest.mark.parametrize("event", ["", "preToolUse", "beforeMCPExecution", "no such"])
def test_a_payload_that_cannot_be_read_is_refused(event: str) -> None:
    assert refuse("r", event) == Reply(json.dumps(denied("r")))


@pytest.mark.parametrize("event", ["beforeSubmitPrompt", "postToolUse", "sessionStart"])
def test_what_is_no_tool_call_is_not_refused(event: str) -> None:
    assert refuse("r", event) == Reply(stderr="r\n")


def test_a_warning_before_a_call_waits_and_an_ask_is_a_denial() -> None:
    channels = CARRIES[Event.TOOL_CALL]
    assert channels == {Channel.DENY}
    assert carried(Answer(Verdict.ASK, "C", "r"), channels) == (Answer(Verdict.DENY, "C", "r"), "")
    assert carried(Answer(Verdict.WARN, "C", "t"), channels) == (Answer(Verdict.ALLOW, "C"), "t")


GROWING = "*** Begin Patch\n*** Update File: {}\n@@\n+- two\n - one\n*** End Patch\n"


@pytest.mark.parametrize("form", ["payload", "arguments", "byte-order-mark"])
def test_a_patch_as_bare_text_is_refused_where_it_lets_the_index_outgrow_its_cap(form: str, tmp_path: Path) -> None:
    index = tmp_path / "vault/MEMORY.md"
    index.parent.mkdir()
    index.write_text("- one\n" * 200)
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    text = GROWING.format(index)
    whole = json.dumps({**call("ApplyPatch", text), "cwd": str(tmp_path)})
    raw = {"payload": text, "arguments": whole, "byte-order-mark": "\ufeff" + whole}[form].encode()
    words = Words(["cursor", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml")])
    told = json.loads(run(words, raw, {}, time.time()).stdout)
    assert (told["permission"], "from 200 to 201 lines" in told["agent_message"]) == ("deny", True)


GLANCES: dict[str, tuple[dict[str, object], bool]] = {
    "another-file": (call("Write", {"file_path": f"{FOLDER}/a.py", "content": "x"}), True),
    "the-index": (call("Write", WRITE), False),
    "hook-settings": (call("Write", {"file_path": f"{FOLDER}/.cursor/hooks.json", "content": "x"}), False),
    "shell": (call("Shell", {"command": "ls"}), True),
    "patch": (call("ApplyPatch", PATCH.replace("MEMORY.md", "a.md")), False),
    # What stands in a text inside a text is not seen at a glance.
    "before-a-server": (payload("beforeMCPExecution", tool_name="a", tool_input='{"path": "a.md"}'), False),
    "result": (call("Write", {"file_path": f"{FOLDER}/a.py", "content": "x"}, "postToolUse"), False),
}


@pytest.mark.parametrize("row", GLANCES)
def test_a_call_about_another_file_ends_at_the_glance(row: str, tmp_path: Path) -> None:
    given_payload, is_none = GLANCES[row]
    for mark in ("", "\ufeff"):
        raw = (mark + json.dumps(given_payload)).encode()
        assert is_none_of_ours(raw, "cursor", "", "", str(tmp_path / "none.toml")) is is_none


def test_a_bare_patch_does_not_end_at_the_glance(tmp_path: Path) -> None:
    raw = PATCH.replace("MEMORY.md", "a.md").encode()
    assert not is_none_of_ours(raw, "cursor", "preToolUse", "", str(tmp_path / "none.toml"))


@settings(max_examples=200)
@given(payload=JSON | altered(PAYLOADS) | st.just(PATCH), event=st.text(max_size=9) | st.sampled_from(list(EVENTS)))
def test_parse_is_total(payload: object, event: str) -> None:
    request = parse(payload, event)
    assert isinstance(request, Request)
    assert not (request.missing and request.writes)


def test_the_row_of_the_host_says_that_it_was_not_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.takes_text) == ("cursor", "documented", (), True)
