"""Find the settings files that became looser between the base of a check and now, whether or not a vault shows."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence

from memstile.bases import Base, file_in, held
from memstile.carriers import is_below, relative
from memstile.config import settings_from_bytes
from memstile.core.facts import Facts
from memstile.core.loosening import loosened
from memstile.core.settings import Loosening, Settings
from memstile.disk import read_small
from memstile.git import GitFault
from memstile.on_disk import blob_id
from memstile.repository import Entry, Repository, entries
from memstile.settings_source import SettingsSource
from memstile.snapshot import SETTINGS_NAMES
from memstile.standing import Standing
from memstile.widened import with_still_named

_MAX_SPECS = 100


def settings_changes(
    base: Base,
    starts: Sequence[str],
    folders: Iterable[str],
    standing: Standing,
    source: SettingsSource,
    *,
    is_staged: bool = False,
) -> list[Facts]:
    """Compare the project's settings with those at the base: a row for each file that became looser.

    starts: absolute; they and every folder below them whose settings file is another one count. folders: absolute,
    those of the vaults. What lies outside the repository of the base is passed over. A file that is new below an older
    one counts as a change of the older. Raises GuardError as `Base.settings_files` does.
    """
    rows = {}
    changed = changed_files(base, starts, is_staged=is_staged)
    every = dict.fromkeys(map(os.path.realpath, (*starts, *folders, *changed)))
    real = [folder for folder in every if is_below(folder, base.repository.top)]
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
        file = loaded.project_file if place == folder else changed.get(folder, loaded.project_file)
        shown_file = standing.shown(file) if file else SETTINGS_NAMES[0]
        if change:
            rows[shown_file] = Facts(shown_file, loaded.settings, "", loosenings=change)
    return list(rows.values())


def changed_files(base: Base, starts: Sequence[str], *, is_staged: bool) -> dict[str, str]:
    """Map each folder below some start folders, whose settings file is another one than at the base, to that file.

    A vault it governs may be ignored, and then neither a clone nor the commit shows it. starts: absolute. is_staged:
    look at the git index alone, else at the disk too, on which a sparse checkout hides files. Result: absolute,
    resolved. A folder that goes as a whole is left out, unless a vault that its settings name stays on disk, where git
    ignores it: else nothing is left to govern there. One git process a commit of the base, one for the disk, and two
    where a settings file is gone. {} where git does not answer: what asked before has told that.
    """
    repository, reals = base.repository, list(map(os.path.realpath, starts))
    try:
        changes = _changes(base)
        gone = [path for path, letter in changes.items() if letter == "D"]
        whole = {folder for folder in _gone_as_a_whole(repository, gone) if not _leaves_a_vault(base, folder)}
        edited = [] if is_staged else _edited(repository)
    except GitFault:
        return {}
    found = {}
    for path, letter in {**changes, **dict.fromkeys(edited, "M")}.items():
        folder, name = os.path.split(path)
        place = os.path.join(repository.top, path)
        if name in SETTINGS_NAMES and folder not in whole and (letter == "D" or is_staged or os.path.lexists(place)):
            found[os.path.dirname(place)] = place
    return {folder: file for folder, file in found.items() if any(is_below(folder, start) for start in reals)}


def _changes(base: Base) -> dict[str, str]:
    """Give the paths that differ in the git index from every commit of the base, with git's letter for the first."""
    repository = base.repository
    if not base.commits:
        return {entry.path: "A" for entry in _settings_entries(repository)}
    words = ("diff-index", "--cached", "--name-status", "-z", "--no-renames")
    rows = [
        repository.git.names(*words, "--ita-visible-in-index", "--ignore-submodules=all", commit, "--")
        for commit in base.commits
    ]
    each = [{path: letter[:1] for letter, path in zip(row[::2], row[1::2], strict=True)} for row in rows]
    return {path: letter for path, letter in each[0].items() if all(path in other for other in each)}


def _settings_entries(repository: Repository) -> list[Entry]:
    return entries(repository, *(f":(glob)**/{name}" for name in SETTINGS_NAMES), literal=False)


def _edited(repository: Repository) -> list[str]:
    """List the settings files that are on disk not as the git index has them.

    Git would run a filter of the repository to tell that. An unchanged file is not read as settings: a broken one,
    kept for tests, would end each check.
    """
    read = ((entry, read_small(os.path.join(repository.top, entry.path))) for entry in _settings_entries(repository))
    return [entry.path for entry, data in read if data is not None and blob_id(data, entry.sha) != entry.sha]


def _gone_as_a_whole(repository: Repository, gone: Sequence[str]) -> set[str]:
    """Pick the folders that held settings and more, and of which the change leaves no file."""
    folders = {os.path.dirname(path) for path in gone if os.path.basename(path) in SETTINGS_NAMES} - {""}
    more = [path for path in gone if os.path.basename(path) not in SETTINGS_NAMES]
    emptied = sorted(folder for folder in folders if any(path.startswith(f"{folder}/") for path in more))
    if not emptied:
        return set()
    out = set(gone)
    rows = entries(repository, *(emptied if len(emptied) <= _MAX_SPECS else ["."]))
    left = [entry.path for entry in rows if entry.path not in out]
    return {folder for folder in emptied if not any(path.startswith(f"{folder}/") for path in left)}


def _leaves_a_vault(base: Base, folder: str) -> bool:
    """Tell whether a vault is on disk that the settings file of a folder (from the top) named at the base."""
    place = os.path.join(base.repository.top, folder)
    before = settings_from_bytes(held(folder, base.readings([file_in(folder, name) for name in SETTINGS_NAMES])), place)
    named = (os.path.join(glob.escape(row.base or place), row.path, before.index_name) for row in before.vaults)
    return any(glob.glob(path, include_hidden=True) for path in named)


def _loosened(before: Settings, now: Settings, file: str | None, base: Base) -> tuple[Loosening, ...]:
    """Compare settings; file: the absolute path of those of now.

    A path that became wider can only be told from its text and the disk if both files lie in the same folder.
    """
    change = loosened(before, now)
    if not file or all(row.key != "vault" for row in change):
        return change
    place = os.path.dirname(file)
    folder = relative(os.path.realpath(place), base.repository.top)
    readings = base.readings([file_in(folder, name) for name in SETTINGS_NAMES])
    if settings_from_bytes(held(folder, readings), place) != before:
        return change
    return loosened(before, with_still_named(now, before))


def _looser_than_all(changes: Sequence[tuple[Loosening, ...]]) -> tuple[Loosening, ...]:
    """Keep what is looser than at every commit of the base: a merge may bring what one side has decided already."""
    return tuple(row for row in changes[0] if all(row.key in {other.key for other in change} for change in changes))
