"""Tell whether a host's own tool reads a vault that git ignores: Gemini CLI's read_file refuses it by default.

"ignored by configured ignore patterns" is what its model is told. Source: runs of 0.61.0, and its bundle.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from memstile.core.text import shown
from memstile.doctor_check import Check, ok, unknown
from memstile.doctor_switches import settings_in
from memstile.setups.setup import Where

_KEYS = ("context", "fileFiltering", "respectGitIgnore")
_NAME = ".".join(_KEYS)


def reading(host: str, where: Where) -> Iterator[Check]:
    """Look for the setting that lets Gemini CLI read what git ignores; whether the vault is ignored is not asked."""
    if host != "gemini":
        return
    tried = f"look for {_NAME} in the settings of Gemini CLI"
    values = ((path, _value(path)) for path in _files(where))
    path, value = next(((path, value) for path, value in values if value is not None), ("", None))
    if value is False:
        yield ok("reading", tried, f"it is false in {shown(path)}: a vault that git ignores can be read")
    else:
        seen = "it is not false: read_file refuses the index and the notes of a vault that git ignores"
        yield unknown("reading", tried, seen, f"set {_NAME} to false in {shown(where.home)}/.gemini/settings.json")


def _files(where: Where) -> tuple[str, ...]:
    """Give the settings files, the one that wins first; a project's counts in a trusted folder, as its hooks do."""
    environment = where.environment
    system = environment.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH") or "/etc/gemini-cli/settings.json"
    beside = f"{os.path.dirname(system)}/system-defaults.json"
    defaults = environment.get("GEMINI_CLI_SYSTEM_DEFAULTS_PATH") or beside
    return (system, f"{where.project}/.gemini/settings.json", f"{where.home}/.gemini/settings.json", defaults)


def _value(path: str) -> object:
    """Give what a file sets, None where it sets nothing; a file that cannot be read may set anything."""
    settings: object = settings_in(path)
    if settings is None:
        return "unread"
    for name in _KEYS:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings
