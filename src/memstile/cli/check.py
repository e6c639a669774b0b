"""`memstile check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from memstile.cli.progress import Progress
from memstile.cli.terminal import standing, write
from memstile.commit import check_commit
from memstile.core.check import check, selected
from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.steps import without_steps
from memstile.errors import ExitCode, GuardError
from memstile.origin import origin
from memstile.outcome import Outcome, Request
from memstile.report import FORMATS, FROM_TOP
from memstile.report.model import Report, Style
from memstile.tree import check_tree

_UPLOADED = frozenset(("gitlab", "junit", "sarif"))
"""The formats that a later step uploads, also after a check that could not be made: an empty file makes that fail."""


@click.command("check", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--since", metavar="REF", help="Compare with the merge base of REF and HEAD.")
@click.option("--staged", "is_staged", is_flag=True, help="Check the next commit: staged blobs, not the work tree.")
@click.option("--select", metavar="CODES", multiple=True, help="Only these rules: MS101, or MS1 for all that begin so.")
@click.option("--format", "format_name", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@click.option("--strict", "is_strict", is_flag=True, help="Fail on warnings too, and when there is no vault to check.")
def command(
    paths: tuple[str, ...],
    since: str | None,
    is_staged: bool,
    select: tuple[str, ...],
    format_name: str,
    is_strict: bool,
) -> int:
    """Check vaults: the size of the index, and what git would carry.

    PATH is a vault, or a folder with vaults below it; without one, the configured vaults and all below this folder.

    \b
    memstile check                        look at everything below here
    memstile check .agent-memory          one vault
    memstile check --since origin/main    fail on growth in a pull request
    memstile check --staged               in a commit hook
    memstile check --format sarif > memstile.sarif
    """
    rules = _selected(select)
    if since == "":
        raise GuardError("--since was given an empty ref", "a variable is unset? name a branch, tag or commit")
    progress = Progress("folders")
    here = standing()
    request = Request(tuple(paths), since or "", tick=progress.tick)
    try:
        outcome = check_commit(request, here) if is_staged else check_tree(request, here)
    except GuardError as error:
        if format_name in _UPLOADED:
            _write(Report((_not_checked(error),), (), (), is_strict), format_name)
        raise
    finally:
        progress.clear()
    findings = check(outcome.facts, rules)
    if not outcome.is_usable:
        findings = tuple(map(without_steps, findings))
    place = origin(here) if format_name in FROM_TOP else None
    _write(Report(findings, outcome.vaults, outcome.remarks, is_strict, place), format_name)
    return _exit_code(outcome, [finding.severity for finding in findings], is_strict)


def _write(report: Report, format_name: str) -> None:
    write(FORMATS[format_name](report, _style()).encode(_encoding(), "backslashreplace"))


def _not_checked(error: GuardError) -> Finding:
    """Put what ended a check into a report. No rule has this code: nothing was looked at."""
    return Finding("MS900", Severity.ERROR, ".", f"not checked: {error.message}", error.hint)


def _selected(select: Sequence[str]) -> tuple[Rule, ...]:
    """Pick the rules of --select; a code that no rule has would pick nothing and read as clean."""
    wanted = [code for codes in select for code in codes.replace(",", " ").split()]
    unknown = [code for code in wanted if not selected(RULES, [code])]
    if unknown or (select and not wanted):
        raise GuardError(f"no rule begins with {', '.join(unknown) or 'nothing'}", "list them with `memstile rule`")
    # A setting that was not used changes what every rule says: its rule is always on.
    return selected(RULES, [*wanted, "MS901"]) if wanted else RULES


def _exit_code(outcome: Outcome, severities: Sequence[Severity], is_strict: bool) -> int:
    if not outcome.is_usable:
        return ExitCode.NOT_CHECKED
    if is_strict and not outcome.is_given and not outcome.vaults:
        raise GuardError("no vault was given, configured or found", "name it: `memstile check PATH`, or [[vault]]")
    limit = Severity.WARNING if is_strict else Severity.ERROR
    return ExitCode.FINDINGS if any(severity >= limit for severity in severities) else ExitCode.CLEAN


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _style() -> Style:
    use_colour = (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
    return Style(use_colour, _columns(), _encoding())


def _columns() -> int:
    """Give the width of the terminal, as shutil does (which loads six times as long as this takes)."""
    named = os.environ.get("COLUMNS", "")
    if sys.stdout is None:  # closed by the caller; writing will say so
        return 80
    try:
        return int(named) if named.isdecimal() else os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 80
