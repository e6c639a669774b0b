"""MS901 setting-not-usable."""

from __future__ import annotations

from memstile.core.facts import Facts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms901_setting_not_usable import RULE
from memstile.core.settings import DEFAULTS, LOOSENING, UNUSABLE, Fault
from tests.core.rule_tools import said

FAULTS = (
    Fault("memstile.toml", "index.hard_line", "no such setting", "did you mean x", UNUSABLE, 4),
    Fault("memstile.toml", "index.mode", "too loose", "", LOOSENING),
)


def test_every_fault_is_told_where_it_stands() -> None:
    assert said(RULE, Facts("memstile.toml", DEFAULTS, "", faults=FAULTS)) == [
        Finding("MS901", Severity.ERROR, "memstile.toml", "no such setting", "did you mean x", line=4),
        Finding("MS901", Severity.ERROR, "memstile.toml", "too loose"),
    ]


def test_no_mode_turns_it_off() -> None:
    off = DEFAULTS._replace(index_mode="off", git_mode="off")
    assert [row.severity for row in said(RULE, Facts("memstile.toml", off, "", faults=FAULTS))] == [Severity.ERROR] * 2


def test_without_a_fault_there_is_nothing_to_say() -> None:
    assert said(RULE, Facts("memstile.toml", DEFAULTS, "")) == []
