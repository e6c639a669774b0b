"""What a project gets beside the hooks: the vault's ignore rule, and a settings file that names the vault."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from memstile.carriers import ancestors
from memstile.core.steps import Action
from memstile.core.steps import title as step_title
from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.fix import carry_out
from memstile.installing_desk import Desk, Step
from memstile.outcome import Request
from memstile.repositories import Repositories
from memstile.safe_write import look, replace
from memstile.settings_places import find_project_file
from memstile.standing import Standing
from memstile.survey import Work, survey
from memstile.tree import check_tree

SETTINGS = "memstile.toml"
_MOST_VAULTS = 20
_EXAMPLE = """\
# Settings of memstile for this project. Nothing has to be set: vaults are found by looking.
# A vault that is named here is held to more: it is guarded before its index exists.
#
# [[vault]]
# path = ".agent-memory"          # relative to this file
# mode = "auto"                   # auto | outside | ignored | dedicated | shared
"""
_OPENING = "# Settings of memstile for this project: the vaults that were found. All keys: docs/settings.md\n"


def project_of(standing: Standing) -> str:
    """Give the project: the work tree around where the person stands, else the folder itself."""
    repositories = Repositories(standing)
    if repositories.current:
        return repositories.current.top
    here = os.path.realpath(standing.cwd)
    return next((folder for folder in ancestors(here) if os.path.lexists(os.path.join(folder, ".git"))), here)


def is_repository(project: str) -> bool:
    """Tell whether a project is in git."""
    return os.path.lexists(os.path.join(project, ".git"))


def rule_steps(project: str, standing: Standing) -> tuple[list[Step], list[str]]:
    """Plan the ignore rules of vaults in a project, and say what else git would carry of them."""
    if not is_repository(project):
        return [], []
    try:
        seen = survey(Request(), standing._replace(cwd=project))
    except GuardError as error:
        return [], [f"no ignore rule was looked for: {error.message}"]
    steps = [_rule(work) for work in seen.work if work.step.action is Action.IGNORE]
    others = [step_title(work.step) for work in seen.work if work.step.action is not Action.IGNORE]
    return steps, [f"left to `memstile fix`: {line}" for line in others]


def _rule(work: Work) -> Step:
    return Step(step_title(work.step), lambda: carry_out((work,), lambda number: None))


def settings_step(desk: Desk, project: str, standing: Standing) -> Step | None:
    """Plan to write memstile.toml where the project has no settings of memstile yet."""
    path = os.path.join(project, SETTINGS)
    found = find_project_file(project)
    if (found and os.path.dirname(found) == project) or os.path.lexists(path):
        return None
    vaults = _vaults(project, standing)
    tables = "".join(f"\n[[vault]]\npath = {json.dumps(vault, ensure_ascii=False)}\n" for vault in vaults)
    text = _OPENING + tables if vaults else _EXAMPLE
    seen = look(path, SETTINGS)
    lines = tuple(f"vault {shown(vault)}" for vault in vaults) or ("an example, commented out",)
    return Step(
        f"write {desk.name(path)}; it stays when memstile is taken out", lambda: replace(seen, text.encode()), lines
    )


def _vaults(project: str, standing: Standing) -> Sequence[str]:
    """Find the vaults of a project, relative to it; none where one has a name that TOML cannot hold."""
    try:
        outcome = check_tree(Request(), standing._replace(cwd=project))
    except GuardError:
        return ()
    places = {os.path.relpath(os.path.realpath(os.path.join(project, row.path)), project) for row in outcome.facts}
    inside = sorted(place.replace(os.sep, "/") for place in places if not place.startswith(".." + os.sep))
    return [place for place in inside if place.isprintable() and place not in (".", "..") and "*" not in place][
        :_MOST_VAULTS
    ]
