"""Find the .gitignore in which an appended rule for a vault wins over every rule that is there already."""

from __future__ import annotations

import os

from memstile.core.appending import appended
from memstile.core.facts import RepositoryFacts
from memstile.core.repairs import IGNORE_NAME, pattern
from memstile.core.steps import Place
from memstile.disk import is_regular, read_small
from memstile.ignore import IgnoreFile, IgnoreRules

_MOST_BYTES = 16 * 1024 * 1024


class RulePlaces:
    """The .gitignore files of one work tree, as they will be once the rules planned so far are appended.

    top: the work tree, absolute.
    """

    def __init__(self, top: str) -> None:
        """Read nothing yet."""
        self._top = top
        self._files: dict[str, bytes] = {}
        self._planned: dict[str, bytes] = {}
        self.has_plans = False

    def is_covered(self, repository: RepositoryFacts) -> bool:
        """Tell whether a rule planned before ignores this unit too."""
        return self._ignores(repository, {}) or (self.has_plans and self._ignores(repository, self._planned))

    def take(self, repository: RepositoryFacts) -> Place | None:
        """Plan a rule for a unit: at the top, else in the folder above the unit, else nowhere.

        A .gitignore further down outranks the top one, so that it may let a unit back in. Of the file itself nothing
        is read for that, since its last line wins: it may be longer than what we judge.
        """
        for folder in dict.fromkeys(("", os.path.dirname(repository.unit))):
            before = self._read(folder)
            place = Place(f"{folder}/{IGNORE_NAME}" if folder else IGNORE_NAME, before)
            line = os.fsencode(pattern(repository, place.file))
            if self._ignores(repository, {folder: line}):
                self._files[folder] = appended(before, line)
                self._planned[folder] = appended(self._planned.get(folder, b""), line)
                self.has_plans = True
                return place
        return None

    def _ignores(self, repository: RepositoryFacts, changes: dict[str, bytes]) -> bool:
        folders = _folders_above(repository.unit)
        contents = {folder: self._read(folder) for folder in folders} | changes
        rules = IgnoreRules([IgnoreFile(folder, folder, data) for folder, data in contents.items() if data])
        paths = [repository.unit] if repository.unit else [row.path for row in repository.asked]
        is_directory = repository.unit_kind != "symlink" and bool(repository.unit)
        return all(rules.ask(path, is_directory=is_directory).is_ignored for path in paths)

    def _read(self, folder: str) -> bytes:
        if folder not in self._files:
            path = os.path.join(self._top, folder, IGNORE_NAME)
            self._files[folder] = (read_small(path, _MOST_BYTES) or b"") if is_regular(path) else b""
        return self._files[folder]


def _folders_above(unit: str) -> list[str]:
    parts = unit.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]
