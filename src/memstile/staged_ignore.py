"""What the next commit's ignore rules say: staged .gitignore files, judged without asking git about the work tree."""

from __future__ import annotations

import os
from collections.abc import Sequence

from memstile.carriers import ancestors
from memstile.core.facts import Asked
from memstile.disk import read_small
from memstile.git import GitFault
from memstile.ignore import IgnoreFile, IgnoreRules
from memstile.repository import Repository
from memstile.snapshot import IGNORE_NAME, Snapshot


class StagedRules:
    """Decides by the staged version of each .gitignore that git tracks, else by the one on disk.

    An untracked .gitignore works in this clone as it stands; a vault that ignores itself by a lone "*" has one.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Read nothing yet."""
        self._snapshot = snapshot
        self._outer: list[IgnoreFile] | None = None

    def __call__(self, repository: Repository, paths: Sequence[str]) -> tuple[list[Asked], list[tuple[str, GitFault]]]:
        """Answer as `repository.ask_ignored` does."""
        if not paths:
            return [], []
        if self._outer is None:
            self._outer = _outer(repository)
        folders = {folder for path in paths for folder in _folders_above(path)}
        rules = IgnoreRules(self._files(repository, folders), self._outer)
        return [rules.ask(path, is_directory=_is_folder(repository, path)) for path in paths], []

    def _files(self, repository: Repository, folders: set[str]) -> list[IgnoreFile]:
        sources = {folder: f"{folder}/{IGNORE_NAME}" if folder else IGNORE_NAME for folder in sorted(folders)}
        self._snapshot.fetch(sources.values())
        files = []
        for folder, source in sources.items():
            data = self._content(os.path.join(repository.top, source), source)
            if data:
                files.append(IgnoreFile(folder, source, data))
        return files

    def _content(self, path: str, source: str) -> bytes | None:
        """Read one .gitignore, None where there is none; git follows no symlink to one: gitignore(5)."""
        if source in self._snapshot:
            return None if self._snapshot.is_symlink(source) else self._snapshot.reading(source).data
        return None if os.path.islink(path) else read_small(path)


def _folders_above(path: str) -> list[str]:
    return [folder.strip("/") for folder in ancestors("/" + os.path.dirname(path))]


def _is_folder(repository: Repository, path: str) -> bool:
    place = os.path.join(repository.top, path)
    return os.path.isdir(place) and not os.path.islink(place)


def _outer(repository: Repository) -> list[IgnoreFile]:
    exclude = os.path.join(repository.common_dir, "info", "exclude")
    asked = repository.git.ask("config", "--type=path", "--get", "core.excludesFile", accept=(0, 1))
    named = os.fsdecode(asked).removesuffix("\n")
    home = repository.git.environment.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    user_wide = os.path.join(repository.top, named) if named else os.path.join(home, "git", "ignore")
    rows = ((".git/info/exclude", exclude), (named or user_wide, user_wide))
    return [IgnoreFile("", source, data) for source, path in rows if (data := read_small(path))]
