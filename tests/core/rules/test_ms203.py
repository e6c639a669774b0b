"""MS203 vault-staged."""

from __future__ import annotations

import pytest

from memstile.core.facts import RepositoryFacts, Tracked
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms203_vault_staged import RULE
from tests.core.rule_tools import FAULTY, LINK, NESTED, TRACKED, carried_by, said

UNTRACK = "git rm -rqf --cached --sparse --ignore-unmatch --"


def told(words: str, paths: tuple[str, ...], command: str) -> list[Finding]:
    hint = "take the vault out of the git index; what is on disk stays, what was only staged stays as a lost blob"
    return [Finding("MS203", Severity.ERROR, "v", words, hint, (command,), paths)]


MANY = tuple(f"v/{number}" for number in range(11))

ROWS = [
    pytest.param(TRACKED, [], id="tracked as it was: MS202 speaks"),
    pytest.param(FAULTY, [], id="no answer"),
    pytest.param(
        TRACKED._replace(staged=("v/note.md",)),
        told("1 file of the vault would be committed", ("v/note.md",), f"{UNTRACK} v/note.md"),
        id="one of two",
    ),
    pytest.param(
        TRACKED._replace(staged=("v/MEMORY.md", "v/note.md")),
        told("2 files of the vault would be committed", ("v/MEMORY.md", "v/note.md"), f"{UNTRACK} v"),
        id="all that is tracked",
    ),
    pytest.param(
        TRACKED._replace(staged=MANY),
        told("11 files of the vault would be committed", MANY, f"{UNTRACK} v"),
        id="too many to name in a command",
    ),
    pytest.param(NESTED._replace(staged=("v",)), [], id="a gitlink: MS206 speaks"),
    pytest.param(
        LINK._replace(staged=("v",), tracked=(Tracked("v", "120000"),)),
        told("1 file of the vault would be committed", ("v",), f"{UNTRACK} v"),
        id="a symlink",
    ),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_what_the_commit_would_bring_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected
