"""Tell whether a host runs hooks in the folder at hand: the folders it was told to trust.

Sources: for Gemini CLI the bundle of 0.61.0 (in a folder that is not trusted it takes up no hook of its settings, not
even the person's own; headless it does not start there), for Copilot CLI docs/hosts.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from memstile.core.text import shown
from memstile.doctor_check import Check, bad, ok, unknown
from memstile.doctor_codex import trust as codex
from memstile.doctor_found import Found
from memstile.doctor_switches import settings_in
from memstile.setups.setup import Where


def _gemini(found: Found, where: Where, folder: str) -> Iterator[Check]:
    variable = where.environment.get("GEMINI_CLI_TRUST_WORKSPACE")
    if where.environment.get("GEMINI_RESTRICTED_MODE") == "true" or variable == "false":
        yield bad("trust", "read the environment", "a variable says that no folder is trusted", "unset it")
        return
    settings = settings_in(f"{where.home}/.gemini/settings.json") or {}
    if variable == "true" or _is_switched_off(settings):
        yield ok("trust", "read the environment and settings", "Gemini CLI trusts every folder here")
        return
    path = where.environment.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") or f"{where.home}/.gemini/trustedFolders.json"
    tried, rules = f"read {shown(path)}", settings_in(path)
    mend = "start `gemini` here, and trust the folder"
    if rules is None:
        yield bad("trust", tried, "it cannot be read, and Gemini CLI does not start", "correct it")
        return
    level = _level({str(rule): str(level) for rule, level in rules.items()}, folder)
    if level == "DO_NOT_TRUST":
        yield bad("trust", tried, "this folder is not trusted: Gemini CLI runs no hook in it", mend)
    elif level:
        yield ok("trust", tried, "this folder is trusted")
    else:
        yield unknown("trust", tried, "nothing says whether this folder is trusted; if not, no hook runs in it", mend)


def _is_switched_off(settings: object) -> bool:
    for name in ("security", "folderTrust", "enabled"):
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings is False


def _level(rules: dict[str, str], folder: str) -> str:
    """Give the level of the longest rule that a folder is below, "" if there is none."""
    below = []
    for rule, level in rules.items():
        place = os.path.realpath(os.path.dirname(rule) if level == "TRUST_PARENT" else rule)
        if level in ("TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST") and _is_below(folder, place):
            below.append((len(rule), level))
    return max(below)[1] if below else ""


def _is_below(folder: str, place: str) -> bool:
    return (os.path.realpath(folder) + os.sep).startswith(place.rstrip(os.sep) + os.sep)


def _copilot(found: Found, where: Where, folder: str) -> Iterator[Check]:
    if not where.is_project:
        return  # its hooks for the person run everywhere
    if where.environment.get("COPILOT_ALLOW_ALL") == "true":
        yield ok("trust", "read the environment", "COPILOT_ALLOW_ALL trusts this folder")
        return
    path = f"{where.folder('COPILOT_HOME', '.copilot')}/config.json"
    tried, mend = f"read {shown(path)}", "start `copilot` here, and trust the folder"
    folders = (settings_in(path) or {}).get("trustedFolders")
    named = [os.path.realpath(str(row)) for row in folders] if isinstance(folders, list) else []
    if os.path.realpath(folder) in named:
        yield ok("trust", tried, "this folder is trusted")
    elif any(_is_below(folder, place) for place in named):
        yield unknown("trust", tried, "a folder above is trusted; whether that is enough is not known", mend)
    else:
        yield bad("trust", tried, "this folder is not trusted: Copilot CLI runs no hook of it", mend)


def _cursor(found: Found, where: Where, folder: str) -> Iterator[Check]:
    if where.is_project:
        yield unknown("trust", "nothing: Cursor cannot be asked", "hooks of a project run in a trusted workspace only")


def _codex(found: Found, where: Where, folder: str) -> Iterator[Check]:
    return codex(found, folder, where.environment)


TRUST: dict[str, Callable[[Found, Where, str], Iterator[Check]]] = {
    "codex": _codex,
    "gemini": _gemini,
    "copilot": _copilot,
    "cursor": _cursor,
}
"""By host: (file with our hooks, where, folder at hand) to checks. A host that is not here asks for no trust."""
