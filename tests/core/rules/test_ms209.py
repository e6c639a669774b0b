"""MS209 vault-in-history."""

from __future__ import annotations

import pytest

from memstile.core.facts import RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms209_vault_in_history import RULE
from tests.core.rule_tools import FAULTY, IGNORED, TRACKED, carried_by, said

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def told(path: str, command: str) -> list[Finding]:
    message = "earlier commits carry files of the vault, the latest change in 0123456789ab"
    hint = "rotate what was secret in it; the command shows the commits"
    return [Finding("MS209", Severity.INFO, path, message, hint, (command,))]


LOG = "--literal-pathspecs log --all --full-history --oneline --stat --"

ROWS = [
    pytest.param(IGNORED, [], id="no commit"),
    pytest.param(FAULTY, [], id="no answer"),
    pytest.param(IGNORED._replace(in_history=COMMIT), told("v", f"git {LOG} v"), id="once committed"),
    pytest.param(TRACKED._replace(in_history=COMMIT), [], id="still tracked: MS202 speaks"),
    pytest.param(
        IGNORED._replace(top="../a b", unit="", in_history=COMMIT),
        told("../a b", f"git -C '../a b' {LOG} ."),
        id="the work tree itself, elsewhere",
    ),
]


@pytest.mark.parametrize(("repository", "expected"), ROWS)
def test_what_old_commits_carry_is_told(repository: RepositoryFacts, expected: list[Finding]) -> None:
    assert said(RULE, carried_by(repository)) == expected
