"""Collect the vaults a check of the work tree is about: given, configured, or found below the start folder."""

from __future__ import annotations

import os

from memstile.carriers import carriers, is_below
from memstile.configured import configured_folders
from memstile.core.loosening import strictest
from memstile.core.settings import Settings, VaultSetting
from memstile.core.text import counted, shown
from memstile.core.vault import default_mode
from memstile.discover import vaults_below
from memstile.errors import GuardError
from memstile.outcome import Request, Vault
from memstile.settings_source import SettingsSource
from memstile.standing import Standing


class Collected:
    """Vaults by their resolved folder, in the order they were met; remarks for the person."""

    def __init__(self, standing: Standing, source: SettingsSource) -> None:
        """Hold nothing yet."""
        self._standing = standing
        self._source = source
        self._modes: dict[str, str] = {}
        self._folders: dict[VaultSetting, list[str]] = {}
        self._nearest: dict[tuple[VaultSetting, ...], dict[str, str]] = {}
        self.vaults: dict[str, Vault] = {}
        self.remarks: list[str] = []
        self.is_given = False
        self.unlisted: list[str] = []

    def configure(self, settings: Settings, below: str | None = None) -> list[str]:
        """Note the modes of the configured vaults, and give their folders (those below `below`, if set)."""
        folders = []
        for row in settings.vaults:
            named = self._named(row)
            if not named:
                self.remarks.append(f"{shown(row.path)}: no folder matches; nothing to check there")
            folders += [folder for folder in named if below is None or _lies_below(folder, below)]
            self.is_given |= below is None
        self._modes = {**self._modes_of(settings), **self._modes}
        return folders

    def add(self, path: str, typed: str | None = None) -> None:
        """Add one vault. path: absolute; typed: how the person wrote it."""
        real = os.path.realpath(path)
        known = self.vaults.get(real)
        if known:
            self.vaults[real] = known._replace(paths=tuple(dict.fromkeys((*known.paths, path))))
            return
        governing = governing_folder(path, real)
        settings = self._source.of(governing).settings
        asked = [modes[real] for modes in (self._modes_of(settings), self._modes) if real in modes]
        mode = strictest(asked) if asked else None
        self.vaults[real] = Vault(
            (path,),
            real,
            typed or self._standing.shown(path),
            mode or default_mode(real.replace(os.sep, "/")),
            settings,
            governing,
            mode is not None,
            os.path.isdir(path),
        )

    def is_named(self, path: str, settings: Settings) -> bool:
        """Tell whether settings name this folder as a vault."""
        return os.path.realpath(path) in self._modes_of(settings)

    def _modes_of(self, settings: Settings) -> dict[str, str]:
        """Give the mode of each resolved folder that settings name; of several the one that asks most of git.

        Two tables may name one folder by a link or a "*", which the text of their paths does not show.
        """
        if settings.vaults not in self._nearest:
            modes: dict[str, str] = {}
            for row in settings.vaults:
                for real in map(os.path.realpath, self._named(row)):
                    modes[real] = strictest((row.mode, modes.get(real, row.mode)))
            self._nearest[settings.vaults] = modes
        return self._nearest[settings.vaults]

    def _named(self, row: VaultSetting) -> list[str]:
        # Kept for the run: a vault is met after each of its settings, and 1,600 matches take 20 ms to find.
        if row not in self._folders:
            self._folders[row] = configured_folders(row)
        return self._folders[row]


def _lies_below(folder: str, below: str) -> bool:
    """Tell whether a folder, or the symlink that leads to it, lies below another one."""
    link = os.path.join(os.path.realpath(os.path.dirname(folder)), os.path.basename(folder))
    top = os.path.realpath(below)
    return is_below(os.path.realpath(folder), top) or is_below(link, top) or is_below(folder, below)


def governing_folder(path: str, real: str) -> str:
    """Give the folder whose settings hold for a vault: a file inside a project's vault does not count.

    The agent writes there, unseen by git, and could raise its own cap. At the root of a repository, and outside any,
    the vault's own file is the only place there is.
    """
    around = carriers(real)
    return os.path.dirname(path) if around and not any(row.is_root for row in around) else path


def collect(request: Request, standing: Standing, source: SettingsSource) -> Collected:
    """Find the vaults of a request. Raises GuardError for a path that is neither there nor configured."""
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


def _add_given(typed: str, standing: Standing, source: SettingsSource, collected: Collected, request: Request) -> None:
    path = standing.absolute(typed)
    settings = source.of(path if os.path.isdir(path) else os.path.dirname(path)).settings
    if os.path.basename(path) == settings.index_name and not os.path.isdir(path) and os.path.lexists(path):
        path, typed = os.path.dirname(path), os.path.dirname(typed) or "."
    configured = collected.configure(settings, below=path)
    is_named = collected.is_named(path, settings)
    if not os.path.isdir(path) and not is_named:
        raise no_such(typed, path, settings.index_name)
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
    for folder in vaults_below(start, settings.index_name, request.tick, collected.unlisted.append):
        collected.add(folder)
