"""hosts/codex.py: the recorded payloads of Codex 0.171.0, and replies that hold only keys it knows."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.answer import Answer, Channel, carried
from memstile.core.change import Patch
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import naming
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_run import run
from memstile.hosts.codex import CARRIES, HOST, Heredoc, heredoc, parse, refuse, reply
from memstile.hosts.host import NO_REPLY, Reply
from tests.hosts.payload_tools import JSON, altered, recorded

PAYLOADS = recorded("codex")
FOLDER = "/home/user/project"


def patch(*lines: str, path: str) -> tuple[dict[str, object], tuple[Write, ...]]:
    text = "\n".join(("*** Begin Patch", *lines, "*** End Patch")) + "\n"
    return {"command": text}, (Write(path, Patch(text)),)


def shell(command: str) -> dict[str, object]:
    return {"command": command}


DIRECT = Request(
    Event.OTHER,
    session="01a22e96-e3a2-7952-b630-e1b022324fa6",
    turn="01a22e96-e3c7-7373-8ba4-1639e181e788",
    cwd=FOLDER,
)
CODE = DIRECT._replace(
    session="01a22e97-394f-7172-8f1e-f615dd27f8c3",
    turn="01a22e97-3966-7442-880e-db6026667562",
)
HEREDOC = DIRECT._replace(
    session="01a22fa5-e2a6-7ec2-b2b6-8d4ff63954bc",
    turn="01a22fa5-e2bb-7372-a53b-a5f97de2f2a5",
)


DASHED = DIRECT._replace(
    session="01a25041-c47f-7e81-8507-02cbe144b35e",
    turn="01a25041-c4ac-7191-a163-9a9867ae8252",
)
"""Of a run whose MCP server was called basic-memory."""


def plain(base: Request, event: Event, host_event: str) -> Request:
    return base._replace(event=event, host_event=host_event)


def before(base: Request, call: str, tool: str, arguments: dict[str, object], kind: Kind = Kind.OTHER) -> Request:
    named = base._replace(call=call, tool=tool, kind=kind, arguments=arguments)
    return plain(named, Event.TOOL_CALL, "PreToolUse")


def after(request: Request, *, is_error: bool | None, opening: str = "") -> Request:
    return plain(request, Event.TOOL_RESULT, "PostToolUse")._replace(is_error=is_error, opening=opening)


INDEX, INDEX_WRITES = patch("*** Add File: MEMORY.md", "+# Index", "+- one", path="MEMORY.md")
SHORT, SHORT_WRITES = patch("*** Add File: MEMORY.md", "+# Index", path="MEMORY.md")
NOTE, NOTE_WRITES = patch("*** Add File: notes/ok.md", "+hello", path="notes/ok.md")
ABSENT, ABSENT_WRITES = patch("*** Update File: notes/ok.md", "@@", "-absent line", "+x", path="notes/ok.md")
IN_SHELL = "*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch"
PRINTF = shell("printf shell > shell.md")
A_FILE: dict[str, object] = {"path": "a.md", "content": "x"}

NOTE_CALL = before(DIRECT, "call_1_0", "apply_patch", NOTE, Kind.WRITE)._replace(writes=NOTE_WRITES)
SHELL_CALL = before(DIRECT, "call_3_0", "Bash", PRINTF, Kind.SHELL)
MCP, SAID = "mcp__mem__memory_write", "memory_write ok"


def on_mcp(base: Request, call: str, tool: str = MCP) -> Request:
    return before(base, call, tool, A_FILE)._replace(writes=naming(A_FILE))


SHELL_IN_CODE = before(CODE, "exec-05354453-36c5-456a-80d6-72fe7c32cbd3", "Bash", PRINTF, Kind.SHELL)
MCP_IN_CODE = on_mcp(CODE, "exec-40493c15-8e98-4980-88af-a0afbdb356bf")
ON_DASHED = on_mcp(DASHED, "call_1_0", "mcp__basic_memory__memory_write")
EXPECTED = {
    "SessionStart.json": plain(DIRECT, Event.SESSION_START, "SessionStart")._replace(turn=""),
    "UserPromptSubmit.json": plain(DIRECT, Event.TURN_START, "UserPromptSubmit"),
    "Stop.json": NOTHING._replace(host_event="Stop"),
    "PreToolUse-apply_patch.json": before(DIRECT, "call_0_0", "apply_patch", INDEX, Kind.WRITE)._replace(
        writes=INDEX_WRITES
    ),
    "PreToolUse-apply_patch-fail.json": before(DIRECT, "call_2_0", "apply_patch", ABSENT, Kind.WRITE)._replace(
        writes=ABSENT_WRITES
    ),
    "PostToolUse-apply_patch.json": after(NOTE_CALL, is_error=False),
    "PreToolUse-Bash.json": SHELL_CALL,
    "PostToolUse-Bash.json": after(SHELL_CALL, is_error=None),
    "PreToolUse-Bash-heredoc.json": before(
        HEREDOC, "call_0_0", "Bash", shell(f"apply_patch <<'EOF'\n{IN_SHELL.format('h1.md')}\nEOF"), Kind.WRITE
    )._replace(writes=(Write("h1.md", Patch(IN_SHELL.format("h1.md"))),)),
    "PreToolUse-Bash-heredoc-in-folder.json": before(
        HEREDOC,
        "call_2_0",
        "Bash",
        shell(f"cd sub && apply_patch <<'EOF'\n{IN_SHELL.format('h3.md')}\nEOF"),
        Kind.WRITE,
    )._replace(writes=(Write("h3.md", Patch(IN_SHELL.format("h3.md"))),), cwd=f"{FOLDER}/sub"),
    "PreToolUse-mcp__mem__memory_write.json": on_mcp(DIRECT, "call_5_0"),
    "PostToolUse-mcp__mem__memory_write.json": after(on_mcp(DIRECT, "call_5_0"), is_error=False, opening=SAID),
    "PreToolUse-mcp__basic_memory__memory_write.json": ON_DASHED,
    "PostToolUse-mcp__basic_memory__memory_write.json": after(ON_DASHED, is_error=False, opening=SAID),
    "PreToolUse-mcp__mem__memory_fail-fail.json": before(DIRECT, "call_6_0", "mcp__mem__memory_fail", {}),
    "PreToolUse-mcp__mem__memory_rpcerr.json": before(DIRECT, "call_7_0", "mcp__mem__memory_rpcerr", {}),
    "code-mode/SessionStart.json": plain(CODE, Event.SESSION_START, "SessionStart")._replace(turn=""),
    "code-mode/UserPromptSubmit.json": plain(CODE, Event.TURN_START, "UserPromptSubmit"),
    "code-mode/Stop.json": NOTHING._replace(host_event="Stop"),
    "code-mode/PreToolUse-apply_patch.json": before(
        CODE, "exec-37cfd4c4-c91b-445c-858f-a1ba41b65137", "apply_patch", SHORT, Kind.WRITE
    )._replace(writes=SHORT_WRITES),
    "code-mode/PreToolUse-Bash.json": SHELL_IN_CODE,
    "code-mode/PostToolUse-Bash.json": after(SHELL_IN_CODE, is_error=None),
    "code-mode/PreToolUse-mcp__mem__memory_write.json": MCP_IN_CODE,
    "code-mode/PostToolUse-mcp__mem__memory_write.json": after(MCP_IN_CODE, is_error=False, opening=SAID),
}


def test_every_recorded_payload_is_in_the_table() -> None:
    assert set(PAYLOADS) == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_is_read(name: str) -> None:
    assert parse(PAYLOADS[name], "") == EXPECTED[name]


CALL: dict[str, object] = {"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "apply_patch"}

ODD: dict[str, tuple[object, str, Request]] = {
    "nothing": ({}, "PreToolUse", NOTHING._replace(host_event="PreToolUse", missing="hook_event_name")),
    "no-event": ({"cwd": "/p"}, "", NOTHING._replace(missing="hook_event_name")),
    "event-of-the-command-line": (
        {"cwd": "/p"},
        "SessionStart",
        Request(Event.SESSION_START, "SessionStart", cwd="/p"),
    ),
    "unknown-event": ({"cwd": "/p"}, "Interrupt", NOTHING._replace(host_event="Interrupt")),
    "no-tool-name": (
        {**CALL, "tool_name": None, "tool_input": {}},
        "",
        Request(Event.TOOL_CALL, "PreToolUse", cwd="/p", missing="tool_name"),
    ),
    "no-arguments": (CALL, "", Request(Event.TOOL_CALL, "PreToolUse", cwd="/p", missing="tool_input")),
    "patch-not-where-it-was": (
        {**CALL, "tool_input": "*** Begin Patch"},
        "",
        Request(Event.TOOL_CALL, "PreToolUse", cwd="/p", missing="tool_input.command"),
    ),
    "subagent": (
        {"hook_event_name": "UserPromptSubmit", "agent_id": "a1", "turn_id": "t1"},
        "",
        Request(Event.TURN_START, "UserPromptSubmit", agent="a1", turn="t1"),
    ),
    "failed-mcp-result": (
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "mcp__a__b",
            "tool_input": {},
            "tool_response": {"isError": True},
        },
        "",
        Request(Event.TOOL_RESULT, "PostToolUse", tool="mcp__a__b", arguments={}, is_error=True),
    ),
}


@pytest.mark.parametrize("row", ODD)
def test_a_payload_without_what_was_promised_says_what_is_missing(row: str) -> None:
    payload, event, expected = ODD[row]
    assert parse(payload, event) == expected


BODY = IN_SHELL.format("MEMORY.md")

# Each of these was run by Codex 0.171.0 without a shell: there was no event after it, and the file was there.
TAKEN = {
    "alone": (f"apply_patch <<'EOF'\n{BODY}\nEOF", ""),
    "other-name": (f"applypatch <<'EOF'\n{BODY}\nEOF", ""),
    "double-quotes": (f'apply_patch <<"EOF"\n{BODY}\nEOF', ""),
    "other-word": (f"apply_patch << 'PATCH'\n{BODY}\nPATCH\n", ""),
    "dash": (f"apply_patch <<-EOF\n{BODY}\nEOF", ""),
    "blank-lines": (f"\n  apply_patch <<EOF\n\n{BODY}\n\nEOF\n", ""),
    "in-a-folder": (f"cd sub && apply_patch <<'EOF'\n{BODY}\nEOF", "sub"),
    "in-a-quoted-folder": (f"cd 'a b' && apply_patch <<'EOF'\n{BODY}\nEOF", "a b"),
    "in-a-double-quoted-folder": (f"cd \"a b\" && apply_patch <<'EOF'\n{BODY}\nEOF", "a b"),
    "in-a-folder-called-tilde": (f"cd ~ && apply_patch <<'EOF'\n{BODY}\nEOF", "~"),
    "on-two-lines": (f"cd sub &&\napply_patch <<'EOF'\n{BODY}\nEOF", "sub"),
    "on-a-continued-line": (f"cd sub && \\\n apply_patch <<'EOF'\n{BODY}\nEOF", "sub"),
}

# And each of these by a shell, which found no such program.
LEFT = {
    "other-command-first": f"echo a; apply_patch <<'EOF'\n{BODY}\nEOF",
    "other-command-and": f"mkdir -p sub && cd sub && apply_patch <<'EOF'\n{BODY}\nEOF",
    "or": f"cd sub || apply_patch <<'EOF'\n{BODY}\nEOF",
    "semicolon": f"cd sub; apply_patch <<'EOF'\n{BODY}\nEOF",
    "option": f"apply_patch -v <<'EOF'\n{BODY}\nEOF",
    "comment": f"# c\napply_patch <<'EOF'\n{BODY}\nEOF",
    "argument": f"apply_patch '{BODY}'",
    "inner-shell": f"bash -lc \"apply_patch <<'EOF'\n{BODY}\nEOF\n\"",
    "no-patch": "apply_patch <<'EOF'\nhello\nEOF",
    "no-end": "apply_patch <<'EOF'\n*** Begin Patch\nEOF",
    "nothing": "",
}


@pytest.mark.parametrize("row", TAKEN)
def test_a_patch_that_codex_carries_out_itself_is_found_in_a_shell_command(row: str) -> None:
    command, folder = TAKEN[row]
    assert heredoc(command) == Heredoc(folder, BODY)


@pytest.mark.parametrize("row", LEFT)
def test_a_command_that_a_shell_runs_is_no_patch(row: str) -> None:
    assert heredoc(LEFT[row]) is None


def test_lines_of_a_patch_that_end_in_a_backslash_stay_as_they_are() -> None:
    body = "*** Begin Patch\n*** Add File: n\n+a \\\n+b\n*** End Patch"
    assert heredoc(f"apply_patch <<'EOF'\n{body}\nEOF") == Heredoc("", body)


def test_a_heredoc_in_an_absolute_folder_leaves_the_folder_of_the_session() -> None:
    command = f"cd /other && apply_patch <<'EOF'\n{BODY}\nEOF"
    request = parse({**CALL, "tool_name": "Bash", "tool_input": {"command": command}}, "")
    assert (request.cwd, request.kind) == ("/other", Kind.WRITE)


def test_a_heredoc_patch_is_refused_where_it_lets_the_index_outgrow_its_cap(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/MEMORY.md").write_text("- one\n" * 200)
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    body = "*** Begin Patch\n*** Update File: MEMORY.md\n@@\n+- two\n - one\n*** End Patch"
    payload = {
        **CALL,
        "cwd": str(tmp_path),
        "tool_name": "Bash",
        "tool_input": {"command": f"cd vault && apply_patch <<'EOF'\n{body}\nEOF"},
    }
    words = Words(["codex", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml")])
    told = json.loads(run(words, json.dumps(payload).encode(), {}, time.time()).stdout)
    assert told["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "from 200 to 201 lines" in told["hookSpecificOutput"]["permissionDecisionReason"]


CHAINS = {
    "by way of another": ("mid.md", "mid.md"),
    "by way of another, spelled otherwise": ("./x/../mid.md", "mid.md"),
    "by way of a link": ("way/mid.md", "there/mid.md"),
}


@pytest.mark.parametrize("row", CHAINS)
def test_what_a_patch_moves_onto_the_index_by_way_of_another_file_is_judged(row: str, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "way").symlink_to("there")
    (tmp_path / "vault/MEMORY.md").write_text("- one\n" * 50)
    (tmp_path / "big.md").write_text("- one\n" * 400)
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    target, source = CHAINS[row]
    command = "\n".join(
        [
            *("*** Begin Patch", "*** Update File: big.md", f"*** Move to: {target}", "@@", " - one", "+- two"),
            *(f"*** Update File: {source}", "*** Move to: vault/MEMORY.md", "@@", "-- two", "+- three"),
            "*** End Patch",
        ]
    )
    payload = {**CALL, "cwd": str(tmp_path), "tool_name": "apply_patch", "tool_input": {"command": command}}
    words = Words(["codex", "--state", str(tmp_path / "state"), "--config", str(tmp_path / "none.toml")])
    told = json.loads(run(words, json.dumps(payload).encode(), {}, time.time()).stdout)
    assert told["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "from 50 to 401 lines" in told["hookSpecificOutput"]["permissionDecisionReason"]


def denied(reason: str) -> dict[str, object]:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def context(event: str, text: str) -> dict[str, object]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


PERSON: dict[str, object] = {"systemMessage": "p"}
REPLIES: dict[str, tuple[Answer, Event, dict[str, object]]] = {
    "silence": (Answer(), Event.TOOL_CALL, {}),
    "deny": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-and-person": (Answer(Verdict.DENY, "C", "r", "p"), Event.TOOL_CALL, {**denied("r"), **PERSON}),
    "ask-is-a-denial": (Answer(Verdict.ASK, "C", "r"), Event.TOOL_CALL, denied("r")),
    "deny-without-a-reason": (Answer(Verdict.DENY, "C", " \n"), Event.TOOL_CALL, denied("memstile refused this call")),
    "warn": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_CALL, context("PreToolUse", "t")),
    "warn-and-person": (Answer(Verdict.WARN, "C", "t", "p"), Event.TOOL_CALL, {**context("PreToolUse", "t"), **PERSON}),
    "warn-person-alone": (Answer(Verdict.WARN, "C", "", "p"), Event.TOOL_CALL, PERSON),
    "warn-at-start": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_START, context("SessionStart", "t")),
    "warn-at-a-prompt": (Answer(Verdict.WARN, "C", "t"), Event.TURN_START, context("UserPromptSubmit", "t")),
    "warn-after": (Answer(Verdict.WARN, "C", "t"), Event.TOOL_RESULT, context("PostToolUse", "t")),
    "deny-too-late": (Answer(Verdict.DENY, "C", "r"), Event.TOOL_RESULT, context("PostToolUse", "r")),
    "failure-at-an-unknown-event": (Answer(Verdict.WARN, "C", "", "p"), Event.OTHER, PERSON),
    "text-at-an-unknown-event": (Answer(Verdict.WARN, "C", "t"), Event.OTHER, {}),
    "text-at-the-end": (Answer(Verdict.WARN, "C", "t"), Event.SESSION_END, {}),
}


@pytest.mark.parametrize("row", REPLIES)
def test_each_verdict_has_its_reply(row: str) -> None:
    answer, event, body = REPLIES[row]
    assert reply(answer, Request(event)) == (Reply(json.dumps(body)) if body else NO_REPLY)


@pytest.mark.parametrize("event", ["", "PreToolUse", "UserPromptSubmit", "no such"])
def test_a_payload_that_cannot_be_read_is_refused_as_a_tool_call(event: str) -> None:
    assert refuse("r", event) == Reply(json.dumps(denied("r")))


def test_an_ask_becomes_a_denial_and_a_warning_is_carried_at_once() -> None:
    channels = CARRIES[Event.TOOL_CALL]
    assert channels == {Channel.DENY, Channel.MODEL, Channel.PERSON}
    assert carried(Answer(Verdict.ASK, "C", "r"), channels) == (Answer(Verdict.DENY, "C", "r"), "")
    assert carried(Answer(Verdict.WARN, "C", "t"), channels) == (Answer(Verdict.WARN, "C", "t"), "")


# Keys of the output schemas in the program of Codex 0.171.0, which allow no others. Of the top-level ones it takes
# `reason` with a decision alone, and refuses `continue`, `stopReason` and `suppressOutput` at PreToolUse.
KNOWN = {
    "PreToolUse": {"hookEventName", "additionalContext", "permissionDecision", "permissionDecisionReason"},
    "PostToolUse": {"hookEventName", "additionalContext"},
    "UserPromptSubmit": {"hookEventName", "additionalContext"},
    "SessionStart": {"hookEventName", "additionalContext"},
}

ANSWERS = st.builds(Answer, st.sampled_from(list(Verdict)), st.just("C"), st.text(max_size=8), st.text(max_size=8))


@settings(max_examples=200)
@given(answer=ANSWERS, payload=altered(PAYLOADS.values()), fits=st.booleans())
def test_no_reply_holds_a_key_or_a_value_that_codex_does_not_take(
    answer: Answer, payload: object, *, fits: bool
) -> None:
    request = parse(payload, "")
    answer = carried(answer, CARRIES.get(request.event, ())).answer if fits else answer
    said = reply(answer, request)
    assert (said.stderr, said.exit_code) == ("", 0)
    body = json.loads(said.stdout) if said.stdout else {}
    assert set(body) <= {"hookSpecificOutput", "systemMessage"}
    specific = body.get("hookSpecificOutput", {"hookEventName": "PreToolUse"})
    assert specific["hookEventName"] == request.host_event or "hookSpecificOutput" not in body
    assert set(specific) <= KNOWN[specific["hookEventName"]]
    assert specific.get("permissionDecision", "deny") == "deny"
    assert specific.get("permissionDecisionReason", "deny").strip()


@settings(max_examples=300)
@given(payload=JSON | altered(PAYLOADS.values()), event=st.text(max_size=12) | st.sampled_from(["PreToolUse", "Stop"]))
def test_parse_is_total(payload: object, event: str) -> None:
    request = parse(payload, event)
    assert isinstance(request, Request)
    assert not (request.missing and request.writes)


@settings(max_examples=200)
@given(
    st.text(max_size=40) | st.sampled_from(list(LEFT.values())), st.sampled_from(["", "cd ", "cd x && apply_patch <<"])
)
def test_reading_a_shell_command_is_total(command: str, head: str) -> None:
    found = heredoc(head + command)
    assert found is None or found.envelope in head + command


def test_the_row_of_the_host_says_what_was_run() -> None:
    assert (HOST.name, HOST.evidence, HOST.verified, HOST.takes_text) == ("codex", "recorded", ("0.171.0",), False)
