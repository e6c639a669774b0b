"""The github format: workflow commands, which GitHub shows as annotations on a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.text import shown
from memstile.report.console import encodable, inert
from memstile.report.model import Report, Style
from memstile.report.place import from_top
from memstile.report.tally import summary
from memstile.report.telling import remarks, remedy, title

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

# Source: actions/runner, src/Runner.Common/ActionCommand.cs. "%" first: the others bring their own.
_DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY = (*_DATA, (":", "%3A"), (",", "%2C"))


def render(report: Report, style: Style, rules: Iterable[Rule] = RULES) -> str:
    """Write one command a finding, then plain lines: remarks and the result.

    GitHub shows the first ten of a severity and step; the rest are in the log, and the last line counts all.
    """
    titles = tuple(rules)
    lines = [_command(finding, title(finding, titles)) for finding in from_top(report)]
    lines.append(inert("\n".join([*remarks(report), summary(report)])))
    return encodable("\n".join(lines), style.encoding) + "\n"


def _command(finding: Finding, heading: str) -> str:
    properties = [("file", shown(finding.path)), ("line", str(finding.line or "")), ("title", heading)]
    written = ",".join(f"{key}={_escaped(value, _PROPERTY)}" for key, value in properties if value)
    told = inert("\n".join([shown(finding.message), *(line.strip() for line in remedy(finding))]))
    return f"::{COMMANDS[finding.severity]} {written}::{_escaped(told, _DATA)}"


def _escaped(value: str, table: tuple[tuple[str, str], ...]) -> str:
    for character, code in table:
        value = value.replace(character, code)
    return value
