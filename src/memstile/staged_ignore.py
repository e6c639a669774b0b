"""What the next commit's ignore rules say: git's answer where the staged files are those on disk, else ours."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from memstile.carriers import ancestors, outermost
from memstile.core.facts import Asked, Kind
from memstile.core.measure import MAX_READ_BYTES
from memstile.disk import read_small
from memstile.git import GitFault
from memstile.ignore import IgnoreFile, IgnoreRules
from memstile.repository import Repository, ask_ignored, entries, staged
from memstile.snapshot import IGNORE_NAME, Snapshot

_OFF = ("", "false", "no", "off", "0")


class StagedRules:
    """Decides by the staged version of each .gitignore that git tracks, else by the one on disk.

    An untracked .gitignore works in this clone as it stands; a vault that ignores itself by a lone "*" has one. One
    that this commit takes out of a folder that stays does not: at the next one its rules are gone.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Read nothing yet."""
        self._snapshot = snapshot
        self._outer: list[IgnoreFile] | None = None
        self._is_case_blind = False
        self._taken_out: frozenset[str] | None = None

    def __call__(self, repository: Repository, paths: Sequence[str]) -> tuple[list[Asked], list[tuple[str, GitFault]]]:
        """Answer as `repository.ask_ignored` does."""
        if not paths:
            return [], []
        folders = {folder for path in paths for folder in _folders_above(path)}
        if all(self._is_as_on_disk(repository, _source(folder)) for folder in folders):
            return ask_ignored(repository, paths)
        if self._outer is None:
            self._outer, self._is_case_blind = _outer(repository)
        files = self._files(repository, folders)
        rules = IgnoreRules(files, self._outer, negates_any_case=self._is_case_blind)
        return [rules.ask(path, is_directory=_is_folder(repository, path)) for path in paths], []

    def differs(self, repository: Repository, source: str) -> bool:
        """Tell whether the disk has another version of an ignore file than this commit. source: from the top.

        One that was never tracked does not differ.
        """
        return not self._is_as_on_disk(repository, source)

    def _files(self, repository: Repository, folders: set[str]) -> list[IgnoreFile]:
        sources = {folder: _source(folder) for folder in sorted(folders)}
        self._snapshot.fetch(sources.values())
        read = ((folder, source, self._content(repository, source)) for folder, source in sources.items())
        return [IgnoreFile(folder, source, data) for folder, source, data in read if data != b""]

    def _is_as_on_disk(self, repository: Repository, source: str) -> bool:
        """Tell whether git, which reads the disk, reads what the commit holds: then it answers for itself."""
        path = os.path.join(repository.top, source)
        if source not in self._snapshot:
            return not os.path.isfile(path) or source not in self._gone(repository)
        if self._snapshot.is_symlink(source) or os.path.islink(path):
            return self._snapshot.is_symlink(source) and os.path.islink(path)
        data = self._snapshot.reading(source).data
        return data is not None and read_small(path, MAX_READ_BYTES) == data

    def _content(self, repository: Repository, source: str) -> bytes | None:
        """Read one .gitignore: b"" where there is none, None where its rules cannot be known.

        Git follows no symlink to one: gitignore(5).
        """
        path = os.path.join(repository.top, source)
        if source not in self._snapshot:
            return b"" if os.path.islink(path) or source in self._gone(repository) else _on_disk(path)
        reading = self._snapshot.reading(source)
        return b"" if self._snapshot.is_symlink(source) or reading.kind is Kind.NOT_REGULAR else reading.data

    def _gone(self, repository: Repository) -> frozenset[str]:
        """Give the ignore files that HEAD has and the git index lacks, though it has other files of their folder.

        The rules of a vault that goes as a whole go with it. One git process, at most two.
        """
        if self._taken_out is None:
            changes = staged(repository, [f":(glob)**/{IGNORE_NAME}"], literal=False)
            out = [path for path, letter in changes.items() if letter == "D"]
            folders = outermost({os.path.dirname(path) for path in out} - {""})
            left = [entry.path for entry in entries(repository, *folders)] if folders else []
            kept = {"", *(folder.strip("/") for path in left for folder in ancestors("/" + os.path.dirname(path)))}
            self._taken_out = frozenset(path for path in out if os.path.dirname(path) in kept)
        return self._taken_out


def _source(folder: str) -> str:
    return f"{folder}/{IGNORE_NAME}" if folder else IGNORE_NAME


def _folders_above(path: str) -> list[str]:
    return [folder.strip("/") for folder in ancestors("/" + os.path.dirname(path))]


def _is_folder(repository: Repository, path: str) -> bool:
    place = os.path.join(repository.top, path)
    return os.path.isdir(place) and not os.path.islink(place)


def _on_disk(path: str) -> bytes | None:
    data = read_small(path)
    return b"" if data is None and not _is_there(path) else data


def _is_there(path: str) -> bool:
    """Tell whether there is content to read; a folder has none, and of the devices only /dev/null is of use."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def _outer(repository: Repository) -> tuple[list[IgnoreFile], bool]:
    """Read the ignore files that every .gitignore outranks, and whether git is blind to case here."""
    exclude = os.path.join(repository.common_dir, "info", "exclude")
    named, is_case_blind = _settings(repository)
    home = repository.git.environment.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    user_wide = os.path.join(home, "git", "ignore") if named is None else named
    rows = [
        (".git/info/exclude", exclude),
        *([(user_wide, os.path.join(repository.top, user_wide))] if user_wide else []),
    ]
    read = [IgnoreFile("", source, _on_disk(path)) for source, path in rows]
    return [file for file in read if file.data != b""], is_case_blind


def _settings(repository: Repository) -> tuple[str | None, bool]:
    """Ask for core.excludesFile, None if unset, "" for no file; and whether core.ignoreCase may be on."""
    words = ("config", "-z", "--type=path", "--get-regexp", r"^core\.(excludesfile|ignorecase)$")
    try:
        pairs = dict(row.split("\n", 1) for row in repository.git.names(*words, accept=(0, 1)))  # the last one holds
    except GitFault:  # core.ignoreCase without a value, which is no path, but true
        said = repository.git.names("config", "-z", "--type=path", "--get", "core.excludesFile", accept=(0, 1))
        return (said[0] if said else None), True
    return pairs.get("core.excludesfile"), pairs.get("core.ignorecase", "").lower() not in _OFF
