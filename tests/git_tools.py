"""A repository for tests: the real git, with a home and a configuration of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

WHEN = "2026-01-15T12:00:00 +0000"


def environment(home: Path) -> dict[str, str]:
    """Give an environment in which neither the person's nor the machine's settings are seen.

    home: a folder of the test; it gets a .gitconfig that git reads as the user's.
    """
    home.mkdir(parents=True, exist_ok=True)
    (home / ".gitconfig").touch()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_TERMINAL_PROMPT": "0",
    }


# Flags of every call that builds: no signing, no background work, no advice; files may be cloned from.
_FLAGS = (
    "user.name=test",
    "user.email=test@example.invalid",
    "commit.gpgSign=false",
    "core.autocrlf=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.addEmbeddedRepo=false",
    "advice.detachedHead=false",
    "protocol.file.allow=always",
    "init.defaultBranch=main",
)


class Repo(NamedTuple):
    """A work tree. path: its top; outside: the environment without git's own variables."""

    path: Path
    outside: Mapping[str, str]

    def git(self, *words: str, stdin: bytes = b"", accept: tuple[int, ...] = (0,), **variables: str) -> str:
        """Run git here and give what it says. variables: added to the environment, for this call alone."""
        flags = [word for flag in _FLAGS for word in ("-c", flag)]
        dates = {"GIT_AUTHOR_DATE": WHEN, "GIT_COMMITTER_DATE": WHEN}
        done = subprocess.run(
            ["git", *flags, *words],
            cwd=self.path,
            env={**self.outside, **dates, **variables},
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode in accept, (words, done.returncode, done.stderr.decode(errors="replace"))
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, name: str, data: str | bytes) -> Path:
        """Write a file, and the folders it needs."""
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())
        return place

    def commit(self, *, message: str = "change", force: bool = False) -> str:
        """Commit all that is not ignored (force: that too), without hooks; give the commit's id."""
        self.git("add", "--all", *(["--force"] if force else []))
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)
        return self.git("rev-parse", "HEAD")

    def hook(self, name: str, script: str) -> None:
        """Install a git hook that runs `script` in sh."""
        place = self.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)


def init(path: Path, outside: Mapping[str, str], *words: str) -> Repo:
    """Make an empty repository. words: further options of `git init`."""
    path.mkdir(parents=True, exist_ok=True)
    repo = Repo(path, outside)
    repo.git("init", "--quiet", "--template=", *words)
    return repo


def clone(source: Path, path: Path, outside: Mapping[str, str], *words: str) -> Repo:
    """Clone a repository through the transport, so that a shallow or partial clone is one."""
    repo = Repo(path, outside)
    path.mkdir(parents=True, exist_ok=True)
    repo.git("clone", "--quiet", "--template=", *words, f"file://{source}", ".")
    return repo
