"""Check the work tree: the vaults on disk, optionally against the merge base with a ref."""

from __future__ import annotations

import os

from memstile.bases import Base, inside, settings_changes, since
from memstile.blobs import read_blobs
from memstile.carriers import ancestors, is_repository
from memstile.core.facts import Facts, IndexFacts, Kind, Layer, Reading, RepositoryFacts
from memstile.core.measure import Size
from memstile.core.text import shell_quoted, shown
from memstile.disk import files_below, read_index
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.indexes import gauge, joined
from memstile.outcome import Outcome, Request, Vault
from memstile.report.model import VaultSummary
from memstile.repositories import Repositories, resolved_mode
from memstile.repository import Repository, entries
from memstile.settings_source import SettingsSource
from memstile.standing import Standing
from memstile.vaults import collect


def check_tree(request: Request, standing: Standing) -> Outcome:
    """Look at every vault of a request. Raises GuardError where a path or the base ref leads nowhere."""
    source = SettingsSource(standing, request.flags)
    repositories = Repositories(standing)
    starts = [standing.absolute(path) for path in request.paths] or [standing.cwd]
    bases = [_base(start, request.since, repositories) for start in starts] if request.since else []
    collected = collect(request, standing, source)
    vaults = list(collected.vaults.values())
    if not vaults:
        collected.remarks.append(f"no vault found below {', '.join(shown(standing.shown(start)) for start in starts)}")
    answers = repositories.facts(vaults)
    facts = [_facts(vault, answers.get(vault.real, ()), bases) for vault in vaults]
    governed = [*starts, *(vault.governed_from for vault in vaults)]
    changes = [row for base in bases for row in settings_changes(base, governed, standing, source)]
    return Outcome(
        (*source.facts(), *dict.fromkeys(changes), *facts),
        tuple(_summary(vault, row, repositories) for vault, row in zip(vaults, facts, strict=True)),
        tuple(collected.remarks),
        collected.is_given,
        source.is_usable,
    )


def _base(start: str, ref: str, repositories: Repositories) -> Base:
    real = os.path.realpath(start)
    top = next((folder for folder in ancestors(real) if is_repository(folder)), None)
    try:
        repository = repositories.open(top) if top else repositories.current
        if repository is None:
            raise GuardError("--since needs a git repository, and there is none here", "run it inside a repository")
        return since(repository, ref)
    except GitFault as fault:
        raise GuardError(fault.message, fault.hint) from fault


def _facts(vault: Vault, answers: tuple[RepositoryFacts, ...], bases: list[Base]) -> Facts:
    path = os.path.join(vault.real, vault.settings.index_name)
    index = IndexFacts(joined(vault.shown, vault.settings.index_name), Layer.DISK, read_index(path))
    return Facts(
        vault.shown,
        vault.settings,
        vault.mode,
        (_with_base(index, path, bases),) if vault.is_present else (),
        answers,
        vault.is_configured,
        vault.is_present,
    )


def _with_base(index: IndexFacts, path: str, bases: list[Base]) -> IndexFacts:
    """Add the base of an index that is, or was, tracked; for any other git knows no base."""
    for base in bases:
        place = inside(base.repository, path)
        if place is None:
            continue
        before = base.readings([place])[place]
        rows = entries(base.repository, place)
        if before.kind is Kind.NOT_REGULAR or (before.kind is Kind.MISSING and not rows):
            continue
        if rows and index.now.data:
            before = as_checked_out(before, index.now.data, base.repository, rows[0].sha)
        blob = shell_quoted(f"{base.commits[0]}:{place}")
        restore = f"git -C {shell_quoted(base.repository.top)} show {blob} > {shell_quoted(index.path)}"
        return index._replace(base=before, base_name=base.name, restore=(restore,))
    return index


def as_checked_out(before: Reading, now: bytes, repository: Repository, sha: str) -> Reading:
    """Give a base the line ends that this checkout writes, so that like is compared with like.

    now: the file on disk. sha: its blob in the git index: if that has no CRLF and the disk has, the checkout added
    one byte a line, and the base would have got them too.
    """
    staged = read_blobs(repository, [sha])[sha].data
    if before.size is None or before.size.lines is None or before.data is None:
        return before
    if staged is None or b"\r\n" in staged or b"\r\n" in before.data or b"\r\n" not in now:
        return before
    return before._replace(size=Size(before.size.lines, before.size.bytes + before.data.count(b"\n")))


def _summary(vault: Vault, facts: Facts, repositories: Repositories) -> VaultSummary:
    gauges = [row for index in facts.indexes if (row := gauge(index, vault.settings))]
    names = files_below(vault.real) if vault.is_present else []
    notes = sum(name.endswith(".md") for name in names) - bool(gauges)
    around = repositories.around(vault)
    note = "" if gauges else f"no {vault.settings.index_name} yet"
    if not vault.is_present:
        note = "not in this checkout; git index checked" if around else "not on this machine"
    count = max(notes, 0) if vault.is_present else None
    return VaultSummary(vault.shown, resolved_mode(vault, around), note, tuple(gauges), count)
