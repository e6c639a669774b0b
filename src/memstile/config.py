"""Read the settings that hold in a folder: user's file, project's file, environment, flags.

What the values mean, and who may change what, is in core/resolve.py; here is only where they come from.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memstile.core.record import NamedTuple
from memstile.core.resolve import Origin, Source, resolve
from memstile.core.settings import DEFAULTS, UNUSABLE, Fault, Settings
from memstile.errors import GuardError
from memstile.settings_environment import environment_values
from memstile.settings_file import holds_settings, read_file
from memstile.settings_file import parse_text as parse_text
from memstile.settings_places import PROJECT_FILES, Read, home_file, shown_path
from memstile.settings_places import find_project_file as find_project_file
from memstile.settings_places import user_file as user_file

NO_SUCH_FILE = "there is no such settings file"


class Loaded(NamedTuple):
    """The settings of a folder, every entry that was not used, and the files they came from.

    project_file, user_file: absolute paths, None where there is no such file; one that cannot be used counts.
    """

    settings: Settings
    faults: tuple[Fault, ...]
    project_file: str | None
    user_file: str | None


class _File(NamedTuple):
    """A place to look for settings. is_needed: somebody named it, so it has to be there."""

    origin: Origin
    path: str
    is_needed: bool = False


def load(
    folder: str,
    *,
    environment: Mapping[str, str],
    flags: Mapping[str, object],
    read: Read | None = None,
    config: str | None = None,
    is_hook: bool = False,
) -> Loaded:
    """Read the settings that hold in a folder.

    flags: values by dotted key, None where a flag was not given. read: reads a project's file, from git's index
    say; the user's is always read from disk. config: the user's file, where the person named it.
    is_hook: the environment may only tighten, since a project can set a host's; likewise a user's file that the
    environment alone names, and CI means nothing. Raises nothing about the content of files.
    """
    read = read or read_file
    files = _user_files(environment, config, is_hook=is_hook)
    looked = [(file, *_source(file, read_file, environment)) for file in files]
    users = next((file.path for file, source, _ in looked if source and file.origin is Origin.USER), None)
    project_file = find_project_file(folder, read)
    if project_file and not (users and os.path.realpath(users) == os.path.realpath(project_file)):
        project = _File(Origin.PROJECT, project_file)
        looked.append((project, *_source(project, read, environment)))
    values, variable_faults = environment_values(environment)
    resolved = resolve(
        [
            *(source for _, source, _ in looked if source),
            Source(Origin.ENVIRONMENT, "environment", _tables(values)),
            Source(Origin.FLAGS, "command line", _tables(flags), os.path.abspath(folder)),
        ],
        trust_project=users is None and not is_hook and _is_ci(environment),
        environment_only_tightens=is_hook,
    )
    faults = [fault for _, _, told in looked for fault in told]
    settings = _with_names_of_this_system(resolved.settings)
    return Loaded(settings, (*faults, *variable_faults, *resolved.faults), project_file, users)


def settings_from_bytes(files: Mapping[str, bytes | None], base: str = "") -> Settings:
    """Give the settings a project's files ask for by themselves, to compare two versions of them.

    files: content by name (those of PROJECT_FILES), None or absent where there is none; all of one folder.
    base: that folder. What cannot be used leaves the built-in default.
    """
    for name in PROJECT_FILES:
        data = files.get(name)
        if data is not None and holds_settings(data, name):
            values, _ = parse_text(data, name)
            asked = resolve([Source(Origin.PROJECT, name, values, base)], trust_project=True).settings
            return _with_names_of_this_system(asked)
    return DEFAULTS


def _with_names_of_this_system(settings: Settings) -> Settings:
    """Write the names of files as the os module takes them.

    TOML is UTF-8 and gives any character. Where the locale is "C", and Python's UTF-8 mode off, os takes ASCII alone,
    and a name from the disk has a surrogate for every other byte. Source: PEP 383, PEP 540.
    """
    vaults = tuple(row._replace(path=_name_of_this_system(row.path)) for row in settings.vaults)
    return settings._replace(index_name=_name_of_this_system(settings.index_name), vaults=vaults)


def _name_of_this_system(name: str) -> str:
    return os.fsdecode(name.encode("utf-8", "surrogateescape"))


def _user_files(environment: Mapping[str, str], config: str | None, *, is_hook: bool) -> list[_File]:
    if config is not None:
        return [_File(Origin.USER, os.path.abspath(config), is_needed=True)]
    named = user_file(environment)
    is_needed = bool(environment.get("MEMSTILE_CONFIG"))
    if not is_hook:
        return [_File(Origin.USER, named, is_needed)]
    home = _File(Origin.USER, home_file(environment))
    return [home] if named == home.path else [home, _File(Origin.ENVIRONMENT, named, is_needed)]


def _source(file: _File, read: Read, environment: Mapping[str, str]) -> tuple[Source | None, tuple[Fault, ...]]:
    name = shown_path(file.path, environment)
    empty = Source(file.origin, name, {}, os.path.dirname(file.path))
    try:
        data = read(file.path)
    except GuardError as error:
        return empty, (Fault(name, "", error.message, error.hint, UNUSABLE),)
    if data is None:
        fault = Fault(name, "", NO_SUCH_FILE, "create it, or do not name it", UNUSABLE)
        return None, (fault,) if file.is_needed else ()
    values, faults = parse_text(data, name)
    return empty._replace(values=values), faults


def _tables(values: Mapping[str, object]) -> Mapping[str, object]:
    """Turn dotted keys into tables as TOML gives them, leaving out None."""
    top: dict[str, object] = {}
    tables: dict[str, dict[str, object]] = {}
    for key, value in values.items():
        table, _, name = key.rpartition(".")
        if value is not None:
            (tables.setdefault(table, {}) if table else top)[name] = value
    return {**top, **tables}


def _is_ci(environment: Mapping[str, str]) -> bool:
    return environment.get("CI", "").lower() not in ("", "0", "false")
