"""Collect the vaults the next commit is about: configured, carried, taken out by it, or not ignored beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from memstile.bases import Base
from memstile.carriers import ancestors
from memstile.core.vault import is_host_vault, looks_like_vault, points_to_siblings
from memstile.discover import is_vault
from memstile.repository import Repository, staged, untracked
from memstile.settings_source import SettingsSource
from memstile.snapshot import Snapshot
from memstile.standing import Standing
from memstile.vaults import Collected

_MAX_HEADS = 50


def collect_staged(
    repository: Repository, snapshot: Snapshot, base: Base, standing: Standing, source: SettingsSource
) -> Collected:
    """Find the vaults inside the work tree of the repository that is being committed."""
    collected = Collected(standing, source)
    settings = source.of(repository.top).settings
    name = settings.index_name
    for folder in collected.configure(settings, below=repository.top):
        collected.add(folder)
    collected.is_given = bool(settings.vaults)
    changes = staged(repository, ["."])
    gone = [path for path, letter in changes.items() if letter == "D" and os.path.basename(path) == name]
    carried = snapshot.note_folders() | {os.path.dirname(path) for path, letter in changes.items() if letter != "D"}
    beside = _beside(untracked(repository), name)
    folders = (
        *_with_a_staged_index(snapshot, name),
        *_taken_out(repository, base, gone),
        *_on_disk(repository, name, (*_with_those_above(carried), *snapshot.links(), *beside)),
    )
    for folder in dict.fromkeys(folders):
        collected.add(_place(repository, folder))
    if not collected.vaults:
        collected.remarks.append("nothing of a vault in this commit")
    return collected


def _place(repository: Repository, folder: str) -> str:
    return os.path.join(repository.top, folder).rstrip("/")


def _with_a_staged_index(snapshot: Snapshot, name: str) -> Iterator[str]:
    """Give the folders whose index is in the git index and looks like a vault's by what stands beside it there."""
    paths = snapshot.named(name)
    snapshot.fetch(paths)
    for path in paths:
        folder = os.path.dirname(path)
        if is_host_vault(folder) or _looks_like_vault(snapshot, path, snapshot.notes_in(folder)):
            yield folder


def _looks_like_vault(snapshot: Snapshot, path: str, beside: list[str]) -> bool:
    notes = [note for note in beside if note != path]
    index = snapshot.reading(path).data or b""
    if points_to_siblings(index, {os.path.basename(note) for note in notes}):
        return True
    snapshot.fetch(notes[:_MAX_HEADS])
    heads = (snapshot.reading(note).data or b"" for note in notes[:_MAX_HEADS])
    return looks_like_vault(index, (), heads)


def _taken_out(repository: Repository, base: Base, gone: list[str]) -> Iterator[str]:
    """Give the folders whose index this commit removes, if by its old content and the disk they were a vault."""
    before = base.readings(gone)
    for path in gone:
        try:
            names = os.listdir(_place(repository, os.path.dirname(path)))
        except OSError:
            continue
        if points_to_siblings(before[path].data or b"", names):
            yield os.path.dirname(path)


def _on_disk(repository: Repository, name: str, folders: Iterable[str]) -> Iterator[str]:
    """Give the folders that are a vault on disk, whether or not git tracks the index itself."""
    for folder in dict.fromkeys(folders):
        place = _place(repository, folder)
        if os.path.lexists(os.path.join(place, name)) and is_vault(place, name):
            yield folder


def _beside(names: Iterable[str], index_name: str) -> Iterator[str]:
    """Give the folders that `git add` could make part of a later commit, and that may be a vault.

    names: what is neither tracked nor ignored. A nested repository would be carried as a gitlink, a symlink as it is.
    """
    for name in names:
        if name.endswith(("/", ".md", f"/{index_name}")) or name == index_name:
            yield name.rstrip("/") if name.endswith("/") else os.path.dirname(name)
        else:
            yield name


def _with_those_above(folders: set[str]) -> set[str]:
    return {above.strip("/") for folder in folders for above in ancestors("/" + folder)}
