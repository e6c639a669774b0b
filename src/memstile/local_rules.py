"""Tell which ignore rules other clones do not have: git goes by the files on disk, whether or not it tracks them."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence

from memstile.carriers import ancestors, is_below
from memstile.core.facts import RepositoryFacts
from memstile.core.repairs import IGNORE_NAME, is_ignore_file
from memstile.disk import is_regular, read_small
from memstile.ignore import MAX_FILE_BYTES, IgnoreFile, IgnoreRules
from memstile.repository import Repository, ask_ignored


def ignore_files_above(path: str) -> list[str]:
    """List where a .gitignore could decide about a path as a whole; relative to the top, as the path is."""
    folders = [folder.strip("/") for folder in ancestors("/" + os.path.dirname(path))]
    return [f"{folder}/{IGNORE_NAME}" if folder else IGNORE_NAME for folder in folders]


def with_local_sources(
    repository: Repository, rows: Sequence[RepositoryFacts], tracked: Container[str]
) -> list[RepositoryFacts]:
    """Name for each vault the ignore file that keeps it out in this clone alone.

    tracked: paths of the git index, with every .gitignore above the units among them. A .gitignore inside a vault goes
    where the vault goes. One more git process if an untracked .gitignore decides, else none.
    """
    found = [row._replace(local_source=_local_source(repository, row, tracked)) for row in rows]
    files = list(dict.fromkeys(row.local_source for row in found if is_ignore_file(row.local_source)))
    ignored = {row.path for row in ask_ignored(repository, files)[0] if row.is_ignored} if files else set()
    return [row._replace(is_source_ignored=row.local_source in ignored) for row in found]


def _local_source(repository: Repository, row: RepositoryFacts, tracked: Container[str]) -> str:
    by_source: dict[str, list[str]] = {}
    for asked in row.asked:
        if asked.match and asked.is_ignored and not _travels(asked.match.source, row.unit, tracked):
            by_source.setdefault(asked.match.source, []).append(asked.path)
    alone = (
        source
        for source, paths in by_source.items()
        if not is_ignore_file(source) or not _is_covered(repository, paths, tracked)
    )
    return min(alone, default="")


def _travels(source: str, unit: str, tracked: Container[str]) -> bool:
    return is_ignore_file(source) and (source in tracked or not unit or is_below(source, unit))


def _is_covered(repository: Repository, paths: Sequence[str], tracked: Container[str]) -> bool:
    """Tell whether the tracked files, as they are on disk, would do: git names the one that is nearest to a path."""
    names = {file for path in paths for file in ignore_files_above(path) if file in tracked}
    places = {name: os.path.join(repository.top, name) for name in sorted(names)}
    rules = IgnoreRules(
        [
            IgnoreFile(os.path.dirname(name), name, read_small(place, MAX_FILE_BYTES))
            for name, place in places.items()
            if is_regular(place)
        ]
    )
    return bool(names) and all(rules.ask(path, is_directory=_is_folder(repository, path)).is_ignored for path in paths)


def _is_folder(repository: Repository, path: str) -> bool:
    place = os.path.join(repository.top, path)
    return os.path.isdir(place) and not os.path.islink(place)
