"""Say how to commit what the steps did to one repository, and what else that commit would take along."""

from __future__ import annotations

from memstile.core.facts import RepositoryFacts
from memstile.core.record import NamedTuple
from memstile.core.repairs import git, on_paths, stage
from memstile.core.text import counted, shell_quoted, shown
from memstile.core.wording import some

MESSAGE = "keep the memory vault out of git"
_MOST_PATHS = 10


class Pending(NamedTuple):
    """What the next commit of one repository would hold once the steps are done. Paths are from the top.

    rules: ignore files to stage before. files: those, and what else the steps changed on disk and HEAD has otherwise.
    taken_out: the units of which a step took out of the git index what HEAD has. others: what is staged beside those.
    operation: what the commit would end: "merge", "rebase"; "" for none. unmerged: paths with a conflict; git commits
    nothing before they are resolved.
    """

    repository: RepositoryFacts
    rules: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    taken_out: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    operation: str = ""
    unmerged: tuple[str, ...] = ()


def commands(pending: Pending) -> tuple[str, ...]:
    """Give the commands that commit what the steps did, () where HEAD has it so already, or a conflict comes first.

    `git commit -- PATH` takes the files as they are on disk, and would add again what left the git index alone
    (observed with git 2.39). So the commit is limited to paths only where no step took out what HEAD has.
    """
    if not pending.files and not pending.taken_out:
        return ()
    staging = stage(pending.repository, pending.rules) if pending.rules else ()
    if pending.unmerged:
        return staging
    commit = f"commit -m {shell_quoted(MESSAGE)}"
    if pending.others and _can_be_limited(pending):
        return (*staging, on_paths(pending.repository, commit, pending.files))
    return (*staging, f"{git(pending.repository)} {commit}")


def warning(pending: Pending) -> tuple[str, ...]:
    """Say what else the commit would take along: lines that are safe to show, a command with "$ " before it."""
    if not pending.files and not pending.taken_out:
        return ()
    place = f" in {shown(pending.repository.top)}" if pending.repository.top else ""
    count = len(pending.others)
    if pending.unmerged:
        conflicts = f"{counted(len(pending.unmerged), 'path')} with a conflict{place}: {some(pending.unmerged)}"
        return (conflicts, "Git commits nothing before they are resolved: resolve them, `git add` them, then commit.")
    staged = f"{counted(count, 'other path')} {'is' if count == 1 else 'are'} staged{place}: {some(pending.others)}"
    if pending.operation:
        ends = f"The commit ends the {pending.operation} that is in progress{place}"
        return (*([staged] if count else []), f"{ends}, and takes all of it along; to keep them apart, end it first.")
    if not count:
        return ()
    if _can_be_limited(pending):
        return (staged, "The commit is limited to what was changed here, and leaves the rest staged.")
    return (
        staged,
        "The commit would take that along. To leave it out, unstage it first; what is on disk stays, a staged version",
        "that differs from it does not:",
        f"     $ {shown(_unstage(pending))}",
    )


def _can_be_limited(pending: Pending) -> bool:
    # git refuses a commit of single paths in the middle of a merge.
    return not pending.taken_out and not pending.operation


def _unstage(pending: Pending) -> str:
    """Write the command that makes the git index as HEAD is, but for what the steps did."""
    if len(pending.others) <= _MOST_PATHS:
        return on_paths(pending.repository, "restore --staged", pending.others)
    kept = (*pending.files, *pending.taken_out)
    excluded = " ".join(shell_quoted(f":(exclude,literal){path}") for path in kept)
    return f"{git(pending.repository)} restore --staged -- . {excluded}"
