"""gate_run.py and `memstile gate run`: the protocol with live state, which outlives a process and is shared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memstile.core.settings import DEFAULTS
from memstile.gate_run import run
from memstile.replay import replayed
from memstile.store import open_store, store_place
from tests.agent_tools import SOURCE
from tests.git_tools import environment
from tests.run_tools import memstile
from tests.test_replay import VECTORS, lines

CLASSIFY = {"event": "tool_call", "session": "s", "call": "c0", "tool": "mcp__memstile__classify"}
WRITE = {"event": "tool_call", "session": "s", "call": "c1", "tool": "mcp__basic-memory__write_note", "arguments": {}}
SIMPLE = {**CLASSIFY, "arguments": {"task": "simple"}}
ENFORCED = DEFAULTS._replace(gate_mode="enforce")


def never(now: float) -> bool:
    return False


def answers(folder: Path, *events: dict[str, Any], settings: Any = ENFORCED, now: float = 1e6) -> list[Any]:
    store = open_store(str(folder))
    try:
        return [json.loads(answer) for answer in run(lines(list(events)), settings, store, lambda: now, never)]
    finally:
        store.close()


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_live_state_answers_as_a_replay_does(vector: dict[str, Any], tmp_path: Path) -> None:
    config = vector["config"]
    settings = DEFAULTS._replace(gate_mode=config["mode"], gate_profile=config["profile"])
    data = list(lines(vector["events"]))
    store = open_store(str(tmp_path))
    assert list(run(data, settings, store, lambda: 1e6, never)) == list(replayed(data, settings))
    store.close()


def test_a_restart_loses_nothing_and_an_hour_does(tmp_path: Path) -> None:
    answers(tmp_path, SIMPLE)
    told = [answers(tmp_path, WRITE, now=now)[0]["reason_code"] for now in (1e6 + 3_000, 1e6 + 10_000)]
    assert told == ["ALLOW_SIMPLE", "CLASSIFICATION_REQUIRED"]


def test_a_turn_that_starts_while_the_gate_is_off_ends_the_one_before(tmp_path: Path) -> None:
    answers(tmp_path, SIMPLE)
    answers(tmp_path, {"event": "turn_start", "session": "s"}, settings=DEFAULTS._replace(gate_mode="off"))
    assert answers(tmp_path, WRITE)[0]["reason_code"] == "CLASSIFICATION_REQUIRED"


def test_a_pause_lets_all_through_and_ends_the_turn(tmp_path: Path) -> None:
    store = open_store(str(tmp_path))
    events = [WRITE, SIMPLE, {"event": "turn_start", "session": "s"}]
    paused = [json.loads(told)["action"] for told in run(lines(events), ENFORCED, store, lambda: 1e6, lambda now: True)]
    after = [json.loads(told)["action"] for told in run(lines([WRITE]), ENFORCED, store, lambda: 1e6, never)]
    store.close()
    assert (paused, after) == (["allow", "allow"], ["deny"])


@pytest.mark.parametrize(
    ("mode", "on_error", "expected"),
    [
        ("enforce", "open", ("allow", "allow")),
        ("enforce", "closed", ("deny", "deny")),
        ("audit", "closed", ("allow", "allow")),
    ],
)
def test_a_store_that_fails_on_the_way_is_our_own_failure(
    mode: str, on_error: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    settings = DEFAULTS._replace(gate_mode=mode, gate_on_error=on_error)
    store = open_store(str(tmp_path))
    store.close()  # every use of it fails from now on
    search = {**WRITE, "tool": "mcp__basic-memory__search_notes"}
    write, read = (json.loads(told) for told in run(lines([WRITE, search]), settings, store, lambda: 1e6, never))
    assert (write["reason_code"], write["decision"], write["action"]) == ("POLICY_INTERNAL_ERROR", *expected)
    assert read["reason_code"] == "ALLOW_READ_ONLY"


def test_a_program_is_answered_line_by_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "memstile", "gate", "run", "--mode", "enforce", "--state", str(tmp_path / "state")]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env={**environment(tmp_path / "home"), "PYTHONPATH": str(SOURCE)},
    ) as process:
        assert process.stdin
        assert process.stdout
        told = []
        for event in (WRITE, SIMPLE, WRITE):
            process.stdin.write(json.dumps(event).encode() + b"\n")
            process.stdin.flush()
            told.append(json.loads(process.stdout.readline())["action"])
        process.stdin.close()
        assert (told, process.wait(20)) == (["deny", "allow", "allow"], 0)


def test_a_store_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    Path(store_place(str(tmp_path / "state"))).write_bytes(b"no database" * 100)
    ran = memstile("gate", "run", "--state", "state", cwd=tmp_path, environment=environment(tmp_path / "home"))
    assert (ran.code, "the store is corrupt" in ran.err, str(tmp_path) in ran.err) == (2, True, False)


def test_a_turn_that_began_while_the_store_was_locked_is_told_and_fresh(tmp_path: Path) -> None:
    store = open_store(str(tmp_path), 0.05)
    other = open_store(str(tmp_path))
    start = {"event": "turn_start", "session": "s"}

    def clock() -> float:  # another process holds the store while the second event comes
        seen.append(1)
        other._connection.execute({2: "BEGIN IMMEDIATE", 3: "ROLLBACK"}.get(len(seen), "SELECT 1"))
        return 1e6

    seen: list[int] = []
    told = [json.loads(line) for line in run(lines([SIMPLE, start, WRITE]), ENFORCED, store, clock, never)]
    store.close()
    other.close()
    assert "POLICY_INTERNAL_ERROR" in told[1]["error"]
    assert (told[1]["line"], told[2]["reason_code"]) == (2, "CLASSIFICATION_REQUIRED")
