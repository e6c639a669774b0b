"""Say where settings files are: a project's nearest upwards, the user's in the config folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from memstile.errors import GuardError
from memstile.settings_file import holds_settings, read_file

Read = Callable[[str], bytes | None]
"""Give the content of a file, None where there is none; may raise GuardError where it cannot be read."""

PROJECT_FILES = ("memstile.toml", "pyproject.toml")
"""Names of a project's settings file; in one folder the first wins."""


def find_project_file(folder: str, read: Read = read_file) -> str | None:
    """Find the nearest settings file of a project, upwards from a folder.

    A memstile.toml, or a pyproject.toml that has a [tool.memstile] table; one that cannot be read counts, it has
    to be told. Result: absolute path.
    """
    return next((path for path in project_candidates(folder) if _is_project_file(path, read)), None)


def project_candidates(folder: str) -> Iterator[str]:
    """Give every place a project's file could be, nearest first, as absolute paths."""
    here = os.path.abspath(folder)
    while True:
        yield from (os.path.join(here, name) for name in PROJECT_FILES)
        above = os.path.dirname(here)
        if above == here:
            return
        here = above


def _is_project_file(path: str, read: Read) -> bool:
    try:
        data = read(path)
    except GuardError:
        return True
    return data is not None and holds_settings(data, path)


def user_file(environment: Mapping[str, str]) -> str:
    """Say where the user's file is, whether or not it exists: $MEMSTILE_CONFIG, else below the config folder."""
    named = environment.get("MEMSTILE_CONFIG")
    if named:
        return os.path.abspath(named)
    folder = environment.get("XDG_CONFIG_HOME", "")
    return _below(folder) if os.path.isabs(folder) else home_file(environment)


def home_file(environment: Mapping[str, str]) -> str:
    """Say where the user's file is if no variable names a place for it."""
    return _below(os.path.join(_home(environment), ".config"))


def _below(folder: str) -> str:
    return os.path.join(folder, "memstile", "config.toml")


def _home(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or os.path.expanduser("~")


def shown_path(path: str, environment: Mapping[str, str]) -> str:
    """Write a path as a person would type it: from where they stand, else from their home."""
    home = os.path.join(_home(environment), "")
    try:
        here = os.path.join(os.getcwd(), "")
    except OSError:  # the folder was removed
        here = home
    if path.startswith(here):
        return path.removeprefix(here)
    return f"~/{path.removeprefix(home)}" if path.startswith(home) else path
