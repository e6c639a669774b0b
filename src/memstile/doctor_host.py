"""Examine how memstile is set up in one agent host, for the person and for the project."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

from memstile.core.text import shell_quoted, shown
from memstile.doctor_check import Check, Group, State, bad, off, ok, unknown
from memstile.doctor_command import commands
from memstile.doctor_control import control
from memstile.doctor_denial import denials
from memstile.doctor_gate import gated
from memstile.doctor_hooks import closing, events, readable
from memstile.doctor_reading import reading
from memstile.doctor_servers import servers
from memstile.doctor_subject import Subject, scopes, set_up
from memstile.doctor_switches import switches
from memstile.doctor_trust import TRUST
from memstile.installing_version import on_path, version_of
from memstile.paths import state_folder
from memstile.pausing import pause_told
from memstile.setups.envelope import Fit, fit, told
from memstile.standing import Standing


def examine(host: str, standing: Standing, *, is_asked: bool) -> list[Group]:
    """Examine a host in both scopes. is_asked: tell, too, that nothing is set up in it."""
    subjects = scopes(host, standing)
    seen = set_up(subjects)
    if seen:
        return [_group(row) if row.is_set_up else _absent(row) for row in seen]
    user = subjects[0]
    return [_absent(user)] if is_asked or on_path(user.setup.program, standing.environment) else []


def _group(row: Subject) -> Group:
    checks = [check for examined in CHECKS for check in examined(row)]
    return Group(row.title, row.place, tuple(checks))


def _absent(row: Subject) -> Group:
    tried = f"look for our hooks in {row.place}"
    broken = [found for found in row.found if found.fault]
    if broken:
        return Group(row.title, row.place, (bad("settings", tried, broken[0].fault, "correct it"),))
    if row.is_recorded:
        mend = f"{row.mend}; if they are to be gone: {row.mend.replace(' init ', ' uninstall ', 1)}"
        seen = "`memstile init` put its hooks there, and they are there no longer"
        return Group(row.title, row.place, (bad("settings", tried, seen, mend),))
    return Group(row.title, row.place, (off("settings", tried, "memstile is not set up in it", row.mend),))


def _version(row: Subject) -> Iterator[Check]:
    program, host = row.setup.program, row.host
    version = version_of(program, row.standing.environment)
    tried = f"{program} --version" if program else "nothing: no program tells it"
    seen = told(host.title, version, host.verified, host.supported)
    match fit(version, host.verified, host.supported):
        case Fit.OUTSIDE:
            yield bad("version", tried, seen, f"install a version in the range, or {row.mend} --force and try it")
        case Fit.UNKNOWN:
            yield unknown("version", tried, seen)
        case _:
            yield ok("version", tried, seen)


def _commands(row: Subject) -> Iterator[Check]:
    return commands(row.hooks, row.standing.environment, row.mend)


def _switches(row: Subject) -> Iterator[Check]:
    return switches(row.setup.host, row.where, row.hooks)


def _trust(row: Subject) -> Iterator[Check]:
    ask = TRUST.get(row.setup.host)
    found = next((found for found in row.found if found.hooks), None)
    if ask and found:
        yield from ask(found, row.where, row.where.project)


def _reading(row: Subject) -> Iterator[Check]:
    return reading(row.setup.host, row.where)


def _modules(row: Subject) -> Iterator[Check]:
    """Check that what starts the hooks is there, for a host that needs more than itself for that."""
    program, names = row.setup.program, ", ".join(row.setup.modules)
    if not names:
        return
    missing = ", ".join(name for name in row.setup.modules if name not in row.where.found)
    tried = f"look beside {program} for {names}"
    if missing:
        seen = f"not found: {missing}; where {program} finds it nowhere else, it does not start"
        yield unknown("modules", tried, seen, f"install the npm package beside {program}, then {row.mend}")
    else:
        yield ok("modules", tried, "found")


def _proofs(row: Subject) -> Iterator[Check]:
    """Send what has to be refused; a hook that fails there, or is not run, is told once."""
    proofs = list(denials(row))
    yield from proofs
    if not any(check.state in (State.BAD, State.UNKNOWN) for check in proofs):
        yield from gated(row)


def _pause(row: Subject) -> Iterator[Check]:
    """Look for a pause where the command lines look for it, if that is not where `memstile pause` puts it now."""
    usual = state_folder(row.standing.environment)
    for state in dict.fromkeys(hook.option("--state") for hook in row.hooks):
        told_of = pause_told(state, time.time()) if state and state != usual else ""
        if told_of:
            seen = f"the hooks of this host are {told_of}"
            yield off("pause", f"look into {shown(state)}", seen, f"rm {shell_quoted(os.path.join(state, 'pause'))}")


def _seen(row: Subject) -> Iterator[Check]:
    """Tell whether the host called since it was set up: of one that was not run here, that is all the proof there is.

    The state folder outlives `memstile uninstall`, so that an older call is none of the hooks that are there now.
    """
    if row.last_call and row.last_call >= row.changed:
        yield ok("calls", "look into the state folder", "this host has called since its settings were last changed")
    elif row.host.evidence != "recorded":
        since = " since its settings were last changed" if row.last_call else ""
        seen = f"it has not called yet{since}; its setup is by its documentation, and was not run here"
        yield unknown("calls", "look into the state folder", seen, f"use {row.host.title} once, then run this again")


CHECKS: tuple[Callable[[Subject], Iterator[Check]], ...] = (
    _version,
    readable,
    events,
    _switches,
    _trust,
    _reading,
    _modules,
    closing,
    control,
    servers,
    _commands,
    _proofs,
    _pause,
    _seen,
)
