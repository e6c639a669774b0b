"""doctor_gate.py, doctor_servers.py: an undeclared memory write is judged; servers the gate does not know are told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memstile.doctor_check import Check, State
from memstile.doctor_gate_payloads import GATE_FORMS
from memstile.doctor_host import examine
from memstile.hosts import HOSTS, host_named
from memstile.launcher import script
from tests.doctor_tools import Person, compiled_package
from tests.run_tools import digest

pytestmark = pytest.mark.slow

AUDIT, ENFORCE = '[gate]\nmode = "audit"\n', '[gate]\nmode = "enforce"\n'
CODE = "CLASSIFICATION_REQUIRED"
GATED = [name for name in HOSTS if host_named(name).gates and name != "generic"]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_package(tmp_path_factory.mktemp("package"))


@pytest.fixture
def me(tmp_path: Path, package: Path) -> Person:
    """Give somebody who has Claude Code, set up."""
    me = Person(tmp_path, package)
    me.set_up("claude-code")
    return me


def checks(me: Person, name: str, host: str = "claude-code") -> list[Check]:
    groups = examine(host, me.standing, is_asked=True)
    return [check for group in groups for check in group.checks if check.name == name]


def told(me: Person, name: str, host: str = "claude-code") -> list[tuple[State, str]]:
    """Give state and what was seen, without the time it took."""
    rows = [(check.state, check.seen) for check in checks(me, name, host)]
    return [(state, " ".join(word for word in seen.split() if not word.isdigit())) for state, seen in rows]


def test_there_is_a_payload_for_each_host_that_gates() -> None:
    assert set(GATE_FORMS) == set(GATED)


@pytest.mark.parametrize("servers", ["", 'servers = ["my notes-kb"]\n'], ids=["basic-memory", "another name"])
@pytest.mark.parametrize("host", GATED)
def test_what_init_writes_refuses_a_write_that_nobody_declared(host: str, servers: str, me: Person) -> None:
    me.bridge()
    me.set_up(host)
    me.config(ENFORCE + servers)
    assert told(me, "gate", host) == [(State.OK, f"refused in ms, {CODE}")]


@pytest.mark.parametrize("host", GATED)
def test_audit_mode_is_proved_by_the_row_of_its_log(host: str, me: Person) -> None:
    me.bridge()
    me.set_up(host)
    assert told(me, "gate", host) == [(State.OK, f"let through and recorded in ms, {CODE}")]


@pytest.mark.parametrize("settings", [AUDIT, ENFORCE])
def test_nothing_is_left_behind(settings: str, me: Person) -> None:
    me.config(settings)
    before = digest(me.root)
    assert [state for state, _ in told(me, "gate")] == [State.OK]
    assert digest(me.root) == before


def test_a_project_that_enforces_is_proved_where_it_lies(me: Person) -> None:
    me.repo.write("memstile.toml", ENFORCE)
    assert told(me, "gate") == [(State.OK, f"refused in ms, {CODE}")]


def without_gate(me: Person) -> None:
    """Let the hooks start a package whose gate says nothing, and whose index guard is whole."""
    folder = me.root / "other"
    shutil.copytree(me.package, folder)
    with (folder / "memstile" / "hook_gate.py").open("a") as file:
        file.write("\n\ndef gate(*given: object, is_closed: bool) -> Answer:\n    return SILENT\n")
    me.launcher.write_text(script(str(folder)))


BROKEN: list[Any] = [
    pytest.param(AUDIT, "gate.mode is audit, and nothing was recorded: exit code 0, without a word", id="audit"),
    pytest.param(ENFORCE, "gate.mode is enforce, and it was not refused: exit code 0, without a word", id="enforce"),
]


@pytest.mark.parametrize(("settings", "seen"), BROKEN)
def test_a_gate_that_says_nothing_is_found(settings: str, seen: str, me: Person) -> None:
    me.config(settings)
    without_gate(me)
    assert [(check.state, check.seen) for check in checks(me, "gate")] == [(State.BAD, seen)]


OFF: list[Any] = [
    pytest.param('[gate]\nmode = "off"\n', [], id="off"),
    pytest.param("[gate]\nservers = []\n", [(State.OFF, "gate.servers names no memory server")], id="no memory server"),
    pytest.param(
        '[audit]\nlevel = "off"\n',
        [(State.OFF, "audit.level is off: what audit mode lets through is recorded nowhere")],
        id="no log",
    ),
    pytest.param(f'[audit]\nlevel = "off"\n{ENFORCE}', [(State.OK, f"refused in ms, {CODE}")], id="no log, enforced"),
]


@pytest.mark.parametrize(("settings", "expected"), OFF)
def test_what_is_off_is_told(settings: str, expected: list[tuple[State, str]], me: Person) -> None:
    me.config(settings)
    assert told(me, "gate") == expected


def test_a_host_that_is_not_gated_is_not_asked(me: Person) -> None:
    me.set_up("cline")
    assert checks(me, "gate", "cline") == []


def test_a_hook_at_another_event_alone_is_missed(me: Person) -> None:
    me.set_up("windsurf")
    path = me.home / ".codeium" / "windsurf" / "hooks.json"
    me.edit(path, lambda row: row["hooks"].pop("pre_mcp_tool_use"))
    assert told(me, "gate", "windsurf") == [(State.BAD, "there is no hook to send it to")]


Plant = Callable[[Person], object]
HINT = "if its tools are basic-memory's, add it to gate.servers in ~/.config/memstile/config.toml"


def user(**servers: dict[str, str]) -> Plant:
    """Name servers in the person's file, beside what is there."""
    return lambda me: me.edit(me.home / ".claude.json", lambda row: row["mcpServers"].update(servers))


def here(me: Person) -> None:
    """Name a server for the project at hand alone, as `claude mcp add` does by default."""
    rows: dict[str, object] = {
        str(me.project): {"mcpServers": {"team notes": {}}},
        "/elsewhere": {"mcpServers": {"notes": {}}},
    }
    me.edit(me.home / ".claude.json", lambda row: row.update(projects=rows))


def shared(me: Person) -> None:
    me.repo.write(".mcp.json", json.dumps({"mcpServers": {"my_memory": {}, "search": {}}}))


def unknown(name: str) -> tuple[State, str, str]:
    return State.UNKNOWN, f"{name} looks like a memory's, and is not in gate.servers: its writes are not gated", HINT


SERVERS: list[Any] = [
    pytest.param(lambda me: None, [], id="memstile's alone"),
    pytest.param(user(**{"basic-memory": {}}), [(State.OK, "basic-memory: in gate.servers", "")], id="basic-memory"),
    pytest.param(user(memory={}), [unknown("memory")], id="another name"),
    pytest.param(user(kb={"command": "uvx basic-memory mcp"}), [unknown("kb")], id="by its program"),
    pytest.param(here, [unknown("team notes")], id="of this project, in the person's file"),
    pytest.param(shared, [unknown("my_memory")], id="of the project's file"),
    pytest.param(lambda me: (user(memory={})(me), me.config('[gate]\nmode = "off"\n')), [], id="the gate is off"),
    pytest.param(
        lambda me: [do(me) for do in (here, lambda me: me.config('[gate]\nservers = ["team_notes"]\n'))],
        [(State.OK, "team notes: in gate.servers", "")],
        id="in the spelling of its tools",
    ),
    pytest.param(lambda me: me.write(me.home / ".claude.json", "[]"), [], id="a file that is none"),
]


@pytest.mark.parametrize(("plant", "expected"), SERVERS)
def test_servers_that_look_like_a_memory_are_compared(plant: Plant, expected: list[Any], me: Person) -> None:
    plant(me)
    assert [(check.state, check.seen, check.hint) for check in checks(me, "servers")] == expected


@pytest.mark.parametrize(
    ("is_there", "seen"),
    [(True, "`memstile` is on PATH"), (False, "`memstile` is not on PATH: it counts, and the shell shows an error")],
)
def test_without_the_server_the_shell_is_the_control(is_there: bool, seen: str, tmp_path: Path) -> None:
    me = Person(tmp_path, tmp_path)
    me.set_up("claude-code", has_control=False)
    if is_there:
        me.program("memstile", "memstile 0.1.0")
    else:
        folders = me.environment["PATH"].split(":")
        me.environment["PATH"] = ":".join(row for row in folders if not Path(row, "memstile").exists())
    expected = f"it is not registered; `memstile classify` in a shell tool is the control, and {seen}"
    assert [(check.state, check.seen) for check in checks(me, "control")] == [(State.OK, expected)]
