"""Collect the vaults the next commit is about: configured, carried, taken out by it, or not ignored beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from memstile.bases import Base, inside
from memstile.carriers import ancestors
from memstile.discover import is_vault
from memstile.let_in import let_in
from memstile.repository import Repository, staged, untracked
from memstile.settings_source import SettingsSource
from memstile.snapshot import Snapshot
from memstile.standing import Standing
from memstile.vaults import Collected, not_taken
from memstile.vaults_in_git import submodules_not_here, taken_out, tracked_vaults, vaults_at


def collect_staged(
    repository: Repository,
    snapshot: Snapshot,
    base: Base,
    standing: Standing,
    source: SettingsSource,
    given: Iterable[str] = (),
) -> Collected:
    """Find the vaults inside the work tree of the repository that is being committed. given: paths, as typed."""
    collected = Collected(standing, source)
    settings = source.of(repository.top).settings
    name = settings.index_name
    for folder in collected.configure(settings, below=repository.top):
        collected.add(folder)
    collected.is_given = bool(settings.vaults)
    changes = staged(repository, ["."])
    gone = list(dict.fromkeys([path for path, letter in changes.items() if letter == "D"] + taken_out(base, collected)))
    beside = _to_be_added(untracked(repository, snapshot.folders()), name)
    tracked = tracked_vaults(snapshot, name)
    folders = (
        *tracked,
        *vaults_at(base, snapshot, name, frozenset(tracked), gone),
        *let_in(snapshot, name, gone),
        *_on_disk(
            repository, name, (*sorted(snapshot.folders()), *snapshot.links(), *sorted(_with_those_above(beside)))
        ),
    )
    for folder in dict.fromkeys(folders):
        collected.add(_place(repository, folder))
    for place in collected.configured_among(_place(repository, folder) for folder in folders_with_notes(snapshot)):
        collected.add(place)
    for typed in given:
        _add_given(collected, snapshot, name, typed, standing.absolute(typed))
    if not collected.vaults:
        collected.remarks.append("nothing of a vault in this commit")
    fresh = [path for path, letter in changes.items() if os.path.basename(path) == name and letter != "D"]
    collected.unnamed += [_place(repository, os.path.dirname(path)) for path in fresh]
    collected.remarks += not_taken(collected, standing, name)
    collected.remarks += submodules_not_here(snapshot, repository.top, collected)
    return collected


def _place(repository: Repository, folder: str) -> str:
    return os.path.join(repository.top, folder).rstrip("/")


def _add_given(collected: Collected, snapshot: Snapshot, name: str, typed: str, path: str) -> None:
    """Add a given path that is, or holds, an index: what a person names is a vault, whatever it looks like."""
    if os.path.basename(path) == name and not os.path.isdir(path):
        path, typed = os.path.dirname(path), os.path.dirname(typed) or "."
    index = os.path.join(path, name)
    place = inside(snapshot.repository, index)
    if place is not None and (place in snapshot or os.path.lexists(index)):
        collected.add(path, typed.rstrip("/") or typed)


def folders_with_notes(snapshot: Snapshot) -> list[str]:
    """List the folders of the git index with markdown files in or below them, "" for the top."""
    return sorted(_with_those_above(snapshot.note_folders()))


def _on_disk(repository: Repository, name: str, folders: Iterable[str]) -> Iterator[str]:
    """Give the folders that are a vault on disk, whether or not git tracks the index itself."""
    for folder in dict.fromkeys(folders):
        place = _place(repository, folder)
        if os.path.lexists(os.path.join(place, name)) and is_vault(place, name):
            yield folder


def _to_be_added(names: Iterable[str], index_name: str) -> Iterator[str]:
    """Give the folders that `git add` could make part of a later commit, and that may be a vault.

    names: what is neither tracked nor ignored. A nested repository would be carried as a gitlink, a symlink as it is.
    """
    for name in names:
        if name.lower().endswith(("/", ".md")) or name.endswith(f"/{index_name}") or name == index_name:
            yield name.rstrip("/") if name.endswith("/") else os.path.dirname(name)
        else:
            yield name


def _with_those_above(folders: Iterable[str]) -> set[str]:
    """Give folders, from the top, and all above them; of a nest each is met once."""
    every: set[str] = set()
    for folder in folders:
        for above in ancestors(folder):
            if above in every:
                break
            every.add(above)
    return every
