"""`memstile watch` as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memstile.watch_files import beats
from tests.agent_tools import SOURCE
from tests.git_tools import environment
from tests.run_tools import memstile
from tests.vault_tools import index, vault

pytestmark = pytest.mark.slow


def surroundings(folder: Path) -> dict[str, str]:
    return {
        **environment(folder / "home"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONPATH": str(SOURCE),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class Process:
    """A watcher that runs. lines: what it has written so far."""

    def __init__(self, folder: Path, *words: str, program: tuple[str, ...]) -> None:
        command = [sys.executable, *program, "watch", "--json", *words]
        self.process = subprocess.Popen(
            command, cwd=folder, env=surroundings(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def until(self, event: str, code: str = "") -> dict[str, Any]:
        """Read until an event is told."""
        assert self.process.stdout
        for line in self.process.stdout:
            row: dict[str, Any] = json.loads(line)
            if (row["event"], row.get("code", "")) == (event, code):
                return row
        raise AssertionError(self.rest())

    def rest(self) -> tuple[int, bytes]:
        """Wait for its end; give its code, and what it wrote to standard error."""
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, errors


@contextmanager
def watching(folder: Path, *words: str, program: tuple[str, ...] = ("-m", "memstile")) -> Iterator[Process]:
    running = Process(folder, *words, program=program)
    with running.process:
        try:
            yield running
        finally:
            running.process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_tells_of_growth_and_ends_when_asked(number: signal.Signals, tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    with watching(tmp_path, "v") as running:
        running.until("seen")
        (tmp_path / "v" / "MEMORY.md").write_bytes(index(215))
        row = running.until("found", "MS101")
        assert (row["path"], row["severity"], row["lines_before"], row["lines_after"]) == (
            "v/MEMORY.md",
            "error",
            140,
            215,
        )
        running.process.send_signal(number)
        assert running.rest() == (0, b"")
    assert beats(str(tmp_path / "state" / "memstile")) == {}


def test_what_grows_is_put_back(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    with watching(tmp_path, "--mode", "enforce", "v") as running:
        running.until("seen")
        (tmp_path / "v" / "MEMORY.md").write_bytes(index(215))
        row = running.until("restored")
        assert Path(row["place"]).read_bytes() == index(215)
        assert (tmp_path / "v" / "MEMORY.md").read_bytes() == index(140)


def test_after_a_kill_the_next_one_takes_over_and_knows_what_was_told(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    state = str(tmp_path / "state" / "memstile")
    with watching(tmp_path, "v") as first:
        first.until("seen")
        (tmp_path / "v" / "MEMORY.md").write_bytes(index(215))
        first.until("found", "MS101")
        second = memstile("watch", "--once", "v", cwd=tmp_path, environment=surroundings(tmp_path))
        assert (second.code, second.err.splitlines()[0].partition(", since")[0]) == (
            2,
            f"memstile: v is watched already, by process {first.process.pid}",
        )
        first.process.kill()
        first.process.wait()
    (left,) = beats(state).values()
    assert left["pid"] == first.process.pid
    again = memstile("watch", "--once", "v", cwd=tmp_path, environment=surroundings(tmp_path))
    assert (again.code, again.out, again.err) == (0, b"", "")


def test_it_rests_while_nothing_changes(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    with watching(tmp_path, "v") as running:
        running.until("seen")
        before = cpu_s(running.process.pid)
        with pytest.raises(subprocess.TimeoutExpired):
            running.process.wait(2.0)
        assert cpu_s(running.process.pid) - before < 0.1


def cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def test_once_for_cron(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))

    def once() -> tuple[int, str]:
        ran = memstile("watch", "--once", cwd=tmp_path, environment=surroundings(tmp_path))
        assert ran.err == ""
        return ran.code, "\n".join(line[9:] for line in ran.out.decode().splitlines() if line[:1].isdigit())

    assert [once(), once()] == [(0, ""), (0, "")]
    (tmp_path / "v" / "MEMORY.md").write_bytes(index(215))
    grew = "v/MEMORY.md: error MS101: index on disk grew from 140 to 215 lines, hard cap 200 "
    assert [once(), once()] == [(1, f"{grew}(base: the last accepted state)"), (0, "")]


def test_a_reader_who_is_gone_ends_it(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    with watching(tmp_path, "v") as running:
        running.until("seen")
        assert running.process.stdout
        running.process.stdout.close()
        (tmp_path / "v" / "MEMORY.md").write_bytes(index(215))
        assert running.process.wait(20) == 2


def test_a_bug_of_ours_is_told_and_the_watcher_goes_on(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    broken = (
        "import sys, memstile.watch_run as run\n"
        "real = run.handle\n"
        "def handle(watched, moment):\n"
        "    if b'break' in open(watched.index, 'rb').read():\n"
        "        raise KeyError('note text')\n"
        "    return real(watched, moment)\n"
        "run.handle = handle\n"
        "from memstile.cli.main import main\n"
        "main()\n"
    )
    with watching(tmp_path, "v", program=("-c", broken)) as running:
        running.until("seen")
        (tmp_path / "v" / "MEMORY.md").write_bytes(b"break\n")
        row = running.until("trouble")
        assert row["message"].startswith("this is a bug in memstile: KeyError at ")
        assert "note text" not in str(row)
        (tmp_path / "v" / "MEMORY.md").write_bytes(index(215))
        running.until("found", "MS101")


def test_without_a_vault_it_says_so(tmp_path: Path) -> None:
    ran = memstile("watch", cwd=tmp_path, environment=surroundings(tmp_path))
    assert (ran.code, ran.out, ran.err) == (
        2,
        b"",
        "memstile: no vault was given, configured or found\n  hint: name it: `memstile watch PATH`, or [[vault]]\n",
    )
