"""hosts/windsurf.py: payloads as Windsurf's documentation has them, and the replies to them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Edit, Opaque, Substitutions, Whole
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import naming
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_glance import is_none_of_ours
from memstile.hook_run import run
from memstile.hosts.host import NO_REPLY, Reply
from memstile.hosts.windsurf import CARRIES, EVENTS, HOST, parse, refuse, reply
from tests.hosts.payload_tools import JSON, altered

FOLDER = "/home/user/project"
INDEX = f"{FOLDER}/MEMORY.md"
BASE = Request(Event.OTHER, session="t-1", turn="e-9")
A_FILE: dict[str, object] = {"path": "a.md", "content": "x"}


def payload(host_event: str, tool_info: object) -> dict[str, object]:
    ids = {"agent_action_name": host_event, "trajectory_id": "t-1", "execution_id": "e-9"}
    return {**ids, "timestamp": "2026-11-30T22:00:00Z", "model_name": "m", "tool_info": tool_info}


def at(host_event: str) -> Request:
    return BASE._replace(event=EVENTS[host_event], host_event=host_event)


def at_server(tool: str, host_event: str = "pre_mcp_tool_use") -> Request:
    return at(host_event)._replace(tool=tool, served=f"mcp__fs__{tool}")


def edits(*pairs: tuple[str, str]) -> dict[str, object]:
    return {"file_path": INDEX, "edits": [{"old_string": old, "new_string": new} for old, new in pairs]}


def written(info: dict[str, object], *writes: Write) -> Request:
    return at("pre_write_code")._replace(tool="write_code", kind=Kind.WRITE, arguments=info, writes=writes)


def served(name: str, arguments: object) -> dict[str, object]:
    return {"mcp_server_name": "fs", "mcp_tool_name": name, "mcp_tool_arguments": arguments}


ONE = edits(("- one", "- one\n- two"))
TWO = edits(("a", "b"), ("c", "d"))
ANEW = edits(("", "# Index\n"))
TWO_WITH_EMPTY = edits(("", "x"), ("c", "d"))
NO_EDITS: dict[str, object] = {"file_path": INDEX, "edits": []}
SHELL: dict[str, object] = {"command_line": "ls", "cwd": FOLDER}
FROM_SERVER = (Write("a.md", Whole(b"x")),)

ROWS: dict[str, tuple[object, Request]] = {
    "prompt": (payload("pre_user_prompt", {"user_prompt": "hi"}), at("pre_user_prompt")),
    "edit": (
        payload("pre_write_code", ONE),
        written(ONE, Write(INDEX, Substitutions((Edit(b"- one", b"- one\n- two"),)))),
    ),
    "edits": (
        payload("pre_write_code", TWO),
        written(TWO, Write(INDEX, Substitutions((Edit(b"a", b"b"), Edit(b"c", b"d"))))),
    ),
    "without-old-text": (payload("pre_write_code", ANEW), written(ANEW, Write(INDEX, Whole(b"# Index\n")))),
    "one-of-two-without-old-text": (
        payload("pre_write_code", TWO_WITH_EMPTY),
        written(TWO_WITH_EMPTY, Write(INDEX, Substitutions((Edit(b"", b"x"), Edit(b"c", b"d"))))),
    ),
    "without-edits": (
        payload("pre_write_code", NO_EDITS),
        written(NO_EDITS, Write(INDEX, Opaque("the tool does not say what will be in the file"))),
    ),
    "shell": (
        payload("pre_run_command", SHELL),
        at("pre_run_command")._replace(tool="run_command", kind=Kind.SHELL, arguments=SHELL, cwd=FOLDER),
    ),
    "read": (
        payload("pre_read_code", {"file_path": INDEX}),
        at("pre_read_code")._replace(tool="read_code", kind=Kind.READ, arguments={"file_path": INDEX}),
    ),
    "served": (
        payload("pre_mcp_tool_use", served("memory_write", A_FILE)),
        at_server("memory_write")._replace(arguments=A_FILE, writes=naming(A_FILE)),
    ),
    "served-file-tool": (
        payload("pre_mcp_tool_use", served("write_file", A_FILE)),
        at_server("write_file")._replace(kind=Kind.WRITE, arguments=A_FILE, writes=FROM_SERVER),
    ),
    "served-file-tool-by-a-long-name": (
        payload("pre_mcp_tool_use", served("fs_write_file", A_FILE)),
        at_server("fs_write_file")._replace(kind=Kind.WRITE, arguments=A_FILE, writes=FROM_SERVER),
    ),
    "served-arguments-as-a-json-text": (
        payload("pre_mcp_tool_use", served("write_file", json.dumps(A_FILE))),
        at_server("write_file")._replace(kind=Kind.WRITE, arguments=A_FILE, writes=FROM_SERVER),
    ),
    "served-tool-with-a-name-of-windsurf": (
        payload("pre_mcp_tool_use", served("run_command", {})),
        at_server("run_command")._replace(arguments={}),
    ),
    "result": (
        payload("post_write_code", ANEW),
        written(ANEW, Write(INDEX, Whole(b"# Index\n")))._replace(
            event=Event.TOOL_RESULT, host_event="post_write_code"
        ),
    ),
    "result-of-a-server": (
        payload("post_mcp_tool_use", served("write_file", A_FILE)),
        at_server("write_file", "post_mcp_tool_use")._replace(
            kind=Kind.WRITE,
            arguments=A_FILE,
            writes=FROM_SERVER,
            is_error=False,
        ),
    ),
    "no-info": (payload("pre_write_code", None), at("pre_write_code")._replace(missing="tool_info")),
    "no-path": (payload("pre_write_code", {}), at("pre_write_code")._replace(missing="tool_info.file_path")),
    "no-command": (payload("pre_run_command", {}), at("pre_run_command")._replace(missing="tool_info.command_line")),
    "no-tool-name": (
        payload("pre_mcp_tool_use", {}),
        at("pre_mcp_tool_use")._replace(missing="tool_info.mcp_tool_name"),
    ),
    "unknown-event": (
        payload("post_cascade_response", {}),
        NOTHING._replace(host_event="post_cascade_response"),
    ),
    "no-event": ({"tool_info": ANEW}, NOTHING._replace(missing="agent_action_name")),
    "nothing": ({}, NOTHING._replace(missing="agent_action_name")),
}
PAYLOADS = [row[0] for row in ROWS.values()]


@pytest.mark.parametrize("row", ROWS)
def test_a_payload_is_read(row: str) -> None:
    given_payload, expected = ROWS[row]
    assert parse(given_payload, "") == expected


def refused(reason: str) -> Reply:
    return Reply(stderr=reason, exit_code=2)


REPLIES: dict[str, tuple[Answer, Event, Reply]] = {
    "silence": (Answer(), Event.TOOL_CALL, NO_REPLY),
    "deny": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_CALL, refused("r")),
    "deny-and-person": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, refused("r")),
    "ask-is-a-denial": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, refused("r")),
    "deny-without-a-reason": (Answer(Verdict.DENY, "C", ""), Event.TOOL_CALL, refused("memstile refused this call")),
    "warn": (Answer(Verdict.WARN, "C", "t", "p"), Event.TOOL_CALL, NO_REPLY),
    "deny-at-a-prompt": (Answer(Verdict.DENY, "C", "r"), Event.TURN_START, NO_REPLY),
    "deny-too-late": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_RESULT, NO_REPLY),
    "failure-at-an-unknown-event": (Answer(Verdict.WARN, "C", "", "p"), Event.OTHER, NO_REPLY),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, expected = REPLIES[row]
    assert reply(answer, Request(event)) == expected


@pytest.mark.parametrize("event", ["", "pre_write_code", "pre_mcp_tool_use", "no such"])
def test_a_payload_that_cannot_be_read_is_refused(event: str) -> None:
    assert refuse("r", event) == refused("r")


@pytest.mark.parametrize("event", ["pre_user_prompt", "post_write_code"])
def test_what_is_no_tool_call_is_not_refused(event: str) -> None:
    assert refuse("r", event) == Reply(stderr="r\n")


def test_a_warning_waits_and_an_ask_is_a_denial() -> None:
    assert list(CARRIES.items()) == [(Event.TOOL_CALL, frozenset((Channel.DENY,)))]
    assert carried(Answer(Verdict.ASK, "C", "r"), CARRIES[Event.TOOL_CALL]) == (Answer(Verdict.DENY, "C", "r"), "")
    assert carried(Answer(Verdict.WARN, "C", "t"), CARRIES[Event.TOOL_CALL]) == (Answer(Verdict.ALLOW, "C"), "t")


@pytest.mark.parametrize(
    ("before", "after", "code"), [(200, 201, 2), (210, 205, 0), (210, 211, 2)], ids=["grows", "shrinks", "grows-more"]
)
def test_a_write_of_the_whole_file_is_judged_by_the_cap(before: int, after: int, code: int, tmp_path: Path) -> None:
    index = tmp_path / "vault/MEMORY.md"
    index.parent.mkdir()
    index.write_text("- one\n" * before)
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    info = {"file_path": str(index), "edits": [{"old_string": "", "new_string": "- one\n" * after}]}
    words = Words(["windsurf", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml")])
    left = run(words, json.dumps(payload("pre_write_code", info)).encode(), {}, time.time())
    assert (left.stdout, left.exit_code, f"from {before} to {after} lines" in left.stderr) == ("", code, code == 2)


ANOTHER: dict[str, object] = {"file_path": f"{FOLDER}/a.py", "edits": [{"old_string": "a", "new_string": "b"}]}
GLANCES: dict[str, tuple[dict[str, object], bool]] = {
    "another-file": (payload("pre_write_code", ANOTHER), True),
    "the-index": (payload("pre_write_code", ONE), False),
    "hook-settings": (payload("pre_write_code", {**ANOTHER, "file_path": f"{FOLDER}/.windsurf/hooks.json"}), False),
    "shell": (payload("pre_run_command", SHELL), True),
    "a-note": (payload("pre_write_code", {**ANOTHER, "file_path": f"{FOLDER}/a.md"}), False),
    "served": (payload("pre_mcp_tool_use", served("a", {"path": "/a.md"})), False),
    "served-the-index": (payload("pre_mcp_tool_use", served("a", {"path": "MEMORY.md"})), False),
    "result": (payload("post_write_code", ANOTHER), False),
}


@pytest.mark.parametrize("row", GLANCES)
def test_a_call_about_another_file_ends_at_the_glance(row: str, tmp_path: Path) -> None:
    given_payload, is_none = GLANCES[row]
    raw = json.dumps(given_payload).encode()
    assert is_none_of_ours(raw, "windsurf", "", "", str(tmp_path / "none.toml")) is is_none


@settings(max_examples=200)
@given(payload=JSON | altered(PAYLOADS), event=st.text(max_size=9) | st.sampled_from(list(EVENTS)))
def test_parse_is_total(payload: object, event: str) -> None:
    request = parse(payload, event)
    assert isinstance(request, Request)
    assert not (request.missing and request.writes)


def test_the_row_of_the_host_says_that_it_was_not_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.takes_text) == ("windsurf", "documented", (), False)
