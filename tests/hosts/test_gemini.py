"""hosts/gemini.py: the recorded payloads of Gemini CLI 0.61.0, and the replies to them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Edit, Substitutions, Whole
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import naming
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_glance import is_none_of_ours
from memstile.hook_run import run
from memstile.hosts.gemini import CARRIES, HOST, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply, as_mapping
from tests.hosts.payload_tools import JSON, altered, recorded

PAYLOADS = recorded("gemini")
BASE = Request(Event.OTHER, session="bba05267-6684-4eda-bd08-d4070c71f214", cwd="/home/user/project")


def plain(event: Event, host_event: str) -> Request:
    return BASE._replace(event=event, host_event=host_event)


def before(tool: str, arguments: dict[str, object], kind: Kind = Kind.OTHER, writes: tuple[Write, ...] = ()) -> Request:
    named = plain(Event.TOOL_CALL, "BeforeTool")
    return named._replace(tool=tool, kind=kind, arguments=arguments, writes=writes)


def after(request: Request, *, is_error: bool | None, opening: str = "") -> Request:
    return request._replace(event=Event.TOOL_RESULT, host_event="AfterTool", is_error=is_error, opening=opening)


def served(tool: str, arguments: dict[str, object], writes: tuple[Write, ...] = ()) -> Request:
    return before(f"mcp_mem_{tool}", arguments, writes=writes)._replace(served=f"mcp__mem__{tool}")


def failed(tool: str) -> Request:
    opening = as_mapping(as_mapping(PAYLOADS[f"AfterTool-mcp_mem_{tool}-fail.json"])["tool_response"])["llmContent"]
    return after(served(tool, {}), is_error=True, opening=str(opening)[:200])


def whole(path: str, content: str) -> Request:
    arguments: dict[str, object] = {"file_path": path, "content": content}
    return before("write_file", arguments, Kind.WRITE, (Write(path, Whole(content.encode())),))


def replace(old: str, more: dict[str, object]) -> Request:
    arguments = {"file_path": "ok.md", "instruction": "swap", "old_string": old, "new_string": "bye", **more}
    write = Write("ok.md", Substitutions((Edit(old.encode(), b"bye"),)))
    return before("replace", arguments, Kind.WRITE, (write,))._replace(is_searched=True)


A_FILE: dict[str, object] = {"path": "a.md", "content": "x"}
REPLACE = replace("hello", {"allow_multiple": False})
SHELL = before("run_shell_command", {"command": "printf shell > shell.md"}, Kind.SHELL)
SERVED = served("memory_write", A_FILE, naming(A_FILE))
EXPECTED = {
    "SessionStart.json": plain(Event.SESSION_START, "SessionStart"),
    "BeforeAgent.json": plain(Event.TURN_START, "BeforeAgent"),
    "SessionEnd.json": plain(Event.SESSION_END, "SessionEnd"),
    "BeforeTool-write_file.json": whole("MEMORY.md", "# Index\n- one\n"),
    "AfterTool-write_file.json": after(whole("ok.md", "hello\n"), is_error=False),
    "BeforeTool-replace.json": REPLACE,
    "AfterTool-replace.json": after(REPLACE, is_error=False),
    "BeforeTool-replace-fail.json": replace("absent", {}),
    "AfterTool-replace-fail.json": after(replace("absent", {}), is_error=True),
    "BeforeTool-run_shell_command.json": SHELL,
    "AfterTool-run_shell_command.json": after(SHELL, is_error=None),
    "BeforeTool-mcp_mem_memory_write.json": SERVED,
    "AfterTool-mcp_mem_memory_write.json": after(
        SERVED, is_error=False, opening="memory_write ok\n</untrusted_context>"
    ),
    "BeforeTool-mcp_mem_memory_fail-fail.json": served("memory_fail", {}),
    "AfterTool-mcp_mem_memory_fail-fail.json": failed("memory_fail"),
    "BeforeTool-mcp_mem_memory_rpcerr.json": served("memory_rpcerr", {}),
    "AfterTool-mcp_mem_memory_rpcerr-fail.json": failed("memory_rpcerr"),
}


def test_every_recorded_payload_is_in_the_table() -> None:
    assert set(PAYLOADS) == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_is_read(name: str) -> None:
    assert parse(PAYLOADS[name], "") == EXPECTED[name]


CALL: dict[str, object] = {"hook_event_name": "BeforeTool", "cwd": "/p"}
A_CALL = Request(Event.TOOL_CALL, "BeforeTool", cwd="/p")
ODD: dict[str, tuple[object, str, Request]] = {
    "nothing": ({}, "BeforeTool", NOTHING._replace(host_event="BeforeTool", missing="hook_event_name")),
    "no-event": ({"cwd": "/p"}, "", NOTHING._replace(missing="hook_event_name")),
    "event-of-the-command-line": (
        {"cwd": "/p"},
        "SessionStart",
        Request(Event.SESSION_START, "SessionStart", cwd="/p"),
    ),
    "unknown-event": ({"cwd": "/p"}, "PreCompress", NOTHING._replace(host_event="PreCompress")),
    "no-tool-name": ({**CALL, "tool_input": {}}, "", A_CALL._replace(missing="tool_name")),
    "no-arguments": ({**CALL, "tool_name": "replace"}, "", A_CALL._replace(missing="tool_input")),
    "all-of-them": (
        {
            **CALL,
            "tool_name": "replace",
            "tool_input": {"file_path": "n.md", "old_string": "a", "new_string": "b", "allow_multiple": True},
        },
        "",
        A_CALL._replace(
            is_searched=True,
            tool="replace",
            kind=Kind.WRITE,
            arguments={"file_path": "n.md", "old_string": "a", "new_string": "b", "allow_multiple": True},
            writes=(Write("n.md", Substitutions((Edit(b"a", b"b", replace_all=True),))),),
        ),
    ),
    "file-tool-of-a-server": (
        {**CALL, "tool_name": "mcp_my_fs_write_file", "tool_input": A_FILE},
        "",
        A_CALL._replace(
            tool="mcp_my_fs_write_file", kind=Kind.WRITE, arguments=A_FILE, writes=(Write("a.md", Whole(b"x")),)
        ),
    ),
    "file-tool-by-its-own-name": (
        {**CALL, "tool_name": "mcp_fs_cut", "tool_input": A_FILE, "mcp_context": {"tool_name": "write_file"}},
        "",
        A_CALL._replace(tool="mcp_fs_cut", kind=Kind.WRITE, arguments=A_FILE, writes=(Write("a.md", Whole(b"x")),)),
    ),
    "file-tool-whose-name-begins-with-the-servers": (
        {
            **CALL,
            "tool_name": "mcp_ob_ob_write_file",
            "tool_input": A_FILE,
            "mcp_context": {"tool_name": "ob_write_file"},
        },
        "",
        A_CALL._replace(
            tool="mcp_ob_ob_write_file", kind=Kind.WRITE, arguments=A_FILE, writes=(Write("a.md", Whole(b"x")),)
        ),
    ),
    "read": (
        {**CALL, "tool_name": "read_file", "tool_input": {"file_path": "MEMORY.md"}},
        "",
        A_CALL._replace(tool="read_file", kind=Kind.READ, arguments={"file_path": "MEMORY.md"}),
    ),
    "result-without-a-response": (
        {**CALL, "hook_event_name": "AfterTool", "tool_name": "read_file", "tool_input": {}},
        "",
        Request(Event.TOOL_RESULT, "AfterTool", cwd="/p", tool="read_file", kind=Kind.READ, arguments={}),
    ),
}


@pytest.mark.parametrize("row", ODD)
def test_a_payload_that_was_not_recorded_is_read(row: str) -> None:
    payload, event, expected = ODD[row]
    assert parse(payload, event) == expected


# Gemini CLI 0.61.0 wrote vault/MEMORY.md for the last three of these.
SPELLINGS = {
    "vault/MEMORY.md": ["vault/MEMORY.md"],
    "@vault/MEMORY.md": ["@vault/MEMORY.md", "vault/MEMORY.md"],
    "@/vault/MEMORY.md": ["@/vault/MEMORY.md", "vault/MEMORY.md"],
    "vault/MEM\0ORY.md": ["vault/MEMORY.md"],
    "@": ["@"],
    "\0": [],
}


@pytest.mark.parametrize("path", SPELLINGS)
def test_a_path_is_spelled_as_gemini_may_take_it(path: str) -> None:
    request = parse({**CALL, "tool_name": "write_file", "tool_input": {"file_path": path, "content": "x"}}, "")
    assert request.writes == tuple(Write(spelling, Whole(b"x")) for spelling in SPELLINGS[path])


def denied(reason: str) -> dict[str, object]:
    return {"decision": "deny", "reason": reason}


def context(event: str, text: str) -> dict[str, object]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


PERSON: dict[str, object] = {"systemMessage": "p"}
REPLIES: dict[str, tuple[Answer, Event, dict[str, object]]] = {
    "silence": (Answer(), Event.TOOL_CALL, {}),
    "deny": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-and-person": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, {**denied("r"), **PERSON}),
    "ask-is-a-denial": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-without-a-reason": (Answer(Verdict.DENY, "C", " \n"), Event.TOOL_CALL, denied("memstile refused this call")),
    "warn-is-not-read-before-a-call": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_CALL, {}),
    "warn-person": (Answer(Verdict.WARN, "C", "", "p"), Event.TOOL_CALL, PERSON),
    "warn-at-start": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_START, context("SessionStart", "t")),
    "warn-at-a-prompt": (Answer(Verdict.WARN, "C", "t"), Event.TURN_START, context("BeforeAgent", "t")),
    "warn-after": (Answer(Verdict.WARN, "C", "t", "p"), Event.TOOL_RESULT, {**context("AfterTool", "t"), **PERSON}),
    "deny-too-late": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_RESULT, context("AfterTool", "r")),
    "failure-at-an-unknown-event": (Answer(Verdict.WARN, "C", "", "p"), Event.OTHER, PERSON),
    "text-at-an-unknown-event": (Answer(Verdict.WARN, "C", "t"), Event.OTHER, {}),
    "text-at-the-end": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_END, {}),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, body = REPLIES[row]
    assert reply(answer, Request(event)) == (Reply(json.dumps(body)) if body else NO_REPLY)


@pytest.mark.parametrize("event", ["", "BeforeTool", "no such"])
def test_a_payload_that_cannot_be_read_is_refused(event: str) -> None:
    assert refuse("r", event) == Reply(json.dumps(denied("r")))


@pytest.mark.parametrize("event", ["BeforeAgent", "AfterTool", "SessionStart", "SessionEnd"])
def test_what_is_no_tool_call_is_not_refused(event: str) -> None:
    assert refuse("r", event) == Reply(stderr="r\n")


def test_a_warning_before_a_call_waits_and_an_ask_is_a_denial() -> None:
    channels = CARRIES[Event.TOOL_CALL]
    assert channels == {Channel.DENY, Channel.PERSON}
    assert carried(Answer(Verdict.ASK, "C", "r"), channels) == (Answer(Verdict.DENY, "C", "r"), "")
    assert carried(Answer(Verdict.WARN, "C", "t", "p"), channels) == (Answer(Verdict.ALLOW, "C", "", "p"), "t")


def test_a_path_with_an_at_sign_does_not_lead_around_the_cap(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/MEMORY.md").write_text("- one\n" * 200)
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    arguments = {"file_path": "@vault/MEMORY.md", "content": "- one\n" * 201}
    payload = {**CALL, "cwd": str(tmp_path), "tool_name": "write_file", "tool_input": arguments}
    words = Words(["gemini", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml")])
    told = json.loads(run(words, json.dumps(payload).encode(), {}, time.time()).stdout)
    assert (told["decision"], "from 200 to 201 lines" in told["reason"]) == ("deny", True)


# Only the first is of no note.
GLANCES = {"ok.py": True, "ok.md": False, "MEMORY.md": False, ".gemini/settings.json": False, "MEM\0ORY.md": False}


@pytest.mark.parametrize("path", GLANCES)
def test_a_call_about_another_file_ends_at_the_glance(path: str, tmp_path: Path) -> None:
    recorded_call = as_mapping(PAYLOADS["BeforeTool-write_file.json"])
    raw = json.dumps({**recorded_call, "tool_input": {"file_path": path, "content": "x"}}, indent=1).encode()
    assert is_none_of_ours(raw, "gemini", "", "", str(tmp_path / "none.toml")) is GLANCES[path]


def test_a_result_does_not_end_at_the_glance(tmp_path: Path) -> None:
    raw = json.dumps(PAYLOADS["AfterTool-write_file.json"]).encode()
    assert not is_none_of_ours(raw, "gemini", "", "", str(tmp_path / "none.toml"))


@settings(max_examples=200)
@given(payload=JSON | altered(PAYLOADS.values()), event=st.text(max_size=9) | st.sampled_from(["BeforeTool", "X"]))
def test_parse_is_total(payload: object, event: str) -> None:
    request = parse(payload, event)
    assert isinstance(request, Request)
    assert not (request.missing and request.writes)


def test_the_row_of_the_host_says_what_was_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.takes_text) == ("gemini", "recorded", ("0.61.0",), False)
