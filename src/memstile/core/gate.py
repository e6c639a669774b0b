"""Decide on a tool call: the turn gate itself. What is done about the verdict is for core/enforce.py."""

from __future__ import annotations

from memstile.core.gate_calls import Call
from memstile.core.gate_guards import Guards, content_codes, is_unread_overwrite
from memstile.core.gate_words import (
    ALLOW_CONTROL,
    ALLOW_OUT_OF_SCOPE,
    ALLOW_READ_ONLY,
    ALLOW_RECALL_OK,
    ALLOW_SIMPLE,
    CLASSIFICATION_REQUIRED,
    CREATE_REQUIRES_SEARCH,
    LOOKUP_FAILED,
    LOOKUP_REQUIRED,
    NOT_RECALL,
    OVERWRITE,
    PENDING_IN_BATCH,
    RECLASSIFIED,
    UNKNOWN_TOOL,
    WRITES,
    CallClass,
    Classification,
    Level,
    Recall,
)
from memstile.core.record import NamedTuple
from memstile.core.turn import Turn


class Decision(NamedTuple):
    """What the policy says of a call. observations: codes of what was seen and did not decide."""

    is_allowed: bool
    reason_code: str
    observations: tuple[str, ...] = ()


_NO_WRITES = {
    CallClass.CONTROL: ALLOW_CONTROL,
    CallClass.SEARCH: ALLOW_READ_ONLY,
    CallClass.READ: ALLOW_READ_ONLY,
    CallClass.OTHER: ALLOW_OUT_OF_SCOPE,
}
_WITHOUT_RECALL = {Recall.IN_FLIGHT: PENDING_IN_BATCH, Recall.FAILED: LOOKUP_FAILED}


def decide(turn: Turn, call: Call, guards: Guards) -> Decision:
    """Decide on a call in a turn. Mode and profile are no inputs: they cannot change what the policy says.

    turn: before the call. A write is checked in order, the first rule that fits decides.
    """
    if call.kind not in WRITES:
        return Decision(True, _NO_WRITES[call.kind], _seen(turn, call))
    found = content_codes(turn, call, guards)
    unknown = () if call.is_known else (UNKNOWN_TOOL,)
    warned = (*unknown, *(code for code, level in found if level is Level.WARN))
    refused = next((code for code, level in found if level is Level.DENY), "")
    if refused:
        return Decision(False, refused, warned)
    if turn.classification is Classification.UNKNOWN:
        return Decision(False, CLASSIFICATION_REQUIRED, warned)
    if turn.classification is Classification.SIMPLE:
        return Decision(True, ALLOW_SIMPLE, warned)
    return _complex(turn, call, guards, warned)


def _complex(turn: Turn, call: Call, guards: Guards, warned: tuple[str, ...]) -> Decision:
    if turn.recall is not Recall.SUCCEEDED:
        is_create = call.is_create and guards.is_create_named
        without = CREATE_REQUIRES_SEARCH if is_create else LOOKUP_REQUIRED
        return Decision(False, _WITHOUT_RECALL.get(turn.recall, without), warned)
    if guards.overwrite and is_unread_overwrite(turn, call):
        if guards.overwrite is Level.DENY:
            return Decision(False, OVERWRITE, warned)
        warned = (*warned, OVERWRITE)
    return Decision(True, ALLOW_RECALL_OK, warned)


def _seen(turn: Turn, call: Call) -> tuple[str, ...]:
    if call.kind is CallClass.READ:
        return (NOT_RECALL,)
    is_new = call.task is None or turn.classification in (Classification.UNKNOWN, call.task)
    return () if call.kind is not CallClass.CONTROL or is_new else (RECLASSIFIED,)
