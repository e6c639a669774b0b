"""Tell what is guarded in a folder, as values: modes, a pause, vaults with their sizes, hosts that are set up."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memstile.core.caps import Caps, over_hard
from memstile.core.numbers import amounts
from memstile.core.reading import Kind, Reading
from memstile.core.text import counted
from memstile.disk import read_index
from memstile.doctor_subject import SETUPS, Subject, scopes, set_up
from memstile.errors import ExitCode
from memstile.hook_settings import Source, settings_of
from memstile.hook_state import calls_seen
from memstile.hook_targets import configured_indexes
from memstile.paths import state_folder
from memstile.pausing import pause_told
from memstile.standing import Standing
from memstile.status_gate import Today, today
from memstile.status_watch import Watching, is_red, watching


class Hooked(NamedTuple):
    """One host in one scope. scope: "user", "project", or "" for a program that is set up by itself.

    place: its file; is_there: our hooks are in it; mend: the command that puts them there. last_call: seconds since
    1970, 0 for none that was seen; is_proof: it came after the file was last changed.
    """

    host: str
    scope: str
    place: str
    is_there: bool
    mend: str
    last_call: int
    is_proof: bool


class Status(NamedTuple):
    """What holds in a folder. hooks: "on", or what keeps them from it. state: the state folder.

    profile, servers, today: of the turn gate; servers are those whose tools it judges. watchers: those
    that run, and those that should.
    """

    hooks: str
    modes: Mapping[str, str]
    vaults: tuple[Mapping[str, str], ...]
    hosts: tuple[Hooked, ...]
    faults: tuple[str, ...]
    state: str
    profile: str
    today: Today
    servers: tuple[str, ...] = ()
    watchers: tuple[Watching, ...] = ()

    @property
    def code(self) -> ExitCode:
        """Come to a code: 2 where settings are not used as they are written, 1 where a guard is off, else 0."""
        if self.faults:
            return ExitCode.NOT_CHECKED
        is_on = self.hooks == "on" and self.modes["index"] == "enforce" and self.modes["gate"] != "off"
        is_on = is_on and not is_red(self.watchers)
        return ExitCode.CLEAN if is_on else ExitCode.FINDINGS


def status(standing: Standing, now: float) -> Status:
    """Look at the settings of a folder, at its configured vaults, at the hosts' files and at what hooks left."""
    state = state_folder(standing.environment)
    found = settings_of(standing.cwd, Source(standing.environment, "", state))
    settings = found.settings
    vaults = tuple(
        {"path": os.path.relpath(index, standing.cwd), "size": size_told(read_index(index), settings.caps)}
        for index in configured_indexes(settings)
    )
    hosts = tuple(_hosts(standing, state))
    modes = {
        "index": settings.index_mode,
        "git": settings.git_mode,
        "gate": settings.gate_mode,
        "watch": settings.watch_mode,
    }
    hooks = pause_told(state, now) or _hooks(hosts)
    decided = today(state, now)
    profile, servers = settings.gate_profile, settings.gate_servers
    watchers = watching(state, now)
    return Status(hooks, modes, vaults, hosts, found.faults, state, profile, decided, servers, watchers)


def _hosts(standing: Standing, state: str) -> Iterator[Hooked]:
    for host in SETUPS:
        yield from map(_hooked, set_up(scopes(host, standing)))
    for host, called in calls_seen(state).items():
        if host not in SETUPS:
            yield Hooked(host, "", "", True, "", called, True)


def _hooked(row: Subject) -> Hooked:
    scope = "project" if row.where.is_project else "user"
    is_proof = row.last_call >= row.changed
    return Hooked(row.setup.host, scope, row.place, row.is_mounted, row.mend, row.last_call, is_proof)


def _hooks(hosts: tuple[Hooked, ...]) -> str:
    rows = [row for row in hosts if row.scope]
    if not rows:
        return "no host is set up here"
    gone = [row.host for row in rows if not row.is_there]
    return f"gone from {', '.join(dict.fromkeys(gone))}" if gone else "on"


def size_told(reading: Reading, caps: Caps) -> str:
    """Write the size of an index and by how much it is over its hard cap, or what stands in the way of it."""
    if reading.kind is Kind.MISSING:
        return "no index yet"
    if reading.size is None or reading.size.lines is None:
        return reading.why
    size = f"{counted(reading.size.lines, 'line')}, {counted(reading.size.bytes, 'byte')}"
    excess = over_hard(reading.size, caps)
    return f"{size}; over its hard cap by {amounts(excess)}" if excess else size
