"""cli/service.py: the service from the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memstile.service_manager import INSTEAD
from tests.run_tools import Ran, memstile
from tests.test_service import PROBE, Machine

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these are the lines of systemd")


@pytest.fixture
def me(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path, tmp_path)
    machine.manage("systemctl")
    return machine


def run(me: Machine, *words: str) -> Ran:
    return memstile("service", *words, cwd=me.project, environment=me.environment)


FILE = "~/.config/systemd/user/memstile-watch.service"


def test_it_is_set_up_shown_and_taken_out(me: Machine) -> None:
    ran = run(me, "install", "--force")
    assert (ran.code, ran.err) == (0, "")
    assert [line for line in ran.out.decode().splitlines() if not line.startswith("     ")] == [
        f"1. write {FILE}",
        "2. start it",
        "",
        "step 1 of 2 done",
        "step 2 of 2 done",
        "",
        "note: it runs while you are logged in; `loginctl enable-linger` lets it run after that",
        "note: what it says: journalctl --user -u memstile-watch",
    ]
    told = f"service  runs\nfile     {FILE}, of systemd\nlog      journalctl --user -u memstile-watch\n"
    assert run(me, "status") == Ran(0, told.encode(), "")
    assert b"nothing to do: it runs" in run(me, "install", "--force").out
    (me.root / "runs").unlink()
    stopped = b"service  does not run; `memstile service install` starts it\n"
    assert (run(me, "status").code, run(me, "status").out[: len(stopped)]) == (1, stopped)
    me.mark("runs")
    assert run(me, "uninstall").code == 0
    assert run(me, "uninstall").out == b"nothing to do: there is no service\n"
    told = "service  not installed; `memstile service install` does it\n"
    assert run(me, "status") == Ran(1, told.encode(), "")


def test_a_dry_run_changes_nothing(me: Machine) -> None:
    ran = run(me, "install", "--dry-run", "--force")
    assert (ran.code, me.unit.exists(), me.asked()) == (0, False, [PROBE])
    assert "nothing was changed: 2 steps to do" in ran.out.decode()


@pytest.mark.parametrize("word", ["install", "status", "uninstall"])
def test_where_there_is_no_systemd_it_ends_in_2_with_the_way_out(word: str, me: Machine) -> None:
    if word != "install":
        run(me, "install", "--force")
    me.mark("broken", "Failed to connect to bus")
    forced = ("--force",) if word == "install" else ()
    told = f"memstile: there is no systemd for you here: Failed to connect to bus\n  hint: {INSTEAD}\n"
    assert run(me, word, *forced) == Ran(2, b"", told)
