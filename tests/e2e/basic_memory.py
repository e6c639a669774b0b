"""The real basic-memory, in a Python of its own outside of the clone, with its home and its notes below one folder.

`python -m tests.e2e.basic_memory` installs it, and tells so in a line.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.e2e.npm import LIMIT_S, Missing, cache

NAME = "basic-memory"
VERSION = "0.24.1"
PYTHONS = ("python3.12", "python3.13", "python3.14")
"""It needs 3.12 or newer. What stands behind a name is asked: a shim on PATH may lead nowhere."""

_PROBE = "import sys, venv; print(sys.version_info >= (3, 12))"


class Server(NamedTuple):
    """A server for one run. words: its command line, for stdio; notes: the folder of its one project, "main"."""

    words: tuple[str, ...]
    environment: dict[str, str]
    notes: Path

    def titles(self) -> tuple[str, ...]:
        """Name the notes there are, in order."""
        return tuple(sorted(path.stem for path in self.notes.rglob("*.md")))


def installed() -> Path:
    """Give the Python that has it; install it where it is not. Raises Missing."""
    folder = cache() / f"{NAME}-{VERSION}"
    python = folder / "bin/python"
    if not (folder / "installed").is_file() or not os.access(python, os.X_OK):
        _install(folder)
    return python


def server(python: Path, root: Path) -> Server:
    """Describe a server whose files are all below a folder, and which asks no other machine for anything."""
    home, notes = root / "basic-memory", root / "notes"
    home.mkdir(parents=True)
    notes.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "BASIC_MEMORY_HOME": str(notes),
        "BASIC_MEMORY_CONFIG_DIR": str(home / "config"),
        "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
        "BASIC_MEMORY_AUTO_UPDATE": "false",
        "BASIC_MEMORY_NO_PROMOS": "1",
        "FASTMCP_CHECK_FOR_UPDATES": "off",
        "FASTMCP_SHOW_SERVER_BANNER": "false",
        "LOGFIRE_SEND_TO_LOGFIRE": "false",
    }
    return Server((str(python), "-m", "basic_memory.cli.main", "mcp"), environment, notes)


def _install(folder: Path) -> None:
    """Let pip install into a folder of its own, which takes its place when it is whole."""
    python = _python()
    made = Path(tempfile.mkdtemp(prefix=f".{NAME}-", dir=folder.parent))
    try:
        _run([python, "-m", "venv", str(made)])
        _run([str(made / "bin/python"), "-m", "pip", "install", "--quiet", f"{NAME}=={VERSION}"])
        (made / "installed").touch()
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # another run was there first
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _run(words: list[str]) -> None:
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        raise _missing(f"pip took more than {LIMIT_S:.0f} s") from None
    if done.returncode:
        errors = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("ERROR")]
        raise _missing(f"pip ended with {done.returncode} ({errors[-1] if errors else 'no error was told'})")


def _python() -> str:
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    programs = (str(path) for path in sorted(pyenv.glob("versions/3.1[2-9]*/bin/python")))
    for name in (sys.executable, *PYTHONS, *programs):
        program = shutil.which(name)
        if program:
            done = subprocess.run(
                [program, "-I", "-c", _PROBE], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
            )
            if done.stdout.strip() == b"True":
                return program
    raise _missing("there is no Python 3.12 or newer")


def _missing(why: str) -> Missing:
    return Missing(f"{NAME} {VERSION} is not run: {why}")


def main() -> int:
    """Install it. Result: 0; what is missing is told, and skipped by the tests."""
    began = time.monotonic()
    try:
        installed()
        print(f"{NAME} {VERSION}: ready after {time.monotonic() - began:.0f} s", flush=True)
    except Missing as error:
        print(error, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
