"""hosts/dsh.py: the recorded payloads of both bridges of dsh 0.1.0-rc.8, and the replies to them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Edit, Insertion, Opaque, Substitutions, Whole
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_run import run
from memstile.hosts.dsh import CARRIES, CODEX_BRIDGE, HOST, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply, as_mapping, as_text
from tests.hosts.payload_tools import JSON, altered, recorded

_RECORDS = recorded("dsh")
SEQUENCE = _RECORDS.pop("04-stop-sequence.json")
RECORDS = {name.removesuffix(".json"): as_mapping(record) for name, record in _RECORDS.items()}
PAYLOADS = {name: as_mapping(record["payload"]) for name, record in RECORDS.items()}
"""By names such as 01-basic-04-claude-code-PreToolUse-edit: case, number, bridge, event, tool."""

FOLDER = "/home/user/project"
EVENTS = {
    "SessionStart": Event.SESSION_START,
    "UserPromptSubmit": Event.TURN_START,
    "PreToolUse": Event.TOOL_CALL,
    "PostToolUse": Event.TOOL_RESULT,
}
KINDS = {
    **dict.fromkeys(("read", "grep", "glob"), Kind.READ),
    **dict.fromkeys(("write", "edit", "str_replace_editor"), Kind.WRITE),
    **dict.fromkeys(("bash", "run_code"), Kind.SHELL),
}


def whole(path: str, data: bytes) -> tuple[Write, ...]:
    return (Write(path, Whole(data)),)


def edited(path: str, old: bytes, new: bytes, *, replace_all: bool = False) -> tuple[Write, ...]:
    return (Write(path, Substitutions((Edit(old, new, replace_all),))),)


# Calls that write, and their results, by case and number.
WRITES = {
    ("01-basic-04", "01-basic-05"): edited(f"{FOLDER}/MEMORY.md", b"one hook", b"one better hook"),
    ("01-basic-06", "01-basic-07"): whole(f"{FOLDER}/notes.md", b"hello\n"),
    ("01-basic-08", "01-basic-09"): whole(f"{FOLDER}/sre.md", b"x\n"),
    ("01-basic-12", "01-basic-13"): edited(f"{FOLDER}/MEMORY.md", b"NOT THERE", b"z"),
    ("06-both-bridges-parallel-16", "06-both-bridges-parallel-18"): whole("rel.md", b"relative\n"),
    ("08-code-mode-03", "08-code-mode-04"): whole(f"{FOLDER}/c1.md", b"DENYME"),
    ("09-subagent-13", "09-subagent-15"): whole(f"{FOLDER}/child.md", b"DENYME"),
    ("13-two-turns-24", "13-two-turns-26"): whole(f"{FOLDER}/w.md", b"x"),
}
FAILED = {
    "01-basic-13",
    "05-basic-memory-09",
    "05-basic-memory-23",
    "05-basic-memory-25",
    "05-basic-memory-27",
    "05-basic-memory-31",
    "05-basic-memory-35",
    "08-code-mode-04",
    "09-subagent-15",
}
NOT_JSON = {"05-basic-memory-34", "05-basic-memory-35"}
"""Calls whose arguments came as a text."""


def expected(name: str, payload: dict[str, object]) -> Request:
    """Say how a record is read, by its name and the tables above; ids pass through."""
    bridge = "codex" if "-codex-" in name else "claude-code"
    number, _, rest = name.partition(f"-{bridge}-")
    host_event, _, tool = rest.partition("-")
    request = NOTHING._replace(
        host_event=host_event, session=str(payload["session_id"]), call=str(payload.get("tool_use_id", "")), cwd=FOLDER
    )
    if bridge == "codex":
        is_turn = host_event == "UserPromptSubmit"
        return request._replace(
            turn=str(payload.get("turn_id", "")), event=Event.TURN_START if is_turn else Event.OTHER
        )
    if host_event not in EVENTS:
        return request
    request = request._replace(event=EVENTS[host_event])
    if not tool:
        return request
    arguments = None if number in NOT_JSON else as_mapping(payload["tool_input"])
    return request._replace(
        tool=tool,
        kind=KINDS.get(tool, Kind.OTHER),
        writes=next((writes for numbers, writes in WRITES.items() if number in numbers), ()),
        arguments=arguments,
        is_error=number in FAILED if host_event == "PostToolUse" else None,
        opening="" if tool in KINDS else str(payload.get("tool_response", ""))[:200],
    )


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_recorded_payload_is_read(name: str) -> None:
    assert parse(PAYLOADS[name], "") == expected(name, dict(PAYLOADS[name]))


def test_the_records_are_those_of_both_bridges_and_the_tables_use_them_all() -> None:
    numbers = {name.split(f"-{RECORDS[name]['bridge']}-")[0] for name in PAYLOADS}
    assert {record["bridge"] for record in RECORDS.values()} == {"claude-code", "codex"}
    assert {*FAILED, *NOT_JSON, *(number for pair in WRITES for number in pair)} <= numbers


def test_a_prompt_and_its_stop_are_read_in_the_recorded_sequence() -> None:
    assert isinstance(SEQUENCE, list)
    prompt = Request(
        Event.TURN_START, "UserPromptSubmit", session="session-8d5a4af7-89b5-4581-a04c-56995f635142", cwd=FOLDER
    )
    stop = prompt._replace(event=Event.OTHER, host_event="Stop")
    assert [parse(payload, "") for payload in SEQUENCE] == [prompt, stop, prompt, stop]


def called(tool: str, arguments: object) -> dict[str, object]:
    return {"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": tool, "tool_input": arguments}


EDITOR = "str_replace_editor"
INDEX = "/p/MEMORY.md"
CALLS: dict[str, tuple[str, object, Kind, tuple[Write, ...]]] = {
    "write": ("write", {"file_path": "m", "content": "a\nü"}, Kind.WRITE, whole("m", "a\nü".encode())),
    "write-nothing": ("write", {"file_path": "m", "content": ""}, Kind.WRITE, whole("m", b"")),
    "write-no-path": ("write", {"content": "a"}, Kind.WRITE, ()),
    "write-no-json": ("write", '{"file_path": "MEM', Kind.WRITE, ()),
    "edit": ("edit", {"file_path": "m", "old_string": "a", "new_string": "b"}, Kind.WRITE, edited("m", b"a", b"b")),
    "edit-all": (
        "edit",
        {"file_path": "m", "old_string": "a", "new_string": "b", "replace_all": True},
        Kind.WRITE,
        edited("m", b"a", b"b", replace_all=True),
    ),
    "edit-one": (
        "edit",
        {"file_path": "m", "old_string": "a", "new_string": "b", "replace_all": False},
        Kind.WRITE,
        edited("m", b"a", b"b"),
    ),
    "create": (EDITOR, {"command": "create", "path": INDEX, "file_text": "a"}, Kind.WRITE, whole(INDEX, b"a")),
    "replace": (
        EDITOR,
        {"command": "str_replace", "path": INDEX, "old_str": "a", "new_str": "b"},
        Kind.WRITE,
        edited(INDEX, b"a", b"b"),
    ),
    "remove": (
        EDITOR,
        {"command": "str_replace", "path": INDEX, "old_str": "a"},
        Kind.WRITE,
        edited(INDEX, b"a", b""),
    ),
    "insert": (
        EDITOR,
        {"command": "insert", "path": INDEX, "insert_line": 0, "new_str": "a"},
        Kind.WRITE,
        (Write(INDEX, Insertion(0, b"a")),),
    ),
    "undo": (
        EDITOR,
        {"command": "undo_edit", "path": INDEX},
        Kind.WRITE,
        (Write(INDEX, Opaque("the tool does not say what will be in the file")),),
    ),
    "view": (EDITOR, {"command": "view", "path": INDEX, "view_range": [1, 2]}, Kind.READ, ()),
    "read": ("read", {"file_path": INDEX}, Kind.READ, ()),
    "ls": ("ls", {"path": INDEX}, Kind.READ, ()),
    "lsp": ("lsp", {"file_path": INDEX}, Kind.READ, ()),
    "bash": ("bash", {"command": f"echo >> {INDEX}"}, Kind.SHELL, ()),
    "terminal": ("terminal_send", {"sessionId": "s", "text": "a"}, Kind.SHELL, ()),
    "claude-code-name": (
        "Write",
        {"file_path": "m", "content": "a"},
        Kind.OTHER,
        (Write("m", Opaque("the tool is not known")),),
    ),
    "mcp-file-tool": ("mcp__fs__write_file", {"path": "m", "content": "a"}, Kind.WRITE, whole("m", b"a")),
}


@pytest.mark.parametrize("row", CALLS)
def test_a_tool_call_names_the_files_that_it_would_write(row: str) -> None:
    tool, arguments, kind, writes = CALLS[row]
    assert parse(called(tool, arguments), "") == Request(
        Event.TOOL_CALL,
        "PreToolUse",
        cwd="/p",
        tool=tool,
        kind=kind,
        writes=writes,
        arguments=as_mapping(arguments) if isinstance(arguments, dict) else None,
    )


CALL = called("write", {"file_path": "m", "content": "a"})
BASE = Request(Event.TOOL_CALL, "PreToolUse", cwd="/p")
ODD: dict[str, tuple[object, str, Request]] = {
    "nothing": ({}, "", NOTHING._replace(missing="hook_event_name")),
    "no-object": (["a"], "PreToolUse", NOTHING._replace(host_event="PreToolUse", missing="hook_event_name")),
    "no-event": ({"cwd": "/p"}, "", NOTHING._replace(cwd="/p", missing="hook_event_name")),
    "event-of-the-command-line": (
        {"cwd": "/p"},
        "SessionStart",
        Request(Event.SESSION_START, "SessionStart", cwd="/p"),
    ),
    "other-event": ({"hook_event_name": "SubagentStop"}, "", NOTHING._replace(host_event="SubagentStop")),
    "no-tool-name": ({**CALL, "tool_name": 1}, "", BASE._replace(missing="tool_name")),
    "no-arguments": (
        {key: value for key, value in CALL.items() if key != "tool_input"},
        "",
        BASE._replace(missing="tool_input"),
    ),
    "result-that-is-no-text": (
        {**CALL, "hook_event_name": "PostToolUse", "tool_response": ["Error: x"]},
        "",
        Request(
            Event.TOOL_RESULT,
            "PostToolUse",
            cwd="/p",
            tool="write",
            kind=Kind.WRITE,
            writes=whole("m", b"a"),
            arguments={"file_path": "m", "content": "a"},
        ),
    ),
}


@pytest.mark.parametrize("row", ODD)
def test_a_payload_without_what_was_promised_says_what_is_missing(row: str) -> None:
    payload, event, request = ODD[row]
    assert parse(payload, event) == request


def test_the_word_of_the_command_line_is_enough_for_the_codex_bridge() -> None:
    silent = NOTHING._replace(host_event="PreToolUse", cwd="/p")
    assert parse(CALL, CODEX_BRIDGE) == silent
    assert parse({**CALL, "turn_id": "7"}, CODEX_BRIDGE) == silent._replace(turn="7")
    assert parse({}, CODEX_BRIDGE) == NOTHING._replace(host_event=CODEX_BRIDGE)


def test_a_call_with_paths_is_judged_whatever_other_fields_it_has() -> None:
    request = parse({**CALL, "model": "m", "permission_mode": "default", "turn_id": "7"}, "")
    assert (request.event, request.writes, request.turn) == (Event.TOOL_CALL, whole("m", b"a"), "7")


FROM_CODEX_BRIDGE = [name for name in PAYLOADS if "-codex-" in name]


@pytest.mark.parametrize("words", [[], [CODEX_BRIDGE]])
@pytest.mark.parametrize("name", [FROM_CODEX_BRIDGE[0], *(n for n in FROM_CODEX_BRIDGE if "write" in n)])
def test_the_codex_bridge_is_not_answered_even_where_errors_close(name: str, words: list[str], tmp_path: Path) -> None:
    options = ["--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml"), "--on-error", "closed"]
    raw = json.dumps(PAYLOADS[name]).encode()
    assert run(Words(["dsh", *words, *options]), raw, {}, time.time()) == NO_REPLY


def test_a_prompt_of_the_codex_bridge_begins_a_turn_and_takes_a_text() -> None:
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "turn_id": "7", "cwd": "/p"}
    request = parse(prompt, CODEX_BRIDGE)
    assert (request.event, request.turn) == (Event.TURN_START, "7")
    assert reply(WARNING, request) == context("UserPromptSubmit", "t")
    assert parse({**prompt, "turn_id": ""}, CODEX_BRIDGE).event is Event.OTHER


def denied(reason: str) -> Reply:
    told = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return Reply(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **told}}))


def context(event: str, text: str) -> Reply:
    return Reply(json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))


WARNING = Answer(Verdict.WARN, "C", "t")
REPLIES: dict[str, tuple[Answer, Event, Reply]] = {
    "silence": (Answer(), Event.TOOL_CALL, NO_REPLY),
    "deny": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-and-person": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, denied("r")),
    "ask-is-a-denial": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-without-a-reason": (Answer(Verdict.DENY, "C", " \n"), Event.TOOL_CALL, denied("memstile refused this call")),
    "warn-waits": (WARNING, Event.TOOL_CALL, NO_REPLY),
    "person-alone": (Answer(Verdict.WARN, "C", "", "p"), Event.TOOL_CALL, NO_REPLY),
    "warn-at-start": (WARNING, Event.SESSION_START, context("SessionStart", "t")),
    "warn-at-a-prompt": (WARNING, Event.TURN_START, context("UserPromptSubmit", "t")),
    "warn-after": (WARNING, Event.TOOL_RESULT, context("PostToolUse", "t")),
    "deny-too-late": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_RESULT, context("PostToolUse", "r")),
    "text-at-another-event": (WARNING, Event.OTHER, NO_REPLY),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, said = REPLIES[row]
    assert reply(answer, Request(event)) == said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("", denied("r")),
        ("PreToolUse", denied("r")),
        ("UserPromptSubmit", denied("r")),
        (CODEX_BRIDGE, Reply(stderr="r\n")),
    ],
    ids=["no-event", "tool-call", "prompt", "codex-bridge"],
)
def test_a_payload_that_cannot_be_read_is_refused_as_a_tool_call(event: str, said: Reply) -> None:
    assert refuse("r", event) == said


def test_an_ask_becomes_a_denial_and_a_warning_before_a_call_waits() -> None:
    channels = CARRIES[Event.TOOL_CALL]
    assert channels == {Channel.DENY}
    assert carried(Answer(Verdict.ASK, "C", "r"), channels) == (Answer(Verdict.DENY, "C", "r"), "")
    assert carried(WARNING, channels) == (Answer(Verdict.ALLOW, "C"), "t")
    others = (Event.SESSION_START, Event.TURN_START, Event.TOOL_RESULT)
    assert {event: CARRIES.get(event) for event in Event} == {
        **dict.fromkeys(Event),
        **{event: {Channel.MODEL} for event in others},
        Event.TOOL_CALL: {Channel.DENY},
    }


def test_a_warning_before_a_call_comes_with_its_result(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    words = Words(["dsh", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml")])
    call = called("write", {"file_path": "vault/MEMORY.md", "content": "- one\n" * 160})
    call = {**call, "cwd": str(tmp_path), "session_id": "s"}
    assert run(words, json.dumps(call).encode(), {}, time.time()) == NO_REPLY
    result = {**call, "hook_event_name": "PostToolUse", "tool_response": "Created file"}
    told = json.loads(run(words, json.dumps(result).encode(), {}, time.time()).stdout)["hookSpecificOutput"]
    assert told["hookEventName"] == "PostToolUse"
    assert told["additionalContext"].startswith("INDEX_OVER_SOFT_CAP")


EVENT_WORDS = st.text(max_size=12) | st.sampled_from(["", *EVENTS, CODEX_BRIDGE])
ANSWERS = st.builds(Answer, st.sampled_from(list(Verdict)), st.just("C"), st.text(max_size=8), st.text(max_size=8))


@settings(max_examples=300)
@given(payload=JSON | altered(PAYLOADS.values()), event=EVENT_WORDS, answer=ANSWERS)
def test_parse_and_reply_are_total_and_name_the_event(payload: object, event: str, answer: Answer) -> None:
    request = parse(payload, event)
    assert not (request.missing and request.writes)
    said = reply(answer, request)
    assert (said.stderr, said.exit_code) == ("", 0)
    if said.stdout:
        assert json.loads(said.stdout)["hookSpecificOutput"]["hookEventName"] == request.host_event
    if event == CODEX_BRIDGE:
        assert (request.event in (Event.OTHER, Event.TURN_START), request.missing) == (True, "")
        assert said == NO_REPLY or request.event is Event.TURN_START
    assert as_text(as_mapping(payload).get("turn_id")) == request.turn


def test_the_row_of_the_host_says_what_was_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.takes_text) == ("dsh", "recorded", ("0.1.0-rc.8",), False)
