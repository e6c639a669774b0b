"""Commits through a real hook: what was tried, whether it went through, and which errors memstile told."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import memstile
from tests.git_tools import Repo, environment

ROOT = Path(__file__).parent.parent
"""The project itself."""

MEMSTILE = shlex.join([sys.executable, "-m", "memstile"])
"""Starts the memstile under test, in an environment of `person`."""

_HEAD = ("git", "rev-parse", "--verify", "--quiet", "HEAD")

HOOKS = ("pre-commit", "pre-merge-commit")

# What a person has in their own file, since these tests let them type plain `git commit`.
_GITCONFIG = """\
[user]
	name = test
	email = test@example.invalid
[commit]
	gpgSign = false
[core]
	autocrlf = false
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol "file"]
	allow = always
[init]
	defaultBranch = main
"""


class Ran(NamedTuple):
    """One program run. said: both streams, as a person sees them."""

    code: int
    said: str


class Tried(NamedTuple):
    """One attempt to commit. is_done: HEAD moved. errors: the codes of severity error, in the order told."""

    is_done: bool
    errors: tuple[str, ...]
    said: str


def person(home: Path) -> dict[str, str]:
    """Give the environment of somebody who has a name, and `memstile` as a module of this interpreter."""
    outside = environment(home)
    (home / ".gitconfig").write_text(_GITCONFIG)
    return {**outside, "PYTHONPATH": str(Path(memstile.__file__).parent.parent)}


def run(repo: Repo, *words: str, **variables: str) -> Ran:
    """Run a program in the work tree. variables: added to the environment."""
    done = subprocess.run(
        words,
        cwd=repo.path,
        env={**repo.outside, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(errors="replace"))


def attempt(repo: Repo, *words: str, **variables: str) -> Tried:
    """Run a git command that makes a commit, and see whether it did."""
    before = run(repo, *_HEAD, **variables)
    ran = run(repo, "git", *words, **variables)
    return Tried(run(repo, *_HEAD, **variables) != before, told_errors(ran.said), ran.said)


def told_errors(said: str) -> tuple[str, ...]:
    """Pick the codes of the errors in memstile's text."""
    return tuple(re.findall(r"\berror (MS\d+):", said))


def install(hooks: Path, script: str, names: Sequence[str] = HOOKS) -> None:
    """Write a hook script under each name into a hooks folder."""
    hooks.mkdir(parents=True, exist_ok=True)
    for name in names:
        (hooks / name).write_text(script)
        (hooks / name).chmod(0o755)


def on_path(outside: dict[str, str], folder: Path) -> dict[str, str]:
    """Put `memstile` on PATH, as an installation would; folder: where its launcher goes."""
    install(folder, f'#!/bin/sh\nexec {MEMSTILE} "$@"\n', ["memstile"])
    return {**outside, "PATH": f"{folder}:{outside['PATH']}"}
