"""core/turn_calls.py: which call a result belongs to, and what the call leaves behind."""

from __future__ import annotations

import pytest
from hypothesis import given

from memstile.core.gate_step import Happened
from memstile.core.gate_words import CallClass, Recall
from memstile.core.turn import FRESH, Pending, Turn
from memstile.core.turn_calls import MOST_KEPT, MOST_PENDING, Outcome, Settled, batch_ended, opened, settled, written_as
from tests.core.gate_events import EVENTS, after

A = Pending("a", "search", CallClass.SEARCH, "d1")
B = Pending("b", "search", CallClass.SEARCH, "d1")
NAMELESS = Pending("", "search", CallClass.SEARCH, "d1")
READ = Pending("r", "read", CallClass.READ, "d2", "|note")
WRITE = Pending("w", "write", CallClass.WRITE, "d3", "|note")


def turn_of(*calls: Pending, has_batches: bool = False) -> Turn:
    turn = FRESH._replace(has_batches=has_batches)
    for call in calls:
        turn = opened(turn, call)
    return turn


@pytest.mark.parametrize(
    ("calls", "call", "tool", "digest", "expected"),
    [
        pytest.param((A, B), "b", "", "", B, id="by id"),
        pytest.param((A, B), "c", "search", "d1", None, id="an id that no call has"),
        pytest.param((A, B), "", "search", "d1", A, id="without an id: the oldest with tool and arguments"),
        pytest.param((NAMELESS, NAMELESS), "c", "search", "d1", NAMELESS, id="the call had no id"),
        pytest.param((A,), "", "search", "d2", None, id="other arguments"),
        pytest.param((A,), "", "other", "d1", None, id="another tool"),
        pytest.param((NAMELESS,), "", "", "d1", None, id="nothing to go by"),
    ],
)
def test_a_result_belongs_to_a_call(
    calls: tuple[Pending, ...], call: str, tool: str, digest: str, expected: Pending | None
) -> None:
    before = turn_of(*calls)
    after_it = settled(before, call, tool, digest, Outcome.DONE)
    assert after_it.call == expected
    assert len(after_it.turn.pending) == len(calls) - (expected is not None)
    if expected is None:
        assert after_it == Settled(before)


@pytest.mark.parametrize(
    ("outcome", "recall"),
    [
        (Outcome.DONE, Recall.SUCCEEDED),
        (Outcome.FAILED, Recall.FAILED),
        (Outcome.UNFINISHED, Recall.IN_FLIGHT),
    ],
)
def test_an_outcome_settles_a_search(outcome: Outcome, recall: Recall) -> None:
    assert settled(turn_of(A), "a", "", "", outcome).turn.recall is recall


def test_a_read_and_a_write_leave_something_behind_only_where_they_succeeded() -> None:
    turn = turn_of(READ, WRITE)
    for call in ("r", "w"):
        turn = settled(turn, call, "", "", Outcome.DONE).turn
    assert (turn.read, turn.written) == (("|note",), (written_as("write", "d3"),))
    failed = settled(settled(turn_of(READ, WRITE), "r", "", "", Outcome.FAILED).turn, "w", "", "", Outcome.FAILED).turn
    assert failed == FRESH


def test_a_search_and_a_read_count_from_the_end_of_their_batch() -> None:
    turn = turn_of(A, READ, has_batches=True)
    for call in ("a", "r"):
        turn = settled(turn, call, "", "", Outcome.DONE).turn
    assert (turn.recall, turn.read) == (Recall.IN_FLIGHT, ())
    ended = batch_ended(turn)
    assert (ended.recall, ended.read) == (Recall.SUCCEEDED, ("|note",))
    assert batch_ended(ended) == ended


def test_a_failure_beside_a_success_that_waits_is_no_failure() -> None:
    turn = settled(turn_of(A, B, has_batches=True), "a", "", "", Outcome.DONE).turn
    turn = settled(turn, "b", "", "", Outcome.FAILED).turn
    assert (turn.recall, batch_ended(turn).recall) == (Recall.IN_FLIGHT, Recall.SUCCEEDED)


def test_a_call_told_twice_is_one_call() -> None:
    assert turn_of(A, B, A).pending == (B, A)
    assert turn_of(NAMELESS, NAMELESS).pending == (NAMELESS, NAMELESS)


def test_a_state_stays_small() -> None:
    turn = turn_of(*(Pending(str(number), "t", CallClass.READ, "", f"|{number}") for number in range(3 * MOST_PENDING)))
    assert len(turn.pending) == MOST_PENDING
    for number in range(MOST_KEPT + 10):
        turn = settled(opened(turn, READ._replace(target=f"|{number}")), "r", "", "", Outcome.DONE).turn
    assert len(turn.read) == MOST_KEPT


@given(EVENTS)
def test_a_recall_that_is_settled_has_nothing_in_flight_but_a_success_may(events: list[Happened]) -> None:
    turn = after(events)
    assert turn.recall in (Recall.SUCCEEDED, Recall.IN_FLIGHT) or not turn.is_search_open
    assert turn.recall is not Recall.IN_FLIGHT or turn.is_search_open
