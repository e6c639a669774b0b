"""core/check.py: the rules over the facts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.check import check, selected
from memstile.core.facts import Facts
from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule, Told
from memstile.core.settings import DEFAULTS


def row(code: str, group: str, severity: Severity, *said: Told) -> Rule:
    def speak(facts: Facts) -> Iterator[Told]:
        yield from (told._replace(path=f"{facts.path}/{told.path}") for told in said)

    return Rule(code, code.lower(), severity, group, "", speak, "")


A, B = Facts("a", DEFAULTS, "auto"), Facts("b", DEFAULTS, "auto")


def test_findings_come_by_vault_and_then_by_rule() -> None:
    rules = [
        row("X1", "", Severity.INFO, Told("1", "m")),
        row("X2", "", Severity.ERROR, Told("2", "m"), Told("3", "n")),
    ]
    assert check([A, B], rules) == tuple(
        Finding(code, severity, f"{place}/{path}", message)
        for place in "ab"
        for code, severity, path, message in (
            ("X1", Severity.INFO, "1", "m"),
            ("X2", Severity.ERROR, "2", "m"),
            ("X2", Severity.ERROR, "3", "n"),
        )
    )
    assert check([], rules) == ()
    assert check([A], []) == ()


def test_a_finding_is_what_was_told_with_the_code_of_the_rule() -> None:
    told = Told("p", "m", "h", ("c",), ("q",), 7)
    assert check([A], [row("X1", "index", Severity.ERROR, told)]) == (
        Finding("X1", Severity.ERROR, "a/p", "m", "h", ("c",), ("q",), 7),
    )


MODES = [
    ("index", "enforce", "off", Severity.ERROR),
    ("index", "audit", "off", Severity.WARNING),
    ("index", "off", "enforce", None),
    ("git", "off", "enforce", Severity.ERROR),
    ("git", "enforce", "audit", Severity.WARNING),
    ("git", "enforce", "off", None),
    ("", "off", "off", Severity.ERROR),
]


@pytest.mark.parametrize(("group", "index_mode", "git_mode", "expected"), MODES)
def test_the_mode_of_its_group_governs_a_rule(
    group: str, index_mode: str, git_mode: str, expected: Severity | None
) -> None:
    facts = A._replace(settings=DEFAULTS._replace(index_mode=index_mode, git_mode=git_mode))
    found = check([facts], [row("X1", group, Severity.ERROR, Told("p", "m"))])
    assert [finding.severity for finding in found] == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("own", "mode", "expected"),
    [
        (Severity.WARNING, "enforce", Severity.WARNING),
        (Severity.INFO, "audit", Severity.INFO),
        (Severity.ERROR, "audit", Severity.WARNING),
        (None, "enforce", Severity.INFO),
    ],
)
def test_what_is_told_may_weigh_otherwise_than_its_rule(own: Severity | None, mode: str, expected: Severity) -> None:
    facts = A._replace(settings=DEFAULTS._replace(index_mode=mode))
    found = check([facts], [row("X1", "index", Severity.INFO, Told("p", "m", severity=own))])
    assert [finding.severity for finding in found] == [expected]


SELECTED = [
    ([], [rule.code for rule in RULES]),
    (["MS101"], ["MS101"]),
    (["ms101"], ["MS101"]),
    (["MS90"], ["MS901", "MS902"]),
    (["MS902", "MS101"], ["MS101", "MS902"]),
    (["MS1", "MS10"], ["MS101", "MS102", "MS103", "MS104", "MS105", "MS106"]),
    (["S101"], []),
    (["MS1011"], []),
]


@pytest.mark.parametrize(("prefixes", "expected"), SELECTED)
def test_rules_are_picked_by_how_their_codes_begin(prefixes: list[str], expected: list[str]) -> None:
    assert [rule.code for rule in selected(RULES, prefixes)] == expected


def test_codes_are_in_order_and_each_is_one_rule() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert {rule.group for rule in RULES} <= {"index", "git", ""}


@given(st.sampled_from(RULES))
def test_no_rule_has_anything_to_say_about_nothing(rule: Rule) -> None:
    assert check([A], [rule]) == ()
