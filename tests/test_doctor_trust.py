"""doctor_trust.py, doctor_switches.py and doctor_reading.py: trusted folders, switches, vaults that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memstile.doctor_check import Check
from memstile.doctor_found import Found, Hook
from memstile.doctor_reading import reading
from memstile.doctor_switches import switches
from memstile.doctor_trust import TRUST
from memstile.setups.setup import Where

HOOK = Hook("BeforeTool", "", "python memstile_hook.py", (), entry={"name": "memstile"})


def where(root: Path, environment: Mapping[str, str] | None = None, *, is_project: bool = False) -> Where:
    return Where(str(root / "home"), str(root / "a" / "project"), is_project, environment or {})


def place(root: Path, files: Mapping[str, object]) -> None:
    (root / "a" / "project").mkdir(parents=True)
    for name, value in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((value if isinstance(value, str) else json.dumps(value)).replace("ROOT", str(root)))


def states(checks: list[Check]) -> list[str]:
    return [f"{check.state.value} {check.name}" for check in checks]


FOLDERS = "home/.gemini/trustedFolders.json"
ON, OFF = {"enabled": True}, {"enabled": False}
GEMINI: list[Any] = [
    pytest.param({}, {}, "unknown trust", id="no file"),
    pytest.param({FOLDERS: {"ROOT/a/project": "TRUST_FOLDER"}}, {}, "ok trust", id="trusted"),
    pytest.param({FOLDERS: {"ROOT/a": "TRUST_FOLDER"}}, {}, "ok trust", id="a folder above"),
    pytest.param({FOLDERS: {"ROOT/a/b": "TRUST_PARENT"}}, {}, "ok trust", id="the parent of another"),
    pytest.param({FOLDERS: {"ROOT/a/proj": "TRUST_FOLDER"}}, {}, "unknown trust", id="a name that begins alike"),
    pytest.param({FOLDERS: {"ROOT/a/project": "DO_NOT_TRUST"}}, {}, "bad trust", id="distrusted"),
    pytest.param(
        {FOLDERS: {"ROOT/a": "TRUST_FOLDER", "ROOT/a/project": "DO_NOT_TRUST"}}, {}, "bad trust", id="the longest wins"
    ),
    pytest.param({FOLDERS: '{"ROOT/a": "TRUST_FOLDER", // why\n}'}, {}, "ok trust", id="with a comment"),
    pytest.param({FOLDERS: "{"}, {}, "bad trust", id="no JSON"),
    pytest.param({FOLDERS: {"ROOT/a": "yes"}}, {}, "unknown trust", id="a level that is none"),
    pytest.param({}, {"GEMINI_CLI_TRUST_WORKSPACE": "true"}, "ok trust", id="a variable says yes"),
    pytest.param({}, {"GEMINI_CLI_TRUST_WORKSPACE": "false"}, "bad trust", id="a variable says no"),
    pytest.param({}, {"GEMINI_RESTRICTED_MODE": "true"}, "bad trust", id="restricted"),
    pytest.param({"home/.gemini/settings.json": {"security": {"folderTrust": OFF}}}, {}, "ok trust", id="never asked"),
    pytest.param({"home/.gemini/settings.json": {"security": {"folderTrust": ON}}}, {}, "unknown trust", id="asked"),
    pytest.param(
        {"elsewhere.json": {"ROOT/a": "TRUST_FOLDER"}},
        {"GEMINI_CLI_TRUSTED_FOLDERS_PATH": "ROOT/elsewhere.json"},
        "ok trust",
        id="another file",
    ),
]


@pytest.mark.parametrize(("files", "environment", "expected"), GEMINI)
def test_gemini_runs_hooks_in_trusted_folders(
    files: dict[str, object], environment: dict[str, str], expected: str, tmp_path: Path
) -> None:
    place(tmp_path, files)
    variables = {name: value.replace("ROOT", str(tmp_path)) for name, value in environment.items()}
    row = where(tmp_path, variables)
    assert states(list(TRUST["gemini"](Found(""), row, row.project))) == [expected]


CONFIG = "home/.copilot/config.json"
COPILOT: list[Any] = [
    pytest.param({}, {}, ["bad trust"], id="no file"),
    pytest.param({CONFIG: {"trustedFolders": ["ROOT/a/project"]}}, {}, ["ok trust"], id="trusted"),
    pytest.param({CONFIG: {"trustedFolders": ["ROOT/a"]}}, {}, ["unknown trust"], id="a folder above"),
    pytest.param({CONFIG: {"trustedFolders": ["ROOT/b"]}}, {}, ["bad trust"], id="another folder"),
    pytest.param({CONFIG: {"trustedFolders": "ROOT/a/project"}}, {}, ["bad trust"], id="another shape"),
    pytest.param({}, {"COPILOT_ALLOW_ALL": "true"}, ["ok trust"], id="a variable says yes"),
    pytest.param({}, {"COPILOT_ALLOW_ALL": "1"}, ["bad trust"], id="a variable that allows tools alone"),
]


@pytest.mark.parametrize(("files", "environment", "expected"), COPILOT)
def test_copilot_runs_a_projects_hooks_in_trusted_folders(
    files: dict[str, object], environment: dict[str, str], expected: list[str], tmp_path: Path
) -> None:
    place(tmp_path, files)
    row = where(tmp_path, environment, is_project=True)
    assert states(list(TRUST["copilot"](Found(""), row, row.project))) == expected
    row = where(tmp_path, environment)
    assert list(TRUST["copilot"](Found(""), row, row.project)) == []


def test_cursor_cannot_be_asked(tmp_path: Path) -> None:
    rows = [list(TRUST["cursor"](Found(""), where(tmp_path, is_project=scope), "/")) for scope in (False, True)]
    assert list(map(states, rows)) == [[], ["unknown trust"]]


SWITCHES: list[Any] = [
    pytest.param("gemini", {}, ["ok switch"], id="gemini: no file"),
    pytest.param(
        "gemini", {"home/.gemini/settings.json": {"hooksConfig": OFF}}, ["bad switch"], id="gemini: off for the person"
    ),
    pytest.param(
        "gemini", {"a/project/.gemini/settings.json": {"hooksConfig": OFF}}, ["bad switch"], id="gemini: off here"
    ),
    pytest.param("gemini", {"home/.gemini/settings.json": {"hooksConfig": ON}}, ["ok switch"], id="gemini: on"),
    pytest.param(
        "gemini",
        {"home/.gemini/settings.json": {"hooksConfig": {"disabled": ["memstile"]}}},
        ["bad switch"],
        id="gemini: by name",
    ),
    pytest.param(
        "gemini",
        {"home/.gemini/settings.json": {"hooksConfig": {"disabled": ["other"]}}},
        ["ok switch"],
        id="gemini: another's name",
    ),
    pytest.param("gemini", {"home/.gemini/settings.json": "{"}, ["unknown switch"], id="gemini: no JSON"),
    pytest.param("copilot", {CONFIG: {"disableAllHooks": True}}, ["bad switch"], id="copilot: config.json"),
    pytest.param("copilot", {CONFIG: {"disableAllHooks": False}}, ["ok switch"], id="copilot: on"),
    pytest.param(
        "copilot", {"home/.copilot/settings.json": {"disableAllHooks": True}}, ["bad switch"], id="copilot: settings"
    ),
    pytest.param(
        "copilot",
        {"a/project/.github/hooks/memstile.json": {"disableAllHooks": True}},
        ["bad switch"],
        id="copilot: in the hooks file",
    ),
    pytest.param("claude-code", {"home/.claude/settings.json": "[]"}, ["unknown switch"], id="claude-code: no object"),
    pytest.param("codex", {}, [], id="codex: told by hooks/list"),
]


@pytest.mark.parametrize(("host", "files", "expected"), SWITCHES)
def test_a_switch_is_found_in_every_scope(
    host: str, files: dict[str, object], expected: list[str], tmp_path: Path
) -> None:
    place(tmp_path, files)
    row = where(tmp_path, {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(tmp_path / "none")})
    assert states(list(switches(host, row, (HOOK,)))) == expected


def respecting(value: object) -> dict[str, object]:
    return {"context": {"fileFiltering": {"respectGitIgnore": value}}}


USER, HERE, SYSTEM = "home/.gemini/settings.json", "a/project/.gemini/settings.json", "system.json"
READING: list[Any] = [
    pytest.param("gemini", {}, ["unknown reading"], id="no file: it is the default"),
    pytest.param("gemini", {USER: respecting(False)}, ["ok reading"], id="off"),
    pytest.param("gemini", {USER: respecting(True)}, ["unknown reading"], id="on"),
    pytest.param("gemini", {USER: respecting("false")}, ["unknown reading"], id="a text"),
    pytest.param("gemini", {USER: {"context": [{"fileFiltering": 1}]}}, ["unknown reading"], id="another shape"),
    pytest.param("gemini", {USER: "{"}, ["unknown reading"], id="no JSON"),
    pytest.param("gemini", {HERE: respecting(False)}, ["ok reading"], id="off here"),
    pytest.param("gemini", {USER: respecting(False), HERE: respecting(True)}, ["unknown reading"], id="on here"),
    pytest.param("gemini", {USER: respecting(True), SYSTEM: respecting(False)}, ["ok reading"], id="the system wins"),
    pytest.param("gemini", {"system-defaults.json": respecting(False)}, ["ok reading"], id="the system's default"),
    pytest.param(
        "gemini", {"system-defaults.json": respecting(False), USER: respecting(True)}, ["unknown reading"], id="over it"
    ),
    pytest.param("claude-code", {}, [], id="another host reads what git ignores"),
]


@pytest.mark.parametrize(("host", "files", "expected"), READING)
def test_an_ignored_vault_can_be_read_if_the_settings_say_so(
    host: str, files: dict[str, object], expected: list[str], tmp_path: Path
) -> None:
    place(tmp_path, files)
    row = where(tmp_path, {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(tmp_path / SYSTEM)})
    assert states(list(reading(host, row))) == expected
