"""Carry out the steps that keep vaults out of git, one by one; each only if what it rests on still holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from memstile.core.appending import appended
from memstile.core.repairs import MODULES_NAME, shown_path
from memstile.core.steps import Action, Step
from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.repository import entries
from memstile.safe_write import look, replace
from memstile.survey import Work, rows_of
from memstile.untracking import forget_submodule, look_at_modules, untrack


class Stopped(GuardError):
    """A step failed. done: the steps before it, in order."""

    def __init__(self, message: str, hint: str, done: tuple[Step, ...]) -> None:
        super().__init__(message, hint)
        self.done = done


def carry_out(work: Sequence[Work], tell: Callable[[int], None]) -> None:
    """Carry out the steps in order. Raises Stopped at the first that fails.

    tell: called after each, with its number from 1.
    """
    for number, row in enumerate(work, 1):
        try:
            _ACTIONS[row.step.action](row)
        except (GuardError, GitFault, OSError) as error:
            message = getattr(error, "message", "") or getattr(error, "strerror", "") or str(error)
            raise Stopped(
                f"step {number} was not carried out: {message}",
                getattr(error, "hint", "") or "run this again when that is mended",
                tuple(done.step for done in work[: number - 1]),
            ) from error
        tell(number)


def _ignore(row: Work) -> None:
    file = shown_path(row.step.repository, row.step.file)
    seen = look(os.path.join(row.repository.top, row.step.file), file)
    if seen.data != row.before:
        raise GuardError(f"{shown(file)} was changed by somebody else after it was shown", "run this again")
    replace(seen, appended(seen.data, os.fsencode(row.step.line)))


def _untrack(row: Work) -> None:
    if rows_of(row.step, row.repository) != row.rows:
        raise GuardError("the git index was changed by somebody else after it was shown", "run this again")
    untrack(row.repository, row.rows)


def _forget(row: Work) -> None:
    staged = entries(row.repository, MODULES_NAME)
    seen = look_at_modules(row.repository, staged, shown_path(row.step.repository, row.step.file))
    forget_submodule(row.repository, row.step.repository.submodule, staged, seen)


_ACTIONS: dict[Action, Callable[[Work], None]] = {
    Action.IGNORE: _ignore,
    Action.UNTRACK: _untrack,
    Action.FORGET: _forget,
}
