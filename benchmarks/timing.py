"""Time commands against each other: interleaved rounds, medians, one table."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Timed(NamedTuple):
    """One command to time. before: run untimed before each round. cwd: where it runs; environment: added to ours.

    stdin: what it reads there.
    """

    name: str
    command: Sequence[str]
    cwd: str = "."
    environment: Mapping[str, str] = {}
    before: Callable[[], object] = lambda: None
    stdin: bytes = b""


def medians(rows: Sequence[Timed], rounds: int = 9) -> dict[str, float]:
    """Run every command once a round, in turn, after one round to warm up; give each one's median in seconds.

    Raises CalledProcessError for any exit code but 0: a crash must not pass for a fast run.
    """
    seconds: dict[str, list[float]] = {row.name: [] for row in rows}
    for number in range(rounds + 1):
        for row in rows:
            row.before()
            start = time.perf_counter()
            done = subprocess.run(
                row.command,
                cwd=row.cwd,
                env=os.environ | row.environment,
                input=row.stdin,
                capture_output=True,
                check=False,
            )
            taken = time.perf_counter() - start
            if done.returncode:
                raise subprocess.CalledProcessError(done.returncode, row.command, done.stdout, done.stderr)
            if number:
                seconds[row.name].append(taken)
    return {name: statistics.median(values) for name, values in seconds.items()}


def machine() -> str:
    """Describe the machine in a line: what the numbers hold for."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), cpu)
    except OSError:
        pass
    python = f"Python {platform.python_version()}"
    return f"{time.strftime('%Y-%m-%d')}, {cpu}, {os.cpu_count()} cores, {platform.system()}, {python}"


def show(what: str, ratio: float, budget: float, detail: str) -> None:
    """Print one ratio with its budget; a budget that is missed is marked, not hidden."""
    mark = "ok  " if ratio <= budget else "MISS"
    print(f"{mark} {what:<52} {ratio:6.2f} x  budget {budget:g} x  ({detail})")
