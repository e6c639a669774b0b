"""Benchmark the pure core of the turn gate: decisions per second in one process.

The budget holds for the example sessions of tests/vectors/gate.json. The figures below it are of one turn with notes of
1,300 bytes, where the look for secrets and the digest of a note count for more.

python benchmarks/gate.py
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable

from memstile.core.gate_protocol import answer_line, read_line
from memstile.core.gate_step import Happened, step
from memstile.core.json_text import dumps, loads
from memstile.core.request import Event
from memstile.core.settings import DEFAULTS
from memstile.core.turn import FRESH, Turn
from memstile.core.turn_state import from_state, to_state
from timing import machine, show

SERVER = "mcp__basic-memory__"
NOTE = {"title": "A title", "directory": "notes", "content": "- a line of a note, as they are\n" * 40}
SETTINGS = DEFAULTS._replace(gate_mode="enforce", gate_profile="strict")
BUDGET = 50_000


def called(tool: str, arguments: object, call: str = "c") -> Happened:
    """Make a tool call."""
    return Happened(Event.TOOL_CALL, session="s", call=call, tool=tool, arguments=arguments)


SESSION = (
    Happened(Event.TURN_START, session="s"),
    called("mcp__memstile__classify", {"task": "complex"}),
    called(f"{SERVER}write_note", NOTE, "w0"),
    called(f"{SERVER}search_notes", {"query": "a title"}, "s"),
    Happened(Event.TOOL_RESULT, session="s", call="s", is_error=False),
    called(f"{SERVER}read_note", {"identifier": "notes/a-title"}, "r"),
    Happened(Event.TOOL_RESULT, session="s", call="r", is_error=False),
    called(f"{SERVER}write_note", {**NOTE, "overwrite": True}, "w1"),
    called(f"{SERVER}edit_note", {"identifier": "notes/a-title", "operation": "append", "content": "x"}, "e"),
    called("Bash", {"command": "ls"}, "b"),
)
DECISIONS = sum(happened.event is Event.TOOL_CALL for happened in SESSION)


def examples() -> tuple[Callable[[], None], int]:
    """Give a run of all example sessions, and how many decisions are in it."""
    place = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "vectors", "gate.json")
    with open(place, encoding="utf-8") as file:
        cases = json.load(file)
    runs = []
    for case in cases:
        config = case["config"]
        settings = DEFAULTS._replace(gate_mode=config["mode"], gate_profile=config["profile"])
        lines = [read_line(json.dumps(event).encode()).happened for event in case["events"]]
        runs.append((settings, [happened for happened in lines if happened is not None]))

    def run() -> None:
        for settings, events in runs:
            turns: dict[tuple[str, str, str], Turn] = {}
            for happened in events:
                key = happened.key
                turns[key] = step(turns.get(key, FRESH), happened, settings).turn

    return run, sum(len(case["expect"]) for case in cases)


def session(events: tuple[Happened, ...] = SESSION) -> Turn:
    """Run one turn: a refused write, a search, a read, two writes, a shell call."""
    turn = FRESH
    for happened in events:
        turn = step(turn, happened, SETTINGS).turn
    return turn


def stored() -> None:
    """Run it with the turn written to JSON and read back at each event, as between two processes."""
    turn = FRESH
    for happened in SESSION:
        turn = from_state(loads(dumps(to_state(step(turn, happened, SETTINGS).turn))))


def spoken() -> None:
    """Run it from lines of the protocol to lines of answers."""
    turn = FRESH
    for data in LINES:
        line = read_line(data)
        if line.happened is not None:
            stepped = step(turn, line.happened, SETTINGS)
            turn = stepped.turn
            if stepped.answer:
                answer_line(line.call, stepped.answer)


def _line(happened: Happened) -> bytes:
    fields: dict[str, object] = {"event": happened.event.value, "session": "s", "call": happened.call}
    if happened.event is Event.TOOL_CALL:
        fields.update(tool=happened.tool, arguments=happened.arguments)
    if happened.event is Event.TOOL_RESULT:
        fields["is_error"] = False
    return dumps(fields).encode()


LINES = [_line(happened) for happened in SESSION]


def per_second(run: Callable[[], object], decisions: int = DECISIONS, rounds: int = 9) -> float:
    """Give decisions per second, the median of some rounds after one to warm up."""
    rates, turns = [], 10_000 // decisions
    for number in range(rounds + 1):
        start = time.perf_counter()
        for _ in range(turns):
            run()
        if number:
            rates.append(decisions * turns / (time.perf_counter() - start))
    return statistics.median(rates)


def main() -> None:
    """Print the figures of this run; a ratio of at most 1 is within the budget."""
    print(machine())
    rate = per_second(*examples())
    show(f"gate core, {BUDGET:,}/s / example sessions", BUDGET / rate, 1.0, f"{rate:,.0f} decisions/s")
    for name, run in (("decided", session), ("and its state kept as JSON", stored), ("from lines to lines", spoken)):
        print(f"     a turn with long notes, {name:<28} {per_second(run):,.0f} decisions/s")


if __name__ == "__main__":
    main()
