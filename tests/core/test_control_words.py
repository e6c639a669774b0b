"""core/control_words.py: what the model is told by the control."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memstile.core.control_words import (
    FOLLOWS,
    TASKS,
    argument_fault,
    declared,
    declared_in_shell,
    instructions,
    status_told,
)
from memstile.core.gate_calls import classify_call
from memstile.core.gate_words import CallClass, Classification
from memstile.core.settings import DEFAULTS

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(sorted(TASKS))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5)


def test_each_classification_has_its_consequence_and_two_can_be_declared() -> None:
    assert set(FOLLOWS) == set(Classification)
    assert TASKS == {"simple": Classification.SIMPLE, "complex": Classification.COMPLEX}


@given(VALUES)
def test_a_task_is_faulty_exactly_where_the_hooks_read_none(task: object) -> None:
    call = classify_call("mcp__memstile__classify", {"task": task}, ("basic-memory",))
    assert call.kind is CallClass.CONTROL
    assert bool(argument_fault({"task": task})) == (call.task is None)


@given(st.dictionaries(st.sampled_from(["task", "rationale"]) | st.text(), VALUES))
def test_any_arguments_are_judged(arguments: dict[str, object]) -> None:
    fault = argument_fault(arguments)
    assert fault == "" or fault.endswith(".")


def test_a_fault_repeats_no_value() -> None:
    assert argument_fault({}) == 'task is missing; it can be "simple" or "complex". Nothing was declared.'
    assert argument_fault({"task": "hunter2"}) == (
        'task is another text; it can be "simple" or "complex". Nothing was declared.'
    )
    assert argument_fault({"task": ["simple"]}) == (
        'task is no text; it can be "simple" or "complex". Nothing was declared.'
    )
    assert argument_fault({"task": "simple", "rationale": "r" * 200}) == ""
    assert argument_fault({"task": "simple", "rationale": "r" * 201}) == (
        "rationale is 201 characters, at most 200; it can be left out. Hooks look at task alone, which was simple."
    )


def test_a_declaration_says_what_follows_and_who_counts_it() -> None:
    assert declared(Classification.COMPLEX, "enforce") == (
        "declared complex: memory writes pass after a memory search that came back in this turn. "
        "The hooks of the host count it as they see this call; without them nothing does. "
        "gate.mode is enforce: a memory write that does not fit is refused, and told why."
    )
    assert declared(Classification.SIMPLE, "off") == "declared simple. Nothing is gated here: gate.mode is off."
    assert declared_in_shell(Classification.SIMPLE) == (
        "declared simple: memory writes pass without a search. It counts where a hook of the host sees this very call."
    )


@given(st.text(max_size=400), st.integers(1, 10**12), st.integers(1, 10**12))
def test_the_instructions_stay_short_whatever_the_settings(name: str, lines: int, count: int) -> None:
    settings = DEFAULTS._replace(index_name=name, index_hard_lines=lines, index_hard_bytes=count)
    text = instructions(settings)
    assert len(text) < 1500
    assert f"{lines:,} lines and {count:,} bytes" in text


def test_the_status_tells_faults_and_no_path() -> None:
    told = status_told(DEFAULTS, 2)
    assert told.splitlines() == [
        "gate.mode is audit: what enforce mode would refuse is let through and recorded.",
        "profile: compat",
        "memory servers: basic-memory",
        "vault files: gated",
        "index: MEMORY.md, at most 200 lines and 25,600 bytes, index.mode enforce",
        "2 entries of the settings are not used; the person can see which with `memstile status`",
        "These are the settings. Whether the host's hooks run is proved by `memstile doctor`.",
    ]
    assert "not used" not in status_told(DEFAULTS, 0)
