"""Find the vaults a check of the work tree is about: given, configured, or met below the start folder."""

from __future__ import annotations

import os

from memstile.collected import Collected as Collected
from memstile.core.settings import Settings
from memstile.core.text import counted, shell_quoted, shown
from memstile.discover import vaults_below
from memstile.errors import GuardError
from memstile.indexes import joined
from memstile.outcome import Request
from memstile.settings_source import SettingsSource
from memstile.standing import Standing

_MAX_UNNAMED = 3
_NOT_TAKEN = "seen and not taken for a vault (no pointers to notes beside it)"


def collect(request: Request, standing: Standing, source: SettingsSource) -> Collected:
    """Find the vaults of a request. Raises GuardError for a path that is there and no folder."""
    collected = Collected(standing, source)
    if not request.paths:
        settings = source.of(standing.cwd).settings
        for folder in collected.configure(settings):
            collected.add(folder)
        _add_below(standing.cwd, settings, collected, request)
    for typed in request.paths:
        _add_given(typed, standing, source, collected, request)
    if collected.unlisted:
        first = standing.shown(collected.unlisted[0])
        collected.remarks.append(
            f"could not look into {counted(len(collected.unlisted), 'folder')}, the first is {shown(first)}"
        )
    return collected


def _add_given(asked: str, standing: Standing, source: SettingsSource, collected: Collected, request: Request) -> None:
    typed, path = asked, standing.absolute(asked)
    settings = source.of(path if os.path.isdir(path) else os.path.dirname(path)).settings
    is_there, error = os.path.lexists(path), no_such(typed, path, settings.index_name)
    if os.path.basename(path) == settings.index_name and not os.path.isdir(path):
        path, typed = os.path.dirname(path), os.path.dirname(typed) or "."
    configured = collected.configure(settings, below=path)
    is_named = collected.is_named(path, settings)
    if is_there and not is_named and not os.path.isdir(path):
        raise error
    if not is_there and not is_named and not configured:
        collected.missing[os.path.realpath(standing.absolute(asked))] = error
    if is_named or os.path.lexists(os.path.join(path, settings.index_name)):
        collected.is_given = True
        collected.add(path, typed.rstrip("/") or typed)
    collected.is_given |= bool(configured)
    for folder in configured:
        collected.add(folder)
    if os.path.isdir(path):
        _add_below(path, settings, collected, request)


def no_such(typed: str, path: str, index_name: str) -> GuardError:
    """Say that a path leads nowhere. typed: as the person wrote it; path: absolute."""
    if os.path.lexists(path):
        return GuardError(f"{shown(typed)} is not a folder", f"give the folder that holds {index_name}")
    return GuardError(f"no such folder: {shown(typed)}", "give a vault, or a folder with vaults below it")


def _add_below(start: str, settings: Settings, collected: Collected, request: Request) -> None:
    hear = (collected.unlisted.append, collected.unnamed.append, collected.nested.append)
    for folder in vaults_below(start, settings.index_name, request.tick, *hear):
        collected.add(folder)


def not_taken(collected: Collected, standing: Standing, index_name: str) -> list[str]:
    """Name the files that are called like an index and are none, or a newcomer would look for theirs in vain."""
    every = dict.fromkeys(collected.unnamed)
    folders = [folder for folder in every if os.path.realpath(folder) not in collected.vaults]
    if not folders:
        return []
    files = [shown(joined(standing.shown(folder), index_name)) for folder in folders]
    names = ", ".join(files[:_MAX_UNNAMED])
    more = f" and {len(files) - _MAX_UNNAMED:,} more" if len(files) > _MAX_UNNAMED else ""
    if len(files) > 1:
        return [f"{names}{more} were {_NOT_TAKEN}: memstile check FOLDER, or a [[vault]] table, makes a folder one"]
    command = f"memstile check {shown(shell_quoted(standing.shown(folders[0])))}"
    return [f"{names} was {_NOT_TAKEN}: {command}, or a [[vault]] table, makes it one"]
