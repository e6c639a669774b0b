"""hook_guard.py: writes to the guard's own switches are for the person to decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent_tools import call, event, hook, write

SWITCHES = [
    "memstile.toml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".github/hooks/memstile.json",
    "state/pause",
    "state/launcher/memstile_hook.py",
]


@pytest.mark.parametrize("name", SWITCHES)
def test_a_write_to_a_switch_is_asked_about(name: str, tmp_path: Path) -> None:
    replied = hook(tmp_path, write(tmp_path / name, b"{}", tmp_path))
    assert (replied.decision, "GUARD_SETTINGS_WRITE" in replied.text) == ("ask", True)


@pytest.mark.parametrize("name", ["settings.json", "src/hooks.json", "docs/memstile.toml.md", "pyproject.toml"])
def test_a_file_that_is_no_switch_is_none_of_our_business(name: str, tmp_path: Path) -> None:
    assert hook(tmp_path, write(tmp_path / name, b"[project]\n", tmp_path)).reply is None


def test_a_link_to_a_switch_is_the_switch(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{}")
    (tmp_path / "harmless.txt").symlink_to(".claude/settings.json")
    assert hook(tmp_path, write(tmp_path / "harmless.txt", b"{}", tmp_path)).decision == "ask"


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
