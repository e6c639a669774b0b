"""core/log_replay.py: each invariant is broken on purpose, and what the gate itself writes breaks none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memstile.core.gate_protocol import read_line
from memstile.core.gate_step import step
from memstile.core.log_replay import INVARIANTS, Broken, broken
from memstile.core.log_row import Row, rows_of
from memstile.core.settings import DEFAULTS
from memstile.core.turn import FRESH, Turn
from tests.test_replay import VECTORS, lines

IN = Row(host="h", session="s", turn="t1", mode="enforce", classification="unknown", recall="idle")
CLASSIFIED = IN._replace(
    event="tool_call", kind="control", decision="allow", action="allow", enforced=True, classification="complex"
)
FOUND = CLASSIFIED._replace(
    event="tool_result", kind="search", action="", decision="done", enforced=False, recall="succeeded"
)
WRITTEN = CLASSIFIED._replace(kind="write", recall="succeeded")
TURN = (CLASSIFIED, FOUND, WRITTEN)
REFUSED = CLASSIFIED._replace(kind="write", decision="deny", action="deny")


def names(*rows: Row, is_pruned: bool = False) -> list[Broken]:
    numbered = [row._replace(id=number) for number, row in enumerate(rows, 1)]
    return list(broken(numbered, is_pruned=is_pruned))


BREAKS: dict[str, tuple[tuple[Row, ...], list[Broken]]] = {
    "a denial in audit": ((CLASSIFIED, REFUSED._replace(mode="audit")), [Broken(2, "denied-in-audit")]),
    "an ask in audit": (
        (REFUSED._replace(mode="audit", action="ask", classification=""),),
        [Broken(1, "denied-in-audit")],
    ),
    "decided while off": ((CLASSIFIED._replace(mode="off"),), [Broken(1, "recorded-while-off")]),
    "let through": (
        (CLASSIFIED, REFUSED._replace(action="allow", enforced=True, kind="other")),
        [Broken(2, "denial-let-through")],
    ),
    "unclassified": (
        (WRITTEN._replace(classification="unknown", recall="idle"),),
        [Broken(1, "write-without-classification")],
    ),
    "no search": ((CLASSIFIED, WRITTEN._replace(recall="idle")), [Broken(2, "write-without-search")]),
    "search failed": (
        (CLASSIFIED, FOUND._replace(decision="failed", recall="failed"), WRITTEN._replace(recall="failed")),
        [Broken(3, "write-without-search")],
    ),
    "search in flight": ((CLASSIFIED, WRITTEN._replace(recall="in_flight")), [Broken(2, "write-without-search")]),
    "search row is gone": (
        (CLASSIFIED, WRITTEN),
        [Broken(2, "moved-without-cause"), Broken(2, "write-without-search")],
    ),
    "declared by nothing": (
        (REFUSED._replace(classification="unknown"), REFUSED),
        [Broken(2, "moved-without-cause")],
    ),
    "carried over": (
        (*TURN, WRITTEN._replace(turn="t2")),
        [Broken(4, "carried-over"), Broken(4, "write-without-search")],
    ),
    "another agent's search": (
        (CLASSIFIED, FOUND._replace(agent="b", classification="unknown"), WRITTEN),
        [Broken(3, "moved-without-cause"), Broken(3, "write-without-search")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKS)
def test_a_broken_invariant_is_found(case: str) -> None:
    rows, expected = BREAKS[case]
    assert names(*rows) == expected


def test_every_invariant_is_broken_once() -> None:
    assert {found.invariant for _, expected in BREAKS.values() for found in expected} == INVARIANTS.keys()


@pytest.mark.parametrize(
    "rows",
    [
        TURN,
        (CLASSIFIED, FOUND._replace(event="batch_end", decision=""), WRITTEN),
        (CLASSIFIED, FOUND, FOUND._replace(decision="failed"), WRITTEN),
        (CLASSIFIED._replace(classification="simple"), WRITTEN._replace(classification="simple", recall="idle")),
        (*TURN, CLASSIFIED, REFUSED),  # expired, and begun again under the same name
        (*TURN, *(row._replace(turn="t2") for row in TURN)),
        tuple(row._replace(mode="audit", enforced=False) for row in (CLASSIFIED, WRITTEN._replace(recall="idle"))),
        (Row(event="log_pruned"), *TURN, WRITTEN._replace(classification="", recall="")),
    ],
)  # fmt: skip
def test_a_log_that_breaks_nothing_is_clean(rows: tuple[Row, ...]) -> None:
    assert names(*rows) == []


def test_of_a_pruned_log_only_the_first_turn_of_an_agent_is_taken_at_its_word() -> None:
    assert names(WRITTEN, is_pruned=True) == []
    assert names(CLASSIFIED, WRITTEN._replace(recall="idle"), is_pruned=True) == [Broken(2, "write-without-search")]
    assert names(WRITTEN, WRITTEN._replace(turn="t2"), is_pruned=True)[0] == Broken(2, "carried-over")


@pytest.mark.parametrize("level", ["decision", "verbose"])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_what_the_gate_writes_breaks_nothing(vector: dict[str, Any], level: str) -> None:
    config = vector["config"]
    settings = DEFAULTS._replace(gate_mode=config["mode"], gate_profile=config["profile"])
    turns: dict[tuple[str, str, str], Turn] = {}
    rows: list[Row] = []
    for data in lines(vector["events"]):
        happened = read_line(data).happened
        if happened is not None:
            stepped = step(turns.get(happened.key, FRESH), happened, settings)
            turns[happened.key] = stepped.turn
            host, session, agent = happened.key
            rows += rows_of(stepped.rows, Row(host=host, session=session, agent=agent, mode=config["mode"]), level)
    assert names(*rows) == []
    assert json.dumps(rows)
