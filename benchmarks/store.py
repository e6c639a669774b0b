"""Benchmark the store: transactions per second of 8 processes at once, each with a turn and a row of the log.

python benchmarks/store.py [EVENTS]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from memstile.audit_verify import verify
from memstile.core.log_row import Row
from memstile.store import Changed, open_store, with_turn
from timing import Timed, machine, medians, show

PROCESSES = 8
BUDGET = 5_000
STATE = '{"v": 1, "number": 3, "classification": "complex", "recall": "succeeded", "pending": [], "read": ["a/b"]}'


def change(name: str, number: int) -> Callable[[str | None], Changed[None]]:
    """Make a change as the gate makes it: a state and a row."""
    row = _row(name, number)
    return lambda state: Changed(STATE, [row], None)


def _row(name: str, number: int) -> Row:
    return Row(
        time=time.time(),
        host="claude-code",
        session=name,
        event="tool_call",
        call=f"toolu_{name}_{number:08}",
        tool="mcp__basic-memory__write_note",
        kind="write",
        decision="allow",
        action="allow",
    )


def work(folder: str, name: str, events: int) -> None:
    """Change one turn so many times, once there is a line to read."""
    store = open_store(folder, 30.0)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(events):
        store.with_turn(("claude-code", name, ""), time.time(), 3600.0, change(name, number))
    store.close()


def rate(folder: str, events: int) -> float:
    """Give transactions per second of all processes; fails if a row is lost or the chain is broken."""
    command = [sys.executable, __file__]
    running = [
        subprocess.Popen(
            [*command, folder, f"s{number}", str(events)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(PROCESSES)
    ]
    for process in running:
        assert process.stdout
        process.stdout.readline()
    start = time.perf_counter()
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    codes = [process.wait() for process in running]
    took = time.perf_counter() - start
    for process in running:
        process.communicate()
    found = verify(folder)
    assert (codes, found.rows, found.faults) == ([0] * PROCESSES, PROCESSES * events, ()), (codes, found)
    return PROCESSES * events / took


def once(folder: str) -> float:
    """Give the milliseconds of one event in a process that opens the store for it."""
    times = []
    for number in range(200):
        start = time.perf_counter()
        with_turn(folder, ("claude-code", "once", ""), time.time(), 3600.0, change("once", number))
        times.append(time.perf_counter() - start)
    return sorted(times)[100] * 1000


def main() -> None:
    """Print the figures of this run; a ratio of at most 1 is within the budget."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        rates = sorted(rate(os.path.join(folder, str(number)), events) for number in range(3))
        opened = once(os.path.join(folder, "once"))
    detail = f"{rates[1]:,.0f} transactions/s, {PROCESSES} processes x {events:,} events"
    show(f"store, {BUDGET:,}/s / {PROCESSES} processes", BUDGET / rates[1], 1.0, detail)
    print(f"     one event, the store opened and closed for it: {opened:.2f} ms")
    bare = (sys.executable, "-I", "-S", "-c")
    took = medians([Timed(name, (*bare, code)) for name, code in IMPORTS.items()], 21)
    told = ", ".join(f"{name} {seconds * 1000:.1f} ms" for name, seconds in took.items())
    print(f"     python -I -S: {told}")


IMPORTS = {"bare": "pass", "_sqlite3": "import _sqlite3", "sqlite3": "import sqlite3"}


if __name__ == "__main__":
    if len(sys.argv) > 3:
        work(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        main()
