"""hosts/generic.py: events of the gate protocol, and the line that answers a tool call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer
from memstile.core.change import Edit, Opaque, Substitutions, Whole
from memstile.core.reasons import GREW, OVER_SOFT, SETTINGS_WRITE, SURFACE_MISMATCH
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_run import run
from memstile.hosts.generic import EVENTS, HOST, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply
from tests.hosts.payload_tools import JSON, altered
from tests.vault_tools import index, vault

IDS = {"session": "s1", "turn": "t1", "agent": "a1", "call": "c1", "cwd": "/p"}
CALL = {"event": "tool_call", **IDS, "tool": "write_file", "arguments": {"path": "m", "content": "a"}}
READ = Request(Event.TOOL_CALL, "tool_call", "s1", "a1", "t1", "c1", "/p")
WRITE = READ._replace(
    tool="write_file", kind=Kind.WRITE, writes=(Write("m", Whole(b"a")),), arguments={"path": "m", "content": "a"}
)
PARSED: dict[str, tuple[object, Request]] = {
    "tool_call": (CALL, WRITE),
    "server": (
        {**CALL, "tool": "mcp__fs__write_file"},
        WRITE._replace(tool="mcp__fs__write_file"),
    ),
    "edit": (
        {**CALL, "tool": "Edit", "arguments": {"file_path": "m", "old_string": "a", "new_string": "b"}},
        READ._replace(
            tool="Edit",
            kind=Kind.WRITE,
            writes=(Write("m", Substitutions((Edit(b"a", b"b"),))),),
            arguments={"file_path": "m", "old_string": "a", "new_string": "b"},
        ),
    ),
    "read": (
        {**CALL, "tool": "Read"},
        READ._replace(tool="Read", kind=Kind.READ, arguments={"path": "m", "content": "a"}),
    ),
    "unknown": (
        {**CALL, "tool": "my_tool", "arguments": {"path": "m"}},
        READ._replace(tool="my_tool", writes=(Write("m", Opaque("the tool is not known")),), arguments={"path": "m"}),
    ),
    "no-arguments": ({**CALL, "tool": "Bash", "arguments": None}, READ._replace(tool="Bash", kind=Kind.SHELL)),
    "no-tool": ({**CALL, "tool": 1}, READ._replace(missing="tool")),
    "result": (
        {"event": "tool_result", **IDS, "is_error": False, "result_count": 3},
        READ._replace(event=Event.TOOL_RESULT, host_event="tool_result", is_error=False),
    ),
    "result-without-a-word": (
        {"event": "tool_result", **IDS},
        READ._replace(event=Event.TOOL_RESULT, host_event="tool_result"),
    ),
    "start": (
        {"event": "session_start", **IDS},
        READ._replace(event=Event.SESSION_START, host_event="session_start"),
    ),
    "other": ({"event": "x"}, NOTHING._replace(host_event="x", missing="event")),
    "nothing": ({}, NOTHING._replace(missing="event")),
    "no-object": ("x", NOTHING._replace(missing="event")),
}


@pytest.mark.parametrize("row", PARSED)
def test_an_event_is_read(row: str) -> None:
    payload, request = PARSED[row]
    assert parse(payload, "") == request


def line(**body: object) -> Reply:
    usual = {
        "call": "c1",
        "decision": "allow",
        "reason_code": "ALLOW_OUT_OF_SCOPE",
        "action": "allow",
        "audit_override": False,
        "classification": "unknown",
        "recall": "idle",
        "observations": [],
        "message": "",
    }
    return Reply(json.dumps({**usual, **body}) + "\n")


REPLIES: dict[str, tuple[Answer, Request, Reply]] = {
    "silence": (Answer(), WRITE, line()),
    "silence-read": (Answer(), READ._replace(kind=Kind.READ), line(reason_code="ALLOW_READ_ONLY")),
    "warn": (Answer(Verdict.WARN, OVER_SOFT, "t"), WRITE, line(observations=[OVER_SOFT], message="t")),
    "deny": (
        Answer(Verdict.DENY, GREW, "r"),
        WRITE,
        line(decision="deny", reason_code=GREW, action="deny", message="r"),
    ),
    "ask": (
        Answer(Verdict.ASK, SETTINGS_WRITE, "r"),
        WRITE,
        line(decision="deny", reason_code=SETTINGS_WRITE, action="ask", message="r"),
    ),
    "audit": (
        Answer(Verdict.WARN, GREW, "r"),
        WRITE,
        line(decision="deny", reason_code=GREW, audit_override=True, message="r"),
    ),
    "waits": (Answer(Verdict.ALLOW, OVER_SOFT), WRITE, line(observations=[OVER_SOFT])),
    "result": (Answer(Verdict.WARN, OVER_SOFT, "t"), Request(Event.TOOL_RESULT), NO_REPLY),
    "unknown-event": (
        Answer(Verdict.WARN, SURFACE_MISMATCH, "m", "p"),
        NOTHING,
        Reply('{"error": "p"}\n'),
    ),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_line(row: str) -> None:
    answer, request, said = REPLIES[row]
    assert reply(answer, request) == said


def test_what_cannot_be_read_is_refused_in_a_line() -> None:
    said = line(call="", decision="deny", reason_code="POLICY_INTERNAL_ERROR", action="deny", message="r")
    assert refuse("r", "") == said


def asked(folder: Path, payload: object, *words: str) -> object:
    options = ["--state", str(folder / "state"), "--config", str(folder / "none.toml")]
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    said = run(Words(["generic", *words, *options]), raw, {}, 1_000.0)
    assert said.stdout.count("\n") == (1 if said.stdout else 0)
    return json.loads(said.stdout) if said.stdout else None


def test_each_tool_call_is_answered_and_a_growth_that_was_not_seen_is_told_at_the_next(tmp_path: Path) -> None:
    vault(tmp_path / "vault", index(120))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    here = {**CALL, "cwd": str(tmp_path)}
    assert asked(tmp_path, {"event": "session_start", "session": "s1", "cwd": str(tmp_path)}) is None
    elsewhere = asked(tmp_path, {**here, "arguments": {"path": "a.py", "content": ""}})
    assert elsewhere == json.loads(line().stdout)
    (tmp_path / "vault/MEMORY.md").write_bytes(index(210))
    assert asked(tmp_path, {"event": "tool_result", "session": "s1", "call": "c1", "cwd": str(tmp_path)}) is None
    told = asked(tmp_path, {**here, "tool": "Read", "arguments": {}})
    assert isinstance(told, dict)
    assert told["message"].startswith("INDEX_GREW_OUTSIDE_A_TOOL")
    larger = {"path": "vault/MEMORY.md", "content": index(211).decode()}
    refused = asked(tmp_path, {**here, "arguments": larger})
    assert isinstance(refused, dict)
    assert (refused["call"], refused["decision"], refused["action"], refused["reason_code"]) == (
        "c1",
        "deny",
        "deny",
        GREW,
    )


EVENT_WORDS = st.text(max_size=12) | st.sampled_from(["", *EVENTS])
KEYS = set(json.loads(line().stdout))


@settings(max_examples=150)
@given(
    payload=JSON | altered([CALL]),
    event=EVENT_WORDS,
    answer=st.builds(Answer, st.sampled_from(list(Verdict)), st.just("C"), st.text(max_size=8), st.text(max_size=8)),
)
def test_parse_and_reply_are_total_and_no_refusal_is_answered_with_an_allow(
    payload: object, event: str, answer: Answer
) -> None:
    request = parse(payload, event)
    assert not (request.missing and request.writes)
    said = reply(answer, request)
    assert (said.stderr, said.exit_code) == ("", 0)
    body = json.loads(said.stdout) if said.stdout else {}
    assert set(body) in (set(), {"error"}, KEYS)
    if request.event is Event.TOOL_CALL:
        assert (body["action"] == "allow") is (answer.verdict < Verdict.ASK)


def test_the_row_of_the_host_is_no_client() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.answers_all) == ("generic", "documented", (), True)
