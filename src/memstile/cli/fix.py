"""`memstile fix`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

import click

from memstile.cli.progress import Progress
from memstile.cli.telling import Telling
from memstile.cli.terminal import say, standing
from memstile.core.facts import RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.next_commit import commands, warning
from memstile.core.repairs import git, pattern, shown_path, stage
from memstile.core.steps import MENDED, title, undo
from memstile.core.text import counted, shell_quoted, shown
from memstile.errors import ExitCode, GuardError
from memstile.fix import Stopped, carry_out
from memstile.outcome import Request
from memstile.pending import pending
from memstile.reach import LeftAlone
from memstile.report.telling import headline, remedy
from memstile.standing import Standing
from memstile.survey import Survey, Work, survey

_MOST_BLOBS = 10
_WHAT_GIT_DELETES = (
    "",
    "The files stay on disk here. Other clones lose theirs when they pull the commit, and this one does when it checks",
    "out an older one and comes back: copy the vault to a place outside the repository first.",
)
_NOTHING_HERE = (
    "",
    "Nothing of it is on disk here, and other clones lose theirs when they pull the commit: make sure that a copy of",
    "the vault is outside the repository first. Commits made before still have it.",
)


@click.command("fix", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the steps and stop.")
@click.option("--yes", "is_agreed", is_flag=True, help="Carry the steps out without asking.")
def command(paths: tuple[str, ...], is_dry: bool, is_agreed: bool) -> int:
    """Keep vaults out of git: ignore and untrack them, step by step.

    PATH is a vault, or a folder with vaults below it; without one, the configured vaults and all below this folder.
    Three things are changed only where PATH names them: a whole work tree, a folder outside this project that only the
    project's own settings name, and one that no settings name and that holds more than notes or is taken for a vault
    by little.
    All steps are shown first, each with the command that does the same by hand. Then you are asked once.

    \b
    memstile fix                      show the steps, ask, carry them out
    memstile fix --dry-run            show the steps; exit code 1 if there are any
    memstile fix --yes .agent-memory  one vault, without asking

    \b
    Steps:
      ignore      one line at the end of the project's .gitignore; the rest of
                  that file stays as it is, byte for byte
      untrack     the vault leaves the git index; its files stay on disk
      submodule   its section leaves .gitmodules

    Nothing is committed: the commands for that are shown at the end. Commits made before still carry the vault; see
    `memstile rule MS209`. To keep a vault that is committed on purpose, say `mode = "shared"` in its [[vault]] table.

    \b
    Exit codes: 0 nothing is left to mend, 1 something is, 2 could not mend or
                nobody to ask, 130 interrupted.
    """
    here = standing()
    request = Request(tuple(paths))
    seen = _survey(request, here)
    if not seen.work:
        say(_nothing_to_do(seen))
        return _exit_code(seen)
    if is_dry:
        say([*_steps(seen.work), *_left(seen, MENDED)])
        return ExitCode.FINDINGS
    telling = Telling()
    telling.say(_steps(seen.work))
    if not is_agreed:
        telling.end()  # nobody agrees to what was not shown
        if not _agrees(len(seen.work)):
            say(["nothing was changed"])
            return ExitCode.FINDINGS
    _carry_out(seen.work, telling)
    after = _survey(request, here)
    telling.say(_summary(seen.work, after))
    telling.end()
    return _exit_code(after)


def _survey(request: Request, here: Standing) -> Survey:
    progress = Progress("folders")
    try:
        return survey(request._replace(tick=progress.tick), here)
    finally:
        progress.clear()


def _agrees(count: int) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():  # None: Python was started with it closed, as by `<&-`
        raise GuardError(
            "nothing was changed: there is no terminal to ask on", "add --yes to carry out the steps shown"
        )
    return click.confirm(f"Carry out {counted(count, 'step')}?")


def _exit_code(seen: Survey) -> int:
    is_bad = any(row.severity >= Severity.ERROR and row.code.startswith("MS2") for row in seen.findings)
    return ExitCode.FINDINGS if is_bad else ExitCode.CLEAN


def _steps(work: Sequence[Work]) -> list[str]:
    lines = []
    for number, row in enumerate(work, 1):
        lines += [f"{number}. {title(row.step)}", *(f"     $ {shown(text)}" for text in row.step.commands)]
        lines += _only_staged(row)
    return [*lines, ""]


def _only_staged(row: Work) -> list[str]:
    """Name the blobs that only the git index holds: git keeps them until it prunes, two weeks if nobody set it."""
    lines = []
    for entry in row.only_staged[:_MOST_BLOBS]:
        path = shown_path(row.step.repository, entry.path)
        lines.append(f"     the staged {shown(path)} is not the file on disk; it stays readable as blob {entry.sha}")
    more = len(row.only_staged) - _MOST_BLOBS
    return [*lines, *([f"     and {counted(more, 'more such file')}: `git fsck --lost-found`"] if more > 0 else [])]


def _carry_out(work: Sequence[Work], telling: Telling) -> None:
    try:
        carry_out(work, lambda number: telling.say([f"step {number} of {len(work)} done"]))
    except Stopped as stopped:
        if stopped.done:
            steps = [line for step in reversed(stopped.done) for line in undo(step)]
            telling.say(["", "To take back what was done:", *(f"     {line}" for line in steps)])
        raise


def _summary(work: Sequence[Work], after: Survey) -> list[str]:
    rows = pending(work, after.unstaged_rules)
    is_clean = _exit_code(after) == ExitCode.CLEAN
    each = [(row.repository, file) for row in rows if commands(row) for file in row.rules]
    to_stage = {text for repository, file in each for text in stage(repository, [file])}
    others = [row for row in after.findings if not (row.commands and to_stage.issuperset(row.commands))]
    return [
        "",
        f"Checked again: {'git carries nothing of these vaults now.' if is_clean else 'not all is mended.'}",
        *_left(after._replace(findings=tuple(others)), frozenset()),  # the rest is among the commands below
        *(_what_git_deletes(work) if any(row.taken_out for row in rows) else ()),
        *(line for row in rows if (told := warning(row)) for line in ("", *told)),
        "",
        *_next([text for row in rows for text in commands(row)], is_held=any(map(warning, rows))),
    ]


def _what_git_deletes(work: Sequence[Work]) -> tuple[str, ...]:
    units = (os.path.join(row.repository.top, row.step.repository.unit) for row in work if row.rows)
    return _WHAT_GIT_DELETES if any(map(os.path.lexists, units)) else _NOTHING_HERE


def _next(every: Sequence[str], *, is_held: bool) -> list[str]:
    if not every and is_held:  # by a conflict, and that was told
        return ["Nothing is committed yet."]
    if not every:
        return ["There is nothing to commit: HEAD carries nothing of it."]
    return ["Nothing is committed yet. Next:", *(f"     $ {shown(text)}" for text in every)]


def _nothing_to_do(seen: Survey) -> list[str]:
    is_clean = _exit_code(seen) == ExitCode.CLEAN
    is_other = any(row.severity >= Severity.ERROR for row in seen.findings)
    last = "nothing done: no step mends what is left" if not is_clean else "nothing to do"
    last += ": for git all is well, and the rest is for a person" if is_clean and is_other else ""
    return [*map(shown, seen.remarks), *_left(seen, frozenset()), *_to_stage(seen), last]


def _to_stage(seen: Survey) -> Iterable[str]:
    """Name the rules that are on disk alone. A file that is not in the git index is a finding already."""
    yield from seen.unmerged
    told = {text for row in seen.findings for text in row.commands}
    for top, files in seen.unstaged_rules.items():
        repository = RepositoryFacts(top, "", flagged=tuple(seen.flagged.get(top, ())))
        for file in files:
            steps = stage(repository, [file])
            if not told.issuperset(steps):
                name = shown(shown_path(repository, file))
                yield f"{name}: the rule is on disk, and the next commit would be without it"
                yield from ("  hint: stage it", *(f"    $ {shown(text)}" for text in steps))


def _left(seen: Survey, planned: frozenset[str]) -> list[str]:
    """Tell what stays. planned: the codes that the steps are about."""
    stuck = [line for row in seen.stuck for line in _by_hand(row)]
    left = [line for alone in seen.left_alone for line in _alone(alone)]
    return [*stuck, *left, *(line for row in seen.findings if row.code not in planned for line in _finding(row))]


def _finding(finding: Finding) -> list[str]:
    if finding.code in MENDED or finding.commands:
        return [headline(finding), *remedy(finding)]
    return [headline(finding), f"  not mended here; `memstile rule {finding.code}` says how to go on"]


def _alone(row: LeftAlone) -> tuple[str, str, str]:
    return (
        f"{shown(row.path)}: left alone, since {row.why}",
        "  hint: if git is to forget all of it, name it",
        f"    $ memstile fix -- {shown(shell_quoted(row.path))}",
    )


def _by_hand(row: RepositoryFacts) -> Iterable[str]:
    unit = shown_path(row, row.unit)
    ask = f"{git(row)} check-ignore -v --no-index -- {shell_quoted(row.unit or '.')}"
    return (
        f"{shown(unit)}: no rule that could be appended would win over those that are there",
        f"  hint: this names the rule that decides; edit its file so that {shown(pattern(row))} comes last",
        f"    $ {shown(ask)}",
    )
