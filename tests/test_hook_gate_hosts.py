"""The turn gate on every host, by payloads as that host sends them and refusals as that host takes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from memstile.hook import Words
from memstile.hook_glance import is_none_of_ours
from memstile.hook_run import run
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import NO_REPLY, Reply
from tests.gate_hosts import CLIENTS, At, Client, Told, Tool
from tests.vault_tools import index, vault

TOLD_OF_FAILURES = [name for name, row in CLIENTS.items() if row.failed(At("/p"), Tool("m", "t", {}, "c"), "no")]
SHELL_CONTROL = {"command": "memstile classify simple"}
SILENT_ON_FAILURES = {"codex", "windsurf", "opencode"}
"""Hosts that tell nothing of an MCP call that failed: to the gate its search goes on."""

STILL_OPEN = ("cursor, at two events for each call",)
"""One of the two is told without an id of the call, and no result is its own."""

NOTE = {"title": "Kettle", "content": "x", "directory": "home"}
FAILED_TEXT = "# Search Failed\n\nError searching for 'kettle'"
"""A failure without a flag: basic-memory's own words."""


def each(*but: str, **faults: str) -> pytest.MarkDecorator:
    """Run a test for each row of CLIENTS. but: rows to leave out. faults: by row, what is known to be wrong there."""
    return pytest.mark.parametrize(
        "name",
        [
            pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=faults[name])) if name in faults else name
            for name in CLIENTS
            if name not in but
        ],
    )


def test_every_host_that_gates_is_here() -> None:
    assert {row.host for row in CLIENTS.values()} == {name for name in HOSTS if host_named(name).gates}
    assert {row.host for name, row in CLIENTS.items() if name not in TOLD_OF_FAILURES} == SILENT_ON_FAILURES


class Session(NamedTuple):
    """One session of a host. Each method tells of a step; `write` gives the code of a refusal, "" for none."""

    client: Client
    home: Path
    at: At

    def tell(self, told: list[Told]) -> list[Reply]:
        """Start a hook for each payload."""
        options = ["--config", str(self.home / "config.toml"), "--state", str(self.home / "state")]
        return [
            run(
                Words([self.client.host, *([row.word] if row.word else []), *options]),
                json.dumps(row.payload).encode(),
                {"HOME": str(self.home)},
                1_000_000.0,
            )
            for row in told
        ]

    def call(self, tool: Tool) -> Reply:
        """Tell of a call before it runs. Where a host tells it twice, both are answered alike."""
        replies = set(self.tell(self.client.before(self.at, tool)))
        (reply,) = replies
        return reply

    def prompt(self) -> None:
        """Begin the turn that `at` names."""
        assert all(self._is_let_through(reply) for reply in self.tell(self.client.prompt(self.at)))

    def write(self, call: str = "w1") -> str:
        """Ask for a note to be written."""
        return self.code(self.call(Tool(self.client.server, "write_note", NOTE, call)))

    def write_file(self, path: Path) -> str:
        """Ask for the file of a note to be written."""
        (reply,) = self.tell(self.client.wrote(self.at, str(path)))
        return self.code(reply)

    def look(self, path: Path) -> None:
        """Read the file of a note."""
        self.tell(self.client.looked(self.at, str(path)))
        self.tell(self.client.batch(self.at))

    def code(self, reply: Reply) -> str:
        """Give the code of a refusal, "" where the call is let through."""
        return "" if self._is_let_through(reply) else self._code(reply)

    def classify(self, task: str) -> None:
        """Declare the turn by memstile's MCP tool."""
        tool = Tool("memstile", "classify", {"task": task}, f"c-{task}")
        assert self._is_let_through(self.call(tool))
        self.tell(self.client.after(self.at, tool, f"recorded: {task}"))
        self.tell(self.client.batch(self.at))

    def shell(self, command: str) -> None:
        """Run a shell command."""
        assert self._is_let_through(self.call(Tool("", "", {"command": command}, "sh1")))

    def search(self, call: str = "q1", query: str = "kettle") -> Tool:
        """Begin a search."""
        tool = Tool(self.client.server, "search_notes", {"query": query}, call)
        assert self._is_let_through(self.call(tool))
        return tool

    def found(self, tool: Tool, text: str = "# Search Results: kettle") -> None:
        """End a search."""
        self.tell(self.client.after(self.at, tool, text))
        self.tell(self.client.batch(self.at))

    def failed(self, tool: Tool) -> None:
        """End a search that failed, as the host tells it."""
        self.tell(self.client.failed(self.at, tool, "no"))
        self.tell(self.client.batch(self.at))

    def _is_let_through(self, reply: Reply) -> bool:
        if self.client.host != "generic":
            return reply == NO_REPLY
        return not reply.stdout or json.loads(reply.stdout)["action"] == "allow"

    def _code(self, reply: Reply) -> str:
        """Give the code in a refusal, which has to be exactly what the host takes for one."""
        if self.client.host == "generic":
            body = json.loads(reply.stdout)
            assert body["message"].startswith(f"{body['reason_code']}: ")
            assert (body["decision"], body["action"]) == ("deny", "deny")
            return str(body["reason_code"])
        reason = _reason(reply)
        assert reply == self.client.refused(reason)
        return reason.partition(":")[0]


def _reason(reply: Reply) -> str:
    body = json.loads(reply.stdout) if reply.stdout else {}
    rows = [body, body.get("hookSpecificOutput", {}), {"stderr": reply.stderr}]
    keys = ("permissionDecisionReason", "reason", "agent_message", "deny", "stderr")
    return next(str(row[key]) for row in rows for key in keys if row.get(key))


def started(name: str, home: Path, mode: str = "enforce") -> Session:
    """Set the gate up and begin a turn."""
    client = CLIENTS[name]
    (home / "config.toml").write_text(f'[gate]\nmode = "{mode}"\nservers = ["{client.server}"]\n')
    session = Session(client, home, At(str(home)))
    session.prompt()
    return session


@each()
def test_a_write_waits_for_what_is_missing_and_the_next_turn_starts_again(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    told = [session.write("w1")]
    session.classify("complex")
    told.append(session.write("w2"))
    search = session.search()
    told.append(session.write("w3"))
    session.found(search)
    told.append(session.write("w4"))
    after = session._replace(at=session.at._replace(turn="t2"))
    after.prompt()
    told.append(after.write("w5"))
    assert told == [
        "CLASSIFICATION_REQUIRED",
        "CREATE_REQUIRES_SEARCH",
        "MEMORY_LOOKUP_PENDING_IN_BATCH",
        "",
        "CLASSIFICATION_REQUIRED",
    ]


@each()
def test_a_simple_turn_writes_without_a_search(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    session.classify("simple")
    assert session.write() == ""


@each()
def test_the_shell_declares_too(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    session.shell("memstile classify complex")
    told = [session.write("w1")]
    session.shell("memstile classify simple")
    assert [*told, session.write("w2")] == ["CREATE_REQUIRES_SEARCH", ""]


@each()
def test_a_search_that_failed_is_none(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    session.classify("complex")
    session.failed(session.search())
    is_open = session.client.host in SILENT_ON_FAILURES or name in STILL_OPEN
    assert session.write() == ("MEMORY_LOOKUP_PENDING_IN_BATCH" if is_open else "MEMORY_LOOKUP_FAILED")
    session.found(session.search("q2", "another"))
    assert session.write() == ""


# The protocol passes on no text: who writes the integration says is_error.
@each("generic")
def test_a_search_that_says_by_its_text_that_it_failed_is_none(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    session.classify("complex")
    session.found(session.search(), FAILED_TEXT)
    assert session.write() == ("MEMORY_LOOKUP_PENDING_IN_BATCH" if name in STILL_OPEN else "MEMORY_LOOKUP_FAILED")


@each()
def test_another_session_and_a_subagent_are_apart(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    session.classify("simple")
    others = [session.at._replace(session="s2")]
    if session.client.has_agents:
        others.append(session.at._replace(agent="a1"))
    told = [session._replace(at=at).write() for at in others]
    for at in others:
        session._replace(at=at).classify("complex")
    assert (told, session.write()) == (["CLASSIFICATION_REQUIRED"] * len(others), "")


@each()
def test_a_late_result_of_an_earlier_turn_counts_for_nothing(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    search = session.search()
    after = session._replace(at=session.at._replace(turn="t2"))
    after.prompt()
    after.classify("complex")
    session.found(search)
    told = [after.write("w1")]
    after.found(search)
    assert [*told, after.write("w2")] == ["CREATE_REQUIRES_SEARCH"] * 2


@each()
def test_audit_mode_says_nothing(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path, "audit")
    assert session.write("w1") == ""
    session.classify("complex")
    session.search()
    assert session.write("w2") == ""


_UNNAMED = (
    "preToolUse of Cursor does not say whose tool it is, and only basic-memory's own names are known without that"
)


@each("cursor, at two events for each call", cursor=_UNNAMED)
def test_a_tool_of_a_memory_server_that_is_called_like_a_file_tool_is_a_write(name: str, tmp_path: Path) -> None:
    session = started(name, tmp_path)
    reply = session.call(Tool(session.client.server, "write_file", {"path": "kettle", "content": "x"}, "w1"))
    assert session.code(reply) == "CLASSIFICATION_REQUIRED"


def passed_over(name: str, server: str, home: Path) -> list[str]:
    """Give the tools of calls that end at the first look at their bytes, and never come to the gate."""
    client, at = CLIENTS[name], At(str(home))
    calls = [Tool(server, own, {}, "c1") for own in ("write_note", "search", "delete_project", "remember")]
    calls += [Tool("memstile", "classify", {"task": "simple"}, "c1"), Tool("", "", SHELL_CONTROL, "c1")]
    told = [(tool.name, row) for tool in calls for row in client.before(at, tool)]
    told += [("a file", row) for row in client.wrote(at, f"{home}/new.md")]
    options = (str(home / "state"), str(home / "none.toml"))
    return [
        own for own, row in told if is_none_of_ours(json.dumps(row.payload).encode(), client.host, row.word, *options)
    ]


@each()
def test_no_call_that_matters_ends_at_the_glance(name: str, tmp_path: Path) -> None:
    assert passed_over(name, CLIENTS[name].server, tmp_path) == []


@each()
def test_none_does_whatever_the_memory_server_is_called(name: str, tmp_path: Path) -> None:
    assert passed_over(name, "kb", tmp_path) == []


def test_cursor_may_have_a_memory_server_with_a_name_of_its_own(tmp_path: Path) -> None:
    session = started("cursor", tmp_path)
    (tmp_path / "config.toml").write_text('[gate]\nmode = "enforce"\nservers = ["team"]\n')
    assert session.write() == "CLASSIFICATION_REQUIRED"


@each()
def test_a_file_of_a_vault_is_written_by_the_same_rules(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # Windsurf's payload of a write names no folder
    notes = vault(tmp_path / "notes", index(20))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "notes"\n')
    session = started(name, tmp_path)
    told = [session.write_file(notes / "new.md")]
    session.classify("complex")
    told.append(session.write_file(notes / "new.md"))
    session.look(notes / "MEMORY.md")
    told += [session.write_file(notes / "new.md"), session.write_file(tmp_path / "README.md")]
    assert told == ["CLASSIFICATION_REQUIRED", "CREATE_REQUIRES_SEARCH", "", ""]


def test_what_dsh_itself_puts_in_is_no_new_turn_where_a_bridge_tells_turns(tmp_path: Path) -> None:
    told = {}
    for name in ("dsh", "dsh, its bridges the other way round", "dsh, without the bridge that tells turns"):
        home = tmp_path / name
        home.mkdir()
        session = started(name, home)
        session.classify("simple")
        session.prompt()  # a background job ended: a prompt, in the same turn
        told[name] = session.write()
    assert list(told.values()) == ["", "", "CLASSIFICATION_REQUIRED"]
