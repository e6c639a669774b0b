"""Find the switches that are in force where a hook runs: by their names and folders, and by where links lead."""

from __future__ import annotations

import os

from memstile.core.json_text import loads
from memstile.core.switches import (
    FILE_VARIABLES,
    FOLDER_VARIABLES,
    PROFILE_FOLDER,
    PROJECT_VARIABLES,
    SHARED_FOLDERS,
    SWITCHES,
    Switch,
    Where,
    alike,
)
from memstile.disk import read_small
from memstile.hosts import HOSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memstile.hook_place import Place

_MOST_FOLDERS = 500
"""So many are looked through for a vault; what holds more may hold one."""
_NO_SWITCHES = ("SKILL.md",)


def is_in_force(path: str, place: Place) -> bool:
    """Tell whether a file is called as a switch is, and lies where that is read. path: absolute."""
    return any(_is_read(switch, root, place) for switch, root in alike(path.replace(os.sep, "/")))


def _is_read(switch: Switch, root: str, place: Place) -> bool:
    match switch.where:
        case Where.SHARED:
            return os.path.basename(root) in SHARED_FOLDERS or root == place.environment.get("XDG_CONFIG_HOME")
        case Where.PROFILE:
            profile = place.environment.get("DSH_HOME")
            return PROFILE_FOLDER in root.split("/") or bool(profile and _is_below(root, profile))
        case Where.UPWARDS:
            return os.path.realpath(root) in _upwards(place) or (switch.whose == "memstile" and _has_vault(root, place))
        case _:
            return True


def _is_below(path: str, folder: str) -> bool:
    return (path + os.sep).startswith(folder.rstrip(os.sep) + os.sep)


def _upwards(place: Place) -> frozenset[str]:
    """Give the folders of the session and all above them."""
    named = (place.environment.get(name) for name in PROJECT_VARIABLES)
    found = set()
    for folder in (place.cwd, *(folder for folder in named if folder)):
        here = os.path.realpath(folder)
        while here not in found:
            found.add(here)
            here = os.path.dirname(here)
    return frozenset(found)


def _has_vault(folder: str, place: Place) -> bool:
    """Tell whether a vault lies in a folder or below it: the settings there are its own."""
    settings = place.settings_of(place.cwd)
    if any(_is_below(os.path.join(place.cwd, vault.path), folder) for vault in settings.vaults):
        return True
    for count, (_, folders, files) in enumerate(os.walk(folder)):
        if settings.index_name in files or count == _MOST_FOLDERS:
            return True
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
    return False


def known(place: Place) -> set[str]:
    """Give the places of switches, as spelled and where links lead; one that ends with "/" stands for all in it."""
    named = {place.config, *_by_variable(place), *_by_folder(place), *_installed(place)} - {""}
    spelled = {os.path.join(place.cwd, path) for path in named}
    folders = {folder for folder in map(os.path.dirname, spelled) if os.path.isdir(folder)}
    real = {_with_end(os.path.realpath, path) for path in spelled if os.path.dirname(path) in folders}
    return real.union(_with_end(os.path.normpath, path) for path in spelled)


def _with_end(resolve: Callable[[str], str], path: str) -> str:
    return resolve(path) + ("/" if path.endswith("/") else "")


def _by_variable(place: Place) -> Iterator[str]:
    for name in FILE_VARIABLES:
        yield place.environment.get(name, "")
    for folder, name in FOLDER_VARIABLES:
        named = place.environment.get(name)
        if named:
            endings = (switch.ending for switch in SWITCHES if switch.ending.startswith(folder + "/"))
            yield from (_place(named, ending.removeprefix(folder + "/")) for ending in endings)


def _by_folder(place: Place) -> Iterator[str]:
    home = place.environment.get("HOME") or os.path.expanduser("~")
    shared = place.environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    upwards = _upwards(place)
    roots = {
        Where.ANYWHERE: (home, *upwards),
        Where.UPWARDS: tuple(upwards),
        Where.SHARED: (shared,),
        Where.PROFILE: (place.environment.get("DSH_HOME") or os.path.join(home, PROFILE_FOLDER),),
    }
    for where, folders in roots.items():
        endings = [switch.ending for switch in SWITCHES if switch.where is where]
        firsts = {ending.partition("/")[0] for ending in endings}
        for root in folders:
            # What is not there leads nowhere else, and its name is known without this.
            there = [first for first in firsts if os.path.lexists(os.path.join(root, first))]
            yield from (_place(root, ending) for ending in endings if ending.partition("/")[0] in there)


def _place(root: str, ending: str) -> str:
    """Spell a place; where any name will do, the folder stands for it."""
    return os.path.join(root, ending.removesuffix("*"))


def _installed(place: Place) -> Iterator[str]:
    """Give the files that `memstile init` put hooks into: installing_record.py keeps them, by setup."""
    data = read_small(os.path.join(place.state, "installed.json")) if place.state else None
    document = loads(data.decode("utf-8", "replace")) if data else {}
    installs = document.get("installs") if isinstance(document, dict) else {}
    for key, install in installs.items() if isinstance(installs, dict) else ():
        files = install.get("files") if isinstance(install, dict) else {}
        if key.partition(" ")[0] in HOSTS and isinstance(files, dict):
            yield from (path for path in files if os.path.basename(path) not in _NO_SWITCHES)
