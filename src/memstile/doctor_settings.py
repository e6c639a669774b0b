"""Examine memstile's own switches: a pause, the modes, entries of the settings that are not used."""

from __future__ import annotations

import time
from collections.abc import Iterator

from memstile.core.text import shown
from memstile.doctor_check import Check, Group, bad, off, ok
from memstile.hook_settings import Source, settings_of
from memstile.paths import state_folder
from memstile.pausing import pause_told
from memstile.settings_places import shown_path, user_file
from memstile.standing import Standing


def examine(standing: Standing) -> Group:
    """Examine what holds in the folder at hand, for every host."""
    path = user_file(standing.environment)
    return Group("memstile", shown(shown_path(path, standing.environment)), tuple(_checks(standing)))


def _checks(standing: Standing) -> Iterator[Check]:
    paused = pause_told(state_folder(standing.environment), time.time())
    tried = "look for a pause in the state folder"
    told = off("pause", tried, f"the hooks are {paused}", "memstile pause 0") if paused else None
    yield told or ok("pause", tried, "not paused")
    found = settings_of(standing.cwd, Source(standing.environment))  # no state folder: nothing is written
    tried = "read the settings of this folder, as a hook does"
    yield _index_mode(found.settings.index_mode, tried)
    yield _gate_mode(found.settings.gate_mode, tried)
    for fault in found.faults:
        yield bad("settings", tried, f"not used: {shown(fault)}", "correct it; `memstile check` tells all at once")
    if not found.faults:
        yield ok("settings", tried, "every entry is used")


def _index_mode(mode: str, tried: str) -> Check:
    if mode == "enforce":
        return ok("index.mode", tried, mode)
    return off("index.mode", tried, f"{mode}: no write to an index is refused", 'set mode = "enforce" in [index]')


def _gate_mode(mode: str, tried: str) -> Check:
    """Tell what the turn gate does. Audit is no fault: it is what a person begins with."""
    if mode == "off":
        return off("gate.mode", tried, "off: memory writes are not looked at", 'set mode = "audit" in [gate]')
    audits = "audit: no memory write is refused, the log has what would have been"
    return ok("gate.mode", tried, audits if mode == "audit" else mode)
