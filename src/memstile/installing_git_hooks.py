"""Plan git's own hooks: ours goes in front of one that is there, and core.hooksPath is never set."""

from __future__ import annotations

import contextlib
import os
import sys

from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.installing_desk import Desk, Step
from memstile.installing_files import make_folders
from memstile.installing_project import project_of
from memstile.repositories import Repositories
from memstile.repository import Repository
from memstile.safe_write import look, replace
from memstile.setups.git_hook import BEFORE, NAMES, is_ours, script
from memstile.standing import Standing


def put_steps(desk: Desk, standing: Standing) -> list[Step]:
    """Plan to write the hooks. Raises GuardError where they belong to somebody else."""
    folder = hooks_folder(standing)
    text = script(os.path.abspath(sys.executable))
    return [step for name in NAMES if (step := _put_step(desk, os.path.join(folder, name), text))]


def take_steps(desk: Desk, standing: Standing) -> list[Step]:
    """Plan to take the hooks away, and to put back what was there."""
    folder = hooks_folder(standing)
    return [step for name in NAMES if (step := _take_step(desk, os.path.join(folder, name)))]


def hooks_folder(standing: Standing) -> str:
    """Say where git runs hooks from. Raises GuardError where that is no place of this repository."""
    repository = _repository(standing)
    rows = repository.git.names("config", "--show-scope", "--null", "--get-all", "core.hooksPath", accept=(0, 1))
    pairs = [(scope, value) for scope, value in zip(rows[::2], rows[1::2], strict=False) if scope != "command"]
    if not pairs:
        return os.path.join(_common(repository), "hooks")
    scope, value = pairs[-1]
    folder = os.path.normpath(os.path.join(repository.top, os.path.expanduser(value)))
    inside = any((folder + os.sep).startswith(place + os.sep) for place in (repository.top, _common(repository)))
    if scope not in ("local", "worktree") or not inside:
        raise GuardError(
            f"core.hooksPath ({shown(scope)}) sends git to {shown(value)}, which is not this repository's alone",
            "call `memstile check --staged` from the hooks there",
        )
    if os.path.basename(folder) == "_":
        raise GuardError(
            f"core.hooksPath sends git to {shown(value)}, which husky writes anew",
            "add the line `memstile check --staged` to .husky/pre-commit and .husky/pre-merge-commit",
        )
    return folder


def _repository(standing: Standing) -> Repository:
    try:
        return Repositories(standing).open(project_of(standing))
    except GitFault as fault:
        raise GuardError(f"there is no repository here: {fault.message}", fault.hint) from fault


def _common(repository: Repository) -> str:
    answer = os.fsdecode(repository.git.ask("rev-parse", "--git-common-dir")).rstrip("\n")
    return os.path.realpath(os.path.join(repository.top, answer))


def _put_step(desk: Desk, path: str, text: str) -> Step | None:
    is_there = os.path.lexists(path)
    seen = look(os.path.realpath(path), path) if is_there else None
    old = seen.data.decode("utf-8", "replace") if seen else ""
    if seen and is_ours(old):
        return None if old == text else Step(f"change {desk.name(path)}", lambda: replace(seen, text.encode()))
    if is_there and os.path.lexists(path + BEFORE):
        raise GuardError(f"{desk.name(path + BEFORE)} is there already", "look which of the two is to be kept")
    lines = ("checks what is staged",)
    if is_there:
        kept = f"the hook that is there is kept as {os.path.basename(path)}{BEFORE}, and run first"
        return Step(f"write {desk.name(path)}", lambda: _put(desk, path, text, keep=True), (*lines, shown(kept)))
    return Step(f"write {desk.name(path)}", lambda: _put(desk, path, text, keep=False), lines)


def _put(desk: Desk, path: str, text: str, *, keep: bool) -> None:
    make_folders(desk, os.path.dirname(path))
    if keep:
        os.rename(path, path + BEFORE)
    seen = look(path, desk.name(path))
    if seen.status:
        raise GuardError(f"{desk.name(path)} was changed by somebody else after it was shown", "run it again")
    try:
        replace(seen, text.encode())
        os.chmod(path, 0o755)  # noqa: S103 - git passes over a hook that is not executable
    except BaseException:
        if keep:
            with contextlib.suppress(OSError):
                os.rename(path + BEFORE, path)
        raise


def _take_step(desk: Desk, path: str) -> Step | None:
    seen = look(path, path) if os.path.isfile(path) and not os.path.islink(path) else None
    if seen is None or not is_ours(seen.data.decode("utf-8", "replace")):
        return None
    if os.path.lexists(path + BEFORE):
        return Step(f"put the hook before it back as {desk.name(path)}", lambda: os.replace(path + BEFORE, path))
    return Step(f"remove {desk.name(path)}", lambda: os.unlink(path))
