"""What is done about a verdict of the turn gate: the one place where mode and profile count."""

from __future__ import annotations

from memstile.core.gate_words import CallClass
from memstile.core.record import NamedTuple
from memstile.core.verdict import Verdict


class Enforced(NamedTuple):
    """action: ALLOW, ASK or DENY. audit_override: enforce would not have let the call through, this mode does."""

    action: Verdict
    audit_override: bool = False


def enforce(is_allowed: bool, kind: CallClass, mode: str, profile: str, *, can_ask: bool = True) -> Enforced:
    """Turn a verdict into an action.

    mode: off, audit or enforce; only enforce ever asks or denies. profile: with strict, the person is asked about a
    destructive call. can_ask: the host can ask; else an ask is a denial, never an allow.
    """
    if is_allowed or mode == "off":
        return Enforced(Verdict.ALLOW)
    if mode == "audit":
        return Enforced(Verdict.ALLOW, audit_override=True)
    is_asked = profile == "strict" and kind is CallClass.DESTRUCTIVE and can_ask
    return Enforced(Verdict.ASK if is_asked else Verdict.DENY)
