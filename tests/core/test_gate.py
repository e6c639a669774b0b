"""core/gate.py: the order of the rules, and that more evidence never gets a stricter answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate import Decision, decide
from memstile.core.gate_calls import Call, classify_call
from memstile.core.gate_guards import Guards
from memstile.core.gate_words import (
    ALLOWS,
    DENIALS,
    OBSERVATIONS,
    CallClass,
    Classification,
    Level,
    Recall,
)
from memstile.core.turn import FRESH, Turn
from memstile.core.turn_calls import written_as

DENY = Guards(True, Level.DENY, Level.DENY, Level.DENY, Level.DENY)
WARN = Guards(True, Level.WARN, Level.WARN, Level.WARN, Level.WARN)
KEY = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF2hJ4"
TOOL = "mcp__basic-memory__write_note"
BAD = classify_call(TOOL, {"title": "T", "content": KEY, "tags": ["test-fixture"]}, ("basic-memory",))
READY = FRESH._replace(classification=Classification.COMPLEX, recall=Recall.SUCCEEDED)
REPEATED = READY._replace(written=(written_as(TOOL, BAD.digest),))


@pytest.mark.parametrize(
    ("guards", "code"),
    [
        (DENY, "SECRET_PATTERN_DETECTED"),
        (DENY._replace(secret=Level.WARN), "TEST_FIXTURE_LABEL_IN_PROJECT"),
        (DENY._replace(secret=Level.OFF, fixture=Level.OFF), "DUPLICATE_WRITE_SAME_TURN"),
    ],
)
@pytest.mark.parametrize("classification", Classification)
def test_guards_on_content_come_first_in_every_classification(
    guards: Guards, code: str, classification: Classification
) -> None:
    turn = REPEATED._replace(classification=classification)
    decision = decide(turn, BAD, guards)
    assert (decision.is_allowed, decision.reason_code) == (False, code)


def test_a_guard_at_warn_allows_and_is_observed() -> None:
    seen = ("SECRET_PATTERN_DETECTED", "TEST_FIXTURE_LABEL_IN_PROJECT", "DUPLICATE_WRITE_SAME_TURN")
    assert decide(REPEATED, BAD, WARN) == Decision(True, "ALLOW_RECALL_OK", seen)
    assert decide(REPEATED, BAD, Guards(True, Level.OFF, Level.OFF, Level.OFF, Level.OFF)).observations == ()


@pytest.mark.parametrize(("is_named", "code"), [(True, "CREATE_REQUIRES_SEARCH"), (False, "MEMORY_LOOKUP_REQUIRED")])
def test_a_create_has_a_code_of_its_own_where_that_is_set(is_named: bool, code: str) -> None:
    call = Call(CallClass.WRITE, is_create=True)
    turn = READY._replace(recall=Recall.IDLE)
    assert decide(turn, call, DENY._replace(is_create_named=is_named)).reason_code == code


@pytest.mark.parametrize("kind", [CallClass.CONTROL, CallClass.SEARCH, CallClass.READ, CallClass.OTHER])
@given(st.from_type(Turn), st.from_type(Guards))
def test_what_is_no_write_is_always_allowed(kind: CallClass, turn: Turn, guards: Guards) -> None:
    assert decide(turn, Call(kind), guards).is_allowed


CALLS = st.builds(
    Call,
    st.from_type(CallClass),
    st.just(TOOL),
    arguments=st.sampled_from([None, {}, {"content": KEY}, {"tags": "test-fixture"}]),
    is_create=st.booleans(),
    is_overwrite=st.booleans(),
    target=st.sampled_from(["", "|a", "p|a", "|b"]),
    digest=st.sampled_from(["", "d"]),
    is_known=st.booleans(),
)
TURNS = st.builds(
    Turn,
    classification=st.from_type(Classification),
    recall=st.from_type(Recall),
    read=st.lists(st.sampled_from(["|a", "|b", "p|a"])).map(tuple),
    written=st.sampled_from([(), (written_as(TOOL, "d"),)]),
)


@given(TURNS, CALLS, st.from_type(Guards), st.sampled_from(["|a", "|b", "p|a"]))
def test_more_evidence_never_gets_a_stricter_answer(turn: Turn, call: Call, guards: Guards, note: str) -> None:
    """Evidence: a search that succeeded, a note that was read, a declaration where there was none."""
    more = [turn._replace(recall=Recall.SUCCEEDED), turn._replace(read=(*turn.read, note))]
    if turn.classification is Classification.UNKNOWN:
        more += [turn._replace(classification=Classification.SIMPLE)]
        more += [turn._replace(classification=Classification.COMPLEX)]
    if decide(turn, call, guards).is_allowed:
        assert all(decide(evidence, call, guards).is_allowed for evidence in more)


@given(TURNS, CALLS, st.from_type(Guards))
def test_a_stricter_guard_never_gets_a_looser_answer(turn: Turn, call: Call, guards: Guards) -> None:
    levels = [Level(max(level - 1, 0)) for level in (guards.overwrite, guards.duplicate, guards.secret, guards.fixture)]
    looser = Guards(guards.is_create_named, levels[0], levels[1], levels[2], levels[3], guards.fixture_folders)
    assert decide(turn, call, looser).is_allowed or not decide(turn, call, guards).is_allowed


@given(TURNS, CALLS, st.from_type(Guards))
def test_every_code_is_one_of_the_list(turn: Turn, call: Call, guards: Guards) -> None:
    decision = decide(turn, call, guards)
    assert decision.reason_code in (ALLOWS if decision.is_allowed else DENIALS)
    assert set(decision.observations) <= set(OBSERVATIONS)
