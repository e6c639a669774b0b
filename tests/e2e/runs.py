"""Run a client through a scene, with a time limit, and give what came of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.e2e.clients import Client
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
    with served(driver.dialect, script, lambda: _content(site.memory)) as model:
        program = programs / next(iter(client.programs))
        began = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [program, *driver.words(model.url)],
                cwd=site.project,
                env={**site.environment(programs), **driver.environment(site, model.url)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            code = _ended(process)
            output.seek(0)
            told = output.read().decode(errors="replace")
        return Played(model.asked, code, told, time.monotonic() - began)


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
