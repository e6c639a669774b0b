"""Plan the steps that keep a vault out of one repository, from what the repository says about it."""

from __future__ import annotations

from enum import Enum

from memstile.core.appending import line_end, opening
from memstile.core.facts import RepositoryFacts
from memstile.core.finding import Finding
from memstile.core.record import NamedTuple
from memstile.core.repairs import (
    MODULES_NAME,
    forget_submodule,
    has_gitlink,
    ignore,
    is_ignored,
    on_paths,
    pattern,
    shown_path,
    untrack,
)
from memstile.core.text import counted, shown

MENDED = frozenset(("MS201", "MS202", "MS203", "MS205", "MS206", "MS207"))
"""The findings that steps mend."""

_MOST_PATHS = 10
_UNSURE = "a setting is not usable, so the vault may be meant to be committed: correct the settings first (MS901)"


class Action(Enum):
    """What a step does."""

    IGNORE = "ignore"
    UNTRACK = "untrack"
    FORGET = "forget a submodule"


class Place(NamedTuple):
    """The ignore file a rule is appended to. file: from the top; data: its content before, b"" for none."""

    file: str
    data: bytes


class Step(NamedTuple):
    """One change to one repository.

    file: what it changes on disk, from the top; "" where it changes the git index alone. line: what it appends.
    commands: the same by hand, in order.
    """

    action: Action
    repository: RepositoryFacts
    commands: tuple[str, ...]
    file: str = ""
    line: str = ""


def plan(repository: RepositoryFacts, place: Place | None) -> tuple[Step, ...]:
    """Plan the steps for one vault in one repository, in the order in which they are carried out.

    The rule comes first: once it stands, nothing that runs in between can add what the next step takes out.
    place: where a rule for the unit wins, None if nowhere, or if none is needed.
    """
    if repository.fault:
        return ()
    steps = []
    if place and needs_rule(repository):
        ends = {"opening": _printf_text(opening(place.data)), "end": _printf_text(line_end(place.data))}
        command = ignore(repository, place.file, **ends)
        steps.append(Step(Action.IGNORE, repository, (command,), place.file, pattern(repository, place.file)))
    if repository.tracked:
        steps.append(Step(Action.UNTRACK, repository, (untrack(repository),)))
    if repository.submodule and has_gitlink(repository):
        steps.append(Step(Action.FORGET, repository, forget_submodule(repository), MODULES_NAME))
    return tuple(steps)


def needs_rule(repository: RepositoryFacts) -> bool:
    """Tell whether an ignore rule is missing: the unit would be added again by the next `git add`."""
    return not is_ignored(repository) and (bool(repository.asked) or has_gitlink(repository))


def _printf_text(line_break: bytes) -> str:
    return line_break.decode("ascii").replace("\r", "\\r").replace("\n", "\\n")


def without_steps(finding: Finding) -> Finding:
    """Take the commands out of a finding that steps mend, where settings could not be used: it may be on purpose."""
    return finding._replace(hint=_UNSURE, commands=()) if finding.code in MENDED else finding


def title(step: Step) -> str:
    """Say what a step does, in one line that is safe to show."""
    unit = shown(shown_path(step.repository, step.repository.unit))
    file = shown(shown_path(step.repository, step.file))
    if step.action is Action.IGNORE:
        return f"append the rule {shown(step.line)} to {file}, so that git ignores {unit}"
    if step.action is Action.FORGET:
        return f"take the submodule {shown(step.repository.submodule)} out of {file}, and stage that"
    if has_gitlink(step.repository):
        return f"take the gitlink {unit} out of the git index; the repository stays on disk"
    return f"take {counted(len(step.repository.tracked), 'file')} of {unit} out of the git index; what is on disk stays"


def undo(step: Step) -> tuple[str, ...]:
    """Say how to take a step back: lines that are safe to show, commands with "$ " before them."""
    repository = step.repository
    if step.action is Action.IGNORE:
        return (f"delete the line {shown(step.line)} at the end of {shown(shown_path(repository, step.file))}",)
    if step.action is Action.FORGET and repository.unit in repository.staged:  # HEAD does not have the section yet
        return (f"add the submodule {shown(repository.submodule)} again: git submodule add",)
    if step.action is Action.FORGET:
        return (f"$ {shown(on_paths(repository, 'restore --staged --worktree', [step.file]))}",)
    staged = [row.path for row in repository.tracked if row.path in set(repository.staged)]
    lines = []
    if len(staged) < len(repository.tracked):
        lines.append(f"$ {shown(on_paths(repository, 'restore --staged', [repository.unit or '.']))}")
    if len(staged) > _MOST_PATHS:
        lines.append(f"stage the {len(staged):,} files again that were staged: git add -f")
    elif staged:
        lines.append(f"$ {shown(on_paths(repository, 'add -f', staged))}")
    return tuple(lines)
