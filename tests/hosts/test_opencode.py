"""hosts/opencode.py: the recorded payloads of opencode 1.18.33, and what the plugin is told."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Edit, Opaque, Patch, Substitutions, Whole
from memstile.core.matching import Matching
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Reply, as_mapping
from memstile.hosts.opencode import CARRIES, EVENTS, HOST, parse, refuse, reply
from tests.hosts.payload_tools import JSON, altered, recorded

PAYLOADS = {name.removesuffix(".json"): as_mapping(payload) for name, payload in recorded("opencode").items()}
FOLDER = "/home/user/project"
SESSION = {False: "ses_dd16252e5ffegayDaz1PdgCP6w", True: "ses_dd161ed41ffe98JjwXjbr8c8Tv"}
"""Of a usual model, and of one that is offered apply_patch."""

PATCHES = [f"*** Begin Patch\n*** Add File: {name}\n+x\n*** End Patch" for name in ("MEMORY.md", "patched.md")]
CALL, RESULT = Event.TOOL_CALL, Event.TOOL_RESULT


def edited(old: bytes, new: bytes) -> tuple[Write, ...]:
    return (Write(f"{FOLDER}/ok.md", Substitutions((Edit(old, new),))),)


UNKNOWN_TOOL = (Write("a.md", Opaque("the tool is not known")),)
# How each record is read: tool, kind, writes, call.
READ: dict[str, tuple[str, Kind, tuple[Write, ...], str]] = {
    "before-write": ("write", Kind.WRITE, (Write(f"{FOLDER}/MEMORY.md", Whole(b"# Index\n")),), "call_0_0"),
    "after-write": ("write", Kind.WRITE, (Write(f"{FOLDER}/ok.md", Whole(b"hello\n")),), "call_1_0"),
    "before-edit": ("edit", Kind.WRITE, edited(b"hello", b"bye"), "call_2_0"),
    "after-edit": ("edit", Kind.WRITE, edited(b"hello", b"bye"), "call_2_0"),
    "before-edit-fail": ("edit", Kind.WRITE, edited(b"absent", b"bye"), "call_3_0"),
    "before-bash": ("bash", Kind.SHELL, (), "call_4_0"),
    "after-bash": ("bash", Kind.SHELL, (), "call_4_0"),
    "before-mem_memory_write": ("mem_memory_write", Kind.OTHER, UNKNOWN_TOOL, "call_6_0"),
    "after-mem_memory_write": ("mem_memory_write", Kind.OTHER, UNKNOWN_TOOL, "call_6_0"),
    "before-mem_memory_fail-fail": ("mem_memory_fail", Kind.OTHER, (), "call_7_0"),
    "before-mem_memory_rpcerr": ("mem_memory_rpcerr", Kind.OTHER, (), "call_8_0"),
    "before-invalid-fail": ("invalid", Kind.READ, (), "call_10_0"),
    "after-invalid-fail": ("invalid", Kind.READ, (), "call_10_0"),
    "apply-patch-model/before-apply_patch": (
        "apply_patch",
        Kind.WRITE,
        (Write("MEMORY.md", Patch(PATCHES[0])),),
        "call_0_0",
    ),
    "apply-patch-model/after-apply_patch": (
        "apply_patch",
        Kind.WRITE,
        (Write("patched.md", Patch(PATCHES[1])),),
        "call_1_0",
    ),
    "apply-patch-model/before-invalid-fail": ("invalid", Kind.READ, (), "call_2_0"),
    "apply-patch-model/after-invalid-fail": ("invalid", Kind.READ, (), "call_2_0"),
}
PROMPTS = {
    "chat.message": "msg_22e9dad5e001pFlRZoTOvf2h5M",
    "apply-patch-model/chat.message": "msg_22e9e12eb001hybSyfpQi28wnY",
}
LOADED = {"init", "apply-patch-model/init"}
"""Written down when the plugin was loaded: no event of ours."""


def expected(name: str, payload: dict[str, object]) -> Request:
    session = SESSION["/" in name]
    if name in LOADED:
        return NOTHING._replace(host_event="init")
    if name in PROMPTS:
        return Request(Event.TURN_START, "chat.message", session=session, turn=PROMPTS[name])
    tool, kind, writes, call = READ[name]
    event, host_event = (CALL, "before") if "before" in name else (RESULT, "after")
    holder = as_mapping(payload["output" if event is CALL else "input"])
    return Request(
        event,
        host_event,
        session=session,
        call=call,
        tool=tool,
        kind=kind,
        writes=writes,
        arguments=as_mapping(holder["args"]),
        is_error=False if event is RESULT else None,
        opening="memory_write ok" if name == "after-mem_memory_write" else "",
    )


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_recorded_payload_is_read(name: str) -> None:
    payload = dict(PAYLOADS[name])
    assert parse(payload, "") == expected(name, payload)
    beside = {**payload, "cwd": FOLDER, "turn": "m1"}
    turn = expected(name, payload).turn or ("" if name in LOADED else "m1")
    assert parse(beside, "") == expected(name, payload)._replace(cwd="" if name in LOADED else FOLDER, turn=turn)


def called(tool: str, args: object) -> dict[str, object]:
    return {"hook": "before", "cwd": "/p", "input": {"tool": tool}, "output": {"args": args}}


BASE = Request(CALL, "before", cwd="/p")
ODD: dict[str, tuple[object, str, Request]] = {
    "nothing": ({}, "", NOTHING._replace(missing="hook")),
    "no-object": ([1], "before", NOTHING._replace(host_event="before", missing="hook")),
    "no-tool": ({"hook": "before", "cwd": "/p"}, "", BASE._replace(missing="input.tool")),
    "no-arguments": ({"hook": "before", "cwd": "/p", "input": {"tool": "write"}}, "", BASE._replace(missing="args")),
    "session": ({"hook": "session.start", "cwd": "/p"}, "", Request(Event.SESSION_START, "session.start", cwd="/p")),
    "exit-code": (
        {"hook": "after", "input": {"tool": "bash", "args": {}}, "output": {"metadata": {"exit": 3}}},
        "",
        Request(RESULT, "after", tool="bash", kind=Kind.SHELL, arguments={}, is_error=True),
    ),
    "server-error": (
        {"hook": "after", "input": {"tool": "a_b", "args": {}}, "output": {"isError": True}},
        "",
        Request(RESULT, "after", tool="a_b", arguments={}, is_error=True),
    ),
    "server-write": (
        called("my-fs_write_file", {"path": "m", "content": "a"}),
        "",
        BASE._replace(
            tool="my-fs_write_file",
            kind=Kind.WRITE,
            writes=(Write("m", Whole(b"a")),),
            arguments={"path": "m", "content": "a"},
        ),
    ),
    "server-read": (
        called("fs_read_file", {"path": "m"}),
        "",
        BASE._replace(tool="fs_read_file", kind=Kind.READ, arguments={"path": "m"}),
    ),
}


@pytest.mark.parametrize("row", ODD)
def test_other_payloads_are_read(row: str) -> None:
    payload, event, request = ODD[row]
    assert parse(payload, event) == request


WARNING = Answer(Verdict.WARN, "C", "t")
TOLD = Reply('{"context": "t"}')
DENIED = Reply('{"deny": "r"}')
REPLIES: dict[str, tuple[Answer, Event, Reply]] = {
    "silence": (Answer(), CALL, NO_REPLY),
    "deny": (Answer(Verdict.DENY, "C", "r", "p"), CALL, DENIED),
    "ask": (Answer(Verdict.ASK, "C", "r"), CALL, DENIED),
    "no-reason": (Answer(Verdict.DENY), CALL, Reply('{"deny": "memstile refused this call"}')),
    "warn-before": (WARNING, CALL, NO_REPLY),
    "warn-after": (WARNING, RESULT, TOLD),
    "deny-too-late": (Answer(Verdict.DENY, "C", "t"), RESULT, TOLD),
    "warn-at-start": (WARNING, Event.SESSION_START, TOLD),
    "warn-at-a-prompt": (WARNING, Event.TURN_START, TOLD),
    "other": (WARNING, Event.OTHER, NO_REPLY),
    "person": (Answer(Verdict.WARN, "C", "", "p"), RESULT, NO_REPLY),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, said = REPLIES[row]
    assert reply(answer, Request(event)) == said


def test_a_warning_before_a_call_waits_and_an_ask_is_a_denial() -> None:
    channels = CARRIES[CALL]
    assert channels == {Channel.DENY}
    assert carried(WARNING, channels) == (Answer(Verdict.ALLOW, "C"), "t")
    assert carried(Answer(Verdict.ASK, "C", "r"), channels).answer.verdict is Verdict.DENY
    assert refuse("r", "") == DENIED


@settings(max_examples=150)
@given(
    payload=JSON | altered(PAYLOADS.values()) | altered([called("write", {"filePath": "m", "content": "a"})]),
    event=st.text(max_size=12) | st.sampled_from(["", *EVENTS]),
    answer=st.builds(Answer, st.sampled_from(list(Verdict)), st.just("C"), st.text(max_size=8), st.text(max_size=8)),
)
def test_parse_and_reply_are_total(payload: object, event: str, answer: Answer) -> None:
    request = parse(payload, event)
    assert not (request.missing and request.writes)
    said = reply(answer, request)
    assert (said.stderr, said.exit_code) == ("", 0)
    body = json.loads(said.stdout) if said.stdout else {}
    assert set(body) <= {"deny", "context"}
    assert len(body) <= 1


def test_the_row_of_the_host_says_what_was_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.matching) == (
        "opencode",
        "recorded",
        ("1.18.33",),
        Matching.LOOSE,
    )
