"""Gather what there is of memstile in one agent host, in one scope: its files, and our hooks in them."""

from __future__ import annotations

import os
from typing import NamedTuple

from memstile.core.text import shown
from memstile.doctor_found import Found, Hook, look
from memstile.errors import GuardError
from memstile.hook_state import calls_seen
from memstile.hosts import host_named
from memstile.hosts.host import Host
from memstile.installing import package_text, where_of
from memstile.installing_record import Record
from memstile.paths import state_folder
from memstile.settings_places import shown_path
from memstile.setups import claude_code, cline, codex, copilot, cursor, dsh, gemini, opencode, windsurf
from memstile.setups.setup import LAUNCHER, Command, File, Setup, Where
from memstile.standing import Standing

SETUPS: dict[str, Setup] = {
    row.SETUP.host: row.SETUP for row in (claude_code, dsh, codex, gemini, copilot, cursor, windsurf, cline, opencode)
}
"""All of memstile.setups.SETUPS, loaded: a doctor looks at each host's files."""

_ALSO = {"claude-code": (".claude/settings.local.json",)}
"""Files of a project where a person may have put our hooks, beside the one that `memstile init` writes."""
_SHIM = "const COMMAND = []\n"
ANY = Command("/", (f"/launcher/{LAUNCHER}",), ())


class Subject(NamedTuple):
    """One host in one scope.

    files: of `memstile init`; found: what is there, the one with the tool's hook first. is_recorded: `memstile init`
    set it up, and nobody took it out by `memstile uninstall`.
    """

    setup: Setup
    where: Where
    files: tuple[File, ...]
    found: tuple[Found, ...]
    standing: Standing
    is_recorded: bool = False

    @property
    def host(self) -> Host:
        """Give the host."""
        return host_named(self.setup.host)

    @property
    def hooks(self) -> tuple[Hook, ...]:
        """Give all hooks of ours."""
        return tuple(hook for found in self.found for hook in found.hooks)

    @property
    def mend(self) -> str:
        """Give the command that sets this up anew."""
        return f"memstile init {self.setup.host}{' --project' if self.where.is_project else ''}"

    @property
    def title(self) -> str:
        """Name it for a person."""
        return f"{self.host.title}, {'project' if self.where.is_project else 'user'}"

    @property
    def place(self) -> str:
        """Give the file that matters most, as the person would type it."""
        path = next((found.path for found in self.found if found.hooks or found.fault), self.files[0].path)
        return shown(shown_path(path, self.standing.environment))

    @property
    def is_set_up(self) -> bool:
        """Tell whether something of ours is here, whole or broken."""
        return bool(self.hooks) or any(_is_broken(found) and "memstile" in found.text for found in self.found)

    @property
    def is_mounted(self) -> bool:
        """Tell whether our hooks are where the host finds them: for one that mounts them by a row, that row too."""
        rows = (found for found in self.found if found.path.endswith(".yml"))
        return bool(self.hooks) and all("memstile" in row.text for row in rows)

    @property
    def last_call(self) -> int:
        """Give when the host last called, as it was noted for its command lines, in seconds since 1970; 0 for never."""
        usual = state_folder(self.standing.environment)
        states = dict.fromkeys(hook.option("--state") or usual for hook in self.hooks)
        return max((calls_seen(state).get(self.setup.host, 0) for state in states), default=0)

    @property
    def changed(self) -> int:
        """Give when a file with our hooks was last changed, in seconds since 1970: a call before it proves nothing."""
        return max((_changed(found.path) for found in self.found if found.hooks), default=0)


def _changed(path: str) -> int:
    try:
        return int(os.stat(path).st_mtime)
    except OSError:  # gone since it was read
        return 0


def _is_broken(found: Found) -> bool:
    """Tell whether a file may hold something of ours that is no hook: it cannot be read, or mounts them by a row."""
    return bool(found.fault) or found.path.endswith(".yml")


def subject(host: str, standing: Standing, *, is_project: bool) -> Subject | None:
    """Gather what there is of a host in a scope, None where the host has no such scope."""
    setup = SETUPS[host]
    if is_project and not setup.has_project:
        return None
    where = where_of(setup, standing, _texts(setup), is_project=is_project)
    files = setup.files(where, ANY)
    also = [f"{where.project}/{name}" for name in _ALSO.get(host, ())] if is_project else []
    found = tuple(look(path) for path in (*(file.path for file in files), *also))
    key = f"{host} {where.project}" if is_project else host
    return Subject(setup, where, files, found, standing, key in Record(state_folder(standing.environment)).installs)


def scopes(host: str, standing: Standing) -> list[Subject]:
    """Gather what there is of a host for the person, and for the project at hand where it has such a scope."""
    rows = (subject(host, standing, is_project=scope) for scope in (False, True))
    return [row for row in rows if row is not None]


def set_up(rows: list[Subject]) -> list[Subject]:
    """Pick the scopes that were set up, with hooks that are there or gone since; one of two that are the same file."""
    seen = [row for row in rows if row.is_set_up or row.is_recorded]
    is_home = bool(seen[1:]) and seen[0].files[0].path == seen[1].files[0].path  # the project is the home folder
    return seen[:1] if is_home else seen


def _texts(setup: Setup) -> dict[str, str]:
    texts = {}
    for name in setup.texts:
        try:
            texts[name] = package_text(name)
        except GuardError:
            texts[name] = _SHIM  # its command line can be looked for all the same
    return texts
