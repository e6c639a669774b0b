"""The gitlab format: a Code Quality report, which GitLab shows in a merge request.

Source: GitLab documentation, "Code Quality report format".
"""

from __future__ import annotations

from collections.abc import Iterable

from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.text import shown
from memstile.report.console import json_text
from memstile.report.model import Report, Style
from memstile.report.place import fingerprints, from_top, tidy
from memstile.report.telling import title

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report, _style: Style, rules: Iterable[Rule] = RULES) -> str:
    """Write a JSON array with one object a finding; [] for a clean run, which tells GitLab that all is well.

    GitLab wants paths relative to the repository. One outside it stays as it is: there is nothing to link to.
    """
    titles = tuple(rules)
    findings = from_top(report)
    rows = zip(findings, fingerprints(findings), strict=True)
    return json_text([_issue(finding, mark, title(finding, titles)) for finding, mark in rows])


def _issue(finding: Finding, fingerprint: str, name: str) -> dict[str, object]:
    hint = f". Hint: {shown(finding.hint)}" if finding.hint else ""
    return {
        "description": shown(finding.message) + hint,
        "check_name": name,
        "fingerprint": fingerprint,
        "severity": SEVERITIES[finding.severity],
        "location": {"path": shown(tidy(finding.path)), "lines": {"begin": finding.line or 1}},
    }
