"""report/tally.py: counts, and the result of a run in one line."""

from __future__ import annotations

import pytest

from memstile.core.finding import Finding, Severity
from memstile.report.model import Report, VaultSummary
from memstile.report.tally import Tally, summary, tally


def report(severities: str, vaults: int = 1, is_strict: bool = False) -> Report:
    """Make a report. severities: a letter a finding: E, W, I. Every vault has 2,000 notes."""
    letters = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}
    findings = tuple(Finding("MS102", letters[letter], "a", "") for letter in severities)
    return Report(findings, (VaultSummary("a", "ignored", "", (), 2_000),) * vaults, (), is_strict)


SUMMARIES = [
    pytest.param(report(""), "clean: 1 vault, 2,000 notes", False, id="clean"),
    pytest.param(report("", vaults=2), "clean: 2 vaults, 4,000 notes", False, id="two vaults"),
    pytest.param(
        Report((), (VaultSummary("a", "ignored", "", (), None),)), "clean: 1 vault", False, id="notes not counted"
    ),
    pytest.param(report("", vaults=0), "no vault checked", False, id="no vault is not clean"),
    pytest.param(report("EEW"), "2 errors, 1 warning in 1 vault", True, id="errors and a warning"),
    pytest.param(report("EWWI"), "1 error, 2 warnings, 1 info in 1 vault", True, id="all severities"),
    pytest.param(report("W", vaults=2), "1 warning in 2 vaults", False, id="a warning"),
    pytest.param(report("II"), "2 infos in 1 vault", False, id="infos"),
    pytest.param(report("E", vaults=0), "1 error; no vault checked", True, id="settings alone"),
    pytest.param(report("W", is_strict=True), "1 warning in 1 vault; --strict fails on warnings", True, id="strict"),
    pytest.param(report("EW", is_strict=True), "1 error, 1 warning in 1 vault", True, id="strict, an error"),
    pytest.param(report("I", is_strict=True), "1 info in 1 vault", False, id="strict, an info"),
]


@pytest.mark.parametrize(("value", "line", "is_failed"), SUMMARIES)
def test_the_summary_says_what_the_run_found(value: Report, line: str, is_failed: bool) -> None:
    assert (summary(value), tally(value).is_failed) == (line, is_failed)


def test_a_tally_counts_everything() -> None:
    assert tally(report("EEWIII", vaults=3)) == Tally(2, 1, 3, 3, 6_000, True)
