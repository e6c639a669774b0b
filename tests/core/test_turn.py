"""core/turn.py: every pair of the transition table, and what a new turn leaves behind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate_step import Happened
from memstile.core.gate_words import CallClass, Classification, Recall
from memstile.core.turn import FRESH, TRANSITIONS, Pending, Signal, Turn, entered, moved, started
from tests.core.gate_events import (
    BATCH_END,
    BATCHES,
    SESSION,
    SESSION_END,
    TURN,
    after,
    called,
    declared,
    result,
)

UNKNOWN, SIMPLE, COMPLEX = Classification
STATES = [(classification, recall) for classification in Classification for recall in Recall]
TURNS = st.from_type(Turn)

DECLARE = {UNKNOWN: [], SIMPLE: [declared("simple")], COMPLEX: [declared("complex")]}
SEARCH = {
    Recall.IDLE: [],
    Recall.IN_FLIGHT: [called("search_notes", {}, "s1"), called("search_notes", {}, "s2")],
    Recall.FAILED: [called("search_notes", {}, "s1"), result("s1", is_error=True)],
    Recall.SUCCEEDED: [called("search_notes", {}, "s1"), result("s1")],
}
ONE_OPEN = [called("search_notes", {}, "s1")]

# What the protocol sends, and the signal it is in a state: in which states a result can belong to a call is decided
# by what is open there.
SENT: list[tuple[str, list[Happened], Signal]] = [
    ("turn_start", [TURN], Signal.NEW_TURN),
    ("session_end", [SESSION_END], Signal.NEW_TURN),
    ("session_start", [SESSION], Signal.NOTHING),
    ("batch_end", [BATCH_END], Signal.NOTHING),
    ("declared simple", [declared("simple")], Signal.SIMPLE),
    ("declared complex", [declared("complex")], Signal.COMPLEX),
    ("declared x", [declared("x")], Signal.NOTHING),
    ("declared nothing", [called("mcp__memstile__classify")], Signal.NOTHING),
    ("search", [called("search_notes", {}, "s9")], Signal.OPENED),
    ("read", [called("read_note", {"identifier": "a"}, "r"), result("r")], Signal.NOTHING),
    ("not a search", [called("recent_activity", {}, "r"), result("r")], Signal.NOTHING),
    ("write", [called("write_note", {"title": "a"}, "w"), result("w")], Signal.NOTHING),
    ("delete", [called("delete_note", {"identifier": "a"}, "w"), result("w")], Signal.NOTHING),
    ("other", [called("Bash", {"command": "ls"}, "o"), result("o")], Signal.NOTHING),
    ("a result of nothing", [result("none"), result("none", is_error=True)], Signal.NOTHING),
]


@pytest.mark.parametrize(("classification", "recall"), STATES, ids=[f"{c.value}-{r.value}" for c, r in STATES])
@pytest.mark.parametrize(("name", "events", "signal"), SENT, ids=[row[0] for row in SENT])
def test_each_event_moves_each_state_as_its_row_says(
    classification: Classification, recall: Recall, name: str, events: list[Happened], signal: Signal
) -> None:
    before = after([TURN, *SEARCH[recall], *DECLARE[classification]])
    assert (before.classification, before.recall) == (classification, recall)
    moved_turn = after(events, turn=before)
    assert (moved_turn.classification, moved_turn.recall) == TRANSITIONS[classification, recall, signal]


@pytest.mark.parametrize("classification", Classification)
@pytest.mark.parametrize(
    ("start", "events", "signal"),
    [
        ([], [*ONE_OPEN, result("s1")], Signal.SUCCEEDED),
        ([], [*ONE_OPEN, result("s1", is_error=True)], Signal.FAILED),
        ([], [*SEARCH[Recall.IN_FLIGHT], result("s1", is_error=True)], Signal.FAILED_OTHERS_OPEN),
        ([BATCHES], [*ONE_OPEN, result("s1")], Signal.WAITING),
    ],
    ids=["succeeded", "failed", "failed, another open", "waiting"],
)
def test_a_result_moves_a_search_in_flight(
    classification: Classification, start: list[Happened], events: list[Happened], signal: Signal
) -> None:
    turn = after([*start, TURN, *DECLARE[classification], *events])
    assert (turn.classification, turn.recall) == TRANSITIONS[classification, Recall.IN_FLIGHT, signal]


def test_every_pair_has_a_row() -> None:
    assert set(TRANSITIONS) == {(c, r, signal) for c, r in STATES for signal in Signal}


@pytest.mark.parametrize(("classification", "recall"), STATES)
def test_nothing_goes_over_to_a_new_turn(classification: Classification, recall: Recall) -> None:
    assert TRANSITIONS[classification, recall, Signal.NEW_TURN] == (UNKNOWN, Recall.IDLE)


@pytest.mark.parametrize(("classification", "recall", "signal"), TRANSITIONS)
def test_a_success_is_never_undone_and_a_declaration_never_lost(
    classification: Classification, recall: Recall, signal: Signal
) -> None:
    then = TRANSITIONS[classification, recall, signal]
    if signal is not Signal.NEW_TURN:
        assert recall is not Recall.SUCCEEDED or then[1] is Recall.SUCCEEDED
        assert classification is UNKNOWN or then[0] is not UNKNOWN
    if then[1] is Recall.SUCCEEDED and recall is not Recall.SUCCEEDED:
        assert (recall, signal) == (Recall.IN_FLIGHT, Signal.SUCCEEDED)


@given(TURNS, st.text(max_size=3))
def test_a_new_turn_keeps_no_evidence(turn: Turn, name: str) -> None:
    new = started(turn, name)
    same = bool(name) and name == turn.id
    assert new == (turn if same else Turn(turn.number + 1, name, has_batches=turn.has_batches))


def test_a_call_that_names_another_turn_begins_it() -> None:
    turn = after([Happened(TURN.event, turn="t1"), declared("simple")])
    assert (entered(turn, "t1"), entered(turn, "")) == (turn, turn)
    assert entered(turn, "t2") == Turn(2, "t2")
    assert entered(entered(turn, "t2"), "t1") == Turn(3, "t1")


def test_a_turn_is_named_by_its_id_or_its_number() -> None:
    assert [Turn(3, "t1").label, Turn(3).label, FRESH.label] == ["t1", "#t3", "#t0"]


def test_a_search_is_open_until_the_model_has_seen_its_result() -> None:
    search = Pending("c", "t", CallClass.SEARCH)
    open_turns = (FRESH._replace(pending=(search,)), FRESH._replace(is_search_waiting=True))
    assert [turn.is_search_open for turn in (*open_turns, FRESH)] == [True, True, False]
    assert moved(FRESH, Signal.NOTHING) == FRESH
