"""Check the next commit: staged blobs against their largest parent, and what the git index would carry."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memstile.attributes import filtered
from memstile.bases import Base, inside, parents, since
from memstile.carriers import ancestors, is_below, relative
from memstile.changed_settings import settings_changes
from memstile.core.facts import MISSING, Facts, IndexFacts, Kind, Layer, Reading, RepositoryFacts
from memstile.core.settings import DEFAULTS
from memstile.disk import read_index
from memstile.errors import GuardError
from memstile.git import Git, GitFault, environment
from memstile.indexes import gauge, joined, old_content
from memstile.near_vault import meant
from memstile.outcome import Outcome, Request, Vault
from memstile.report.model import VaultSummary
from memstile.repositories import Repositories, resolved_mode
from memstile.repository import Repository, open_repository
from memstile.settings_source import SettingsSource
from memstile.snapshot import SETTINGS_NAMES, Snapshot
from memstile.staged_ignore import StagedRules
from memstile.staged_vaults import collect_staged
from memstile.standing import Standing
from memstile.unstaged_rules import with_rules_to_stage
from memstile.vaults import Collected, no_such


def check_commit(request: Request, standing: Standing) -> Outcome:
    """Look at what the next commit would carry. Raises GuardError outside a repository or where git fails."""
    repositories = Repositories(standing)
    try:
        repository = repositories.current or repositories.adopt(_here(standing))
        return _outcome(request, standing, repositories, repository)
    except GitFault as fault:
        raise GuardError(fault.message, fault.advice) from fault


def _here(standing: Standing) -> Repository:
    if not any(os.path.lexists(os.path.join(folder, ".git")) for folder in ancestors(os.path.realpath(standing.cwd))):
        raise GuardError("--staged needs a git repository, and there is none here", "run it inside a repository")
    return open_repository(Git(standing.cwd, environment(standing.environment, standing.cwd, is_current=False)))


def _outcome(request: Request, standing: Standing, repositories: Repositories, repository: Repository) -> Outcome:
    on_disk = SettingsSource(standing, request.flags)  # the name of the index is the user's to set
    snapshot = Snapshot(repository, on_disk.of(repository.top).settings.index_name)
    source = SettingsSource(standing, request.flags, snapshot.read_absolute)
    base = _base(request, repository, standing.environment)
    collected = collect_staged(repository, snapshot, base, standing, source, request.paths)
    vaults = _wanted(collected, request, standing)
    collected.remarks += _settings_left_out(snapshot, repository)
    answers = _answers(repositories, repository, vaults, StagedRules(snapshot))
    places = {vault.real: _place(repository, vault, snapshot) for vault in vaults}
    bases = base.readings([place for place in places.values() if place])
    bases |= _of_head(base, [place for place in places.values() if place and place not in snapshot])
    behind_filter = filtered(repository, [place for place in places.values() if place and place in snapshot])
    facts = []
    for vault in vaults:
        place = places[vault.real]
        before = bases.get(place, MISSING)
        indexes = _indexes(vault, place, snapshot, before, base, is_project=_is_project(vault, repositories))
        if place in behind_filter:
            indexes = [*indexes, _on_disk(vault, Layer.FILTERED)]
        git = answers.get(vault.real, ())
        facts.append(
            Facts(vault.shown, vault.settings, vault.mode, tuple(indexes), git, vault.is_configured, vault.is_present)
        )
    governed = [vault.governed_from for vault in vaults]
    changes = settings_changes(base, [repository.top], governed, standing, source, is_staged=True)
    return Outcome(
        (*source.facts(), *changes, *facts),
        tuple(
            _summary(vault, row, repositories, meant(vault, collected.vaults.values()))
            for vault, row in zip(vaults, facts, strict=True)
        ),
        tuple(collected.remarks),
        collected.is_given or bool(request.paths),
        source.is_usable,
    )


def _answers(
    repositories: Repositories, repository: Repository, vaults: list[Vault], rules: StagedRules
) -> dict[str, tuple[RepositoryFacts, ...]]:
    """Ask the repository what the commit carries, and of what is not ignored whether the disk has a rule for it."""
    answers = repositories.facts(vaults, asker=rules, with_history=False, only=repository.top)
    rows = [row._replace(is_commit=True) for every in answers.values() for row in every]
    told = iter(with_rules_to_stage(repository, rules, rows))
    return {real: tuple(next(told) for _ in every) for real, every in answers.items()}


def _of_head(base: Base, places: Sequence[str]) -> Mapping[str, Reading]:
    """Read at HEAD what a merge does not hold: what only the merged side has is not taken out by this commit."""
    is_merge = len(base.commits) > 1 and not base.is_since
    return base._replace(commits=base.commits[:1]).readings(places) if is_merge and places else {}


def _base(request: Request, repository: Repository, outside: Mapping[str, str]) -> Base:
    """Take the parents, or the merge base when a person, or `pre-commit run --from-ref`, names a ref."""
    ref = request.since or outside.get("PRE_COMMIT_FROM_REF", "")
    return since(repository, ref) if ref else parents(repository, outside)


def _wanted(collected: Collected, request: Request, standing: Standing) -> list[Vault]:
    """Pick the vaults of the given paths: at it, below it or around it, since runners hand over the files of a commit.

    Raises GuardError for a path that is not there and that no vault knows: a typo must not pass for clean.
    """
    every = list(collected.vaults.values())
    if not request.paths:
        return every
    found: dict[str, Vault] = {}
    for typed in request.paths:
        path = standing.absolute(typed)
        real = os.path.realpath(path)
        near = [vault for vault in every if is_below(vault.real, real) or is_below(real, vault.real)]
        if not near and not os.path.lexists(path):
            raise no_such(typed, path, every[0].settings.index_name if every else DEFAULTS.index_name)
        found |= {vault.real: vault for vault in near}
    if not found and every:
        collected.remarks.append("nothing of a vault in this commit at the given paths")
    return list(found.values())


def _settings_left_out(snapshot: Snapshot, repository: Repository) -> list[str]:
    """Say that a settings file on disk does not count: what the commit does not hold can excuse nothing in it."""
    name = SETTINGS_NAMES[0]
    if name in snapshot or not os.path.lexists(os.path.join(repository.top, name)):
        return []
    return [f"{name} is not in this commit, so it does not count; stage it: git add {name}"]


def _place(repository: Repository, vault: Vault, snapshot: Snapshot) -> str:
    """Give the place of an index in the work tree, "" if it lies outside (a symlink leads to the vault).

    Where git has an index at a path that a symlink leads away from on disk, the commit carries that one.
    """
    indexes = (os.path.join(path, vault.settings.index_name) for path in vault.paths)
    named = (relative(index, repository.top) for index in indexes if is_below(index, repository.top))
    if held := next((place for place in named if place in snapshot), ""):
        return held
    return inside(repository, os.path.join(vault.real, vault.settings.index_name)) or ""


def _is_project(vault: Vault, repositories: Repositories) -> bool:
    return resolved_mode(vault, repositories.around(vault)) == "ignored"


def _indexes(
    vault: Vault, place: str, snapshot: Snapshot, before: Reading, base: Base, *, is_project: bool
) -> list[IndexFacts]:
    """Give the index as the commit carries it; a configured vault that it does not carry is measured on disk."""
    shown = joined(vault.shown, vault.settings.index_name)
    restore = old_content(base, place, shown)
    staged = IndexFacts(shown, Layer.STAGED, snapshot.reading(place), before, base.name, restore=restore)
    if place in snapshot:
        return [staged]
    rows = [staged._replace(may_vanish=is_project)] if before.kind is Kind.FILE else []
    return [*rows, _on_disk(vault, Layer.DISK)] if vault.is_configured and vault.is_present else rows


def _on_disk(vault: Vault, layer: Layer) -> IndexFacts:
    path = joined(vault.shown, vault.settings.index_name)
    return IndexFacts(path, layer, read_index(os.path.join(vault.real, vault.settings.index_name)), is_carried=False)


def _summary(vault: Vault, facts: Facts, repositories: Repositories, typo: str) -> VaultSummary:
    gauges = [row for index in facts.indexes if (row := gauge(index, vault.settings))]
    note = "" if gauges else _note(facts.indexes, vault) + typo
    return VaultSummary(vault.shown, resolved_mode(vault, repositories.around(vault)), note, tuple(gauges), None)


def _note(indexes: Sequence[IndexFacts], vault: Vault) -> str:
    if indexes:
        return f"this commit takes {vault.settings.index_name} out of the git index"
    return f"not in this {'commit' if vault.is_present else 'checkout'}; git index checked"
