"""pausing.py and its command: a pause lets calls through, and ends by itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.pausing import pause, pause_told, seconds_of
from tests.agent_tools import hook, write
from tests.git_tools import environment
from tests.run_tools import memstile
from tests.vault_tools import index, vault

DURATIONS = {"90s": 90, "30m": 1_800, "2h": 7_200, "0": 0, "24h": 86_400}


@pytest.mark.parametrize("text", DURATIONS)
def test_a_duration_is_read(text: str) -> None:
    assert seconds_of(text) == DURATIONS[text]


@pytest.mark.parametrize("text", ["", "m", "5", "-5m", "1d", "25h", "²m", "1.5h", "9" * 30])
def test_what_is_no_duration_of_at_most_a_day_is_refused(text: str) -> None:
    with pytest.raises(GuardError):
        seconds_of(text)


@pytest.mark.parametrize("text", ["3d", "1d", "25h", "soon"])
def test_whoever_asks_for_more_than_a_day_is_told_the_limit(text: str) -> None:
    with pytest.raises(GuardError) as raised:
        seconds_of(text)
    assert "is the longest" in raised.value.message + raised.value.hint


def test_a_pause_lets_a_growing_write_through_and_ends(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(190))
    payload = write(folder / "MEMORY.md", index(215), tmp_path)
    pause(str(tmp_path / "state"), 60, time.time())
    assert hook(tmp_path, payload).reply is None
    pause(str(tmp_path / "state"), 0, time.time())
    assert hook(tmp_path, payload).decision == "deny"


def test_a_pause_is_over_when_its_time_is(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    pause(state, 60, 1_000.0)
    assert pause_told(state, 1_059.0).startswith("paused until ")
    assert pause_told(state, 1_061.0) == ""


@pytest.mark.parametrize("text", ["4102444800", "100001", "9" * 5_000, "-1", "x", "", "1e9"])
def test_a_pause_that_is_longer_than_a_day_or_no_time_is_none(text: str, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "pause").write_text(f"{text} 0\n")
    assert pause_told(str(state), 13_600.0) == ""
    (state / "pause").write_text("100000 0\n")
    assert pause_told(str(state), 13_600.0).startswith("paused until ")


def test_a_pause_needs_a_terminal(tmp_path: Path) -> None:
    ran = memstile("pause", "5m", cwd=tmp_path, environment=environment(tmp_path / "home"))
    assert (ran.code, "needs a terminal" in ran.err) == (2, True)


def test_anybody_may_end_a_pause(tmp_path: Path) -> None:
    outside = environment(tmp_path / "home")
    ran = memstile("pause", "0", cwd=tmp_path, environment=outside)
    assert (ran.code, ran.err) == (0, "")
