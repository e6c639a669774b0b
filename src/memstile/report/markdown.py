"""The markdown format: GitHub Flavored Markdown, for the summary page of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.text import counted, grouped, shown
from memstile.report.console import encodable, inert
from memstile.report.model import Gauge, Report, Style, VaultSummary
from memstile.report.tally import summary
from memstile.report.telling import commands, files, mode_words, title, where

HEADINGS = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.INFO: "Infos"}


def render(report: Report, style: Style, rules: Iterable[Rule] = RULES) -> str:
    """Write the result, a table of the vaults, and the findings, the gravest severity first."""
    titles = tuple(rules)
    blocks = [f"## memstile: {summary(report)}"]
    blocks += [_table(report.vaults)] if report.vaults else []
    blocks += [f"Remark: {prose(remark)}" for remark in report.remarks]
    for severity, heading in HEADINGS.items():
        rows = [finding for finding in report.findings if finding.severity == severity]
        blocks += [f"### {heading}"] if rows else []
        blocks += [block for finding in rows for block in _finding(finding, titles)]
    return encodable(inert("\n\n".join(blocks)), style.encoding) + "\n"


def prose(text: str) -> str:
    """Write words as words: whatever they hold, they are neither markup nor a link.

    A bare address becomes a link at "://", "www." and "@"; the last even where it is escaped, so it goes into
    a code span. Source: GitHub Flavored Markdown, 6.9 "Autolinks (extension)".
    """
    escaped = re.sub(r"[\\`*_{}\[\]<>&|~#!$]", r"\\\g<0>", shown(text))
    escaped = re.sub(r":(?=//)", r"\\:", re.sub(r"(?i)(?<=www)\.", r"\\.", escaped))
    return re.sub(r"@+", r"`\g<0>`", escaped)


def code(text: str) -> str:
    """Write text as a code span, where nothing is markup; fit for a table cell too.

    A table cell ends at a pipe even inside a code span, and a backslash before one is read in two ways, so a
    pipe is shown as \\x7c.
    """
    text = shown(text).replace("|", "\\x7c") or " "
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text.strip() and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def block(lines: Iterable[str], language: str) -> str:
    """Write lines as a fenced code block; the fence is longer than any run of backticks inside."""
    body = "\n".join(lines)
    fence = "`" * max(3, _longest_run(body) + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _table(vaults: Sequence[VaultSummary]) -> str:
    rows = [row for vault in vaults for row in _rows(vault)]
    head = ["| Vault | Git | Notes | Index | Lines | Bytes |", "|---|---|---:|---|---:|---:|"]
    return "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)])


def _rows(vault: VaultSummary) -> list[tuple[str, ...]]:
    mode = prose(mode_words(vault)) + (f"; {prose(vault.note)}" if vault.note else "")
    start = (code(vault.path), mode, "" if vault.notes_count is None else grouped(vault.notes_count))
    return [(*start, *_cells(gauge)) for gauge in vault.gauges] or [(*start, "", "", "")]


def _cells(gauge: Gauge) -> tuple[str, str, str]:
    caps = gauge.caps
    name = prose(gauge.layer)
    if gauge.unloaded:
        by = f" by {prose(gauge.unloaded_by)}" if gauge.unloaded_by else ""
        name += f"; {grouped(gauge.lost)} not loaded{by}"
    lines, size = _against(gauge.lines, caps.hard_lines), _against(gauge.bytes, caps.hard_bytes)
    return name, lines, size


def _against(size: int | None, cap: int) -> str:
    if size is None:
        return "not measured"
    numbers = f"{grouped(size)} of {grouped(cap)}"
    return f"**{numbers}**" if size > cap else numbers


def _finding(finding: Finding, rules: Sequence[Rule]) -> list[str]:
    blocks = [f"**{prose(title(finding, rules))}** {code(where(finding))}: {prose(finding.message)}"]
    blocks += [f"Hint: {prose(finding.hint)}"] if finding.hint else []
    blocks += [block(commands(finding), "sh")] if finding.commands else []
    listed = files(finding)
    if listed:
        blocks += [f"{counted(len(finding.paths), 'file')}:", block(listed, "text")]
    return blocks
