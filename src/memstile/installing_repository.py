"""Plan `memstile init` for what guards a repository: pre-commit, git's own hooks, GitHub Actions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from typing import NamedTuple

from memstile.errors import GuardError
from memstile.installing import Plan, package_text
from memstile.installing_desk import Desk, Step
from memstile.installing_files import putting, remove_folders, taking
from memstile.installing_git_hooks import put_steps, take_steps
from memstile.installing_project import is_repository, project_of, rule_steps, settings_step
from memstile.installing_record import Record
from memstile.paths import state_folder
from memstile.setups import pre_commit
from memstile.setups.setup import File, own_file
from memstile.standing import Standing

_JOB = "memstile.yml"
_TYPES = "--hook-type pre-commit --hook-type pre-merge-commit"


class _Kind(NamedTuple):
    """One way to guard a repository. put, take: its steps; notes, left: for the person, after put and after take."""

    put: Callable[[Desk, Standing], list[Step]]
    take: Callable[[Desk, Standing], list[Step]]
    notes: Callable[[Standing], tuple[str, ...]]
    left: Callable[[Sequence[Step]], tuple[str, ...]] = lambda steps: ()


def plan_repository(host: str, standing: Standing) -> Plan:
    """Plan to set memstile up for a repository. Raises GuardError where it is none, or a file cannot be changed."""
    desk = _desk(host, standing)
    project = project_of(standing)
    kind = KINDS[host]
    steps = [*kind.put(desk, standing), settings_step(desk, project, standing)]
    rules, left = rule_steps(project, standing)
    return Plan((), tuple(step for step in (*steps, *rules) if step), (*left, *kind.notes(standing)))


def plan_repository_removal(host: str, standing: Standing) -> Plan:
    """Plan to take memstile out of a repository's hooks or jobs."""
    desk = _desk(host, standing)
    kind = KINDS[host]
    steps = tuple(kind.take(desk, standing))
    return Plan((), steps, kind.left(steps), lambda: _forget(desk))


def _forget(desk: Desk) -> None:
    made = desk.record.of(desk.key).folders
    desk.record.forget(desk.key)
    remove_folders(made)


def _desk(host: str, standing: Standing) -> Desk:
    project = project_of(standing)
    if not is_repository(project):
        raise GuardError("there is no repository here", "change to one, or make one: git init")
    return Desk(standing.environment, Record(state_folder(standing.environment)), f"{host} {project}")


def _of_file(
    file: Callable[[Standing], File],
) -> tuple[Callable[[Desk, Standing], list[Step]], Callable[[Desk, Standing], list[Step]]]:
    def put(desk: Desk, standing: Standing) -> list[Step]:
        step = putting(desk, file(standing))
        return [step] if step else []

    def take(desk: Desk, standing: Standing) -> list[Step]:
        step = taking(desk, file(standing))
        return [step] if step else []

    return put, take


def _pre_commit_file(standing: Standing) -> File:
    return pre_commit.config(os.path.join(project_of(standing), pre_commit.NAME), *origin())


def origin() -> tuple[str, str]:
    """Say where memstile was installed from, as address and commit; ("", "") if that is no repository for others.

    Source: PEP 610, direct_url.json.
    """
    try:
        text = distribution("memstile").read_text("direct_url.json")
        row = json.loads(text or "{}")
        found = str(row["url"]), str(row["vcs_info"]["commit_id"])
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return "", ""
    return found if row["vcs_info"].get("vcs") == "git" and not found[0].startswith("file:") else ("", "")


def _pre_commit_notes(standing: Standing) -> tuple[str, ...]:
    path = os.path.join(project_of(standing), pre_commit.NAME)
    try:
        with open(path, encoding="utf-8") as file:
            misses = pre_commit.misses_merges(file.read())
    except (OSError, ValueError):
        misses = False
    merges = f"{pre_commit.STAGES_KEY} lacks pre-merge-commit: for a merge without conflicts git runs nothing else"
    return (*((merges,) if misses else ()), f"next, if it was not done before: pre-commit install {_TYPES}")


def _pre_commit_left(steps: Sequence[Step]) -> tuple[str, ...]:
    """Tell of git's hooks where the configuration goes with ours: they then end with 1. Source: runs of pre-commit."""
    told = f"git's hooks stay, and refuse every commit without {pre_commit.NAME}: pre-commit uninstall {_TYPES}"
    goes = any(step.title.startswith("remove ") for step in steps)
    return (f"if `pre-commit install` was run here, {told}",) if goes else ()


def _job_file(standing: Standing) -> File:
    return own_file(os.path.join(project_of(standing), ".github", "workflows", _JOB), package_text(_JOB))


def _job_notes(standing: Standing) -> tuple[str, ...]:
    return ("the job installs memstile from https://example.org/memstile: put the address it is to come from there",)


KINDS = {
    "pre-commit": _Kind(*_of_file(_pre_commit_file), _pre_commit_notes, _pre_commit_left),
    "git": _Kind(put_steps, take_steps, lambda standing: ()),
    "github-actions": _Kind(*_of_file(_job_file), _job_notes),
}
REPOSITORY_HOOKS = tuple(KINDS)
