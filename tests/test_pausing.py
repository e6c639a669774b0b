"""pausing.py, status.py and their commands: a pause lets calls through, ends by itself, and is shown."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.pausing import pause, pause_told, seconds_of
from memstile.status import status
from tests.agent_tools import hook, write
from tests.git_tools import environment
from tests.run_tools import memstile
from tests.vault_tools import index, vault

DURATIONS = {"90s": 90, "30m": 1_800, "2h": 7_200, "5": 300, "0": 0, "24h": 86_400}


@pytest.mark.parametrize("text", DURATIONS)
def test_a_duration_is_read(text: str) -> None:
    assert seconds_of(text) == DURATIONS[text]


@pytest.mark.parametrize("text", ["", "m", "-5m", "1d", "25h", "²m", "1.5h", "9" * 30])
def test_what_is_no_duration_of_at_most_a_day_is_refused(text: str) -> None:
    with pytest.raises(GuardError):
        seconds_of(text)


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


def test_a_pause_needs_a_terminal(tmp_path: Path) -> None:
    ran = memstile("pause", "5m", cwd=tmp_path, environment=environment(tmp_path / "home"))
    assert (ran.code, "needs a terminal" in ran.err) == (2, True)


def test_the_status_names_modes_vaults_hosts_and_a_pause(tmp_path: Path) -> None:
    vault(tmp_path / "vault", index(120))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n[[vault]]\npath = "none"\n')
    hook(tmp_path, write(tmp_path / "vault" / "MEMORY.md", index(121), tmp_path))
    state = str(tmp_path / "state")
    found = status(str(tmp_path), {"HOME": str(tmp_path)}, state, time.time())
    assert found.is_on
    assert [row["path"] for row in found.vaults] == ["vault/MEMORY.md", "none/MEMORY.md"]
    assert found.vaults[0]["size"].startswith("120 lines, ")
    assert found.vaults[1]["size"] == "no index yet"
    assert list(found.hosts) == ["claude-code"]
    pause(state, 60, time.time())
    assert not status(str(tmp_path), {"HOME": str(tmp_path)}, state, time.time()).is_on


def test_the_command_says_what_is_off(tmp_path: Path) -> None:
    home = environment(tmp_path / "home")
    on = memstile("status", cwd=tmp_path, environment=home)
    assert (on.code, on.out.decode().split("\n")[:2]) == (0, ["hooks    on", "index    enforce"])
    place = tmp_path / "home" / ".config" / "memstile"
    place.mkdir(parents=True)
    (place / "config.toml").write_text('[index]\nmode = "audit"\n')
    assert memstile("status", cwd=tmp_path, environment=home).code == 1
