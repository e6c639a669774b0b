"""Run a client through a scene, with a time limit, and give what came of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.e2e.clients import Client
from tests.e2e.dialects import Call
from tests.e2e.drivers.driver import Driver
from tests.e2e.models import Asked, served
from tests.e2e.scenes import Beat
from tests.e2e.site import Site

RUN_LIMIT_S = 120.0


class Played(NamedTuple):
    """One run. code: the client's exit code, None where it met the limit; output: what it printed, for a failure."""

    asked: list[Asked]
    code: int | None
    output: str
    seconds: float


def played(client: Client, driver: Driver, programs: Path, site: Site, scene: Sequence[Beat]) -> Played:
    """Run a client in the project until it ends by itself, or the limit ends it."""
    script = [[driver.spell(beat.step)] for beat in scene]
    return scripted(client, driver, programs, site, script, lambda: _content(site.memory), [driver.words])


def scripted(
    client: Client,
    driver: Driver,
    programs: Path,
    site: Site,
    script: Sequence[Sequence[Call]],
    probe: Callable[[], bytes],
    command_lines: Sequence[Callable[[str], Sequence[str]]],
) -> Played:
    """Run a client once for each command line, one after another, against one script. Result: code is of the last.

    probe: what is looked at whenever the client asks on. command_lines: (model's address) to what follows the program.
    """
    began, code, told = time.monotonic(), None, ""
    with served(driver.dialect, script, probe) as model:
        environment = {**site.environment(programs), **driver.environment(site, model.url)}
        program = str(programs / next(iter(client.programs)))
        for words in command_lines:
            code, output = _run([program, *words(model.url)], site.project, environment)
            told += output
        return Played(model.asked, code, told, time.monotonic() - began)


def _run(words: list[str], cwd: Path, environment: Mapping[str, str]) -> tuple[int | None, str]:
    """Run a program to its end. Result: its exit code, None where it met the limit, and what it printed."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            words,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code = _ended(process)
        output.seek(0)
        return code, output.read().decode(errors="replace")


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a client, and end what it leaves behind: it leads a process group of its own."""
    try:
        return process.wait(RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
