"""core/gate_step.py: the laws of the gate over whole sequences of events, and the rules one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate_calls import Call
from memstile.core.gate_step import OFF, Happened, Stepped, step
from memstile.core.gate_words import CallClass, Recall
from memstile.core.request import Event
from memstile.core.settings import DEFAULTS, Settings
from memstile.core.turn import FRESH, Turn
from memstile.core.verdict import Verdict
from tests.core.gate_events import (
    BATCH_END,
    BATCHES,
    CALLS,
    ENFORCE,
    EVENTS,
    SESSION,
    SETTINGS,
    STRICT,
    TURN,
    WITHIN_A_TURN,
    after,
    answers,
    called,
    codes,
    declared,
    result,
)
from tests.hosts.payload_tools import JSON

ANY_SETTINGS = st.sampled_from(SETTINGS)
COMPLEX, SIMPLE = declared("complex"), declared("simple")
SEARCH = called("search_notes", {"query": "q"}, "s")
FOUND = [SEARCH, result("s")]
WRITE = called("write_note", {"title": "T", "directory": "d", "content": "c"}, "w")
OVER = called("write_note", {"title": "T", "directory": "d", "overwrite": True}, "o")
EDIT = called("edit_note", {"identifier": "d/t"}, "e")

RULES = [
    pytest.param([WRITE], ["CLASSIFICATION_REQUIRED"], id="unknown"),
    pytest.param([SIMPLE, WRITE], ["ALLOW_CONTROL", "ALLOW_SIMPLE"], id="simple"),
    pytest.param([COMPLEX, WRITE], ["ALLOW_CONTROL", "CREATE_REQUIRES_SEARCH"], id="create without a search"),
    pytest.param([COMPLEX, EDIT], ["ALLOW_CONTROL", "MEMORY_LOOKUP_REQUIRED"], id="edit without a search"),
    pytest.param([COMPLEX, OVER], ["ALLOW_CONTROL", "MEMORY_LOOKUP_REQUIRED"], id="overwriting is no create"),
    pytest.param(
        [COMPLEX, SEARCH, WRITE], ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "MEMORY_LOOKUP_PENDING_IN_BATCH"], id="in flight"
    ),
    pytest.param(
        [COMPLEX, SEARCH, result("s", is_error=True), WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "MEMORY_LOOKUP_FAILED"],
        id="failed",
    ),
    pytest.param(
        [COMPLEX, SEARCH, result("s", is_error=None), WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "MEMORY_LOOKUP_FAILED"],
        id="the host does not say",
    ),
    pytest.param(
        [COMPLEX, SEARCH, result("s", opening="# Search Failed - Invalid Syntax"), WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "MEMORY_LOOKUP_FAILED"],
        id="failed without a flag",
    ),
    pytest.param(
        [COMPLEX, SEARCH, result("s", opening='MCP tool "b/s" is still running after 1s. It was'), WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "MEMORY_LOOKUP_PENDING_IN_BATCH"],
        id="moved to the background",
    ),
    pytest.param(
        [*FOUND, COMPLEX, WRITE], ["ALLOW_READ_ONLY", "ALLOW_CONTROL", "ALLOW_RECALL_OK"], id="searched, then declared"
    ),
    pytest.param(
        [COMPLEX, *FOUND, TURN, WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "CLASSIFICATION_REQUIRED"],
        id="the next turn",
    ),
    pytest.param(
        [SEARCH, TURN, result("s"), COMPLEX, WRITE],
        ["ALLOW_READ_ONLY", "ALLOW_CONTROL", "CREATE_REQUIRES_SEARCH"],
        id="a result of an earlier turn",
    ),
    pytest.param(
        [COMPLEX, *FOUND, SESSION, WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "ALLOW_RECALL_OK"],
        id="a repeated session start resets nothing",
    ),
    pytest.param(
        [BATCHES, COMPLEX, *FOUND, WRITE, BATCH_END, WRITE],
        ["ALLOW_CONTROL", "ALLOW_READ_ONLY", "MEMORY_LOOKUP_PENDING_IN_BATCH", "ALLOW_RECALL_OK"],
        id="batches",
    ),
    pytest.param(
        [SIMPLE, WRITE, result("w"), WRITE._replace(call="w2")],
        ["ALLOW_CONTROL", "ALLOW_SIMPLE", "DUPLICATE_WRITE_SAME_TURN"],
        id="the same write again",
    ),
    pytest.param(
        [SIMPLE, WRITE, result("w", is_error=True), WRITE._replace(call="w2")],
        ["ALLOW_CONTROL", "ALLOW_SIMPLE", "ALLOW_SIMPLE"],
        id="the same write again after it failed",
    ),
    pytest.param(
        [WRITE, result("w"), SIMPLE, WRITE._replace(call="w2")],
        ["CLASSIFICATION_REQUIRED", "ALLOW_CONTROL", "ALLOW_SIMPLE"],
        id="a refused write did not run",
    ),
    pytest.param(
        [SIMPLE, WRITE, result("w"), TURN, SIMPLE, WRITE],
        ["ALLOW_CONTROL", "ALLOW_SIMPLE", "ALLOW_CONTROL", "ALLOW_SIMPLE"],
        id="the same write in another turn",
    ),
    pytest.param(
        [SIMPLE, called("edit_note", "text", "a"), result("a"), called("edit_note", "text", "b")],
        ["ALLOW_CONTROL", "ALLOW_SIMPLE", "ALLOW_SIMPLE"],
        id="arguments that are no object are never the same",
    ),
]


@pytest.mark.parametrize(("events", "expected"), RULES)
def test_the_rules(events: list[Happened], expected: list[str]) -> None:
    assert codes([TURN, *events]) == expected


@pytest.mark.parametrize(
    ("identifier", "code"),
    [
        ("d/T", "ALLOW_RECALL_OK"),
        ("d/t.md", "ALLOW_RECALL_OK"),
        ("memory://d/t", "ALLOW_RECALL_OK"),
        ("t", "OVERWRITE_REQUIRES_READ"),
        ("e/t", "OVERWRITE_REQUIRES_READ"),
    ],
)
def test_an_overwrite_needs_the_note_read_in_strict(identifier: str, code: str) -> None:
    read = called("read_note", {"identifier": identifier}, "r")
    assert codes([TURN, COMPLEX, *FOUND, read, result("r"), OVER], STRICT)[-1] == code
    assert codes([TURN, COMPLEX, *FOUND, read, result("r", is_error=True), OVER], STRICT)[-1] == (
        "OVERWRITE_REQUIRES_READ"
    )


def test_an_overwrite_is_remarked_on_in_compat() -> None:
    answer = answers([TURN, COMPLEX, *FOUND, OVER])[-1]
    assert (answer.reason_code, answer.observations) == ("ALLOW_RECALL_OK", ("OVERWRITE_REQUIRES_READ",))
    assert answer.message.startswith("A remark, the call was let through. OVERWRITE_REQUIRES_READ: ")


def test_what_is_seen_is_observed() -> None:
    events = [SIMPLE, COMPLEX, COMPLEX, called("read_note", {"identifier": "a"}), called("brand_new", {})]
    assert [answer.observations for answer in answers(events)] == [
        (),
        ("RECLASSIFIED",),
        (),
        ("READ_ONLY_NOT_RECALL",),
        ("UNKNOWN_MEMORY_TOOL",),
    ]


def test_each_decision_and_each_settled_search_is_a_row() -> None:
    turn, rows = FRESH, []
    for happened in [TURN, COMPLEX, SEARCH, result("s", count=0), WRITE, result("w"), called("Bash", {}), BATCH_END]:
        stepped = step(turn, happened, ENFORCE)
        turn = stepped.turn
        rows += [(r.event, r.kind, r.decision, r.reason_code, r.action, r.recall, r.is_minor) for r in stepped.rows]
    assert rows == [
        ("tool_call", "control", "allow", "ALLOW_CONTROL", "allow", "idle", False),
        ("tool_call", "search", "allow", "ALLOW_READ_ONLY", "allow", "in_flight", True),
        ("tool_result", "search", "done", "", "", "succeeded", False),
        ("tool_call", "write", "allow", "ALLOW_RECALL_OK", "allow", "succeeded", False),
        ("tool_result", "write", "done", "", "", "succeeded", False),
    ]


def test_an_empty_search_is_a_success_that_is_observed() -> None:
    stepped = step(after([TURN, SEARCH]), result("s", count=0), ENFORCE)
    assert (stepped.turn.recall, stepped.rows[0].observations) == (Recall.SUCCEEDED, ("RECALL_EMPTY",))


def test_the_end_of_a_batch_is_a_row_where_a_search_counts_from_it() -> None:
    turn = after([BATCHES, TURN, *FOUND])
    assert [row.recall for row in step(turn, BATCH_END, ENFORCE).rows] == ["succeeded"]


@given(EVENTS)
def test_off_decides_records_and_remembers_nothing(events: list[Happened]) -> None:
    off = DEFAULTS._replace(gate_mode="off")
    turn = after(events)
    for happened in events:
        answer = OFF if happened.event is Event.TOOL_CALL else None
        assert step(turn, happened, off) == Stepped(FRESH, answer)


@given(EVENTS, st.sampled_from(["compat", "strict"]))
def test_audit_never_asks_or_denies(events: list[Happened], profile: str) -> None:
    for answer in answers(events, DEFAULTS._replace(gate_mode="audit", gate_profile=profile)):
        assert answer.action is Verdict.ALLOW
        assert answer.audit_override is not answer.is_allowed


@given(EVENTS, st.sampled_from(["compat", "strict"]))
def test_enforce_lets_through_what_the_policy_allows_whatever_the_profile(events: list[Happened], profile: str) -> None:
    for answer in answers(events, ENFORCE._replace(gate_profile=profile)):
        assert (answer.action is Verdict.ALLOW) is answer.is_allowed
        assert not answer.audit_override
        assert bool(answer.message) or answer.is_allowed


@given(EVENTS, ANY_SETTINGS)
def test_a_replay_gives_the_same_answers(events: list[Happened], settings: Settings) -> None:
    assert answers(events, settings) == answers(events, settings)


@given(EVENTS, WITHIN_A_TURN, ANY_SETTINGS)
def test_nothing_crosses_a_turn(before: list[Happened], events: list[Happened], settings: Settings) -> None:
    earlier = after(before, settings)
    has_batches = earlier.has_batches
    new = Turn(has_batches=has_batches)
    assert answers([TURN, *events], settings, earlier) == answers([TURN, *events], settings, new)


@given(st.lists(st.tuples(st.sampled_from(["s1", "s2"]), st.sampled_from(["", "a"]), CALLS), max_size=20), ANY_SETTINGS)
def test_nothing_crosses_a_session_or_an_agent(rows: list[tuple[str, str, Happened]], settings: Settings) -> None:
    events = [happened._replace(session=session, agent=agent) for session, agent, happened in rows]
    turns: dict[tuple[str, str, str], Turn] = {}
    mixed: dict[tuple[str, str, str], list[object]] = {}
    for happened in events:
        stepped = step(turns.get(happened.key, FRESH), happened, settings)
        turns[happened.key] = stepped.turn
        mixed.setdefault(happened.key, []).append(stepped.answer)
    for key, seen in mixed.items():
        assert seen == answers([happened for happened in events if happened.key == key], settings)


@given(WITHIN_A_TURN, WITHIN_A_TURN, ANY_SETTINGS, st.booleans())
def test_a_search_that_succeeded_never_makes_an_answer_stricter(
    first: list[Happened], then: list[Happened], settings: Settings, is_batched: bool
) -> None:
    """The guard on duplicates is left out: a write that got through can be repeated, one that was refused cannot."""
    settings = settings._replace(gate_duplicate_write="off")
    extra = [called("search_notes", {"query": "extra"}, "extra"), result("extra"), BATCH_END]
    start = [BATCHES, TURN] if is_batched else [TURN]
    plain = answers(then, settings, after([*start, *first, BATCH_END], settings))
    more = answers(then, settings, after([*start, *first, *extra], settings))
    assert [a.is_allowed for a, b in zip(plain, more, strict=True) if a.is_allowed and not b.is_allowed] == []


@given(EVENTS)
def test_a_complex_write_is_only_let_through_after_a_search_settled_in_the_turn(events: list[Happened]) -> None:
    """The invariant that the verifier of the log replays."""
    turn, searched = FRESH, False
    for happened in events:
        stepped = step(turn, happened, ENFORCE)
        searched = searched and stepped.turn.number == turn.number
        turn = stepped.turn
        searched = searched or any(row.recall == "succeeded" for row in stepped.rows)
        is_write = any(row.kind in ("write", "destructive") for row in stepped.rows)
        if stepped.answer and is_write and stepped.answer.action is Verdict.ALLOW:
            assert stepped.answer.classification.value == "simple" or searched


@given(
    st.builds(
        Happened,
        st.from_type(Event),
        turn=st.text(max_size=3),
        call=st.text(max_size=3),
        tool=st.sampled_from(
            ["mcp__basic-memory__write_note", "mcp__basic-memory__", "Bash", "mcp__memstile__classify"]
        )
        | st.text(max_size=9),
        arguments=JSON,
        is_error=st.none() | st.booleans(),
        result_count=st.none() | st.integers(),
        opening=st.text(max_size=9),
    ),
    st.from_type(Turn),
    ANY_SETTINGS,
)
def test_any_event_in_any_state_is_decided(happened: Happened, turn: Turn, settings: Settings) -> None:
    stepped = step(turn, happened, settings)
    assert (stepped.answer is not None) is (happened.event is Event.TOOL_CALL)


def test_a_call_that_somebody_else_has_read_is_taken_as_it_is() -> None:
    given_call = Call(CallClass.WRITE, "Write", arguments={"content": "x"}, is_create=True, target="|a", digest="d")
    happened = Happened(Event.TOOL_CALL, tool="Write", call="1", given=given_call)
    assert codes([COMPLEX, happened])[-1] == "CREATE_REQUIRES_SEARCH"
    assert "inside the vault" in answers([COMPLEX, happened])[-1].message
    assert codes([SIMPLE, happened, result("1"), happened._replace(call="2")])[-1] == "DUPLICATE_WRITE_SAME_TURN"


def test_a_host_that_cannot_ask_is_told_to_deny() -> None:
    happened = called("delete_note", {"identifier": "a"})
    actions = [step(FRESH, happened, STRICT, can_ask=can_ask).answer for can_ask in (True, False)]
    assert [answer and answer.action for answer in actions] == [Verdict.ASK, Verdict.DENY]


def test_a_result_of_another_turn_counts_for_nothing() -> None:
    start = Happened(Event.TURN_START, turn="t2")
    events = [start, COMPLEX, SEARCH, result("s")._replace(turn="t1"), WRITE]
    assert codes(events)[-1] == "MEMORY_LOOKUP_PENDING_IN_BATCH"
    assert codes([start, COMPLEX, SEARCH, result("s")._replace(turn="t2"), WRITE])[-1] == "ALLOW_RECALL_OK"


def test_no_argument_and_no_text_is_kept() -> None:
    arguments = {"title": "Title", "content": "a secret story", "directory": "d"}
    turn = after([SIMPLE, called("write_note", arguments, "w"), called("search_notes", {"query": "my question"}, "s")])
    assert "story" not in repr(turn)
    assert "question" not in repr(turn)
