"""replay.py: whole files of the gate protocol, and the verdicts that are expected of them.

tests/vectors/gate.json holds cases of id, config (mode, profile), events, and for each call the expected decision,
reason code, action, audit override and classification.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.settings import DEFAULTS, Settings
from memstile.replay import replayed
from tests.hosts.payload_tools import JSON

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vectors" / "gate.json").read_bytes())
FIELDS = ("decision", "reason_code", "action", "audit_override", "classification")


def lines(events: list[Any]) -> list[bytes]:
    return [json.dumps(event).encode() + b"\n" for event in events]


def verdicts(answers: list[str]) -> dict[str, list[object]]:
    read = [json.loads(answer) for answer in answers]
    return {answer["call"]: [answer[field] for field in FIELDS] for answer in read}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_a_session_gets_the_expected_verdicts(vector: dict[str, Any]) -> None:
    config = vector["config"]
    settings = DEFAULTS._replace(gate_mode=config["mode"], gate_profile=config["profile"])
    assert verdicts(list(replayed(lines(vector["events"]), settings))) == vector["expect"]


def test_the_vectors_are_all_here() -> None:
    assert len(VECTORS) == 60
    assert sum(len(vector["expect"]) for vector in VECTORS) == 555


@pytest.mark.parametrize("mode", ["audit", "enforce"])
@pytest.mark.parametrize("vector", VECTORS[:20], ids=[vector["id"] for vector in VECTORS[:20]])
def test_a_mode_changes_actions_and_codes_stay(vector: dict[str, Any], mode: str) -> None:
    """The decisions of a session are those of its profile, whatever the mode, where no write ran that was refused."""
    settings = DEFAULTS._replace(gate_mode=mode, gate_profile=vector["config"]["profile"])
    told = verdicts(list(replayed(lines(vector["events"]), settings)))
    assert {call: row[:2] for call, row in told.items()} == {call: row[:2] for call, row in vector["expect"].items()}


WRITE = {"event": "tool_call", "session": "s", "call": 1, "tool": "mcp__basic-memory__write_note", "arguments": {}}


def test_a_bad_line_is_answered_and_the_rest_goes_on() -> None:
    told = [json.loads(text) for text in replayed([b"oops\n", b"\n", *lines([WRITE]), b"[]"], DEFAULTS)]
    assert [answer.get("error") or answer["reason_code"] for answer in told] == [
        "not JSON",
        "CLASSIFICATION_REQUIRED",
        "not an object",
    ]


def test_sessions_agents_and_hosts_are_apart() -> None:
    classify = {**WRITE, "tool": "mcp__memstile__classify", "arguments": {"task": "simple"}}
    others: list[dict[str, object]] = [{"session": "s2"}, {"session": 1}, {"agent": "a"}, {"host": "h"}, {"agent": 0}]
    told = [
        json.loads(text) for text in replayed(lines([classify, *({**WRITE, **o} for o in others), WRITE]), DEFAULTS)
    ]
    assert [answer["classification"] for answer in told] == ["simple", *["unknown"] * len(others), "simple"]


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "event": st.sampled_from(["tool_call", "tool_result", "turn_start", "batch_end", "x"]),
                "session": st.sampled_from(["s", 1]),
                "tool": st.sampled_from(["mcp__basic-memory__write_note", "mcp__memstile__classify", "Bash"]) | JSON,
                "arguments": JSON | st.just({"task": "simple"}),
                "is_error": st.booleans() | JSON,
                "call": JSON,
            }
        ),
        max_size=8,
    ),
    st.sampled_from([DEFAULTS, DEFAULTS._replace(gate_mode="enforce", gate_profile="strict")]),
)
def test_any_file_is_replayed_the_same_twice(events: list[Any], settings: Settings) -> None:
    first = list(replayed(lines(events), settings))
    assert first == list(replayed(lines(events), settings))
    assert all(isinstance(json.loads(text), dict) for text in first)
