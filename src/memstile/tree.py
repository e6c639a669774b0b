"""Check the work tree: the vaults on disk, optionally against the merge base with a ref."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Sequence

from memstile.bases import Base, merge, since
from memstile.carriers import ancestors, is_below, is_repository, relative
from memstile.changed_settings import settings_changes
from memstile.compared import with_bases
from memstile.core.facts import Facts, IndexFacts, Kind, Layer, RepositoryFacts
from memstile.core.text import shell_quoted, shown
from memstile.disk import notes_below, read_index
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.index_hidden import hidden_indexes
from memstile.indexes import gauge, joined
from memstile.near_vault import meant
from memstile.outcome import Outcome, Request, Vault
from memstile.report.model import VaultSummary
from memstile.repositories import Repositories, resolved_mode
from memstile.repository import Repository, pathspec, staged
from memstile.settings_source import SettingsSource
from memstile.snapshot import Snapshot
from memstile.staged_vaults import folders_with_notes
from memstile.standing import Standing
from memstile.vaults import Collected, collect, not_taken
from memstile.vaults_in_git import submodules_not_here, taken_out, tracked_vaults, vaults_at


def check_tree(request: Request, standing: Standing) -> Outcome:
    """Look at every vault of a request. Raises GuardError where a path or the base ref leads nowhere."""
    source = SettingsSource(standing, request.flags)
    repositories = Repositories(standing)
    starts = [standing.absolute(path) for path in request.paths] or [standing.cwd]
    bases = _bases(starts, request.since, repositories) if request.since else []
    collected = collect(request, standing, source)
    only_in_git = _add_tracked(collected, starts, bases, repositories, source)
    if collected.missing:
        raise next(iter(collected.missing.values()))
    vaults = list(collected.vaults.values())
    if barren := _barren(starts, vaults) if request.paths else [] if vaults else starts:
        collected.remarks += _nothing_found(barren, standing)
    collected.remarks += not_taken(collected, standing, source.of(standing.cwd).settings.index_name)
    answers = repositories.facts(vaults)
    on_disk = {_path(vault): _index(vault, repositories) for vault in vaults}
    indexes = with_bases(on_disk, bases) | hidden_indexes(on_disk, vaults, repositories, bases)
    facts = [_facts(vault, indexes[_path(vault)], answers.get(vault.real, ())) for vault in vaults]
    governed = [vault.governed_from for vault in vaults]
    changes = [row for base in bases for row in settings_changes(base, starts, governed, standing, source)]
    notes = notes_below(vault.real for vault in vaults if vault.is_present)
    return Outcome(
        (*source.facts(), *dict.fromkeys(changes), *facts),
        tuple(
            _summary(vault, row, repositories, only_in_git, notes.get(vault.real), meant(vault, vaults))
            for vault, row in zip(vaults, facts, strict=True)
        ),
        tuple(collected.remarks),
        collected.is_given,
        source.is_usable,
    )


def _barren(starts: Sequence[str], vaults: Sequence[Vault]) -> list[str]:
    """Pick the given paths that name no vault or index of one, and have none below them."""
    places = [place for vault in vaults for place in (*vault.paths, vault.real)]
    indexes = {os.path.join(path, vault.settings.index_name) for vault in vaults for path in (*vault.paths, vault.real)}
    reals = {start: os.path.realpath(start) for start in starts}
    return [
        start
        for start, real in reals.items()
        if indexes.isdisjoint((start, real))
        and not any(is_below(place, start) or is_below(place, real) for place in places)
    ]


def _nothing_found(starts: Sequence[str], standing: Standing) -> list[str]:
    """Say that there was nothing to check, and where the project begins if the person stands below its top."""
    lines = [f"no vault found below {', '.join(shown(standing.shown(start)) for start in starts)}"]
    for real in dict.fromkeys(map(os.path.realpath, starts)):
        top = _top_around(real)
        if top and top != real:
            place = standing.shown(top)
            lines.append(f"the repository begins at {shown(place)}: memstile check {shown(shell_quoted(place))}")
    return lines


def _add_tracked(
    collected: Collected,
    starts: Sequence[str],
    bases: Sequence[Base],
    repositories: Repositories,
    source: SettingsSource,
) -> set[str]:
    """Add the vaults below the start folders that git has and the disk does not show; give their resolved folders.

    A sparse checkout, a folder nobody may list or an index deleted by hand hides a vault, and git carries it on.
    """
    found: dict[str, None] = {}
    brought: dict[str, None] = {}
    inner = [folder for folder in dict.fromkeys(map(os.path.realpath, collected.nested)) if is_repository(folder)]
    for real in dict.fromkeys((*map(os.path.realpath, starts), *inner)):
        top = _top_around(real)
        try:
            repository = repositories.open(top) if top else repositories.current
            if repository:
                name = source.of(real).settings.index_name
                snapshot = Snapshot(repository, name)
                found |= dict.fromkeys(_in_git(snapshot, name, real, collected, bases))
                brought |= dict.fromkeys(_brought_by_merge(snapshot, name, real))
                found |= dict.fromkeys(_asked_of_git(snapshot, name, real, collected))
                collected.remarks += submodules_not_here(snapshot, real, collected)
        except GitFault as fault:
            if not collected.vaults and real not in inner:  # nothing was checked, and that is not clean
                raise GuardError(fault.message, fault.advice) from fault
            is_vault = top in collected.vaults
            if is_vault is not (real in inner):  # a vault inside a project gets the fault as MS208
                collected.remarks.append(f"git does not say which vaults it tracks: {shown(fault.message)}")
    for place in found:
        collected.add(place)
    for place in [place for place in brought if place not in collected.vaults]:
        collected.add(place)
        if resolved_mode(collected.vaults[place], repositories.around(collected.vaults[place])) != "ignored":
            del collected.vaults[place]  # its notes may be there, and without an index there is no more to check
    return {*found, *brought}


def _brought_by_merge(snapshot: Snapshot, name: str, start: str) -> Iterator[str]:
    """Give the folders of which a merge, in progress or at HEAD, has notes and leaves out the index."""
    repository = snapshot.repository
    base = merge(repository) if snapshot.note_folders() else None
    for folder in vaults_at(base, snapshot, name, set(map(os.path.dirname, snapshot.named(name)))) if base else ():
        if is_below(place := _place(repository, folder), start):
            yield place


def _in_git(snapshot: Snapshot, name: str, start: str, collected: Collected, bases: Sequence[Base]) -> Iterator[str]:
    repository = snapshot.repository
    places = {folder: _place(repository, folder) for folder in map(os.path.dirname, snapshot.named(name))}
    known = {folder for folder, place in places.items() if place in collected.vaults or not is_below(place, start)}
    tracked = tracked_vaults(snapshot, name, known)
    lost = [
        folder
        for base in bases
        if base.repository == repository
        for folder in vaults_at(base, snapshot, name, known.union(tracked), taken_out(base, collected))
    ]
    yield from (place for folder in (*tracked, *lost) if is_below(place := _place(repository, folder), start))


def _asked_of_git(snapshot: Snapshot, name: str, start: str, collected: Collected) -> Iterator[str]:
    """Give the vaults that only git has and that the person named: a given path, or one that a "*" stands for.

    A given path that git has something of is no typo, and is taken out of those that are missing.
    """
    repository = snapshot.repository
    places = [_place(repository, folder) for folder in folders_with_notes(snapshot)] if collected.asks_git else []
    yield from collected.configured_among(places)
    if start not in collected.missing:
        return
    indexes = {_place(repository, path) for path in snapshot.named(name)}
    given = [path for path in (start, os.path.join(start, name)) if path in indexes]
    yield from map(os.path.dirname, given)
    if given or any(is_below(place, start) for place in places) or _is_taken_out(repository, start):
        del collected.missing[start]


def _is_taken_out(repository: Repository, path: str) -> bool:
    """Tell whether the next commit takes out all there was at a path; `memstile fix` looks again after it did."""
    return is_below(path, repository.top) and bool(staged(repository, [pathspec(relative(path, repository.top))]))


def _place(repository: Repository, path: str) -> str:
    return os.path.join(repository.top, path).rstrip(os.sep)


def _top_around(real: str) -> str | None:
    return next(filter(is_repository, ancestors(real)), None)


def _bases(starts: Sequence[str], ref: str, repositories: Repositories) -> list[Base]:
    """Give the base in each repository that holds a start folder."""
    tops = {_top_around(os.path.realpath(start)) for start in starts}
    try:
        opened = [repositories.open(top) if top else repositories.current for top in sorted(tops, key=str)]
        if None in opened:
            raise GuardError("--since needs a git repository, and there is none here", "run it inside a repository")
        return [since(repository, ref) for repository in opened if repository]
    except GitFault as fault:
        raise GuardError(fault.message, fault.advice) from fault


def _facts(vault: Vault, index: IndexFacts, answers: tuple[RepositoryFacts, ...]) -> Facts:
    return Facts(
        vault.shown,
        vault.settings,
        vault.mode,
        (index,) if vault.is_present or index.base or index.now.kind is not Kind.MISSING else (),
        answers,
        vault.is_configured,
        vault.is_present,
    )


def _index(vault: Vault, repositories: Repositories) -> IndexFacts:
    shown_path = joined(vault.shown, vault.settings.index_name)
    may_vanish = resolved_mode(vault, repositories.around(vault)) == "ignored"
    return IndexFacts(shown_path, Layer.DISK, read_index(_path(vault)), may_vanish=may_vanish)


def _path(vault: Vault) -> str:
    return os.path.join(vault.real, vault.settings.index_name)


def _summary(
    vault: Vault, facts: Facts, repositories: Repositories, only_in_git: Container[str], notes: int | None, typo: str
) -> VaultSummary:
    gauges = [row for index in facts.indexes if (row := gauge(index, vault.settings))]
    around = repositories.around(vault)
    note = "" if gauges else f"no {vault.settings.index_name} yet"
    is_hidden = any(index.layer is Layer.STAGED for index in facts.indexes)
    if is_hidden and vault.is_present:
        note = f"{vault.settings.index_name} is not in this checkout; git index checked"
    elif not vault.is_present or (not gauges and vault.real in only_in_git):
        note = ("not in this checkout; git index checked" if around else "not on this machine") + typo
    if not gauges and any(index.base and index.base.kind is Kind.FILE for index in facts.indexes):
        note = f"{vault.settings.index_name} is gone since {facts.indexes[0].base_name}"
    count = None if notes is None else max(notes - bool(gauges and not is_hidden), 0)
    return VaultSummary(vault.shown, resolved_mode(vault, around), note, tuple(gauges), count)
