"""core/gate_protocol.py: a line is an event or a fault, and an answer is a line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate_protocol import EVENTS, Line, answer_line, error_line, read_line
from memstile.core.gate_step import GateAnswer, Happened
from memstile.core.gate_words import Classification, Recall
from memstile.core.request import Event
from memstile.core.verdict import Verdict
from tests.hosts.payload_tools import JSON

CALL = {"event": "tool_call", "session": "s1", "call": "c1", "tool": "t", "arguments": {"a": 1}}


def line(value: object) -> bytes:
    return json.dumps(value).encode()


def test_a_tool_call_is_read() -> None:
    expected = Happened(Event.TOOL_CALL, session="s1", call="c1", tool="t", arguments={"a": 1})
    assert read_line(line(CALL)) == Line(expected, call="c1")


def test_optional_fields_are_read() -> None:
    given_line = {**CALL, "host": "h", "agent": "a", "turn": 7, "call": 0, "batches": True}
    assert read_line(line(given_line)) == Line(
        Happened(Event.TOOL_CALL, "h", "s1", "a", "#7", "#0", "t", {"a": 1}, has_batches=True), call=0
    )


@pytest.mark.parametrize(("count", "read"), [(3, 3), (0, 0), (True, None), ("3", None), (None, None)])
def test_a_result_is_read(count: object, read: int | None) -> None:
    value = {"event": "tool_result", "session": "s", "call": "c", "is_error": False, "result_count": count}
    expected = Happened(Event.TOOL_RESULT, session="s", call="c", is_error=False, result_count=read)
    assert read_line(line(value)) == Line(expected, call="c")


UNTOLD = "is_error is not true or false: the result was not counted"
FAULTS = [
    (b"not json", "not JSON"),
    (b"\xff\xfe", "not UTF-8"),
    (b"[" * 200_000, "not JSON"),
    (b'{"event":"tool_call"} x', "not JSON"),
    (b"[]", "not an object"),
    (b"null", "not an object"),
    (b"{}", "no such event"),
    (line({"event": "other", "session": "s"}), "no such event"),
    (line({"event": ["tool_call"], "session": "s"}), "no such event"),
    (line({"event": "turn_start"}), "no session"),
    (line({**CALL, "tool": 7}), "no tool, or its name is no text"),
    (line({"event": "tool_call", "session": "s"}), "no tool, or its name is no text"),
    (
        line({"event": "tool_result", "session": "s", "call": "c"}),
        UNTOLD,
    ),
    (
        line({"event": "tool_result", "session": "s", "is_error": "false"}),
        UNTOLD,
    ),
]


@pytest.mark.parametrize(("data", "fault"), FAULTS, ids=range(len(FAULTS)))
def test_a_bad_line_is_a_fault(data: bytes, fault: str) -> None:
    read = read_line(data)
    assert (read.happened, read.fault) == (None, fault)
    assert json.loads(error_line(read))["error"] == fault


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n"])
def test_a_blank_line_says_nothing(data: bytes) -> None:
    assert read_line(data) == Line()


@pytest.mark.parametrize("data", [line(CALL) + b"\r\n", b"\xef\xbb\xbf" + line(CALL), b"  " + line(CALL)])
def test_line_ends_blanks_and_a_byte_order_mark_do_not_matter(data: bytes) -> None:
    assert read_line(data) == read_line(line(CALL))


def test_an_answer_is_a_line() -> None:
    answer = GateAnswer(False, "C", Verdict.ASK, False, Classification.COMPLEX, Recall.IN_FLIGHT, ("O",), "a\nb")
    text = answer_line("c1", answer)
    assert "\n" not in text
    assert json.loads(text) == {
        "call": "c1",
        "decision": "deny",
        "reason_code": "C",
        "action": "ask",
        "audit_override": False,
        "classification": "complex",
        "recall": "in_flight",
        "observations": ["O"],
        "message": "a\nb",
    }


@pytest.mark.parametrize("call", [0, "0", 1.5, None, "", True, [], ["a"], {"a": 1}])
def test_an_id_comes_back_as_it_was(call: object) -> None:
    given_call = read_line(line({**CALL, "call": call})).call
    answered = json.loads(answer_line(given_call, GateAnswer(True, "C")))["call"]
    assert (answered, type(answered)) == (call, type(call))


def test_a_fault_names_the_call_where_it_has_one() -> None:
    assert json.loads(error_line(read_line(line({**CALL, "tool": None})))) == {
        "error": "no tool, or its name is no text",
        "call": "c1",
    }


@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_line_is_read_and_answered(data: bytes) -> None:
    read = read_line(data)
    json.loads(error_line(read) if read.happened is None else answer_line(read.call, GateAnswer(True, "C")))


@given(
    st.fixed_dictionaries(
        {"event": st.sampled_from(sorted(EVENTS)), "session": JSON},
        optional=dict.fromkeys(("turn", "agent", "host", "call", "tool", "arguments", "is_error", "batches"), JSON),
    )
)
def test_values_of_any_type_are_read(value: dict[str, object]) -> None:
    read = read_line(line(value))
    assert (read.happened is None) is bool(read.fault)
    json.loads(answer_line(read.call, GateAnswer(True, "C")))
