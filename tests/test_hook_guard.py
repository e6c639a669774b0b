"""hook_guard.py: writes to the guard's own switches are for the person to decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memstile.hook import Words
from memstile.hook_glance import is_none_of_ours
from memstile.hook_run import run
from tests.agent_tools import call, event, hook, write
from tests.vault_tools import index, vault

SWITCHES = [
    "memstile.toml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".github/hooks/memstile.json",
    ".config/memstile/config.toml",
    ".config/opencode/plugins/foo.ts",
    ".dsh/cordis.yml",
    ".dsh/profiles/x/cordis.yml",
    "opencode.json",
    "config.toml",
    "state/pause",
    "state/launcher/memstile_hook.py",
]


@pytest.mark.parametrize("name", SWITCHES)
def test_a_write_to_a_switch_is_asked_about(name: str, tmp_path: Path) -> None:
    replied = hook(tmp_path, write(tmp_path / name, b"{}", tmp_path))
    assert (replied.decision, "GUARD_SETTINGS_WRITE" in replied.text) == ("ask", True)


NO_SWITCHES = [
    "settings.json",
    "src/hooks.json",
    "docs/memstile.toml.md",
    "pyproject.toml",
    "cordis.yml",
    "docs/memstile.toml",
    "src/cursor/hooks.json",
    "packages/opencode/plugins/foo.ts",
    "packages/app/opencode.json",
    "memstile/config.toml",
]


@pytest.mark.parametrize("name", NO_SWITCHES)
def test_a_file_that_is_no_switch_is_none_of_our_business(name: str, tmp_path: Path) -> None:
    assert hook(tmp_path, write(tmp_path / name, b"[project]\n", tmp_path)).reply is None


def test_a_link_to_a_switch_is_the_switch(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{}")
    (tmp_path / "harmless.txt").symlink_to(".claude/settings.json")
    assert hook(tmp_path, write(tmp_path / "harmless.txt", b"{}", tmp_path)).decision == "ask"


@pytest.mark.parametrize("place", ["docs/MEMORY.md", "docs/a/b/MEMORY.md"])
def test_the_settings_above_a_vault_are_a_switch_from_wherever_it_is_written(place: str, tmp_path: Path) -> None:
    vault((tmp_path / place).parent, index(3))
    away = tmp_path / "away"
    away.mkdir()
    assert hook(tmp_path, write(tmp_path / "docs" / "memstile.toml", b"", away)).decision == "ask"
    assert hook(tmp_path, write(tmp_path / "away" / "docs" / "memstile.toml", b"", away)).reply is None


def test_a_configured_vault_makes_the_settings_above_it_a_switch(tmp_path: Path) -> None:
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "docs/vault"\n')
    assert hook(tmp_path, write(tmp_path / "docs" / "memstile.toml", b"", tmp_path)).decision == "ask"


def test_where_the_session_was_started_counts_wherever_its_shell_has_gone(tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    payload = write(tmp_path / "p" / "opencode.json", b"{}", tmp_path / "away")
    assert hook(tmp_path, payload).reply is None
    assert hook(tmp_path, payload, environment={"CLAUDE_PROJECT_DIR": str(tmp_path / "p")}).decision == "ask"


NAMED = [
    ("CLAUDE_CONFIG_DIR", "", "settings.json"),
    ("CODEX_HOME", "", "hooks.json"),
    ("COPILOT_HOME", "", "hooks/x.json"),
    ("DSH_HOME", "", "cordis.yml"),
    ("XDG_CONFIG_HOME", "", "opencode/plugins/x.ts"),
    ("MEMSTILE_CONFIG", "my-settings.toml", "my-settings.toml"),
]


@pytest.mark.parametrize(("variable", "value", "name"), NAMED)
def test_what_a_variable_names_is_a_switch(variable: str, value: str, name: str, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    payload = write(folder / name, b"{}", tmp_path)
    assert hook(tmp_path, payload).reply is None
    assert hook(tmp_path, payload, environment={variable: str(folder / value)}).decision == "ask"


@pytest.mark.parametrize("name", ["guard.ini", "linked", "away/../guard.ini"])
def test_the_file_that_the_command_line_names_is_a_switch_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    config, state = tmp_path / "guard.ini", str(tmp_path / "state")
    config.write_text("")
    (tmp_path / "linked").symlink_to("guard.ini")
    raw = json.dumps(write(f"{tmp_path}/{name}", b"", tmp_path)).encode()
    assert not is_none_of_ours(raw, "claude-code", "", state, str(config))
    words = Words(["claude-code", "--config", str(config), "--state", state])
    assert '"ask"' in run(words, raw, {"HOME": str(tmp_path)}, 1_000.0).stdout


@pytest.mark.parametrize("linked", [".claude", ".claude/settings.json"])
def test_where_a_linked_switch_leads_is_the_switch(linked: str, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude" / "settings.json"
    real.parent.mkdir(parents=True)
    real.write_text("{}")
    (tmp_path / linked).parent.mkdir(exist_ok=True)
    (tmp_path / linked).symlink_to(real if linked.endswith("json") else real.parent)
    away = tmp_path / "away"
    away.mkdir()
    assert hook(tmp_path, write(real, b"{}", away)).decision == "ask"
    assert hook(tmp_path, write(real.parent / "other-settings.json", b"{}", away)).reply is None


def test_what_init_put_hooks_into_is_a_switch_and_a_skill_is_none(tmp_path: Path) -> None:
    rows = [str(tmp_path / "far" / name) for name in ("settings-x.json", "skills/memstile/SKILL.md")]
    other = str(tmp_path / "far" / "settings-y.yaml")
    installs = {
        "claude-code /far": {"files": {row: ["", "", ""] for row in rows}, "folders": []},
        "pre-commit /far": {"files": {other: ["", "", ""]}, "folders": []},
    }
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "installed.json").write_text(json.dumps({"format": 1, "installs": installs}))
    decisions = [hook(tmp_path, write(path, b"", tmp_path)).decision for path in (*rows, other)]
    assert decisions == ["ask", "silent", "silent"]


@pytest.mark.parametrize("text", ["[]", '{"installs": []}', '{"installs": {"codex": {"files": [1]}}}', "{", ""])
def test_a_broken_record_of_what_was_installed_guards_the_rest(text: str, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "installed.json").write_text(text)
    assert hook(tmp_path, write(tmp_path / "x-settings.json", b"", tmp_path)).reply is None
    assert hook(tmp_path, write(tmp_path / ".claude/settings.json", b"", tmp_path)).decision == "ask"


REMOVALS = [
    ("mcp__fs__move_file", {"source": "{}/.claude/settings.json", "destination": "{}/old.json"}),
    ("mcp__fs__move_file", {"source": "{}/.claude", "destination": "{}/old"}),
    ("mcp__fs__move_file", {"source": "{}/.claude/", "destination": "{}/old"}),
    ("mcp__fs__move_file", {"source": "{}/new.json", "destination": "{}/.claude/settings.json"}),
    ("mcp__fs__move_file", {"source": "{}/settings.json", "destination": "{}/.claude"}),
    ("mcp__fs__copy_file", {"source": "{}/settings.json", "destination": "{}/.claude"}),
    ("mcp__fs__delete_file", {"path": "{}/.claude/settings.json"}),
    ("mcp__fs__delete_file", {"path": "memstile.toml"}),
    ("mcp__fs__delete_file", {"path": "{}/pyproject.toml"}),
    ("mcp__fs__rename_file", {"old_path": "{}/pyproject.toml", "new_path": "{}/p.toml"}),
    ("mcp__fs__delete_directory", {"path": "{}/state"}),
    ("mcp__fs__remove_directory", {"path": "{}/.claude"}),
    ("mcp__my_server__delete_path", {"paths": ["{}/a", "{}/.claude"], "path": "{}/a"}),
]


def planted(arguments: dict[str, Any], home: Path) -> dict[str, Any]:
    (home / ".claude").mkdir()
    for name in (".claude/settings.json", "settings.json", "new.json", "notes.txt"):
        (home / name).write_text("{}")
    (home / "memstile.toml").write_text("")
    (home / "pyproject.toml").write_bytes(OURS)
    (home / "config.toml").write_text("")
    return {
        key: value.format(home) if isinstance(value, str) else [row.format(home) for row in value]
        for key, value in arguments.items()
    }


@pytest.mark.parametrize(("tool", "arguments"), REMOVALS)
def test_a_switch_that_is_moved_or_deleted_is_asked_about(tool: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    replied = hook(tmp_path, call(tool, planted(arguments, tmp_path), tmp_path))
    assert (replied.decision, "GUARD_SETTINGS_WRITE" in replied.text) == ("ask", True)


HARMLESS = [
    ("mcp__fs__move_file", {"source": "{}/notes.txt", "destination": "{}/settings.txt"}),
    ("mcp__fs__copy_file", {"source": "{}/.claude/settings.json", "destination": "{}/old.json"}),
    ("mcp__fs__delete_file", {"path": "{}/notes.txt"}),
    ("mcp__fs__delete_directory", {"path": "{}/hooks"}),
    ("mcp__fs__list_settings", {"path": "{}/.claude/settings.json"}),
]


@pytest.mark.parametrize(("tool", "arguments"), HARMLESS)
def test_a_removal_or_a_copy_of_another_file_is_none_of_our_business(
    tool: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    assert hook(tmp_path, call(tool, planted(arguments, tmp_path), tmp_path)).reply is None


OURS = b'[project]\nname = "x"\n\n[tool.memstile.index]\nmode = "enforce"\n'
PYPROJECT = [
    pytest.param(OURS, OURS.replace(b'"x"', b'"y"'), "silent", id="another table"),
    pytest.param(OURS, OURS.replace(b"enforce", b"off"), "ask", id="our table"),
    pytest.param(OURS, b'[project]\nname = "x"\n', "ask", id="our table taken out"),
    pytest.param(b"[project]\n", b"[project]\n[tool.memstile]\n", "ask", id="our table added"),
    pytest.param(OURS, b"[project", "ask", id="broken"),
]


@pytest.mark.parametrize(("before", "after", "decision"), PYPROJECT)
def test_of_a_pyproject_our_table_alone_is_a_switch(before: bytes, after: bytes, decision: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(before)
    assert hook(tmp_path, write(tmp_path / "pyproject.toml", after, tmp_path)).decision == decision


TABLE = "+[tool.memstile.index]\n+hard_lines = 100000\n"
OTHER = "*** Add File: other.txt\n+x\n"
PATCHES = [
    pytest.param(f"*** Update File: pyproject.toml\n@@\n [project]\n{TABLE}", "deny", id="alone"),
    pytest.param(f"*** Update File: pyproject.toml\n@@\n [project]\n{TABLE}{OTHER}", "deny", id="with another"),
    pytest.param(f"{OTHER}*** Update File: ./pyproject.toml\n@@\n [project]\n{TABLE}", "deny", id="after another"),
    pytest.param(f"*** Update File: a.toml\n*** Move to: pyproject.toml\n@@\n [x]\n{TABLE}", "deny", id="moved on"),
    pytest.param(f"*** Update File: pyproject.toml\n@@\n [project]\n+x = 1\n{OTHER}", "silent", id="other tables"),
    pytest.param(
        "*** Update File: pyproject.toml\n@@\n [project]\n+x = 1\n*** Add File: README.md\n+memstile\n",
        "silent",
        id="our name in another file",
    ),
    pytest.param("*** Update File: a.toml\n*** Move to: pyproject.toml\n@@\n [x]\n+y = 1\n", "silent", id="moved"),
]


@pytest.mark.parametrize(("sections", "decision"), PATCHES)
def test_a_patch_of_several_files_may_bring_our_table(sections: str, decision: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"[project]\n")
    (tmp_path / "a.toml").write_bytes(b"[x]\n")
    arguments = {"command": f"*** Begin Patch\n{sections}*** End Patch\n"}
    assert hook(tmp_path, call("apply_patch", arguments, tmp_path), host="codex").decision == decision


LOOSE = [
    ("replace", {"old_string": "  name", "new_string": "[tool.memstile.index]\nhard_lines = 100000"}, "deny"),
    ("replace", {"old_string": "  name", "new_string": "title"}, "silent"),
    ("mcp_fs_insert_content", {"content": "[tool.memstile.index]\nhard_lines = 100000"}, "deny"),
    ("mcp_fs_insert_content", {"content": "[tool.ruff]"}, "silent"),
]


@pytest.mark.parametrize(("tool", "arguments", "decision"), LOOSE)
def test_a_result_that_cannot_be_computed_counts_where_our_name_is_in_the_call(
    tool: str, arguments: dict[str, str], decision: str, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b'[project]\nname = "x"\n')
    given = {"file_path": str(tmp_path / "pyproject.toml"), **arguments}
    payload = event("BeforeTool", tmp_path, tool_name=tool, tool_input=given)
    assert ((hook(tmp_path, payload, host="gemini").reply or {}).get("decision", "silent")) == decision


MOVED = [(OURS, "ask"), (b"[project]\n", "silent"), (None, "silent")]


@pytest.mark.parametrize(("content", "decision"), MOVED)
def test_a_file_that_is_moved_onto_a_pyproject_counts_by_its_content(
    content: bytes | None, decision: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "new.toml").write_bytes(content)
    arguments = {"source": str(tmp_path / "new.toml"), "destination": str(tmp_path / "pyproject.toml")}
    assert hook(tmp_path, call("mcp__fs__move_file", arguments, tmp_path)).decision == decision


def test_reading_a_switch_is_never_refused(tmp_path: Path) -> None:
    payload = call("Read", {"file_path": str(tmp_path / ".claude/settings.json")}, tmp_path)
    assert hook(tmp_path, payload).reply is None


def test_nothing_is_asked_where_nothing_enforces(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[index]\nmode = "audit"\n')
    assert hook(tmp_path, write(tmp_path / ".claude/settings.json", b"{}", tmp_path)).reply is None


def test_a_change_of_hook_settings_is_blocked_while_the_session_runs(tmp_path: Path) -> None:
    changed = event("ConfigChange", tmp_path, source="local_settings", file_path=f"{tmp_path}/.claude/settings.json")
    replied = hook(tmp_path, changed)
    assert replied.reply["decision"] == "block"
    assert "settings.json" in replied.reply["reason"]


def test_a_skill_that_changed_is_no_hook_setting(tmp_path: Path) -> None:
    changed = event("ConfigChange", tmp_path, source="skills", file_path=f"{tmp_path}/.claude/skills/x/SKILL.md")
    assert hook(tmp_path, changed).reply is None


def test_a_switch_that_is_moved_onto_an_index_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{}")
    arguments = {"source": str(tmp_path / ".claude/settings.json"), "destination": str(tmp_path / "MEMORY.md")}
    assert hook(tmp_path, call("mcp__fs__move_file", arguments, tmp_path)).decision == "ask"


def test_an_index_that_is_a_link_to_a_switch_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{}")
    (tmp_path / "MEMORY.md").symlink_to(".claude/settings.json")
    assert hook(tmp_path, write(tmp_path / "MEMORY.md", b"{}", tmp_path)).decision == "ask"
