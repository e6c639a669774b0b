"""Give each vault the settings of the nearest file above it, and remember every fault that was met on the way."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from memstile.config import Loaded, find_project_file, load
from memstile.core.facts import Facts
from memstile.core.settings import UNUSABLE, Fault
from memstile.errors import GuardError
from memstile.settings_file import read_file
from memstile.standing import Standing


class SettingsSource:
    """Loads settings by folder; each file is read, and its settings are made, once.

    read: where project files are read from (the git index, for a commit); None for the disk.
    """

    def __init__(
        self, standing: Standing, flags: Mapping[str, object], read: Callable[[str], bytes | None] | None = None
    ) -> None:
        """Load nothing yet."""
        self._standing = standing
        self._flags = flags
        self._read = read or read_file
        self._files: dict[str, bytes | GuardError | None] = {}
        self._loaded: dict[str | None, Loaded] = {}
        self._faults: dict[Fault, None] = {}

    def of(self, folder: str) -> Loaded:
        """Load the settings that hold for an absolute folder."""
        file = find_project_file(folder, self._read_once)
        if file not in self._loaded:
            self._loaded[file] = load(
                folder, environment=self._standing.environment, flags=self._flags, read=self._read_once
            )
            self._faults |= dict.fromkeys(self._loaded[file].faults)
        return self._loaded[file]

    def _read_once(self, path: str) -> bytes | None:
        if path not in self._files:
            try:
                self._files[path] = self._read(path)
            except GuardError as error:
                self._files[path] = error
        found = self._files[path]
        if isinstance(found, GuardError):
            raise found
        return found

    def content(self, folder: str) -> dict[str, bytes | None]:
        """Give the project's settings file that holds for a folder: {name: content}, {} if there is none."""
        file = self.of(folder).project_file
        try:
            return {os.path.basename(file): self._read_once(file)} if file else {}
        except GuardError:
            return {}  # told as a fault already; it counts as no settings

    @property
    def is_usable(self) -> bool:
        """Tell whether every entry could be read and understood; a loosening one counts as understood."""
        return all(fault.kind != UNUSABLE for fault in self._faults)

    def facts(self) -> list[Facts]:
        """Give the faults, a row a file."""
        settings = self.of(self._standing.cwd).settings
        files: dict[str, list[Fault]] = {}
        for fault in self._faults:
            files.setdefault(fault.name, []).append(fault)
        return [Facts(self._shown(name), settings, "", faults=tuple(faults)) for name, faults in files.items()]

    def _shown(self, name: str) -> str:
        return self._standing.shown(name) if os.path.isabs(name) else name
