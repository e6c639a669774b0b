"""Run a program for the doctor: with a time limit, its output bounded, and nothing of it left running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

MOST_BYTES = 1024 * 1024


class Ran(NamedTuple):
    """One run. code: None where it did not come to one; why: what stood in the way; ms: how long it took."""

    code: int | None
    out: str = ""
    err: str = ""
    ms: float = 0.0
    why: str = ""

    @property
    def last(self) -> str:
        """Give the last line of what it said, for a person."""
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return self.why or (lines[-1].strip()[:200] if lines else f"exit code {self.code}, without a word")


def run(
    words: Sequence[str], cwd: str, environment: Mapping[str, str], *, stdin: bytes = b"", seconds: float = 10.0
) -> Ran:
    """Run a program to its end or to the end of its time. Raises nothing about the program."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        start = time.monotonic()
        try:
            process = subprocess.Popen(
                list(words),
                cwd=cwd,
                env=dict(environment),
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,  # so that what it starts can be ended with it
            )
        except (OSError, ValueError) as error:
            return Ran(None, why=f"{words[0]} cannot be started: {getattr(error, 'strerror', None) or error}")
        try:
            code: int | None = process.wait(seconds)
            why = ""
        except subprocess.TimeoutExpired:
            code, why = None, f"no answer within {seconds:g} s"
        ms = (time.monotonic() - start) * 1000
        end(process)
        said = [_said(stream.fileno()) for stream in (out, err)]
        return Ran(code, said[0], said[1], ms, why)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a session, and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1)


def _said(descriptor: int) -> str:
    return os.pread(descriptor, MOST_BYTES, 0).decode("utf-8", "replace")
