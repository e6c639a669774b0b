"""MS207 vault-symlink-not-ignored."""

from __future__ import annotations

import pytest

from memstile.core.facts import Asked, Match, RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms207_vault_symlink_not_ignored import RULE
from tests.core.rule_tools import FAULTY, IGNORED, LINK, NOT_IGNORED, RULE_LINE, carried_by, said

TOLD = [
    Finding(
        "MS207",
        Severity.ERROR,
        "v",
        "symlink to the vault is not ignored by git; a rule with a trailing slash does not match a symlink",
        "ignore it by a rule without trailing slash",
        ("printf '\\n%s\\n' /v >> .gitignore",),
    )
]

ROWS = [
    pytest.param(LINK, TOLD, id="no rule"),
    pytest.param(LINK._replace(asked=(Asked("v", Match(".gitignore", 1, "!v")),)), TOLD, id="let back in"),
    pytest.param(LINK._replace(asked=(Asked("v", RULE_LINE),)), [], id="ignored"),
    pytest.param(NOT_IGNORED, [], id="a folder: MS201 speaks"),
    pytest.param(IGNORED, [], id="an ignored folder"),
    pytest.param(FAULTY._replace(unit_kind="symlink"), [], id="no answer: MS208 speaks"),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_a_link_that_can_be_committed_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected
