"""Hold the vaults of one run, each with the settings and the mode that are in force for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from memstile.carriers import Surroundings, ancestors, carriers, is_below, relative
from memstile.configured import configured_folders, matcher, matching
from memstile.core.loosening import strictest
from memstile.core.settings import Settings, VaultSetting
from memstile.core.text import shown
from memstile.core.vault import default_mode, is_host_vault
from memstile.discover import has_only_notes_beside, is_vault
from memstile.errors import GuardError
from memstile.outcome import Vault
from memstile.settings_source import SettingsSource
from memstile.standing import Standing


class Collected:
    """Vaults by their resolved folder, in the order they were met; remarks for the person.

    nested: folders with a .git of their own. unlisted: folders that could not be looked into. unnamed: folders with an
    index that does not look like a vault's. missing: given paths that are not on disk, with what to say if git does not
    have them either.
    """

    def __init__(self, standing: Standing, source: SettingsSource) -> None:
        """Hold nothing yet."""
        self._standing = standing
        self._source = source
        self._surroundings = Surroundings()
        self._configured: list[tuple[Settings, str | None]] = []
        self._folders: dict[VaultSetting, list[str]] = {}
        self._matchers: dict[VaultSetting, Callable[[str], bool]] = {}
        self._unmatched: dict[VaultSetting, str] = {}
        self._nearest: dict[tuple[VaultSetting, ...], dict[str, str]] = {}
        self._all_notes: dict[str, bool] = {}
        self.vaults: dict[str, Vault] = {}
        self.remarks: list[str] = []
        self.is_given = False
        self.unlisted: list[str] = []
        self.nested: list[str] = []
        self.unnamed: list[str] = []
        self.missing: dict[str, GuardError] = {}

    def configure(self, settings: Settings, below: str | None = None) -> list[str]:
        """Note the modes of the configured vaults, and give their folders (those below `below`, if set)."""
        folders = []
        for row in settings.vaults:
            named = self._named(row)
            if not named and row not in self._unmatched:
                self._unmatched[row] = f"{shown(row.path)}: no folder matches; nothing to check there"
                self.remarks.append(self._unmatched[row])
            folders += [folder for folder in named if below is None or _lies_below(folder, below)]
            self.is_given |= below is None
        self._configured.append((settings, below))
        return folders

    def configured_among(self, folders: Iterable[str]) -> list[str]:
        """Pick the folders that a path with "*" names and the disk does not show. folders: absolute, resolved."""
        every = [folder for folder in folders if folder not in self.vaults] if self.asks_git else []
        return [
            folder
            for settings, below in self._configured
            for row in settings.vaults
            for folder in matching(row, every)
            if below is None or _lies_below(folder, below)
        ]

    @property
    def asks_git(self) -> bool:
        """Tell whether folders that only git has can matter: a path is not on disk, or holds a "*"."""
        rows = (row for settings, _ in self._configured for row in settings.vaults)
        return bool(self.missing) or any("*" in row.path for row in rows)

    def add(self, path: str, typed: str | None = None) -> None:
        """Add one vault. path: absolute; typed: how the person wrote it."""
        real = self._surroundings.resolved(path)
        known = self.vaults.get(real)
        if known:
            self.vaults[real] = known._replace(paths=tuple(dict.fromkeys((*known.paths, path))))
            return
        governing = governing_folder(path, real, self._surroundings)
        settings = self._source.of(governing).settings
        mode = self._mode(real, settings)
        given, part_of = (mode, "") if mode else self._from_around(real, settings)
        for row in [row for row in self._unmatched if self._names(row, real)]:
            self.remarks.remove(self._unmatched.pop(row))
        self.vaults[real] = Vault(
            (path,),
            real,
            typed or self._standing.shown(path),
            given or default_mode(real.replace(os.sep, "/")),
            settings,
            governing,
            mode is not None,
            os.path.isdir(path),
            part_of,
        )

    def _from_around(self, real: str, settings: Settings) -> tuple[str | None, str]:
        """Give what a vault that nobody configured has from the one around it: its mode if shared, or its repository.

        A host's own vault is one by itself wherever it lies.
        """
        if is_host_vault(real.replace(os.sep, "/")):
            return None, ""
        tops = self._surroundings.tops(real)
        top = tops[0] if tops else ""
        for above in ancestors(os.path.dirname(real)) if top not in ("", real) else ():
            if outer := self.vaults.get(above):
                mode, is_one = outer.mode, True
            else:
                asked = self._mode(above, settings)
                mode, is_one = asked or default_mode(above.replace(os.sep, "/")), asked is not None
            if mode == "shared":
                return mode, ""
            if above == top:
                is_own = mode == "dedicated" or (mode != "ignored" and self._is_all_notes(real, top, settings))
                return None, top if is_own else ""
            if is_one:
                return None, outer.part_of if outer else ""
        return None, ""

    def _is_all_notes(self, real: str, top: str, settings: Settings) -> bool:
        """Tell whether a work tree is a vault and no project that has one beside its sources: there a dot-folder is."""
        if top not in self._all_notes:
            is_one = top in self.vaults or is_vault(top, settings.index_name)
            self._all_notes[top] = is_one and has_only_notes_beside(top)
        return self._all_notes[top] and "/." not in f"/{relative(real, top)}"

    def is_named(self, path: str, settings: Settings) -> bool:
        """Tell whether settings name this folder as a vault."""
        return os.path.realpath(path) in self._modes_of(settings)

    def _mode(self, real: str, settings: Settings) -> str | None:
        """Give the mode that its own settings and those of the start folders ask for a vault, None if none does."""
        of_starts = (self._modes_in(start, real) for start, _ in self._configured)
        asked = [*self._modes_in(settings, real), *next(filter(None, of_starts), ())]
        return strictest(asked) if asked else None

    def _modes_in(self, settings: Settings, real: str) -> list[str]:
        known = self._modes_of(settings)
        on_disk = [known[real]] if real in known else []
        return on_disk + [row.mode for row in settings.vaults if "*" in row.path and self._names(row, real)]

    def _names(self, row: VaultSetting, real: str) -> bool:
        """Tell whether a table names a folder that is perhaps not on disk."""
        if row not in self._matchers:
            self._matchers[row] = matcher(row)
        return self._matchers[row](real)

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


def governing_folder(path: str, real: str, around: Surroundings) -> str:
    """Give the folder whose settings hold for a vault: a file inside a project's vault does not count.

    The agent writes there, unseen by git, and could raise its own cap. At the root of a repository, and outside any,
    the vault's own file is the only place there is.
    """
    is_inside = bool(carriers(real, around=around)) and real not in around.tops(real)
    return os.path.dirname(path) if is_inside else path
