"""Prove what a command line starts: the interpreter, the launcher, and the package that the launcher finds."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping

from memstile import __version__
from memstile.core.text import shell_quoted, shown
from memstile.disk import read_small
from memstile.doctor_check import Check, bad, ok
from memstile.doctor_found import Hook
from memstile.doctor_process import run
from memstile.installing_version import on_path

# With the very interpreter, which may be another version than ours, and whose compiled files have other names. -B: it
# writes none.
_PROBE = """\
import sys
sys.path.append(sys.argv[1])
import memstile
print(memstile.__version__, sys.version.split()[0])
from memstile.launcher import is_compiled, package_folder
print(is_compiled(package_folder()))
"""
_PACKAGE = re.compile(r"^PACKAGE = (.*)$", re.MULTILINE)


def commands(hooks: tuple[Hook, ...], environment: Mapping[str, str], mend: str) -> Iterator[Check]:
    """Check each program and launcher that some hook starts, once. mend: the command that mends it."""
    pairs = dict.fromkeys((hook.words[0] if hook.words else "", hook.launcher) for hook in hooks)
    for program, launcher in pairs:
        yield _command(program, launcher, environment, mend)


def _command(program: str, launcher: str, environment: Mapping[str, str], mend: str) -> Check:
    tried = f"start {shown(program)}"
    path = on_path(program, environment)
    if not path:
        return bad("interpreter", tried, f"{shown(program) or 'the program'} is not there, or cannot be run", mend)
    ran = run((path, "-I", "-S", "-c", "print(1)"), "/", environment)
    if (ran.code, ran.out.strip()) != (0, "1"):
        return bad("interpreter", tried, f"it does not run: {shown(ran.last)}", mend)
    tried = f"read {shown(launcher)}"
    data = read_small(launcher) if launcher else None
    if data is None:
        return bad("launcher", tried, "the launcher is not there, or cannot be read", mend)
    package = _package(data.decode("utf-8", "replace"))
    if not package or not os.path.isfile(os.path.join(package, "memstile", "hook.py")):
        return bad("package", tried, f"memstile is not in {shown(package) or 'any folder it names'} any more", mend)
    return _of_package(path, package, environment, mend)


def _package(launcher: str) -> str:
    found = _PACKAGE.search(launcher)
    try:
        value = ast.literal_eval(found.group(1)) if found else ""
    except (ValueError, SyntaxError):
        return ""
    return value if isinstance(value, str) else ""


def _of_package(program: str, package: str, environment: Mapping[str, str], mend: str) -> Check:
    tried = f"load memstile from {shown(package)}"
    ran = run((program, "-I", "-S", "-B", "-c", _PROBE, package), "/", environment)
    lines = ran.out.split("\n")
    version, _, python = lines[0].partition(" ")
    if not version:
        return bad("package", tried, f"it does not load: {shown(ran.last)}", mend)
    if version != __version__:
        return bad("package", tried, f"hooks run memstile {shown(version)}, and this is {__version__}", mend)
    if lines[1:2] != ["True"]:
        compiling = f"{shell_quoted(program)} -m compileall -q {shell_quoted(os.path.join(package, 'memstile'))}"
        return bad("package", tried, "not compiled, or changed since: until it is, calls take longer", compiling)
    return ok("package", tried, f"memstile {version}, compiled, on Python {shown(python)}")
