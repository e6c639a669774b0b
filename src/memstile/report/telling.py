"""A finding as plain lines: the wording that all formats for people share. Every line is safe to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memstile.core.finding import Finding
from memstile.core.rules.rule import Rule
from memstile.core.text import grouped, shown
from memstile.report.model import Report, VaultSummary

MOST_FILES = 10

MODES = {
    "outside": "outside any repository",
    "ignored": "inside a project",
    "dedicated": "a repository of its own",
    "shared": "committed on purpose",
}


def where(finding: Finding) -> str:
    """Write the place of a finding: "path" or "path:line"."""
    return shown(finding.path) + (f":{finding.line}" if finding.line else "")


def severity_name(finding: Finding) -> str:
    """Write the severity: "error", "warning", "info"."""
    return finding.severity.name.lower()


def title(finding: Finding, rules: Iterable[Rule]) -> str:
    """Write "MS101 index-grew-over-cap"; the code alone where no rule has it."""
    return " ".join((shown(finding.code), *(rule.name for rule in rules if rule.code == finding.code)))


def headline(finding: Finding) -> str:
    """Write the line that tells it all: "MEMORY.md: error MS101: index is 210 lines, hard cap 200"."""
    return f"{where(finding)}: {severity_name(finding)} {shown(finding.code)}: {shown(finding.message)}"


def commands(finding: Finding) -> list[str]:
    """Give the commands that mend it, a line each."""
    return [shown(command) for command in finding.commands]


def files(finding: Finding, most: int = MOST_FILES) -> list[str]:
    """List the files concerned, () where the place says it all; after `most`, how many more there are."""
    if finding.paths in ((), (finding.path,)):
        return []
    more = len(finding.paths) - most
    return [*map(shown, finding.paths[:most]), *([f"and {grouped(more)} more"] if more > 0 else [])]


def remedy(finding: Finding) -> list[str]:
    """Write what follows the message: hint, commands, files, indented under it."""
    listed = files(finding)
    return [
        *([f"  hint: {shown(finding.hint)}"] if finding.hint else []),
        *(f"    $ {command}" for command in commands(finding)),
        *(["  files:"] if listed else []),
        *(f"    {name}" for name in listed),
    ]


def mode_words(vault: VaultSummary) -> str:
    """Write where a vault is. "ignored" says that it has to be, not that it is: that is for the findings."""
    return MODES.get(vault.mode, shown(vault.mode))


def remarks(report: Report) -> list[str]:
    """Give the lines that belong to no finding: on each vault, then on the run."""
    on_vaults = [f"{shown(vault.path)}: {shown(vault.note)}" for vault in report.vaults if vault.note]
    return on_vaults + [shown(remark) for remark in report.remarks]


def elided(names: Sequence[str], columns: int, longest: int = 40, count: int = 0) -> str:
    """Write as many names as fit, at least one, each at most `longest` long, and how many more there are.

    count: of all, where not all are given.
    """
    some = map(shown, names[: max(1, columns)])
    short = [name if len(name) <= longest else name[: longest - 3] + "..." for name in some]
    taken = 1
    while taken < len(short) and len(", ".join(short[: taken + 1])) + len(" and 1,000 more") <= columns:
        taken += 1
    more = max(count, len(names)) - taken
    return ", ".join(short[:taken]) + (f" and {grouped(more)} more" if more > 0 else "")
