"""MS205 vault-re-included."""

from __future__ import annotations

import pytest

from memstile.core.facts import Asked, Match, RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms205_vault_re_included import RULE
from tests.core.rule_tools import FAULTY, IGNORED, LINK, NOT_IGNORED, PROJECT, RULE_LINE, carried_by, said

BACK = Match("v/.gitignore", 3, "!a\x1b.md")


def told(words: str, *paths: str) -> list[Finding]:
    hint = "take that rule out, or ignore the whole folder after it"
    return [Finding("MS205", Severity.ERROR, "v", words, hint, ("printf '\\n%s\\n' /v/ >> .gitignore",), paths)]


ROWS = [
    pytest.param(IGNORED, [], id="ignored"),
    pytest.param(NOT_IGNORED, [], id="no rule at all: MS201 speaks"),
    pytest.param(FAULTY, [], id="no answer"),
    pytest.param(
        PROJECT._replace(asked=(Asked("v/a", BACK), Asked("v/b", RULE_LINE), Asked("v/c", None), Asked("v/d", BACK))),
        told("2 paths of the vault let back in by v/.gitignore:3: !a\\x1b.md", "v/a", "v/d"),
        id="some are let back in",
    ),
    pytest.param(
        PROJECT._replace(asked=(Asked("v", Match(".gitignore", 1, "!v")),)),
        told("1 path of the vault let back in by .gitignore:1: !v", "v"),
        id="the whole folder",
    ),
    pytest.param(LINK._replace(asked=(Asked("v", BACK),)), [], id="a symlink: MS207 speaks"),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_what_a_negated_rule_lets_in_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected
