"""MS204 ignored-only-locally."""

from __future__ import annotations

import pytest

from memstile.core.facts import RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms204_ignored_only_locally import RULE
from tests.core.rule_tools import FAULTY, IGNORED, NOT_IGNORED, PROJECT, carried_by, said


def told(source: str, *commands: str) -> list[Finding]:
    message = f"vault is ignored by {source} alone; other clones do not have that rule"
    hint = "add the rule to .gitignore if other clones have a vault too"
    rule = "printf '\\n%s\\n' /v/ >> .gitignore"
    return [Finding("MS204", Severity.INFO, "v", message, hint, commands or (rule,))]


def not_added(file: str, command: str) -> list[Finding]:
    message = f"vault is ignored by {file} alone, which is not in the git index; other clones do not have it"
    path = file.rpartition("/")[0].partition("/")[0]
    return [
        Finding(
            "MS204", Severity.INFO, f"{path}/v".lstrip("/"), message, "add that file to the next commit", (command,)
        )
    ]


ROWS = [
    pytest.param(IGNORED, [], id="ignored for everybody"),
    pytest.param(IGNORED._replace(local_source=".git/info/exclude"), told(".git/info/exclude"), id="info/exclude"),
    pytest.param(IGNORED._replace(local_source="/h/a\nb"), told("/h/a\\nb"), id="a hostile name"),
    pytest.param(
        IGNORED._replace(local_source=".gitignore"), not_added(".gitignore", "git add -- .gitignore"), id="not added"
    ),
    pytest.param(
        IGNORED._replace(top="up", local_source="a/.gitignore", is_source_ignored=True),
        not_added("up/a/.gitignore", "git -C up add -f -- a/.gitignore"),
        id="not added, and ignored itself",
    ),
    pytest.param(IGNORED._replace(local_source="/h/.gitignore"), told("/h/.gitignore"), id="user-wide, by that name"),
    pytest.param(NOT_IGNORED._replace(local_source="x"), [], id="not all of it: MS201 speaks"),
    pytest.param(PROJECT._replace(local_source="x"), [], id="not asked"),
    pytest.param(FAULTY, [], id="no answer"),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_a_rule_that_does_not_travel_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected
