"""Run the rules over facts; stamp codes and severities, and apply the mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memstile.core.facts import Facts
from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule, Told


def check(every: Iterable[Facts], rules: Sequence[Rule] = RULES) -> tuple[Finding, ...]:
    """Give the findings on these vaults and settings files, in the order of the facts and then of the codes.

    A group's mode "audit" turns its errors into warnings, "off" leaves its rules out.
    """
    return tuple(finding for facts in every for rule in rules for finding in _apply(rule, facts))


def _apply(rule: Rule, facts: Facts) -> Iterator[Finding]:
    mode = {"index": facts.settings.index_mode, "git": facts.settings.git_mode}.get(rule.group, "enforce")
    if mode == "off":
        return
    for told in rule.check(facts):
        severity = rule.severity if told.severity is None else told.severity
        yield _stamp(rule, told, min(severity, Severity.WARNING) if mode == "audit" else severity)


def _stamp(rule: Rule, told: Told, severity: Severity) -> Finding:
    return Finding(rule.code, severity, told.path, told.message, told.hint, told.commands, told.paths, told.line)


def selected(rules: Sequence[Rule], prefixes: Iterable[str]) -> tuple[Rule, ...]:
    """Pick rules by code or by the letters a code starts with; no prefix picks all."""
    wanted = tuple(prefix.upper() for prefix in prefixes)
    return tuple(rule for rule in rules if not wanted or rule.code.startswith(wanted))
