"""Collect the vaults the next commit is about: configured, carried, taken out by it, or not ignored beside it."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence

from memstile.bases import Base
from memstile.carriers import ancestors
from memstile.core.facts import Kind
from memstile.core.vault import is_host_vault, looks_like_vault
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
    gone = [path for path, letter in changes.items() if letter == "D"]
    touched = snapshot.note_folders() | {os.path.dirname(path) for path, letter in changes.items() if letter != "D"}
    beside = _beside(untracked(repository), name)
    tracked = tracked_vaults(snapshot, name)
    folders = (
        *tracked,
        *vaults_at(base, snapshot, name, frozenset(tracked), gone),
        *_on_disk(repository, name, (*_with_those_above(touched), *snapshot.links(), *beside)),
    )
    for folder in dict.fromkeys(folders):
        collected.add(_place(repository, folder))
    if not collected.vaults:
        collected.remarks.append("nothing of a vault in this commit")
    return collected


def _place(repository: Repository, folder: str) -> str:
    return os.path.join(repository.top, folder).rstrip("/")


def tracked_vaults(snapshot: Snapshot, name: str, known: Container[str] = ()) -> list[str]:
    """Give the folders whose index is in the git index and looks like a vault's by what stands beside it there.

    name: of the index. known: folders that need no look. Paths are from the top. At most four git processes.
    """
    paths = [path for path in snapshot.named(name) if os.path.dirname(path) not in known]
    snapshot.fetch(paths)
    notes = {path: _notes_beside(snapshot, path) for path in paths}
    found = {path for path in paths if is_host_vault(os.path.dirname(path)) or _points(snapshot, path, notes[path])}
    heads = {path: notes[path][:_MAX_HEADS] for path in paths if path not in found}
    snapshot.fetch(note for beside in heads.values() for note in beside)
    found |= {
        path
        for path, beside in heads.items()
        if looks_like_vault(b"", (), (snapshot.reading(note).data or b"" for note in beside))
    }
    return [os.path.dirname(path) for path in paths if path in found]


def _notes_beside(snapshot: Snapshot, path: str) -> list[str]:
    return [note for note in snapshot.notes_in(os.path.dirname(path)) if note != path]


def _points(snapshot: Snapshot, path: str, beside: Sequence[str]) -> bool:
    return looks_like_vault(snapshot.reading(path).data, [os.path.basename(note) for note in beside], ())


def vaults_at(
    base: Base, snapshot: Snapshot, name: str, known: Container[str], gone: Sequence[str] = ()
) -> Iterator[str]:
    """Give the folders that were a vault at the base and are still: only pointers, or the index, were taken out.

    known: folders that need no look. gone: what the next commit takes out. A vault that goes as a whole is none.
    """
    taken = [path for path in gone if os.path.basename(path) == name]
    lost = [path for path in snapshot.named(name) if os.path.dirname(path) not in known]
    before = base.readings([*lost, *taken])
    for path, reading in before.items():
        folder = os.path.dirname(path)
        names = {os.path.basename(note) for note in snapshot.notes_in(folder)} | _listed(
            _place(base.repository, folder)
        )
        if path in lost:
            names |= {os.path.basename(other) for other in gone if os.path.dirname(other) == folder}
        notes = [other for other in names if other.lower().endswith(".md") and other != name]
        if reading.kind in (Kind.FILE, Kind.TOO_LARGE) and looks_like_vault(reading.data, notes, ()):
            yield folder


def _listed(folder: str) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


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
        if name.lower().endswith(("/", ".md")) or name.endswith(f"/{index_name}") or name == index_name:
            yield name.rstrip("/") if name.endswith("/") else os.path.dirname(name)
        else:
            yield name


def _with_those_above(folders: set[str]) -> set[str]:
    return {above.strip("/") for folder in folders for above in ancestors("/" + folder)}
