"""See what git would give away of vaults, and plan the steps that mend it; nothing is changed here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from memstile.core.check import check
from memstile.core.facts import RepositoryFacts
from memstile.core.finding import Finding
from memstile.core.repairs import MODULES_NAME, on_paths, resolve, shown_path
from memstile.core.steps import Action, Place, Step, needs_rule, plan
from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.outcome import Request
from memstile.reach import LeftAlone, absolute, reach, split
from memstile.repositories import Repositories
from memstile.repository import Entry, Repository, entries, pathspec
from memstile.rule_place import RulePlaces
from memstile.safe_write import look
from memstile.standing import Standing
from memstile.tree import check_tree
from memstile.unstaged_rules import flagged_files, unstaged_rules
from memstile.untracking import look_at_modules, only_staged


class Work(NamedTuple):
    """A step with what was seen when it was planned; it is carried out only if that still holds.

    before: the ignore file's content. rows: the entries of the git index that go. only_staged: those of them whose
    content would be left as a blob alone.
    """

    step: Step
    repository: Repository
    before: bytes = b""
    rows: tuple[Entry, ...] = ()
    only_staged: tuple[Entry, ...] = ()


class Survey(NamedTuple):
    """What was seen and what is to be done.

    stuck: where no rule that could be appended would win. unstaged_rules: by work tree as shown, the ignore files that
    keep a vault out today and that the next commit would be without, or without the rule. flagged: by work tree as
    shown, those of them that `git add` passes over. unmerged: which ignore files have a conflict, one line
    a vault, safe to show.
    """

    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]
    work: tuple[Work, ...]
    stuck: tuple[RepositoryFacts, ...]
    unstaged_rules: Mapping[str, tuple[str, ...]]
    left_alone: tuple[LeftAlone, ...] = ()
    flagged: Mapping[str, frozenset[str]] = {}
    unmerged: tuple[str, ...] = ()


def survey(request: Request, standing: Standing) -> Survey:
    """Look at the vaults of a request and plan; nothing is changed.

    Raises GuardError where a path leads nowhere, a setting is not usable, or a file that a step has to change is not
    one to be changed.
    """
    outcome = check_tree(request, standing)
    if not outcome.is_usable:
        raise GuardError(
            "a setting is not usable, so a vault may be meant to be committed", "see `memstile check`, and correct it"
        )
    repositories = Repositories(standing)
    current_top = repositories.current.top if repositories.current else None
    reached, left_alone = split(outcome.facts, reach(request, standing, current_top), standing)
    rows = sorted(reached, key=lambda row: (row.top, row.unit))  # the outer of two units first: its rule covers both
    try:
        opened = {row.top: repositories.open(absolute(row.top, standing)) for row in rows}
        work, stuck = _plan(rows, opened)
        unstaged = {
            top: unstaged_rules(repository, [row for row in rows if row.top == top])
            for top, repository in opened.items()
        }
        flagged = {top: flagged_files(repository, unstaged[top]) for top, repository in opened.items()}
    except GitFault as fault:
        raise GuardError(fault.message, fault.hint) from fault
    conflicts = tuple(dict.fromkeys(resolve(row, row.unmerged) for row in rows if row.unmerged))
    findings = check(outcome.facts)
    return Survey(findings, outcome.remarks, tuple(work), tuple(stuck), unstaged, left_alone, flagged, conflicts)


def _plan(
    rows: Sequence[RepositoryFacts], opened: Mapping[str, Repository]
) -> tuple[list[Work], list[RepositoryFacts]]:
    work: list[Work] = []
    stuck: list[RepositoryFacts] = []
    for top, group in groupby(rows, key=lambda row: row.top):
        places, gone = RulePlaces(opened[top].top), set[str]()
        for row in group:
            place, is_stuck = _place(row, places)
            if is_stuck:  # what is taken out without a rule is back after the next `git add`
                stuck.append(row)
                continue
            fresh = row._replace(tracked=tuple(entry for entry in row.tracked if entry.path not in gone))
            work += [_look(step, opened[top], place) for step in plan(fresh, place)]
            gone.update(entry.path for entry in row.tracked)
    return work, stuck


def _place(row: RepositoryFacts, places: RulePlaces) -> tuple[Place | None, bool]:
    """Find the place of a rule, if one is needed, and tell whether none helps."""
    if not needs_rule(row):
        return None, False
    if places.is_covered(row):
        # With no rule planned, git and we read the files that are there differently; one more line would not help.
        return None, bool(row.asked) and not places.has_plans
    place = places.take(row)
    return place, place is None


def _look(step: Step, repository: Repository, place: Place | None) -> Work:
    """Add to a step what it rests on, and make sure that it can be carried out."""
    if step.action is Action.IGNORE and place:
        _make_sure_it_is_whole(step)
        _make_sure_it_is_here(step, repository)
        look(os.path.join(repository.top, step.file), shown_path(step.repository, step.file))
        return Work(step, repository, place.data)
    if step.action is Action.FORGET:
        look_at_modules(repository, entries(repository, MODULES_NAME), shown_path(step.repository, step.file))
        return Work(step, repository)
    rows = rows_of(step, repository)
    return Work(step, repository, rows=rows, only_staged=tuple(only_staged(repository, rows, step.repository.staged)))


def _make_sure_it_is_whole(step: Step) -> None:
    """Stop where a conflict is in the ignore file: a rule below its marks would be committed with them."""
    if step.file in step.repository.unmerged:
        name = shown(shown_path(step.repository, step.file))
        raise GuardError(
            f"{name} is unmerged, and a rule would be written below the marks of the conflict",
            f"resolve the conflict, `{shown(on_paths(step.repository, 'add', [step.file]))}`, and run this again",
        )


def _make_sure_it_is_here(step: Step, repository: Repository) -> None:
    """Stop where git has the ignore file and the disk does not: staging a new one would lose every other rule."""
    if os.path.lexists(os.path.join(repository.top, step.file)) or not entries(repository, step.file):
        return
    name = shown(shown_path(step.repository, step.file))
    raise GuardError(
        f"{name} is in the git index and not on disk: a new one would lose its other rules",
        f"restore it first: `{shown(on_paths(step.repository, 'checkout', [step.file]))}`",
    )


def rows_of(step: Step, repository: Repository) -> tuple[Entry, ...]:
    """List the entries of the git index that a step takes out."""
    return tuple(entries(repository, pathspec(step.repository.unit)))
