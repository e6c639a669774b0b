"""The base of a check: the merge base with a ref, or the parents of the next commit; and its settings files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memstile.blobs import blob_at
from memstile.carriers import ancestors, is_below, relative
from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import Size
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
from memstile.snapshot import SETTINGS_NAMES


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

    def left_out(self, name: str) -> list[str]:
        """List the files of a name that one of the merged commits has and the git index lacks. Raises GitFault.

        What one side has untracked goes by the merge, and what the other side added beside it stays. A git process for
        each commit.
        """
        words = ("diff-index", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=D")
        spec = f":(top,glob)**/{name}"  # no setting lets a wildcard into the name
        found = [
            self.repository.git.names(*words, "--ita-visible-in-index", "--ignore-submodules=none", commit, "--", spec)
            for commit in self.commits
        ]
        return sorted({path for paths in found for path in paths})

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
        places = [file_in(level, name) for rows in levels.values() for level in rows for name in SETTINGS_NAMES]
        readings = self.readings(list(dict.fromkeys(places)))
        for place, reading in readings.items():
            if reading.kind is Kind.UNREADABLE:
                fetch = f"git cat-file -e {shell_quoted(f'{self.commits[0]}:{place}')}"
                raise GuardError(
                    f"cannot read {shown(place)} of {self.name}: {reading.why}",
                    f"a partial clone fetches it by `{fetch}`",
                )
        files = {level: held(level, readings) for rows in levels.values() for level in rows}
        return {folder: next((files[level] for level in rows if files[level]), {}) for folder, rows in levels.items()}

    def _levels(self, folder: str) -> list[str]:
        """List a folder and those above it, from the top of the work tree."""
        top = self.repository.top
        return [relative(above, top) for above in ancestors(folder) if is_below(above, top)]


def file_in(folder: str, name: str) -> str:
    """Write the path of a file in a folder, both from the top; "" is the top."""
    return f"{folder}/{name}" if folder else name


def held(folder: str, readings: Mapping[str, Reading]) -> dict[str, bytes | None]:
    """Give the settings files of one folder, {} if none of them holds settings."""
    files = {name: readings[file_in(folder, name)].data for name in SETTINGS_NAMES}
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


def merge(repository: Repository) -> Base | None:
    """Take what is being merged, or what HEAD merged, as the base; None where there is no merge. Raises GitFault."""
    if os.path.lexists(os.path.join(repository.git_dir, "MERGE_HEAD")):
        return parents(repository, {})
    said = repository.git.ask("rev-parse", "--quiet", "--verify", "HEAD^2^{commit}", accept=(0, 1, 128))
    if not said:
        return None
    commits = os.fsdecode(repository.git.ask("rev-parse", "HEAD^@")).split()
    return Base(repository, tuple(commits), "the parents of HEAD")


def inside(repository: Repository, path: str) -> str | None:
    """Give an absolute path relative to the work tree, its folder resolved; None if it lies outside."""
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    return relative(real, repository.top) if is_below(real, repository.top) else None
