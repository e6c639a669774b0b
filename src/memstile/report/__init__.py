"""Output formats: pure functions from a report to text, one module and one row of FORMATS each."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from memstile.report.model import Report, Style


def _format(module: str) -> Callable[[Report, Style], str]:
    """Import the module of a format when it is used: all seven cost a third of the start of `memstile check`."""

    def render(report: Report, style: Style) -> str:
        text: str = importlib.import_module(f"memstile.report.{module}").render(report, style)
        return text

    return render


FORMATS = {
    "text": _format("text"),
    "json": _format("json_document"),
    "github": _format("github"),
    "gitlab": _format("gitlab"),
    "sarif": _format("sarif"),
    "junit": _format("junit"),
    "markdown": _format("markdown"),
}
"""Each result is the whole output and ends with exactly one line break."""

FROM_TOP = frozenset(("github", "gitlab", "sarif"))
"""The formats that need Report.origin: code hosts count paths from the top of the repository."""

SUMMARIES = {
    "text": "a person at a terminal",
    "json": "a program of your own; the schema is published",
    "github": "annotations in GitHub Actions",
    "gitlab": "GitLab Code Quality",
    "sarif": "SARIF 2.1.0: code scanning and other viewers",
    "junit": "test report viewers",
    "markdown": "a CI job summary",
}
