"""core/enforce.py: what mode and profile make of a verdict."""

from __future__ import annotations

import pytest

from memstile.core.enforce import Enforced, enforce
from memstile.core.gate_words import CallClass
from memstile.core.verdict import Verdict

ALLOW, _, ASK, DENY = Verdict
LET, OVERRIDE = Enforced(ALLOW), Enforced(ALLOW, audit_override=True)

ROWS = [
    ("off", "compat", LET, LET),
    ("off", "strict", LET, LET),
    ("audit", "compat", OVERRIDE, OVERRIDE),
    ("audit", "strict", OVERRIDE, OVERRIDE),
    ("enforce", "compat", Enforced(DENY), Enforced(DENY)),
    ("enforce", "strict", Enforced(DENY), Enforced(ASK)),
]


@pytest.mark.parametrize(("mode", "profile", "write", "destructive"), ROWS)
def test_a_denial_becomes_an_action(mode: str, profile: str, write: Enforced, destructive: Enforced) -> None:
    assert enforce(False, CallClass.WRITE, mode, profile) == write
    assert enforce(False, CallClass.DESTRUCTIVE, mode, profile) == destructive


@pytest.mark.parametrize(("mode", "profile"), [row[:2] for row in ROWS])
@pytest.mark.parametrize("kind", CallClass)
def test_an_allow_is_an_allow(mode: str, profile: str, kind: CallClass) -> None:
    assert enforce(True, kind, mode, profile) == LET


def test_an_ask_that_nobody_can_be_asked_is_a_denial() -> None:
    assert enforce(False, CallClass.DESTRUCTIVE, "enforce", "strict", can_ask=False) == Enforced(DENY)
