"""The text format: for a person at a terminal, or reading a log."""

from __future__ import annotations

import textwrap

from memstile.core.finding import Finding
from memstile.core.steps import MENDED
from memstile.core.text import counted, shown
from memstile.report.bars import draw
from memstile.report.console import encodable, inert, painted
from memstile.report.model import Report, Style, VaultSummary
from memstile.report.ownership import by_vault
from memstile.report.tally import summary, tally
from memstile.report.telling import mode_words, remedy, severity_name, where

MIN_WRAP = 40


def render(report: Report, style: Style) -> str:
    """Lay out each vault with its gauges and findings, then what belongs to no vault, then the result."""
    groups = by_vault(report)
    # Settings first: one that was not used may be the cause of what is said about a vault.
    blocks = [_finding(finding, style) for finding in groups.elsewhere]
    blocks += [block for vault, findings in groups.vaults for block in _vault(vault, findings, style)]
    blocks += [[shown(remark) for remark in report.remarks]]
    codes = {finding.code for finding in report.findings}
    if codes & MENDED and "MS901" not in codes:
        blocks += [["to mend what git would carry: memstile fix"]]
    blocks += [[painted(summary(report), _result(report), style)]]
    lines = "\n\n".join("\n".join(line.rstrip(" ") for line in block) for block in blocks if block)
    return encodable(inert(lines), style.encoding) + "\n"


def _result(report: Report) -> str:
    count = tally(report)
    if count.is_failed:
        return "error"
    return "good" if count.vaults and not count.warnings else "warning"


def _vault(vault: VaultSummary, findings: tuple[Finding, ...], style: Style) -> list[list[str]]:
    about = mode_words(vault)
    if vault.notes_count is not None:
        about += f", {counted(vault.notes_count, 'note')}"
    head = [f"{painted(shown(vault.path), 'bold', style)}  ({about})"]
    if vault.note:
        head.append(f"  {shown(vault.note)}")
    gauges = [line for gauge in vault.gauges for line in draw(gauge, style)]
    return [head + gauges, *(_finding(finding, style) for finding in findings)]


def _finding(finding: Finding, style: Style) -> list[str]:
    severity = severity_name(finding)
    mark = painted(f"{severity} {shown(finding.code)}", severity, style)
    return [
        f"{painted(where(finding), 'bold', style)}: {mark}: {shown(finding.message)}",
        *_remedy(finding, style),
    ]


def _remedy(finding: Finding, style: Style) -> list[str]:
    """Wrap the hint; commands stay whole, so that they can be pasted."""
    plain = remedy(finding)
    if not finding.hint:
        return plain
    wrapped = textwrap.wrap(
        plain[0],
        max(MIN_WRAP, style.width),
        subsequent_indent=" " * 8,
        break_long_words=False,
        break_on_hyphens=False,
    )
    wrapped[0] = wrapped[0].replace("hint:", painted("hint:", "hint", style), 1)
    return wrapped + plain[1:]
