"""core/turn_state.py: a turn comes back from the store as it went in, and garbage is the unknown turn."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate_step import Happened
from memstile.core.gate_words import Classification, Recall
from memstile.core.json_text import dumps, loads
from memstile.core.turn import FRESH, Turn
from memstile.core.turn_state import from_state, to_state
from tests.core.gate_events import EVENTS, STRICT, after
from tests.hosts.payload_tools import JSON


@given(st.from_type(Turn).filter(lambda turn: 0 <= turn.number <= 10**15))
def test_any_turn_comes_back(turn: Turn) -> None:
    assert from_state(to_state(turn)) == turn


@given(EVENTS)
def test_a_turn_comes_back_by_way_of_json(events: list[Happened]) -> None:
    turn = after(events, STRICT)
    assert from_state(loads(dumps(to_state(turn)))) == turn
    assert from_state(json.loads(json.dumps(to_state(turn)))) == turn


@given(JSON)
def test_garbage_is_the_unknown_turn(state: object) -> None:
    assert from_state(state) == FRESH


STATE = to_state(Turn(2, "t", Classification.COMPLEX, Recall.SUCCEEDED))


@given(st.sampled_from(sorted(STATE)), JSON)
def test_a_value_of_another_type_never_opens_the_gate(key: str, value: object) -> None:
    turn = from_state({**STATE, key: value})
    assert turn == FRESH or to_state(turn) == {**STATE, key: value}


@pytest.mark.parametrize("key", sorted(STATE))
def test_a_missing_value_is_the_unknown_turn(key: str) -> None:
    assert from_state({name: value for name, value in STATE.items() if name != key}) == FRESH


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_a_state_of_another_version_is_the_unknown_turn(version: object) -> None:
    assert from_state({**STATE, "v": version}) == FRESH
