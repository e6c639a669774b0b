"""The control of the turn gate: `memstile init` registers the MCP server, and `uninstall` takes it out again."""

from __future__ import annotations

import importlib.machinery
import json
import os
import shutil
import sys
import types
from pathlib import Path

import pytest

from memstile.doctor_check import State
from memstile.doctor_control import control
from memstile.doctor_subject import SETUPS, subject
from memstile.errors import GuardError
from memstile.hosts import host_named
from memstile.installing import Plan, Request, plan_install, plan_removal
from memstile.installing_control import server_command, unreachable
from memstile.standing import Standing
from tests.git_tools import environment, init

TOLD = (
    "the MCP server was not registered, the SDK `mcp` is missing: pip install 'memstile[mcp]', then this again; "
    "the shell command `memstile classify` is the control"
)


class Person:
    """Somebody with a home and a project. Each host's file of MCP servers holds something of theirs."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        project = init(root / "project", environment(self.home)).path
        self.standing = Standing(str(project), environment(self.home))

    def init(self, host: str, **fields: object) -> Plan:
        asked = Request(host, is_forced=True)._replace(**fields)  # type: ignore[arg-type]
        return done(plan_install(asked, self.standing))

    def uninstall(self, host: str) -> Plan:
        return done(plan_removal(Request(host), self.standing))

    def write(self, name: str, text: str) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def enforce(self) -> None:
        self.write(".config/memstile/config.toml", '[gate]\nmode = "enforce"\n')

    def states(self, host: str) -> list[tuple[State, str]]:
        row = subject(host, self.standing, is_project=False)
        assert row
        return [(check.state, check.hint) for check in control(row)]


def done(plan: Plan) -> Plan:
    for step in plan.steps:
        step.do()
    plan.finish()
    return plan


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@pytest.fixture
def me(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Give a person whose Python has the SDK."""
    sdk = types.ModuleType("mcp")
    sdk.__spec__ = importlib.machinery.ModuleSpec("mcp", None)
    monkeypatch.setitem(sys.modules, "mcp", sdk)
    return Person(tmp_path)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Give a person whose Python has no SDK."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    return Person(tmp_path)


FILES = {
    "claude-code": (".claude.json", '{\n  "numStartups": 3,\n  "mcpServers": {"other": {"command": "x"}}\n}\n'),
    "codex": (".codex/config.toml", '# mine\nmodel = "x"\n[mcp_servers.other]\ncommand = "x"'),
    "gemini": (".gemini/settings.json", '{\n  // mine\n  "mcpServers": {"other": {"command": "x"}}\n}\n'),
    "copilot": (".copilot/mcp-config.json", '{"mcpServers": {}}'),
    "cursor": (".cursor/mcp.json", '{"mcpServers": {"other": {"command": "x"}}}'),
    "windsurf": (".codeium/windsurf/mcp_config.json", '{"mcpServers": {"other": {"command": "x"}}}'),
    "cline": (".cline/data/settings/cline_mcp_settings.json", '{"mcpServers": {"other": {"command": "x"}}}'),
    "opencode": (".config/opencode/opencode.json", '{"mcp": {"other": {"type": "remote"}}, "permission": "allow"}'),
}


@pytest.mark.parametrize("host", FILES)
def test_it_comes_once_and_the_file_comes_back_to_the_byte(host: str, me: Person) -> None:
    path = me.write(*FILES[host])
    before = contents(me.home)
    me.init(host)
    text = path.read_text()
    assert ("other" in text or host == "copilot", "memstile" in text, server_command({}).program in text) == (True,) * 3
    assert (me.init(host).steps, path.read_text()) == ((), text)
    me.uninstall(host)
    assert contents(me.home) == before


@pytest.mark.parametrize("host", FILES)
def test_from_nothing_to_nothing(host: str, me: Person) -> None:
    before = sorted(me.home.rglob("*"))
    me.init(host)
    assert (me.home / FILES[host][0]).exists()
    me.uninstall(host)
    assert sorted(me.home.rglob("*")) == before


@pytest.mark.parametrize("host", FILES)
def test_what_the_host_wrote_since_stays(host: str, me: Person) -> None:
    path = me.write(*FILES[host])
    me.init(host)
    added = '\n[projects."/p"]\ntrust_level = "trusted"\n' if host == "codex" else "\n\n"
    path.write_text(path.read_text() + added)
    me.uninstall(host)
    assert "memstile" not in path.read_text()
    kept = "{}" if host == "copilot" else FILES[host][1]  # an object that nothing else is in goes, too
    line = "\n" if host == "codex" else ""  # its last line had no end
    assert path.read_text() == kept + line + added


@pytest.mark.parametrize("host", FILES)
def test_it_can_be_left_out_and_taken_out_by_that(host: str, me: Person) -> None:
    path = me.write(*FILES[host])
    me.init(host)
    assert [note for note in me.init(host, has_control=False).notes if "SDK" in note] == []
    assert server_command({}).program not in path.read_text()
    assert me.init(host, has_control=False).steps == ()
    me.uninstall(host)
    assert path.read_text() == FILES[host][1]


@pytest.mark.parametrize("host", FILES)
def test_a_broken_file_is_refused_before_anything_is_written(host: str, me: Person) -> None:
    me.write(FILES[host][0], "{ a = [")
    before = contents(me.home)
    with pytest.raises(GuardError) as caught:
        me.init(host)
    assert ("was left alone" in caught.value.message, bool(caught.value.hint)) == (True, True)
    assert contents(me.home) == before


def test_without_the_sdk_nothing_is_registered_and_the_way_out_is_told(bare: Person) -> None:
    plan = bare.init("claude-code")
    assert (TOLD in plan.notes, (bare.home / ".claude.json").exists()) == (True, False)
    assert "permissions" not in json.loads((bare.home / ".claude/settings.json").read_text())
    assert TOLD not in bare.init("claude-code", has_control=False).notes


def test_the_command_line_is_absolute_and_names_the_settings(me: Person) -> None:
    me.init("claude-code")
    server = json.loads((me.home / ".claude.json").read_text())["mcpServers"]["memstile"]
    assert os.path.isabs(server["command"])
    assert server["args"][-3:] == ["mcp", "--config", str(me.home / ".config/memstile/config.toml")]


REACHED = ["claude-code", "dsh", "codex", "gemini", "copilot", "cursor", "opencode", "windsurf"]


@pytest.mark.parametrize("host", REACHED)
def test_a_gate_that_enforces_is_set_up_where_a_shell_is_the_control(host: str, bare: Person) -> None:
    bare.enforce()
    assert bare.init(host).steps


def test_a_gate_that_enforces_is_refused_where_no_control_is() -> None:
    setup, host = SETUPS["windsurf"], host_named("windsurf")
    assert unreachable(setup, host, is_reached=True) == ""
    assert unreachable(setup, host, is_reached=False) == (
        "no control of the turn gate can be reached in Windsurf: no MCP server, and no shell tool it knows of"
    )


def test_cline_cannot_carry_a_gate_that_enforces(me: Person) -> None:
    me.init("cline", has_control=False)
    me.enforce()
    assert [state for state, _ in me.states("cline")] == [State.BAD]
    with pytest.raises(GuardError) as caught:
        me.init("cline")
    assert caught.value.message == (
        "gate.mode is enforce, and Cline cannot carry the turn gate: a refusal ends Cline's whole run, and its model "
        "is not told what would have let the write pass"
    )
    assert caught.value.hint == "set gate.mode to audit or off in your settings"


def test_every_host_has_a_control_and_says_so_or_a_reason() -> None:
    assert set(REACHED) | {"cline"} == set(SETUPS)


@pytest.mark.parametrize("host", FILES)
def test_a_doctor_sees_the_server_and_a_part_that_is_missing(host: str, me: Person) -> None:
    mend = f"memstile init {host}"
    assert me.states(host) == [(State.OK, "")]
    me.init(host)
    assert me.states(host) == [(State.OK, "")]
    path = me.home / FILES[host][0]
    path.write_text(path.read_text().replace("config.toml", "other.toml"))
    assert me.states(host) == [(State.BAD, mend)] or host == "gemini"
    if host in ("claude-code", "cursor"):
        path.unlink()
        assert me.states(host) == [(State.BAD, mend)]


def test_a_doctor_sees_that_the_server_cannot_start(me: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    me.init("codex")
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert me.states("codex") == [(State.BAD, "pip install 'memstile[mcp]'")]


MODULES = ("dsh-hooks-claude-code", "dsh-hooks-codex", "dsh-mcp-client")


def test_dsh_gets_what_lies_beside_it_and_loses_what_is_gone(me: Person, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "dsh"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 0.1.0-rc.8\n")
    program.chmod(0o755)
    me.standing = me.standing._replace(
        environment={**me.standing.environment, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    )
    modules = program.parent / "node_modules" / "@deepseek-ai"
    for name in MODULES:
        (modules / name).mkdir(parents=True)
        (modules / name / "index.js").write_text("export {}\n")
        (modules / name / "package.json").write_text("{}")
    patch = me.write(".dsh/cordis.patch.yml", "- a: 1 # mine\n")
    before = contents(me.home)
    me.init("dsh")
    text = patch.read_text()
    assert [row for row in text.split() if row.startswith("memstile-")] == [
        "memstile-claude-code",
        "memstile-codex",
        "memstile-mcp",
    ]
    assert (me.init("dsh").steps, me.states("dsh")) == ((), [(State.OK, "")])
    me.uninstall("dsh")
    assert contents(me.home) == before
    me.init("dsh")
    shutil.rmtree(modules / "dsh-hooks-codex")
    shutil.rmtree(modules / "dsh-mcp-client")
    notes = me.init("dsh").notes
    assert [name for name in MODULES if any(name in note for note in notes)] == list(MODULES[1:])
    assert [row for row in patch.read_text().split() if row.startswith("memstile-")] == ["memstile-claude-code"]
    assert not (me.home / ".dsh/memstile/hooks-codex.json").exists()
    me.uninstall("dsh")
    assert patch.read_text() == "- a: 1 # mine\n"
