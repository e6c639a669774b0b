"""Count a report, and say the result of the run in one line."""

from __future__ import annotations

from collections import Counter

from memstile.core.finding import Finding, Severity
from memstile.core.record import NamedTuple
from memstile.core.text import counted
from memstile.report.model import Report


class Tally(NamedTuple):
    """How many of everything. notes: None if no vault's were counted. is_failed: a finding fails the run."""

    errors: int
    warnings: int
    infos: int
    vaults: int
    notes: int | None
    is_failed: bool


def tally(report: Report) -> Tally:
    """Count findings by severity, vaults and their notes."""
    by_severity = Counter(finding.severity for finding in report.findings)
    notes = [vault.notes_count for vault in report.vaults if vault.notes_count is not None]
    return Tally(
        by_severity[Severity.ERROR],
        by_severity[Severity.WARNING],
        by_severity[Severity.INFO],
        len(report.vaults),
        sum(notes) if notes else None,
        any(fails(finding, report) for finding in report.findings),
    )


def fails(finding: Finding, report: Report) -> bool:
    """Tell whether this finding fails the run."""
    return finding.severity >= (Severity.WARNING if report.is_strict else Severity.ERROR)


def summary(report: Report) -> str:
    """Write the last line: "2 errors, 1 warning in 1 vault", "clean: 1 vault, 212 notes".

    A run that looked at no vault is never called clean.
    """
    count = tally(report)
    if not count.vaults and not report.findings:
        return "no vault checked"
    vaults = counted(count.vaults, "vault")
    found = ", ".join(
        counted(number, noun)
        for number, noun in ((count.errors, "error"), (count.warnings, "warning"), (count.infos, "info"))
        if number
    )
    if not found:
        return f"clean: {vaults}" + (f", {counted(count.notes, 'note')}" if count.notes is not None else "")
    line = f"{found} in {vaults}" if count.vaults else f"{found}; no vault checked"
    return f"{line}; --strict fails on warnings" if count.is_failed and not count.errors else line
