"""The base of a check: the merge base with a ref, or the parents of the next commit; and its settings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memstile.blobs import blob_at
from memstile.carriers import ancestors, is_below, relative
from memstile.config import settings_from_bytes
from memstile.core.facts import MISSING, Facts, Kind, Reading
from memstile.core.loosening import loosened
from memstile.core.measure import Size
from memstile.core.settings import Loosening, Settings
from memstile.core.text import shell_quoted, shown
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.ref_hint import unresolved
from memstile.repository import (
    LITERAL,
    Repository,
    is_new,
    meets_the_edge,
    merge_bases,
    merged_parents,
    resolve_commit,
)
from memstile.settings_file import holds_settings
from memstile.settings_source import SettingsSource
from memstile.snapshot import SETTINGS_NAMES
from memstile.standing import Standing
from memstile.widened import with_still_named


class Base(NamedTuple):
    """Commits that a change is compared with. name: for a message. commits: () for the first commit.

    is_since: they are older than HEAD, which may lack what they have.
    """

    repository: Repository
    commits: tuple[str, ...]
    name: str
    is_since: bool = False

    def taken_out(self) -> list[str]:
        """List the paths that all its commits have and the git index lacks. Raises GitFault.

        A merge may take out what one side has taken out already. Git compares trees, so nothing is read of a folder
        that is as it was.
        """
        words = (LITERAL, "diff-index", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=D")
        gone = [
            self.repository.git.names(*words, "--ita-visible-in-index", "--ignore-submodules=none", commit, "--")
            for commit in self.commits
        ]
        return sorted(set(gone[0]).intersection(*gone[1:])) if gone else []

    def readings(self, paths: Sequence[str]) -> dict[str, Reading]:
        """Read paths (from the top) at the base: per dimension the largest over all its commits."""
        rows = [self._at(commit, paths) for commit in self.commits]
        return {path: _largest([row[path] for row in rows]) for path in paths}

    def _at(self, commit: str, paths: Sequence[str]) -> Mapping[str, Reading]:
        try:
            return blob_at(self.repository, commit, paths)
        except GitFault as fault:
            if len(paths) == 1:
                return {paths[0]: Reading(Kind.UNREADABLE, why=fault.message)}
        # git dies over one object that a partial clone lacks, and would take the answers about all others with it
        half = len(paths) // 2
        return {**self._at(commit, paths[:half]), **self._at(commit, paths[half:])}

    def settings_files(self, folders: Iterable[str]) -> dict[str, dict[str, bytes | None]]:
        """Read, for each folder, the settings file that held there at the base: {name: content}, {} if there was none.

        folders: absolute, resolved, inside the repository. Raises GuardError where git cannot read a file that there
        was: an unread one would let every loosening pass.
        """
        levels = {folder: self._levels(folder) for folder in folders}
        places = [_file_in(level, name) for rows in levels.values() for level in rows for name in SETTINGS_NAMES]
        readings = self.readings(list(dict.fromkeys(places)))
        for place, reading in readings.items():
            if reading.kind is Kind.UNREADABLE:
                fetch = f"git cat-file -e {shell_quoted(f'{self.commits[0]}:{place}')}"
                raise GuardError(
                    f"cannot read {shown(place)} of {self.name}: {reading.why}",
                    f"a partial clone fetches it by `{fetch}`",
                )
        files = {level: _held(level, readings) for rows in levels.values() for level in rows}
        return {folder: next((files[level] for level in rows if files[level]), {}) for folder, rows in levels.items()}

    def _levels(self, folder: str) -> list[str]:
        """List a folder and those above it, from the top of the work tree."""
        top = self.repository.top
        return [relative(above, top) for above in ancestors(folder) if is_below(above, top)]


def _file_in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _held(folder: str, readings: Mapping[str, Reading]) -> dict[str, bytes | None]:
    """Give the settings files of one folder, {} if none of them holds settings."""
    files = {name: readings[_file_in(folder, name)].data for name in SETTINGS_NAMES}
    present = {name: data for name, data in files.items() if data is not None}
    return {**present} if any(holds_settings(data, name) for name, data in present.items()) else {}


def _largest(readings: Sequence[Reading]) -> Reading:
    """Join the readings of several parents; what one of them does not tell is not known."""
    if len(readings) < 2:
        return readings[0] if readings else MISSING
    sizes = [reading.size for reading in readings if reading.size is not None]
    if len(sizes) < len(readings):
        return next(reading for reading in readings if reading.size is None)
    lines = [size.lines for size in sizes if size.lines is not None]
    largest = Size(max(lines) if len(lines) == len(sizes) else None, max(size.bytes for size in sizes))
    fullest = max(readings, key=lambda reading: reading.size.bytes if reading.size else 0)
    return fullest._replace(size=largest)


_SHALLOW = "this clone is shallow: `git fetch --unshallow`, or fetch-depth: 0 in the checkout step"


def since(repository: Repository, ref: str) -> Base:
    """Take the merge base of a ref and HEAD as the base. Raises GuardError with the command that helps."""
    commit = resolve_commit(repository, ref)
    if commit is None:
        raise GuardError(f"cannot resolve the base ref {shown(ref)!r}", unresolved(repository, ref))
    found = merge_bases(repository, commit)
    if not found:
        hint = (
            _SHALLOW if repository.is_shallow else "their histories are unrelated; name a ref that shares one with HEAD"
        )
        raise GuardError(f"no common commit of {shown(ref)!r} and HEAD is in this clone", hint)
    if repository.is_shallow and meets_the_edge(repository, commit, found):
        raise GuardError(f"the merge base of {shown(ref)!r} and HEAD may lie outside this shallow clone", _SHALLOW)
    return Base(repository, found, f"the merge base with {shown(ref)}", is_since=True)


def parents(repository: Repository, outside: Mapping[str, str]) -> Base:
    """Take the parents of the next commit as the base: HEAD, and what is being merged."""
    head = resolve_commit(repository, "HEAD")
    merged = [commit for commit in merged_parents(repository, outside) if is_new(repository, commit)]
    commits = tuple(dict.fromkeys(([head] if head else []) + merged))
    names = ("no commit yet", "HEAD")
    return Base(repository, commits, names[len(commits)] if len(commits) < 2 else "HEAD and the merged commits")


def settings_changes(base: Base, folders: Iterable[str], standing: Standing, source: SettingsSource) -> list[Facts]:
    """Compare the project's settings for some folders with those at the base: a row for each file that became looser.

    folders: absolute; those outside the repository of the base are passed over. A file that is new below an older one
    counts as a change of the older.
    """
    rows = {}
    real = [folder for folder in dict.fromkeys(map(os.path.realpath, folders)) if is_below(folder, base.repository.top)]
    singles = [base._replace(commits=(commit,)) for commit in base.commits] or [base]
    each = [single.settings_files(real) for single in singles]
    for folder in real:
        loaded = source.of(folder)
        place = os.path.dirname(loaded.project_file or "")
        now = settings_from_bytes(source.content(folder), place)
        change = _looser_than_all(
            [
                _loosened(settings_from_bytes(files[folder], place), now, loaded.project_file, single)
                for single, files in zip(singles, each, strict=True)
            ]
        )
        shown_file = standing.shown(loaded.project_file) if loaded.project_file else SETTINGS_NAMES[0]
        if change:
            rows[shown_file] = Facts(shown_file, loaded.settings, "", loosenings=change)
    return list(rows.values())


def _loosened(before: Settings, now: Settings, file: str | None, base: Base) -> tuple[Loosening, ...]:
    """Compare settings; file: the absolute path of those of now.

    A path that became wider can only be told from its text and the disk if both files lie in the same folder.
    """
    change = loosened(before, now)
    if not file or all(row.key != "vault" for row in change):
        return change
    place = os.path.dirname(file)
    folder = relative(os.path.realpath(place), base.repository.top)
    readings = base.readings([_file_in(folder, name) for name in SETTINGS_NAMES])
    if settings_from_bytes(_held(folder, readings), place) != before:
        return change
    return loosened(before, with_still_named(now, before))


def _looser_than_all(changes: Sequence[tuple[Loosening, ...]]) -> tuple[Loosening, ...]:
    """Keep what is looser than at every commit of the base: a merge may bring what one side has decided already."""
    return tuple(row for row in changes[0] if all(row.key in {other.key for other in change} for change in changes))


def inside(repository: Repository, path: str) -> str | None:
    """Give an absolute path relative to the work tree, its folder resolved; None if it lies outside."""
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    return relative(real, repository.top) if is_below(real, repository.top) else None
