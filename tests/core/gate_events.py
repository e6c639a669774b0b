"""Events of the gate protocol for tests: short makers, and sequences for properties."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from memstile.core.gate_step import GateAnswer, Happened, step
from memstile.core.request import Event
from memstile.core.settings import DEFAULTS, Settings
from memstile.core.turn import FRESH, Turn

SERVER = "mcp__basic-memory__"
CLASSIFY = "mcp__memstile__classify"
ENFORCE = DEFAULTS._replace(gate_mode="enforce")
STRICT = ENFORCE._replace(gate_profile="strict")
SETTINGS = [
    DEFAULTS._replace(gate_mode=mode, gate_profile=profile)
    for mode in ("audit", "enforce")
    for profile in ("compat", "strict")
]

TURN = Happened(Event.TURN_START)
SESSION = Happened(Event.SESSION_START)
BATCHES = Happened(Event.SESSION_START, has_batches=True)
BATCH_END = Happened(Event.BATCH_END)
SESSION_END = Happened(Event.SESSION_END)


def called(tool: str, arguments: object = None, call: str = "", turn: str = "") -> Happened:
    """Make a tool call; a name without "__" is a tool of basic-memory."""
    name = tool if "__" in tool or tool == "Bash" else SERVER + tool
    return Happened(Event.TOOL_CALL, call=call, turn=turn, tool=name, arguments=arguments)


def result(call: str, *, is_error: bool | None = False, count: int | None = None, opening: str = "") -> Happened:
    return Happened(Event.TOOL_RESULT, call=call, is_error=is_error, result_count=count, opening=opening)


def declared(task: object) -> Happened:
    return called(CLASSIFY, {"task": task})


def after(events: Iterable[Happened], settings: Settings = ENFORCE, turn: Turn = FRESH) -> Turn:
    """Give the turn after these events."""
    for happened in events:
        turn = step(turn, happened, settings).turn
    return turn


def answers(events: Iterable[Happened], settings: Settings = ENFORCE, turn: Turn = FRESH) -> list[GateAnswer]:
    """Give the answers to the tool calls in these events."""
    given = []
    for happened in events:
        stepped = step(turn, happened, settings)
        turn = stepped.turn
        given += [stepped.answer] if stepped.answer else []
    return given


def codes(events: Iterable[Happened], settings: Settings = ENFORCE) -> list[str]:
    return [answer.reason_code for answer in answers(events, settings)]


_TOOLS = ("search_notes", "read_note", "recent_activity", "write_note", "edit_note", "delete_note", "brand_new", "Bash")
_IDS = st.sampled_from(["", "c1", "c2", "c3", "c4"])
_ARGUMENTS = st.one_of(
    st.none(),
    st.just("text"),
    st.fixed_dictionaries(
        {"title": st.sampled_from(["A", "B"])},
        optional={
            "overwrite": st.sampled_from([True, False, "yes"]),
            "identifier": st.sampled_from(["a.md", "b"]),
            "tags": st.just(["test-fixture"]),
        },
    ),
)
CALLS = st.one_of(
    st.builds(called, st.sampled_from(_TOOLS), _ARGUMENTS, _IDS),
    st.builds(declared, st.sampled_from(["simple", "complex", "x", None, []])),
)
RESULTS = st.builds(
    lambda call, tool, arguments, is_error: Happened(
        Event.TOOL_RESULT, call=call, tool=SERVER + tool, arguments=arguments, is_error=is_error
    ),
    _IDS,
    st.sampled_from(_TOOLS),
    _ARGUMENTS,
    st.sampled_from([True, False, False, None]),
)
WITHIN_A_TURN = st.lists(CALLS | RESULTS | st.just(BATCH_END) | st.just(SESSION), max_size=14)
EVENTS = st.lists(CALLS | RESULTS | st.sampled_from([BATCH_END, SESSION, TURN, SESSION_END, BATCHES]), max_size=20)
