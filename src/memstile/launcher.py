"""The launcher: a small script in the state folder that hosts start, and that finds the package by itself.

Hosts keep its path in their settings, so it has no version in it. It runs as `PYTHON -I -S -c OPENING launcher HOST
...`, without site-packages: the interpreter is the one below a virtual environment, which may go while the launcher
still answers.
"""

from __future__ import annotations

import compileall
import importlib.util
import os
import py_compile
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence

from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.setups.setup import LAUNCHER

_PROOF_S = 20.0

# For a script that is not there python ends with 2, which hosts take for a refusal: every prompt and call would be
# refused. So the command line itself says what then holds, as on_error does. One line, and no sign that a shell in
# quotes or JSON would change: hosts keep it, and Codex trusts it as it is, so that a change asks for that trust anew.
_OPENING = (
    "import sys; sys.excepthook = lambda kind, *_: sys.exit("
    'print("memstile:", kind.__name__, "in its launcher; run memstile init again", file=sys.stderr)'
    ' or 2 * ("closed" in sys.argv)); '
    'del sys.argv[0]; exec(open(sys.argv[0], "rb").read())'
)

_SCRIPT = '''\
"""Starts memstile's hook for an agent host. Written by `memstile init`, and again by each one after it."""

import sys

PACKAGE = {package!a}


def gone(error):
    """Answer as the failure policy on the command line says: open lets the call through, closed refuses it."""
    words = sys.argv[1:]
    is_closed = "--on-error=closed" in words or "closed" in words[1:] and "--on-error" in words
    told = "memstile is not in %s any more (%s); run `memstile init` again" % (ascii(PACKAGE), type(error).__name__)
    if is_closed and words[:1] == ["cline"]:
        print('{{"cancel": true, "errorMessage": "memstile is gone; run `memstile init cline` again"}}')
        sys.exit(0)
    print(told + ("" if is_closed else "; the call was let through"), file=sys.stderr)
    sys.exit(2 if is_closed else 0)


# Last, so that nothing in a site-packages folder can stand in for the standard library.
sys.path.append(PACKAGE)
try:
    from memstile.hook import main
except Exception as error:
    gone(error)
main()
'''


def place(state: str) -> str:
    """Say where the launcher is. state: the state folder."""
    return os.path.join(state, "launcher", LAUNCHER)


def opening(launcher: str) -> tuple[str, ...]:
    """Give what starts a launcher that may be gone by then: all words between the interpreter and the host."""
    return "-I", "-S", "-c", _OPENING, launcher


def package_folder() -> str:
    """Say where the running package lies."""
    return os.path.dirname(os.path.abspath(__file__))


def script(package: str) -> str:
    """Write the launcher. package: the folder that holds the package's own."""
    return _SCRIPT.format(package=package)


def interpreter() -> str:
    """Give the interpreter to pin: that below a virtual environment, which starts faster and lasts longer."""
    return str(getattr(sys, "_base_executable", "") or sys.executable)


# (part of a path, what lies there). A part is compared with whole names, "*" at its end stands for the rest of one.
_PASSING = (
    ("uv/archive-v*", "uv's cache, as uvx uses it"),
    ("uv/builds-v*", "uv's cache"),
    ("uv/environments-v*", "uv's cache"),
    (".cache/uv", "uv's cache"),
    ("pipx/.cache", "pipx's cache, as `pipx run` uses it"),
    (".cache/pipx", "pipx's cache, as `pipx run` uses it"),
    (".cache/pre-commit", "pre-commit's cache"),
    ("pip-build-env-*", "an environment that pip builds in"),
    ("pip-ephem-*", "an environment that pip builds in"),
)
_CACHES = (
    ("UV_CACHE_DIR", "uv's cache, as uvx uses it"),
    ("PRE_COMMIT_HOME", "pre-commit's cache"),
    ("TMPDIR", "a folder for temporary files"),
)
_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev/shm")  # noqa: S108


def passing(path: str, environment: Mapping[str, str]) -> str:
    """Say why a path will not last, "" if nothing speaks against it. path: absolute."""
    for variable, what in _CACHES:
        folder = environment.get(variable, "")
        if os.path.isabs(folder) and _is_below(path, folder.rstrip("/")):
            return what
    parts = path.split("/")
    for wanted, what in _PASSING:
        names = wanted.split("/")
        if any(all(map(_fits, names, parts[at:])) for at in range(len(parts) - len(names) + 1)):
            return what
    return "a folder for temporary files" if any(_is_below(path, folder) for folder in _TEMPORARY) else ""


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def _fits(wanted: str, name: str) -> bool:
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted


def require_lasting(paths: Sequence[str], environment: Mapping[str, str]) -> None:
    """Raise GuardError where the interpreter or the package will not be there tomorrow."""
    for path in paths:
        for reading in dict.fromkeys((path, os.path.realpath(path))):
            why = passing(reading, environment)
            if why:
                raise GuardError(
                    f"{shown(path)} will not last: it is in {why}",
                    "install memstile for good (pipx install, uv tool install, a virtual environment in a folder "
                    "that stays), and run its `memstile init`; or add --force",
                )


def is_compiled(package: str) -> bool:
    """Tell whether every module has its compiled form, and that form is of the source as it is."""
    for folder, names, files in os.walk(package):
        names[:] = [name for name in names if name != "__pycache__"]
        if not all(_is_fresh(os.path.join(folder, name)) for name in files if name.endswith(".py")):
            return False
    return True


def _is_fresh(source: str) -> bool:
    status = os.stat(source)
    try:
        with open(importlib.util.cache_from_source(source), "rb") as file:
            head = file.read(16)
    except OSError:
        return False
    flags, changed, size = struct.unpack("<4xIII", head) if len(head) == 16 else (1, 0, 0)
    return (flags, changed, size) == (0, int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF)


def compile_package(package: str) -> bool:
    """Compile the package beside its source, so that a run that may write nothing need not compile; tell whether."""
    return bool(
        compileall.compile_dir(
            package, quiet=2, legacy=False, invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP
        )
    )


def require_answer(words: Sequence[str]) -> None:
    """Start the launcher once, for its help. words: program and arguments up to the host. Raises GuardError."""
    try:
        done = subprocess.run(
            [*words, "--help"], stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROOF_S, check=False
        )
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        what = "" if done.returncode == 0 and said.startswith("usage: memstile-hook") else said.strip()[-200:]
    except (OSError, subprocess.TimeoutExpired) as error:
        what = str(error)
    if what:
        raise GuardError(f"the launcher does not answer: {shown(what)}", f"try it: {shown(' '.join(words))} --help")
