"""The settings a hook goes by: compiled once into the state folder, and read again while no file has changed.

Reading TOML takes longer than all the rest of a hook's work. A snapshot holds the state of each place where a settings
file is or could be; if one differs, the files are read anew.
"""

from __future__ import annotations

import os
from binascii import crc32

from memstile import __version__
from memstile.core.json_text import dumps, loads
from memstile.core.record import NamedTuple
from memstile.core.settings import Settings, VaultSetting
from memstile.disk import read_small
from memstile.hook_glance import stat_key
from memstile.hook_state import write_quietly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_FORMAT = 1
_MAX_SNAPSHOT_BYTES = 1024 * 1024


class HookSettings(NamedTuple):
    """Settings of a folder. faults: entries that were not used, as lines for a person; the guard goes on without."""

    settings: Settings
    faults: tuple[str, ...] = ()


class Source(NamedTuple):
    """Where settings come from. config: the user's file named on the command line, "" for the usual place."""

    environment: Mapping[str, str]
    config: str = ""
    state: str = ""


def settings_of(folder: str, source: Source) -> HookSettings:
    """Give the settings that hold in a folder. folder: absolute. Raises nothing over the content of files."""
    place = os.path.join(source.state, "settings", f"{crc32(os.fsencode(folder)):08x}") if source.state else ""
    key = _key(folder, source)
    return (place and _noted(place, key)) or _loaded(folder, source, place, key)


def _key(folder: str, source: Source) -> str:
    variables = {
        name: value
        for name, value in sorted(source.environment.items())
        if name.startswith("MEMSTILE_") or name in ("HOME", "XDG_CONFIG_HOME")
    }
    return dumps([_FORMAT, __version__, folder, source.config, variables])


def _noted(place: str, key: str) -> HookSettings | None:
    """Read a snapshot; None where there is none that still holds, whatever is wrong with it."""
    try:
        noted = loads((read_small(place, _MAX_SNAPSHOT_BYTES) or b"").decode())
        return _unpacked(noted, key) if isinstance(noted, list) and len(noted) == 5 else None
    except (OSError, ValueError, TypeError):
        return None


def _unpacked(noted: list[Any], key: str) -> HookSettings | None:
    noted_key, files, values, vaults, faults = noted
    if noted_key != key or any(_state_of(path) != state for path, state in files):
        return None
    made = Settings._make(tuple(value) if isinstance(value, list) else value for value in values)
    return HookSettings(made._replace(vaults=tuple(map(VaultSetting._make, vaults))), tuple(faults))


def _state_of(path: str) -> str:
    try:
        return stat_key(path).decode()
    except (OSError, ValueError):
        return ""


def _loaded(folder: str, source: Source, place: str, key: str) -> HookSettings:
    from memstile.config import NO_SUCH_FILE, load
    from memstile.settings_places import project_candidates, user_file

    user = source.config or user_file(source.environment)
    looked = dict.fromkeys((user, user_file(source.environment), *project_candidates(folder)))
    files = [(path, _state_of(path)) for path in looked]  # before reading: a change in between shows
    loaded = load(
        folder,
        environment=source.environment,
        flags={},
        config=source.config or None,  # a file that is not there is no reason to look for one where HOME says
        is_hook=True,
    )
    told = [fault for fault in loaded.faults if fault.key or fault.message != NO_SUCH_FILE]
    faults = tuple(": ".join(filter(None, (fault.name, fault.key, fault.message))) for fault in told)
    if place:
        values, vaults = loaded.settings._replace(vaults=()), loaded.settings.vaults
        write_quietly(place, dumps([key, files, values, vaults, faults]).encode())
        _note_index_name(source, loaded.settings.index_name, user)
    return HookSettings(loaded.settings, faults)


def _note_index_name(source: Source, index_name: str, user: str) -> None:
    """Leave the index's name where a glance finds it, for the user's file as it is now."""
    state = _state_of(user)
    if state and "\n" not in index_name:
        text = f"{state}\n{index_name}\n"
        write_quietly(os.path.join(source.state, "index-name"), text.encode("utf-8", "surrogateescape").lower())
