"""status_watch.py: whether watchers are well, from the signs of life they leave; one test is of a real watcher."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import memstile
from memstile.status_watch import WatchedVault, Watching, is_red, told, watching
from tests.git_tools import environment
from tests.vault_tools import index, vault

NOW = 1_000_000.0
VAULT = {"path": "/v", "index": "/v/MEMORY.md", "is_reached": True, "lines": 7, "bytes": 1_234, "codes": ["MS103"]}
BEAT = {
    "pid": os.getpid(),
    "time": NOW,
    "every_s": 5.0,
    "mode": "audit",
    "last_event": NOW - 70,
    "restarts": 1,
    "threads": {"observer": True},
    "vaults": [VAULT],
}


def put(state: Path, name: str = "a", **fields: Any) -> None:
    put_text(state, json.dumps({**BEAT, **fields}), name)


def put_text(state: Path, text: str, name: str = "a") -> None:
    (state / "watch").mkdir(exist_ok=True)
    (state / "watch" / f"{name}.json").write_text(text)


def faults(state: Path, now: float = NOW) -> list[str]:
    return [fault for row in watching(str(state), now) for fault in row.faults]


@pytest.fixture(scope="module", name="gone")
def number_of_a_process_that_is_gone() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_a_watcher_that_is_well_is_told(tmp_path: Path) -> None:
    put(tmp_path)
    found = watching(str(tmp_path), NOW)
    seen = WatchedVault("/v/MEMORY.md", "7 lines, 1,234 bytes", ("MS103",))
    assert found == (Watching(os.getpid(), "audit", NOW - 70, 1, (seen,), ()),)
    assert not is_red(found)
    assert told(found, NOW) == [
        f"watch    on, audit, process {os.getpid()}; last event 70 s ago; 1 restart of a part",
        "         /v/MEMORY.md: 7 lines, 1,234 bytes; MS103",
    ]


def test_nobody_watches_is_no_failure(tmp_path: Path) -> None:
    assert watching(str(tmp_path), NOW) == ()
    assert not is_red(())
    assert told((), NOW) == [
        "watch    nobody watches; `memstile watch` does, `memstile service install` in the background"
    ]


@pytest.mark.parametrize(("late", "is_late"), [(0, False), (10, False), (10.1, True), (3_600, True), (-10.1, True)])
def test_a_sign_of_life_is_missed_after_twice_its_period(late: float, is_late: bool, tmp_path: Path) -> None:
    put(tmp_path)
    assert bool(faults(tmp_path, NOW + late)) is is_late


def test_the_period_is_the_watchers_own(tmp_path: Path) -> None:
    put(tmp_path, every_s=60.0)
    assert faults(tmp_path, NOW + 119) == []
    pid = os.getpid()
    assert faults(tmp_path, NOW + 121) == [
        f"process {pid} gave no sign of life for 121 s, and one is due every 60 s: end it and start it again"
    ]
    assert faults(tmp_path, NOW - 121) == [
        f"process {pid} gave no sign of life since the clock was set back, and one is due every 60 s: "
        "end it and start it again"
    ]


def test_a_process_that_is_gone_is_told_at_once(gone: int, tmp_path: Path) -> None:
    put(tmp_path, pid=gone)
    assert faults(tmp_path) == [f"process {gone} is gone, and did not end by itself: start it again"]


FAULTS: list[Any] = [
    ({"threads": {"observer": True, "/v\x1b": False}}, ["its thread /v\\x1b is dead"]),
    ({"vaults": [{**VAULT, "is_reached": False}]}, ["/v cannot be reached"]),
    (
        {"vaults": [{**VAULT, "is_fight": True}]},
        ["/v: its index is not put back any more, somebody wrote it again and again"],
    ),
    (
        {"pid": 0},
        ["watch/a.json in the state folder is no sign of life; a watcher that is started writes it anew"],
    ),
]


@pytest.mark.parametrize(("fields", "expected"), FAULTS)
def test_what_is_wrong_with_a_part_is_told(fields: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    put(tmp_path, **fields)
    found = watching(str(tmp_path), NOW)
    assert list(found[0].faults) == expected
    assert is_red(found)
    assert told(found, NOW)[0].startswith("watch    RED, audit, process ")
    assert told(found, NOW)[1] == f"         {expected[0]}"


def test_one_bad_watcher_makes_it_red(gone: int, tmp_path: Path) -> None:
    put(tmp_path, "a")
    put(tmp_path, "b", pid=gone)
    found = watching(str(tmp_path), NOW)
    assert ([bool(row.faults) for row in found], is_red(found)) == ([False, True], True)


ODD: list[Any] = [
    "", "[]", "null", "{", "{}", "[" * 100_000, '{"pid": true}', '{"pid": 1e400}', '{"pid": 99999999999999}',
    json.dumps({**BEAT, "threads": 3, "vaults": [1, None, {}], "mode": None, "restarts": "x", "every_s": -1}),
    json.dumps({**BEAT, "vaults": [{"path": 1, "index": [], "lines": "x", "bytes": True, "codes": [1, {}]}]}),
    json.dumps({**BEAT, "time": "x", "last_event": {}}), '{"time": NaN, "pid": -4}',
]  # fmt: skip


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_whatever_a_file_holds_is_told(text: str, tmp_path: Path) -> None:
    put_text(tmp_path, text)
    found = watching(str(tmp_path), NOW)
    assert all(line.isprintable() for line in told(found, NOW))


def test_what_is_no_object_is_no_watcher_and_an_empty_one_is_red(tmp_path: Path) -> None:
    put_text(tmp_path, "{}")
    assert is_red(watching(str(tmp_path), NOW))


@pytest.mark.parametrize(("ago", "text"), [(0, "0 s"), (-3, "0 s"), (119, "119 s"), (125, "2 min"), (2e5, "2 d")])
def test_an_event_has_its_age(ago: float, text: str, tmp_path: Path) -> None:
    put(tmp_path, last_event=NOW - ago)
    assert f"; last event {text} ago" in told(watching(str(tmp_path), NOW), NOW)[0]


def test_paths_are_shown_as_the_caller_likes(tmp_path: Path) -> None:
    put(tmp_path, last_event=0.0, restarts=0, vaults=[{**VAULT, "polled": "nfs", "codes": [], "lines": None}])
    assert told(watching(str(tmp_path), NOW), NOW, lambda path: path.removeprefix("/v/")) == [
        f"watch    on, audit, process {os.getpid()}; no event yet",
        "         MEMORY.md: 1,234 bytes; polled: nfs",
    ]


def test_a_real_watcher_is_on_until_it_is_killed_and_leaves_nothing_when_it_is_stopped(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(20, 500))
    state, source = str(tmp_path / "state" / "memstile"), str(Path(memstile.__file__).parent.parent)
    variables = {**environment(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": source}

    def start() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "memstile", "watch", str(folder)]
        process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, cwd=tmp_path)
        while process.poll() is None and process.pid not in [row.pid for row in watching(state, time.time())]:
            os.sched_yield()
        return process

    for number, expected in ((signal.SIGKILL, True), (signal.SIGTERM, False)):
        with start() as process:
            [seen] = watching(state, time.time())
            place = os.path.realpath(folder / "MEMORY.md")
            assert seen._replace(last_event=0.0) == Watching(
                process.pid, "audit", 0.0, 0, (WatchedVault(place, "20 lines, 500 bytes"),), ()
            )
            process.send_signal(number)
        assert is_red(watching(state, time.time())) is expected
        assert bool(watching(state, time.time())) is expected
