"""Ask git, hardened: a repository's configuration must not make us run its programs.

Every call carries the flags of SAFE and an environment from an allow-list. Diffs are asked without external programs,
filters are never run, nothing is fetched, and no index is written.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, NamedTuple

from memstile.core.text import shell_quoted, shown

TIMEOUT_S = 30.0
_TOTAL_S = 120.0
_REAP_S = 1.0
MAX_OUTPUT_BYTES = 512 * 1024 * 1024

_DIED = 128  # the code of git's die()

SAFE = (
    "--no-pager",
    "--no-optional-locks",
    "-c", "core.fsmonitor=false",  # would start a program at every look at the work tree
    "-c", "core.hooksPath=/dev/null",
    "-c", "safe.bareRepository=explicit",  # a bare repository hidden in a checkout brings its own config
    "-c", "core.quotePath=false",
)  # fmt: skip

# What belongs to the person's environment as a whole. GIT_CONFIG_COUNT and its pairs are how containers say
# safe.directory; the rest of git's variables speak about one repository.
_EVERYWHERE = frozenset(
    (
        "GIT_EXEC_PATH",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_COUNT",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    )
)
_PAIRS = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
_PATHS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
_CURRENT = frozenset((*_PATHS, "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_PARAMETERS", "GIT_SHALLOW_FILE"))

# A partial clone fetches a missing object, through programs that the repository's configuration names. A protocol's
# own key there outweighs `-c protocol.allow=never`, and a git that does not know GIT_NO_LAZY_FETCH (before 2.39.4)
# goes by GIT_ALLOW_PROTOCOL alone; no protocol has the empty name.
_ALWAYS = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}


class GitFault(Exception):
    """Git gave no answer. message: its own words; hint and commands: how to mend it; is_refusal: it died over input."""

    def __init__(
        self, message: str, hint: str = "", commands: tuple[str, ...] = (), *, is_refusal: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.commands = commands
        self.is_refusal = is_refusal

    @property
    def advice(self) -> str:
        """Give the hint and the commands as one line, for where there is room for no more."""
        return "; ".join((self.hint, *(f"`{command}`" for command in self.commands)))


class Patience:
    """How long git may hang in one run: once in a folder it is asked in, and for a limited time in all.

    A git that hung would hang again: over a pipe in the place of an ignore file, say, or a file system that is gone.
    """

    def __init__(self, timeout_s: float | None = None, total_s: float = _TOTAL_S) -> None:
        """Take the limits. timeout_s: of one question, None for TIMEOUT_S; total_s: of all that got no answer."""
        self._timeout_s = TIMEOUT_S if timeout_s is None else timeout_s
        self._left_s = total_s
        self._hung: dict[str, GitFault] = {}

    def seconds(self, folder: str) -> float:
        """Give the time that the next question gets. Raises GitFault if there is none left."""
        if folder in self._hung:
            raise self._hung[folder]
        if self._left_s <= 0:
            raise GitFault("git was not asked: it has hung too long in other repositories of this run")
        return min(self._timeout_s, self._left_s)

    def lose(self, folder: str, seconds: float, fault: GitFault) -> None:
        """Note that a question got no answer."""
        self._hung[folder] = fault
        self._left_s -= seconds


class Git(NamedTuple):
    """Where and how git is asked. folder: absolute; environment: the whole of it; patience: None, each time anew."""

    folder: str
    environment: Mapping[str, str]
    patience: Patience | None = None

    def ask(self, *words: str, stdin: bytes = b"", accept: Sequence[int] = (0,)) -> bytes:
        """Run one git command and give its standard output.

        words: subcommand and arguments; stdin: what it reads. accept: exit codes that are answers.
        Raises GitFault for any other code, a missing program, a time-out or more than MAX_OUTPUT_BYTES, and at once
        where git has hung before.
        """
        patience = self.patience or Patience()
        seconds = patience.seconds(self.folder)
        command = next(word for word in words if not word.startswith("-"))
        try:
            code, out, err = _run(("git", *SAFE, *words), self.folder, self.environment, stdin, seconds)
        except TimeoutError:
            fault = _fault(command, -signal.SIGKILL, "", self.folder, seconds)
            patience.lose(self.folder, seconds, fault)
            raise fault from None
        if code in accept:
            return out
        raise _fault(command, code, os.fsdecode(err), self.folder, seconds)

    def names(self, *words: str, stdin: bytes = b"", accept: Sequence[int] = (0,)) -> list[str]:
        """Run a command that answers with NUL-ended names."""
        return [os.fsdecode(name) for name in self.ask(*words, stdin=stdin, accept=accept).split(b"\0")[:-1]]


def environment(outside: Mapping[str, str], cwd: str, *, is_current: bool) -> dict[str, str]:
    """Give git's environment.

    outside: our own. is_current: for the repository that is being committed, whose GIT_INDEX_FILE names the git index
    to read; for any other repository these variables would point to the wrong one. cwd: what relative ones refer to.
    """
    kept = {
        name: value
        for name, value in outside.items()
        if not name.startswith("GIT_")
        or name in _EVERYWHERE
        or name.startswith(_PAIRS)
        or (is_current and name in _CURRENT)
    }
    for name in _PATHS:
        if kept.get(name):
            kept[name] = os.path.join(cwd, kept[name])
    return kept | _ALWAYS


def _run(
    command: Sequence[str], folder: str, env: Mapping[str, str], stdin: bytes, seconds: float
) -> tuple[int, bytes, bytes]:
    with _scratch() as given, _scratch() as errors:
        given.write(stdin)
        given.seek(0)
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=env, stdin=given, stdout=subprocess.PIPE, stderr=errors, close_fds=True
            )
        except OSError as error:
            raise GitFault(f"git could not be started: {error.strerror}", "install git, or put it on PATH") from error
        code, out = _collect(process, seconds)
        errors.seek(0)
        return code, out, errors.read(64 * 1024)


def _scratch() -> IO[bytes]:
    """Open an unnamed file: pipes both ways need threads, or each side may wait for the other for ever."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("memstile"), "w+b")
    import tempfile

    return tempfile.TemporaryFile()


def _collect(process: subprocess.Popen[bytes], seconds: float) -> tuple[int, bytes]:
    """Wait for the exit code and the output. Raises TimeoutError when the time is up.

    What git started may hold the pipe when git is killed, and a git that waits for a lost file system cannot even be
    killed: neither is waited for.
    """
    end = time.monotonic() + seconds
    try:
        out = _read(process.stdout, end) if process.stdout else b""
        return process.wait(max(end - time.monotonic(), _REAP_S)), out
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    finally:
        if process.stdout:
            process.stdout.close()
        if process.poll() is None:  # the time is up, the answer is too long, or the person interrupts
            process.kill()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_REAP_S)


def _read(stream: IO[bytes], end: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    with selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            if not ready.select(left):
                continue
            part = os.read(stream.fileno(), 1024 * 1024)
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
            if size > MAX_OUTPUT_BYTES:
                raise GitFault(f"git answered with more than {MAX_OUTPUT_BYTES:,} bytes")
    raise TimeoutError


def _fault(command: str, code: int, said: str, folder: str, seconds: float) -> GitFault:
    if code < 0:
        return GitFault(f"git {command} was ended by signal {-code} (it gets {seconds:.0f} s)")
    lines = said.strip().splitlines()
    first = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "no message")
    message = f"git {command} exit {code}: {shown(first[:300])}"
    if "dubious ownership" in said:
        return GitFault(
            message,
            "the repository belongs to another user; if you trust it, mark it as safe",
            (f"git config --global --add safe.directory {shell_quoted(folder)}",),
        )
    return GitFault(message, f"see what `git {command}` says in {shown(folder)}", is_refusal=code == _DIED)
