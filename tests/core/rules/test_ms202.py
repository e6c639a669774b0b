"""MS202 vault-tracked."""

from __future__ import annotations

import pytest

from memstile.core.facts import GITLINK, RepositoryFacts, Tracked
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms202_vault_tracked import RULE
from tests.core.rule_tools import FAULTY, IGNORED, NESTED, NOT_IGNORED, TRACKED, carried_by, said

UNTRACK = "git rm -rqf --cached --sparse --ignore-unmatch -- v"


def told(words: str, paths: tuple[str, ...], *, path: str = "v", command: str = UNTRACK) -> list[Finding]:
    hint = "untrack the vault, then commit; the files stay on disk"
    return [Finding("MS202", Severity.ERROR, path, words, hint, (command,), paths)]


BOTH = told("git tracks 2 files of the vault", ("v/MEMORY.md", "v/note.md"))

ROWS = [
    pytest.param(IGNORED, [], id="not tracked"),
    pytest.param(NOT_IGNORED, [], id="not ignored: MS201 speaks"),
    pytest.param(FAULTY, [], id="no answer"),
    pytest.param(TRACKED, BOTH, id="tracked although ignored"),
    pytest.param(TRACKED._replace(asked=NOT_IGNORED.asked), BOTH, id="tracked and not ignored"),
    pytest.param(
        TRACKED._replace(staged=("v/note.md",)),
        told("git tracks 1 file of the vault", ("v/MEMORY.md",)),
        id="what this commit brings is MS203's",
    ),
    pytest.param(TRACKED._replace(staged=("v/MEMORY.md", "v/note.md")), [], id="all of it"),
    pytest.param(NESTED, [], id="a gitlink: MS206 speaks"),
    pytest.param(
        TRACKED._replace(tracked=(Tracked("v/lib", GITLINK),)),
        told("git tracks 1 file of the vault", ("v/lib",)),
        id="a gitlink inside the vault",
    ),
    pytest.param(
        TRACKED._replace(top="up", unit="m[1]", tracked=(Tracked("m[1]/x", "100644"),)),
        told(
            "git tracks 1 file of the vault",
            ("up/m[1]/x",),
            path="up/m[1]",
            command="git -C up --literal-pathspecs rm -rqf --cached --sparse --ignore-unmatch -- 'm[1]'",
        ),
        id="in a repository elsewhere, with a name that is a pattern",
    ),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_what_the_git_index_holds_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected


def test_of_a_vault_that_is_not_here_no_file_stays() -> None:
    row = said(RULE, carried_by(TRACKED)._replace(is_present=False))[0]
    hint = "nothing of it is on disk here: for a copy, first bring it back (git sparse-checkout add, or git restore)"
    assert row == BOTH[0]._replace(hint=f"untrack the vault, then commit; {hint}")
