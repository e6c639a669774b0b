"""MS201 vault-not-ignored."""

from __future__ import annotations

import pytest

from memstile.core.facts import Asked, Match, RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms201_vault_not_ignored import RULE
from tests.core.rule_tools import (
    FAULTY,
    IGNORED,
    LINK,
    NESTED,
    NOT_IGNORED,
    PROJECT,
    RULE_LINE,
    TRACKED,
    carried_by,
    said,
)

HINT = (
    "ignore it; if it is committed on purpose, say so in memstile.toml: "
    '[[vault]], below it path = "v" and mode = "shared"; MS902 asks a person about the commit that adds it'
)
RULE_ADDED = "printf '\\n%s\\n' /v/ >> .gitignore"


def told(
    words: str, *commands: str, path: str = "v", paths: tuple[str, ...] = (), severity: Severity = Severity.ERROR
) -> list[Finding]:
    return [Finding("MS201", severity, path, words, HINT, commands or (RULE_ADDED,), paths)]


HALF = NOT_IGNORED._replace(asked=(Asked("v/a.md", None), Asked("v/b.md", RULE_LINE), Asked("v/c.md", None)))

ROWS = [
    pytest.param(IGNORED, [], id="ignored"),
    pytest.param(PROJECT, [], id="not asked"),
    pytest.param(FAULTY, [], id="no answer: MS208 speaks"),
    pytest.param(LINK, [], id="a symlink: MS207 speaks"),
    pytest.param(NESTED, [], id="a gitlink: MS206 speaks"),
    pytest.param(NOT_IGNORED, told("vault is not ignored by git"), id="no file is ignored"),
    pytest.param(
        HALF,
        told("vault is not ignored by git: 2 files of 3", paths=("v/a.md", "v/c.md")),
        id="some files are not",
    ),
    pytest.param(
        NOT_IGNORED._replace(asked=(Asked("v/a.md", Match(".gitignore", 2, "!a.md")),)),
        [],
        id="let back in: MS205 speaks",
    ),
    pytest.param(
        NESTED._replace(tracked=()), told("nested repository is not ignored by git"), id="a repository, no gitlink yet"
    ),
    pytest.param(
        NOT_IGNORED._replace(top="../up", unit="a b/v", asked=(Asked("a b/v", None),)),
        told(
            "vault is not ignored by git",
            "printf '\\n%s\\n' '/a b/v/' >> ../up/.gitignore",
            path="../up/a b/v",
        ),
        id="in a repository elsewhere",
    ),
    pytest.param(
        NOT_IGNORED._replace(unit="", is_root=True, asked=(Asked("MEMORY.md", None),)),
        told("vault is not ignored by git", "printf '\\n%s\\n' '*' >> .gitignore", path="."),
        id="the work tree itself",
    ),
    pytest.param(
        NOT_IGNORED._replace(is_commit=True),
        told("vault is not ignored by git", RULE_ADDED, "git add -- .gitignore"),
        id="at the commit the rule has to be staged too",
    ),
    pytest.param(
        NOT_IGNORED._replace(top="up", is_commit=True, rules_to_stage=(".gitignore", "a/.gitignore")),
        [
            Finding(
                "MS201",
                Severity.ERROR,
                "up/v",
                "vault is not ignored by git",
                "the rule is in up/.gitignore, up/a/.gitignore on disk, and its staged version is what the commit goes "
                "by: stage it",
                ("git -C up add -- .gitignore a/.gitignore",),
            )
        ],
        id="on disk a rule is there: it is not staged",
    ),
    pytest.param(
        NOT_IGNORED._replace(unit="a/v", asked=(Asked("a/v", None),), ignore_file="a/.gitignore"),
        told("vault is not ignored by git", "printf '\\n%s\\n' /v/ >> a/.gitignore", path="a/v"),
        id="where a rule at the top would not win",
    ),
    pytest.param(
        TRACKED._replace(asked=(Asked("v", None),)), told("vault is not ignored by git"), id="tracked: that is MS202's"
    ),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_what_no_rule_matches_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected


def test_each_repository_is_told_by_itself() -> None:
    assert said(RULE, carried_by(NOT_IGNORED, IGNORED, NOT_IGNORED)) == told("vault is not ignored by git") * 2
