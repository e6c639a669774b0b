"""Tools for the tests of `memstile fix`: a project that can be copied, run commands in, and be compared."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.git_tools import Repo, environment, init
from tests.run_tools import Ran, memstile


class Project(NamedTuple):
    """A project in a folder of its own, so that all of it can be copied. root: what is copied."""

    root: Path
    repo: Repo

    def copy(self, root: Path) -> Project:
        """Copy the project with its history, links and times."""
        shutil.copytree(self.root, root, symlinks=True)
        return Project(root, self.repo._replace(path=root / self.repo.path.relative_to(self.root)))

    def memstile(self, *words: str) -> Ran:
        """Run memstile where the project is."""
        return memstile(*words, cwd=self.repo.path, environment=self.repo.outside)

    def codes(self) -> list[str]:
        """Give the codes of the findings on git, in order."""
        document = json.loads(self.memstile("check", "--select", "MS2", "--format", "json").out)
        return [row["code"] for row in document["findings"]]

    def printed_commands(self) -> list[str]:
        """Give the commands that `memstile check` prints, as a person would paste them."""
        lines = self.memstile("check", "--select", "MS2").out.decode().split("\n")
        return [line.removeprefix("    $ ") for line in lines if line.startswith("    $ ")]

    def shown_commands(self) -> list[str]:
        """Give the commands of the steps that `memstile fix` shows."""
        lines = self.memstile("fix", "--dry-run").out.decode().split("\n")
        return [line.removeprefix("     $ ") for line in lines if line.startswith("     $ ")]

    def bash(self, command: str) -> None:
        """Run a command as typed at a prompt; it must not fail."""
        done = subprocess.run(
            ["bash", "--norc", "-euc", os.fsencode(command)],
            cwd=self.repo.path,
            env=self.repo.outside,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)

    def git_index(self) -> str:
        """List the git index."""
        return self.repo.git("ls-files", "--stage", "-z")

    def ignore_files(self) -> dict[str, bytes]:
        """Read every .gitignore, by place."""
        found = self.repo.path.rglob(".gitignore")
        return {str(path.relative_to(self.repo.path)): path.read_bytes() for path in found}

    def files(self) -> dict[str, tuple[int, int, bytes]]:
        """Give every file, link and folder but those that a step may change: mode, time of change, content."""
        rows = {}
        for folder, folders, names in os.walk(os.fsencode(self.root)):
            folders[:] = [name for name in folders if name != b".git"]
            for name in [*names, *folders]:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                if name in (b".gitignore", b".gitmodules") or (os.path.isdir(path) and not os.path.islink(path)):
                    continue
                data = os.readlink(path) if os.path.islink(path) else Path(os.fsdecode(path)).read_bytes()
                rows[os.fsdecode(os.path.relpath(path, os.fsencode(self.root)))] = (
                    status.st_mode,
                    status.st_mtime_ns,
                    data,
                )
        return rows


def project(root: Path, *, ignored: str | bytes = "*.log\n") -> Project:
    """Make a project with one commit: a source file and a .gitignore."""
    repo = init(root / "proj", environment(root / "home"))
    repo.write("main.py", "print(1)\n")
    repo.write(".gitignore", ignored)
    repo.commit(message="start")
    return Project(root, repo)


def program(*words: str, cwd: Path, outside: dict[str, str], stdin: int) -> subprocess.Popen[bytes]:
    """Start memstile as a program of its own, for what a terminal makes different."""
    return subprocess.Popen(
        [sys.executable, "-m", "memstile", *words],
        cwd=cwd,
        env={**outside, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
