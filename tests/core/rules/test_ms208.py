"""MS208 git-gave-no-answer."""

from __future__ import annotations

from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms208_git_gave_no_answer import RULE
from tests.core.rule_tools import FAULTY, IGNORED, NOT_IGNORED, carried_by, said


def test_no_answer_is_told_with_what_mends_it() -> None:
    told = Finding(
        "MS208",
        Severity.ERROR,
        "v",
        "could not verify what git does with the vault: git x exit 128: fatal: no",
        "do this",
        ("git y",),
    )
    assert said(RULE, carried_by(FAULTY)) == [told]
    assert said(RULE, carried_by(IGNORED, FAULTY, FAULTY)) == [told, told]
    assert said(RULE, carried_by(FAULTY._replace(fault="a\nb"))) == [
        told._replace(message="could not verify what git does with the vault: a\\nb")
    ]


def test_an_answer_is_no_finding() -> None:
    assert said(RULE, carried_by()) == []
    assert said(RULE, carried_by(IGNORED, NOT_IGNORED)) == []
