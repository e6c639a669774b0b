"""The json format: everything in a report, for programs. Its schema: report.schema.json, beside this file."""

from __future__ import annotations

from collections.abc import Iterable

from memstile import __version__
from memstile.core.finding import Finding
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.text import shown
from memstile.report.console import json_text
from memstile.report.model import Gauge, Report, Style, VaultSummary
from memstile.report.place import path_fields
from memstile.report.tally import tally
from memstile.report.telling import commands, severity_name

VERSION = 1
"""Raised when a field goes away or changes its meaning; a field that is added leaves it as it is."""


def render(report: Report, _style: Style, rules: Iterable[Rule] = RULES) -> str:
    """Write a report as one JSON object: paths safe to show, and in bytes where that changed them."""
    count = tally(report)
    names = {rule.code: rule.name for rule in rules}
    document = {
        "version": VERSION,
        "tool": {"name": "memstile", "version": __version__},
        "is_strict": report.is_strict,
        "is_failed": count.is_failed,
        "counts": {
            "errors": count.errors,
            "warnings": count.warnings,
            "infos": count.infos,
            "vaults": count.vaults,
            "notes": count.notes,
        },
        "remarks": [shown(remark) for remark in report.remarks],
        "vaults": [_vault(vault) for vault in report.vaults],
        "findings": [_finding(finding, names.get(finding.code, "")) for finding in report.findings],
    }
    return json_text(document)


def _vault(vault: VaultSummary) -> dict[str, object]:
    return {
        **path_fields(vault.path),
        "mode": shown(vault.mode),
        "note": shown(vault.note),
        "notes_count": vault.notes_count,
        "gauges": [_gauge(gauge) for gauge in vault.gauges],
    }


def _gauge(gauge: Gauge) -> dict[str, object]:
    return {
        **path_fields(gauge.path),
        "layer": shown(gauge.layer),
        "lines": gauge.lines,
        "bytes": gauge.bytes,
        "caps": gauge.caps._asdict(),
        "unloaded_by": shown(gauge.unloaded_by),
        "unloaded": [shown(entry) for entry in gauge.unloaded],
        "unloaded_count": gauge.lost,
    }


def _finding(finding: Finding, name: str) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": name,
        "severity": severity_name(finding),
        **path_fields(finding.path),
        "line": finding.line,
        "message": shown(finding.message),
        "hint": shown(finding.hint),
        "commands": commands(finding),
        "files": [path_fields(path) for path in finding.paths],
    }
