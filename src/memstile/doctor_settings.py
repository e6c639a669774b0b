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
    yield off("pause", tried, f"the hooks are {paused}", "memstile pause 0") if paused else ok("pause", tried, "on")
    found = settings_of(standing.cwd, Source(standing.environment))  # no state folder: nothing is written
    mode = found.settings.index_mode
    tried = "read the settings of this folder, as a hook does"
    if mode == "enforce":
        yield ok("index.mode", tried, mode)
    else:
        yield off("index.mode", tried, f"{mode}: nothing is refused", 'set mode = "enforce" in [index]')
    for fault in found.faults:
        yield bad("settings", tried, f"not used: {shown(fault)}", "correct it; `memstile check` tells all at once")
    if not found.faults:
        yield ok("settings", tried, "every entry is used")
