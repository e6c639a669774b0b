"""Recognise vaults by what git holds: the git index, and the base that it is compared with."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from memstile.bases import Base
from memstile.carriers import is_below, is_repository
from memstile.core.facts import Kind, Reading
from memstile.core.pointers import notes_further_down
from memstile.core.text import counted, shown
from memstile.core.vault import is_host_vault, looks_like_vault, notes_among
from memstile.git import GitFault
from memstile.snapshot import Snapshot
from memstile.vaults import Collected

_MAX_HEADS = 50
_MAX_NAMED = 3


def tracked_vaults(snapshot: Snapshot, name: str, known: Container[str] = ()) -> list[str]:
    """Give the folders whose index is in the git index and looks like a vault's by what stands beside it there.

    name: of the index. known: folders that need no look. Paths are from the top. At most four git processes.
    """
    paths = [path for path in snapshot.named(name) if os.path.dirname(path) not in known]
    snapshot.fetch(paths)
    indexes = {path: snapshot.reading(path).data for path in paths}
    beside = {path: snapshot.notes_in(os.path.dirname(path)) for path in paths}
    notes = {path: notes_among(map(os.path.basename, beside[path]), name) for path in paths}
    found = {
        path
        for path in paths
        if is_host_vault(os.path.dirname(path)) or looks_like_vault(indexes[path], notes[path], ())
    }
    heads = {
        path: [*(_beside(path, note) for note in notes[path][:_MAX_HEADS]), *_below(snapshot, path, indexes[path])]
        for path in paths
        if path not in found
    }
    snapshot.fetch(note for rows in heads.values() for note in rows)
    for path, rows in heads.items():
        if _has_notes(path, indexes[path], rows, {note: snapshot.reading(note) for note in rows}, snapshot):
            found.add(path)
    return [os.path.dirname(path) for path in paths if path in found]


def _beside(path: str, name: str) -> str:
    return os.path.join(os.path.dirname(path), name)


def _named_below(path: str, index: bytes | None) -> list[str]:
    return [_beside(path, note) for note in notes_further_down(index or b"")[:_MAX_HEADS]]


def _below(snapshot: Snapshot, path: str, index: bytes | None) -> list[str]:
    """List the notes in folders below that an index names and the git index has, of the first few it names."""
    return [note for note in _named_below(path, index) if note in snapshot.notes_in(os.path.dirname(note))]


def taken_out(base: Base, collected: Collected) -> list[str]:
    """List what was taken out of the git index since a base that is older than HEAD; a remark where git cannot tell."""
    try:
        return base.taken_out() if base.is_since else []
    except GitFault as fault:
        said = f"git does not say what was taken out since {base.name}: {shown(fault.message)}"
        collected.remarks += [said] if said not in collected.remarks else []  # of several start folders in it
        return []


def vaults_at(
    base: Base, snapshot: Snapshot, name: str, known: Container[str], gone: Sequence[str] = ()
) -> Iterator[str]:
    """Give the folders that were a vault at the base and are still: only pointers, or the index, were taken out.

    known: folders that need no look. gone: what the change takes out. A vault that goes as a whole is none.
    """
    taken = [path for path in gone if os.path.basename(path) == name]
    taken += [path for path in _left_out(base, snapshot, name) if path not in taken]
    lost = {path for path in snapshot.named(name) if os.path.dirname(path) not in known}
    readings = base.readings([*sorted(lost), *taken])
    before = {path: row.data for path, row in readings.items() if row.kind in (Kind.FILE, Kind.TOO_LARGE)}
    went = _by_folder(gone) if lost else {}
    unsure: dict[str, list[str]] = {}
    for path, index in before.items():
        folder = os.path.dirname(path)
        names = {os.path.basename(note) for note in snapshot.notes_in(folder)}
        names |= _listed(os.path.join(base.repository.top, folder))
        notes = notes_among(names.union(went.get(folder, ()) if path in lost else ()), name)
        if looks_like_vault(index, notes, ()):
            yield folder
        else:
            beside = [_beside(path, note) for note in notes[:_MAX_HEADS]]
            unsure[path] = [*beside, *_named_below(path, index)]
    out = frozenset(gone)
    wanted = {path: [note for note in notes if path in lost or note not in out] for path, notes in unsure.items()}
    heads = base.readings(sorted({note for notes in wanted.values() for note in notes}))
    for path, notes in wanted.items():
        there = [note for note in notes if heads[note].data is not None]
        if _has_notes(path, before[path], there, heads, snapshot):
            yield os.path.dirname(path)


def _left_out(base: Base, snapshot: Snapshot, name: str) -> list[str]:
    """List the indexes that a merge leaves out and beside which there are notes: one side untracked the vault."""
    if base.is_since or len(base.commits) < 2:
        return []
    try:
        left = base.left_out(name)
    except GitFault:  # a clone without these trees, which knows as little of them as a shallow one
        return []
    return [path for path in left if snapshot.notes_in(os.path.dirname(path))]


def _has_notes(
    path: str, index: bytes | None, notes: Sequence[str], heads: Mapping[str, Reading], snapshot: Snapshot
) -> bool:
    """Tell a vault by the openings of notes beside its index, and of those in folders below that the index names."""
    folder = os.path.dirname(path)
    return looks_like_vault(
        index or b"",
        (),
        (heads[note].data or b"" for note in notes),
        has_below=any(os.path.dirname(note) != folder for note in notes),
        folder=folder,
        others=snapshot.other_files(folder),
    )


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for path in paths:
        rows.setdefault(os.path.dirname(path), []).append(os.path.basename(path))
    return rows


def _listed(folder: str) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


def submodules_not_here(snapshot: Snapshot, start: str, collected: Collected) -> list[str]:
    """Say which submodules below a start folder are not checked out: a vault in one of them is seen by nobody here."""
    top = snapshot.repository.top
    places = {os.path.join(top, path): path for path in snapshot.gitlinks()}
    missing = [
        path
        for place, path in places.items()
        if is_below(place, start) and place not in collected.vaults and not is_repository(place)
    ]
    if not missing:
        return []
    names = ", ".join(map(shown, missing[:_MAX_NAMED]))
    more = f" and {len(missing) - _MAX_NAMED:,} more" if len(missing) > _MAX_NAMED else ""
    verb = "is" if len(missing) == 1 else "are"
    return [f"{counted(len(missing), 'submodule')} {verb} not checked out; not looked at: {names}{more}"]
