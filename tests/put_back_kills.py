"""Kill processes with SIGKILL while they put an index back, and look at what they leave; prints JSON.

    python -m tests.put_back_kills lines MODE FOLDER QUARANTINE    once at every line of ours that runs
    python -m tests.put_back_kills times COUNT FOLDER QUARANTINE   at COUNT random moments
    MODE: exchange, or aside (a system that cannot exchange)

A program of its own, as it forks. Contents carry a number, so that a mixture of two would be seen.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from memstile.exchange import Exchange, exchange
from memstile.put_back import Outcome, put_back, recover

_OURS = ("durable", "exchange", "left_beside", "open_writers", "put_back", "quarantine")


def rejected(number: int) -> bytes:
    return b"rejected %d\n" % number * 3_000


def accepted(number: int) -> bytes:
    return b"accepted %d\n" % number * 1_500


class Place(NamedTuple):
    """Where one round is played."""

    vault: Path
    quarantine: Path

    @property
    def file(self) -> Path:
        return self.vault / "MEMORY.md"

    def write(self, data: bytes) -> None:
        """Write the index as an editor does: by rename."""
        (self.vault.parent / "draft").write_bytes(data)
        (self.vault.parent / "draft").rename(self.file)


def fresh(folder: Path, quarantine: Path) -> Place:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(quarantine, ignore_errors=True)
    place = Place(folder / "vault", quarantine)
    place.vault.mkdir(parents=True)
    place.write(rejected(0))
    return place


def once(place: Place, swap: Exchange) -> None:
    done = put_back(str(place.file), rejected(0), accepted(0), str(place.quarantine), 1.0, swap)
    assert done.outcome is Outcome.DONE


def again_and_again(place: Place) -> None:
    number = 0
    while True:
        done = put_back(str(place.file), rejected(number), accepted(number), str(place.quarantine), float(number))
        assert done.outcome is Outcome.DONE, done
        number += 1
        place.write(rejected(number))


def killed_at_line(wanted: int, work: Callable[[], object]) -> bool:
    """Run in a process that is killed before its wanted line of ours. False: it came to its end before that."""
    pid = os.fork()
    if pid == 0:
        count = 0

        def trace(frame: FrameType, event: str, argument: object) -> object:
            nonlocal count
            if frame.f_globals.get("__name__", "").removeprefix("memstile.") not in _OURS:
                return None
            count += event == "line"
            if count >= wanted:
                os.kill(os.getpid(), signal.SIGKILL)
            return trace

        sys.settrace(trace)  # type: ignore[arg-type]  # what a trace function returns has no name in typeshed
        work()
        os._exit(0)
    return ended(pid)


def ended(pid: int) -> bool:
    """Wait for a process. True: by SIGKILL; False: at its end; anything else is a fault."""
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def killed_at_time(seconds: float, work: Callable[[], None]) -> None:
    """Run in a process that is killed after a while."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(9)
    assert signal.sigtimedwait({signal.SIGCHLD}, seconds) is None, "it ended by itself"
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)
    signal.sigtimedwait({signal.SIGCHLD}, 0)  # else the next wait ends at once


def numbered(data: bytes, make: Callable[[int], bytes]) -> int | None:
    """Tell which content it is, whole; None for none."""
    words = data.split(b"\n", 1)[0].split()
    number = int(words[1]) if len(words) == 2 and words[1].isdigit() else -1
    return number if data == make(number) else None


def faults(place: Place, is_settled: bool) -> list[str]:
    """Say what is wrong with what a killed process left. is_settled: after `recover`, when nothing may be beside."""
    beside = sorted(path for path in place.vault.iterdir() if path != place.file)
    held = sorted(place.quarantine.glob("*")) if place.quarantine.exists() else []
    said = [f"{path.name} is beside the index" for path in beside if is_settled]
    said += [f"{path.name} is no whole content" for path in held if is_settled and not _is_private(path)]
    now = place.file.read_bytes() if place.file.exists() else b""
    good, bad = numbered(now, accepted), numbered(now, rejected)
    if good is None and bad is None:
        return [*said, f"the index holds {now[:20]!r}, {len(now)} bytes"]
    wanted = set(range(good + 1 if good is not None else bad or 0))
    rows = [number for path in [*held, *beside] if (number := numbered(path.read_bytes(), rejected)) is not None]
    if not wanted <= set(rows):
        said.append(f"{sorted(wanted - set(rows))} lost, the index is {good} or {bad}")
    if is_settled and sorted(rows) != sorted(wanted):
        said.append(f"{sorted(rows)} in quarantine, {sorted(wanted)} were taken off")
    return said


def _is_private(path: Path) -> bool:
    return path.stat().st_mode & 0o777 == 0o600 and numbered(path.read_bytes(), rejected) is not None


def looked_at(place: Place, *, may_be_missing: bool) -> list[str]:
    """Look at what was left, recover, and look again."""
    there = place.file.exists()
    said = faults(place, is_settled=False) if there or not may_be_missing else []
    before = place.file.read_bytes() if there else None
    recover(str(place.quarantine), str(place.vault))
    said += faults(place, is_settled=True)
    if before is not None and place.file.read_bytes() != before:
        said.append("recovering changed the index")
    return said


def at_lines(mode: str, place: Callable[[], Place]) -> dict[str, object]:
    """Kill at every line; then, where something was left beside, at every line of the recovery too."""
    swap: Exchange = exchange if mode == "exchange" else lambda one, other: False
    said, kills, in_recovery, swapped, line = list[str](), 0, 0, 0, 1
    while True:
        made = place()
        if not killed_at_line(line, lambda made=made: once(made, swap)):  # type: ignore[misc]  # a default of a lambda
            break
        kills += 1
        swapped += made.file.exists() and made.file.read_bytes() == accepted(0)
        stop = 1
        while any(path != made.file for path in made.vault.iterdir()) and line % 5 == 0:
            if not killed_at_line(stop, lambda made=made: recover(str(made.quarantine), str(made.vault))):  # type: ignore[misc]
                break
            in_recovery += 1
            stop += 3
        said += [f"line {line}: {row}" for row in looked_at(made, may_be_missing=mode == "aside")]
        line += 1
    return {"kills": kills, "in_recovery": in_recovery, "swapped": swapped, "faults": said}


def at_times(count: int, place: Callable[[], Place]) -> dict[str, object]:
    """Kill at random moments of a process that puts back again and again."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    said, moments, left, swaps = list[str](), random.Random(5), 0, 0  # noqa: S311 - moments, not secrets
    for round_number in range(count):
        made = place()
        killed_at_time(moments.uniform(0.0, 0.05), lambda made=made: again_and_again(made))  # type: ignore[misc]
        left += any(path != made.file for path in made.vault.iterdir())
        said += [f"round {round_number}: {row}" for row in looked_at(made, may_be_missing=False)]
        swaps += len(list(made.quarantine.glob("*"))) if made.quarantine.exists() else 0
    return {"kills": count, "left_beside": left, "swaps": swaps, "faults": said}


def main(way: str, what: str, folder: str, quarantine: str) -> None:
    def place() -> Place:
        return fresh(Path(folder), Path(quarantine))

    print(json.dumps(at_lines(what, place) if way == "lines" else at_times(int(what), place)))


if __name__ == "__main__":
    main(*sys.argv[1:])
