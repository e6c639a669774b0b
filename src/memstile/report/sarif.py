"""The sarif format: SARIF 2.1.0, for code scanning and for viewers in editors.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memstile import __version__
from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.text import shown
from memstile.report.console import json_text
from memstile.report.model import Report, Style
from memstile.report.place import fingerprints, from_top, uri
from memstile.report.telling import commands, remarks

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
MAX_LOCATIONS = 100
"""GitHub shows that many locations of a result; the rest are related locations."""


def render(report: Report, _style: Style, rules: Iterable[Rule] = RULES) -> str:
    """Write one run with every rule and one result a finding."""
    table = tuple(rules)
    indexes = {rule.code: number for number, rule in enumerate(table)}
    findings = from_top(report)
    rows = zip(findings, fingerprints(findings), strict=True)
    driver = {"name": "memstile", "version": __version__, "rules": [_rule(rule) for rule in table]}
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(report)],
        "results": [_result(finding, mark, indexes) for finding, mark in rows],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _message(rule.summary)},
        "fullDescription": {"text": _message(rule.page.partition("\n")[0] or rule.summary)},
        "help": {"text": _message(rule.page.strip() or rule.summary)},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _invocation(report: Report) -> dict[str, object]:
    """Say that the run itself went well, and carry what it has to say as a whole."""
    told = [{"level": "note", "message": {"text": _message(line)}} for line in remarks(report)]
    return {"executionSuccessful": True, **({"toolExecutionNotifications": told} if told else {})}


def _result(finding: Finding, fingerprint: str, indexes: Mapping[str, int]) -> dict[str, object]:
    places = [finding.path, *(path for path in dict.fromkeys(finding.paths) if path != finding.path)]
    locations = [_location(path, None if number else finding.line) for number, path in enumerate(places)]
    known = {"ruleIndex": indexes[finding.code]} if finding.code in indexes else {}
    rest = {"relatedLocations": locations[MAX_LOCATIONS:]} if len(locations) > MAX_LOCATIONS else {}
    told = [shown(finding.message)]
    told += [f"Hint: {shown(finding.hint)}"] if finding.hint else []
    told += [f"$ {command}" for command in commands(finding)]
    return {
        "ruleId": finding.code,
        **known,
        "level": LEVELS[finding.severity],
        "message": {"text": _message("\n".join(told))},
        "locations": locations[:MAX_LOCATIONS],
        **rest,
        "partialFingerprints": {"memstileFinding/v1": fingerprint},
    }


def _location(path: str, line: int | None) -> dict[str, object]:
    address = uri(path)
    base = {} if address.startswith("file:") else {"uriBaseId": "%SRCROOT%"}
    region = {"region": {"startLine": line}} if line else {}
    return {"physicalLocation": {"artifactLocation": {"uri": address, **base}, **region}}


def _message(text: str) -> str:
    """Write plain text as a message string, where "{0}" is a placeholder and "[text](target)" a link.

    Source: SARIF 2.1.0, 3.11.5 and 3.11.6.
    """
    return text.replace("{", "{{").replace("}", "}}").replace("](", "]\\(")
