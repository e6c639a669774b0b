"""Give the settings that hold for the turn gate at a call: of its folder, of the project, of all files it touches."""

from __future__ import annotations

import os

from memstile.core.change import Move
from memstile.core.gate_strictest import strictest
from memstile.core.removers import is_remover, texts_in
from memstile.core.request import Kind, Request
from memstile.core.settings import Settings
from memstile.hook_place import Place
from memstile.hook_targets import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PROJECTS = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR")
_FILES = ("memstile.toml", "pyproject.toml")
_MOST_PATHS = 4_000


def gate_settings(request: Request, place: Place) -> Settings:
    """Join the settings of all these places: a shell's `cd` moves the first, and a vault brings its own along."""
    folders = [place.cwd, _project(place), *_beside(request, place)]
    several = [place.settings_of(folder) for folder in dict.fromkeys(folders) if folder]
    return strictest(list(dict.fromkeys(several)))


def _project(place: Place) -> str:
    """Name the project as the host's environment does; what is set there can only tighten."""
    folders = (place.environment.get(name, "") for name in _PROJECTS)
    return next((folder for folder in folders if folder.startswith("/") and "\0" not in folder), "")


def _beside(request: Request, place: Place) -> list[str]:
    """Give the folders with settings files of their own above what a call writes, moves or removes, links followed."""
    known: dict[str, str] = {}
    found = {}
    for number, path in enumerate(_touched(request)):
        if number == _MOST_PATHS:
            break
        if path and "\0" not in path:
            found[_above(os.path.dirname(os.path.realpath(absolute(path, place.cwd))), known)] = True
    return [folder for folder in found if folder]


def _touched(request: Request) -> Iterator[str]:
    if request.kind is Kind.WRITE:
        for write in request.writes:
            yield write.path
            if isinstance(write.change, Move):
                yield write.change.source
    if is_remover(request.tool):
        yield from texts_in(request.arguments)


def _above(folder: str, known: dict[str, str]) -> str:
    """Give the nearest folder upwards that holds a settings file, "" for none."""
    if folder not in known:
        is_one = any(os.path.lexists(os.path.join(folder, name)) for name in _FILES)
        above = os.path.dirname(folder)
        known[folder] = folder if is_one else "" if above == folder else _above(above, known)
    return known[folder]
