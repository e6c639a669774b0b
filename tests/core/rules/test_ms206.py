"""MS206 vault-nested-repository."""

from __future__ import annotations

import pytest

from memstile.core.facts import GITLINK, Asked, RepositoryFacts, Tracked
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms206_vault_nested_repository import RULE
from tests.core.rule_tools import FAULTY, NESTED, RULE_LINE, TRACKED, carried_by, said

UNTRACK = "git rm -rqf --cached --sparse --ignore-unmatch -- v"
IGNORE = "printf '\\n%s\\n' /v/ >> .gitignore"


def told(what: str, *commands: str) -> list[Finding]:
    hint = "take it out of the git index and ignore it; the vault stays on disk"
    return [Finding("MS206", Severity.ERROR, "v", f"the outer repository carries the vault as {what}", hint, commands)]


IGNORED = NESTED._replace(asked=(Asked("v", RULE_LINE),))

ROWS = [
    pytest.param(NESTED._replace(tracked=()), [], id="no gitlink: MS201 speaks"),
    pytest.param(TRACKED, [], id="files: MS202 speaks"),
    pytest.param(FAULTY, [], id="no answer"),
    pytest.param(NESTED._replace(tracked=(Tracked("v/lib", GITLINK),)), [], id="a gitlink of something else"),
    pytest.param(NESTED, told("a gitlink", UNTRACK, IGNORE), id="a gitlink"),
    pytest.param(IGNORED, told("a gitlink", UNTRACK), id="a gitlink that a rule covers"),
    pytest.param(
        IGNORED._replace(submodule="a b"),
        told(
            "a submodule",
            UNTRACK,
            "git config -f .gitmodules --remove-section 'submodule.a b'",
            "git add -- .gitmodules",
        ),
        id="a submodule",
    ),
    pytest.param(
        NESTED._replace(is_commit=True),
        told("a gitlink", UNTRACK, IGNORE, "git add -- .gitignore"),
        id="at the commit",
    ),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_a_gitlink_in_the_vaults_place_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected
