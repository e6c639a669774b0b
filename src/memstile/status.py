"""Tell what is guarded in a folder, as values: modes, a pause, vaults with their sizes, hosts that called."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from memstile.core.reading import Kind, Reading
from memstile.core.text import counted
from memstile.disk import read_index
from memstile.hook_settings import Source, settings_of
from memstile.hook_state import calls_seen
from memstile.hook_targets import configured_indexes
from memstile.pausing import pause_told


class Status(NamedTuple):
    """What holds in a folder. hosts: seconds since 1970 of each host's last judged call. state: the state folder."""

    pause: str
    modes: Mapping[str, str]
    vaults: tuple[Mapping[str, str], ...]
    hosts: Mapping[str, int]
    faults: tuple[str, ...]
    state: str

    @property
    def is_on(self) -> bool:
        """Tell whether the index is guarded."""
        return not self.pause and self.modes["index"] == "enforce"


def status(folder: str, environment: Mapping[str, str], state: str, now: float) -> Status:
    """Look at the settings of a folder, at its configured vaults, and at what hooks left in the state folder."""
    found = settings_of(folder, Source(environment, "", state))
    settings = found.settings
    modes = {"index": settings.index_mode, "git": settings.git_mode, "gate": settings.gate_mode}
    vaults = tuple(
        {"path": os.path.relpath(index, folder), "size": size_told(read_index(index))}
        for index in configured_indexes(settings)
    )
    return Status(pause_told(state, now), modes, vaults, calls_seen(state), found.faults, state)


def size_told(reading: Reading) -> str:
    """Write the size of an index, or what stands in the way of it."""
    if reading.kind is Kind.MISSING:
        return "no index yet"
    if reading.size is None or reading.size.lines is None:
        return reading.why
    return f"{counted(reading.size.lines, 'line')}, {counted(reading.size.bytes, 'byte')}"
