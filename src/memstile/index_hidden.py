"""Measure the indexes that git has and this checkout does not show, as the git index holds them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memstile.bases import Base, inside
from memstile.core.facts import IndexFacts, Kind, Layer
from memstile.git import GitFault
from memstile.indexes import old_content
from memstile.outcome import Vault
from memstile.repositories import Repositories
from memstile.repository import Repository, entries
from memstile.snapshot import Snapshot
from memstile.unstaged_rules import flagged_files


def hidden_indexes(
    indexes: Mapping[str, IndexFacts], vaults: Sequence[Vault], repositories: Repositories, bases: Sequence[Base]
) -> dict[str, IndexFacts]:
    """Give the staged version, with its base, of each index that a sparse checkout leaves out.

    indexes: by absolute path, one a vault, in the order of the vaults. Result: those alone that are not on disk and
    that git has, their folder gone or the entry marked; one that was deleted in a folder that is here is gone. Two git
    processes a repository where an index is missing, a few more where git has it. Where git gives no answer nothing is
    given: the facts of the repository say so.
    """
    by_top: dict[str, dict[str, IndexFacts]] = {}
    for (path, index), vault in zip(indexes.items(), vaults, strict=True):
        if index.now.kind is Kind.MISSING:
            for top in dict.fromkeys(carrier.top for carrier in repositories.around(vault)):
                by_top.setdefault(top, {})[path] = index
    found: dict[str, IndexFacts] = {}
    for top, missing in by_top.items():
        try:
            repository = repositories.open(top)
            found |= _of_one(repository, missing, [base for base in bases if base.repository.top == repository.top])
        except GitFault:
            continue
    return found


def _of_one(repository: Repository, indexes: Mapping[str, IndexFacts], bases: Sequence[Base]) -> dict[str, IndexFacts]:
    places = {path: place for path in indexes if (place := inside(repository, path)) is not None}
    held = {entry.path for entry in entries(repository, *places.values())} if places else set()
    shown = [place for path, place in places.items() if place in held and os.path.isdir(os.path.dirname(path))]
    held.difference_update(set(shown) - flagged_files(repository, shown))
    hidden = {path: place for path, place in places.items() if place in held}
    return {path: row for name in _names(hidden) for path, row in _staged(repository, name, indexes, hidden, bases)}


def _names(hidden: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(os.path.basename(place) for place in hidden.values()))


def _staged(
    repository: Repository,
    name: str,
    indexes: Mapping[str, IndexFacts],
    hidden: Mapping[str, str],
    bases: Sequence[Base],
) -> list[tuple[str, IndexFacts]]:
    """Read the hidden indexes of one file name; nearly always there is one."""
    snapshot = Snapshot(repository, name)
    mine = {path: place for path, place in hidden.items() if os.path.basename(place) == name}
    snapshot.fetch(mine.values())
    rows = {
        path: indexes[path]._replace(layer=Layer.STAGED, now=snapshot.reading(place)) for path, place in mine.items()
    }
    for base in bases:
        before = base.readings(list(mine.values()))
        for path, place in mine.items():
            restore = old_content(base, place, rows[path].path)
            rows[path] = rows[path]._replace(base=before[place], base_name=base.name, restore=restore)
    return list(rows.items())
