"""Find the switches by which a host turns its hooks off as a whole, in every settings file it reads.

Sources: docs/hosts.md; for Claude Code the settings' own description in 2.1.332, for Gemini CLI the bundle of 0.61.0,
for Copilot CLI `copilot help config` of 1.0.102.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from memstile.core.text import shown
from memstile.disk import read_small
from memstile.doctor_check import Check, bad, ok, unknown
from memstile.doctor_found import MOST_BYTES, Hook
from memstile.setups.json_source import Malformed, parse
from memstile.setups.setup import Where

Settings = Mapping[str, object]


class Switches(NamedTuple):
    """Where a host's switches are. files: (where, is_project) to paths; told: the switch that is off, "" if none."""

    files: Callable[[Where], tuple[str, ...]]
    told: Callable[[Settings, tuple[Hook, ...]], str]


def _claude_code_files(where: Where) -> tuple[str, ...]:
    managed = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
    return (
        *(f"{folder}/managed-settings.json" for folder in managed),
        f"{where.folder('CLAUDE_CONFIG_DIR', '.claude')}/settings.json",
        f"{where.project}/.claude/settings.json",
        f"{where.project}/.claude/settings.local.json",
    )


def _claude_code(settings: Settings, hooks: tuple[Hook, ...]) -> str:
    if settings.get("disableAllHooks") not in (None, False, "false"):
        return "disableAllHooks is set"
    return "allowManagedHooksOnly is set" if settings.get("allowManagedHooksOnly") is True else ""


def _gemini_files(where: Where) -> tuple[str, ...]:
    system = where.environment.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH") or "/etc/gemini-cli/settings.json"
    return (system, f"{where.home}/.gemini/settings.json", f"{where.project}/.gemini/settings.json")


def _gemini(settings: Settings, hooks: tuple[Hook, ...]) -> str:
    config = settings.get("hooksConfig")
    config = config if isinstance(config, dict) else {}
    if config.get("enabled") is False:
        return "hooksConfig.enabled is false"
    disabled = config.get("disabled")
    names = {str(hook.entry.get("name") or hook.line) for hook in hooks}
    listed = [str(name) for name in disabled if str(name) in names] if isinstance(disabled, list) else []
    return f"hooksConfig.disabled names {listed[0]}" if listed else ""


def _copilot_files(where: Where) -> tuple[str, ...]:
    home = where.folder("COPILOT_HOME", ".copilot")
    return (
        f"{home}/settings.json",
        f"{home}/config.json",
        f"{home}/hooks/memstile.json",
        f"{where.project}/.github/copilot/settings.json",
        f"{where.project}/.github/copilot/settings.local.json",
        f"{where.project}/.github/hooks/memstile.json",
    )


def _copilot(settings: Settings, hooks: tuple[Hook, ...]) -> str:
    return "disableAllHooks is set" if settings.get("disableAllHooks") is True else ""


SWITCHES = {
    "claude-code": Switches(_claude_code_files, _claude_code),
    "gemini": Switches(_gemini_files, _gemini),
    "copilot": Switches(_copilot_files, _copilot),
}


def switches(host: str, where: Where, hooks: tuple[Hook, ...]) -> Iterator[Check]:
    """Look for a switch that is off, in every file where the host has one; one that cannot be read is not fine."""
    row = SWITCHES.get(host)
    if row is None:
        return
    paths = [path for path in dict.fromkeys(row.files(where)) if os.path.lexists(path)]
    tried = f"look for a switch in {len(paths)} settings file{'' if len(paths) == 1 else 's'}"
    found = {path: settings_in(path) for path in paths}
    told = {path: row.told(settings, hooks) for path, settings in found.items() if settings is not None}
    set_off = [(path, what) for path, what in told.items() if what]
    for path, what in set_off:
        yield bad("switch", tried, f"{what} in {shown(path)}", f"take it out of {shown(path)}")
    for path in (path for path, settings in found.items() if settings is None):
        yield unknown("switch", tried, f"{shown(path)} cannot be read", "correct it")
    if not set_off and None not in found.values():
        yield ok("switch", tried, "hooks are on")


def settings_in(path: str) -> Settings | None:
    """Read a settings file of a host, {} where there is none, None where it cannot be read."""
    if not os.path.lexists(path):
        return {}
    data = read_small(path, MOST_BYTES)
    if data is None:
        return None
    text = data.decode("utf-8", "replace")
    try:
        value = parse(text).plain() if text.strip(" \t\r\n\ufeff") else {}
    except (Malformed, RecursionError):
        return None
    return value if isinstance(value, dict) else None
