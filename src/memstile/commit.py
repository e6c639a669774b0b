"""Check the next commit: staged blobs against their largest parent, and what the git index would carry."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memstile.bases import Base, inside, parents, settings_changes, since
from memstile.carriers import is_below
from memstile.core.facts import Facts, IndexFacts, Kind, Layer, Reading
from memstile.core.text import shell_quoted
from memstile.disk import read_index
from memstile.errors import GuardError
from memstile.git import Git, GitFault, environment
from memstile.indexes import gauge, joined
from memstile.outcome import Outcome, Request, Vault
from memstile.report.model import VaultSummary
from memstile.repositories import Repositories, resolved_mode
from memstile.repository import Repository, filtered, open_repository
from memstile.settings_source import SettingsSource
from memstile.snapshot import Snapshot
from memstile.staged_ignore import StagedRules
from memstile.staged_vaults import collect_staged
from memstile.standing import Standing


def check_commit(request: Request, standing: Standing) -> Outcome:
    """Look at what the next commit would carry. Raises GuardError outside a repository or where git fails."""
    repositories = Repositories(standing)
    try:
        repository = repositories.current or repositories.adopt(_here(standing))
        return _outcome(request, standing, repositories, repository)
    except GitFault as fault:
        raise GuardError(fault.message, fault.hint) from fault


def _here(standing: Standing) -> Repository:
    return open_repository(Git(standing.cwd, environment(standing.environment, standing.cwd, is_current=False)))


def _outcome(request: Request, standing: Standing, repositories: Repositories, repository: Repository) -> Outcome:
    on_disk = SettingsSource(standing, request.flags)  # the name of the index is the user's to set
    snapshot = Snapshot(repository, on_disk.of(repository.top).settings.index_name)
    source = SettingsSource(standing, request.flags, snapshot.read_absolute)
    base = _base(request, repository, standing.environment)
    collected = collect_staged(repository, snapshot, base, standing, source)
    vaults = [vault for vault in collected.vaults.values() if _is_wanted(vault, request, standing)]
    answers = repositories.facts(vaults, asker=StagedRules(snapshot), with_history=False, only=repository.top)
    places = {vault.real: _place(repository, vault) for vault in vaults}
    bases = base.readings(list(places.values()))
    behind_filter = filtered(repository, [place for place in places.values() if place in snapshot])
    facts = []
    for vault in vaults:
        place = places[vault.real]
        indexes = _indexes(vault, place, snapshot, bases[place], base, is_project=_is_project(vault, repositories))
        if place in behind_filter:
            indexes = [*indexes, _on_disk(vault, Layer.FILTERED)]
        git = answers.get(vault.real, ())
        facts.append(
            Facts(vault.shown, vault.settings, vault.mode, tuple(indexes), git, vault.is_configured, vault.is_present)
        )
    governed = [repository.top, *(vault.governed_from for vault in vaults)]
    return Outcome(
        (*source.facts(), *settings_changes(base, governed, standing, source), *facts),
        tuple(_summary(vault, row, repositories) for vault, row in zip(vaults, facts, strict=True)),
        tuple(collected.remarks),
        collected.is_given or bool(request.paths),
        source.is_usable,
    )


def _base(request: Request, repository: Repository, outside: Mapping[str, str]) -> Base:
    """Take the parents, or the merge base when a person, or `pre-commit run --from-ref`, names a ref."""
    ref = request.since or outside.get("PRE_COMMIT_FROM_REF", "")
    return since(repository, ref) if ref else parents(repository, outside)


def _is_wanted(vault: Vault, request: Request, standing: Standing) -> bool:
    given = [os.path.realpath(standing.absolute(path)) for path in request.paths]
    return not given or any(is_below(vault.real, path) for path in given)


def _place(repository: Repository, vault: Vault) -> str:
    return inside(repository, os.path.join(vault.real, vault.settings.index_name)) or vault.settings.index_name


def _is_project(vault: Vault, repositories: Repositories) -> bool:
    return resolved_mode(vault, repositories.around(vault)) == "ignored"


def _indexes(
    vault: Vault, place: str, snapshot: Snapshot, before: Reading, base: Base, *, is_project: bool
) -> list[IndexFacts]:
    """Give the index as the commit carries it; a configured vault that it does not carry is measured on disk."""
    shown = joined(vault.shown, vault.settings.index_name)
    restore = (f"git checkout HEAD -- {shell_quoted(place)}",)
    staged = IndexFacts(shown, Layer.STAGED, snapshot.reading(place), before, base.name, restore=restore)
    if place in snapshot:
        return [staged]
    rows = [staged._replace(may_vanish=is_project)] if before.kind is Kind.FILE else []
    return [*rows, _on_disk(vault, Layer.DISK)] if vault.is_configured and vault.is_present else rows


def _on_disk(vault: Vault, layer: Layer) -> IndexFacts:
    path = joined(vault.shown, vault.settings.index_name)
    return IndexFacts(path, layer, read_index(os.path.join(vault.real, vault.settings.index_name)), is_carried=False)


def _summary(vault: Vault, facts: Facts, repositories: Repositories) -> VaultSummary:
    gauges = [row for index in facts.indexes if (row := gauge(index, vault.settings))]
    note = "" if gauges else _note(facts.indexes, vault)
    return VaultSummary(vault.shown, resolved_mode(vault, repositories.around(vault)), note, tuple(gauges), None)


def _note(indexes: Sequence[IndexFacts], vault: Vault) -> str:
    if indexes:
        return f"this commit takes {vault.settings.index_name} out of the git index"
    return f"not in this {'commit' if vault.is_present else 'checkout'}; git index checked"
