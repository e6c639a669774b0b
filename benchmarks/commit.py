"""Benchmark the commit hook: over a no-op pre-commit hook, and 5,000 staged files against one.

python benchmarks/commit.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from timing import Timed, machine, medians, show
from vaults import build_vault

CONFIG = """repos:
  - repo: local
    hooks:
      - id: {name}
        name: {name}
        entry: "{entry}"
        language: system
        pass_filenames: false
        always_run: true
"""
PERSON = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")


def git(folder: str, *words: str) -> None:
    """Run git in a folder, as somebody."""
    subprocess.run(("git", *PERSON, *words), cwd=folder, check=True, capture_output=True)


def project(folder: str, staged: int) -> str:
    """Make a project with an ignored vault, 2,000 tracked files and this many staged ones."""
    build_vault(os.path.join(folder, ".agent-memory"), 200)
    for number in range(2_000):
        _write(os.path.join(folder, f"src/part{number % 40}", f"file{number}.py"), f"x = {number}\n")
    _write(os.path.join(folder, ".gitignore"), "/.agent-memory/\n")
    for name, entry in (("noop", "true"), ("memstile", f"{sys.executable} -m memstile check --staged")):
        _write(os.path.join(folder, f".{name}.yaml"), CONFIG.format(name=name, entry=entry))
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "start")
    for number in range(staged):
        _write(os.path.join(folder, f"docs/part{number % 50}", f"page{number}.md"), f"# Page {number}\n")
    git(folder, "add", ".")
    return folder


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def pre_commit(name: str) -> tuple[str, ...]:
    """Write the command that runs one hook through pre-commit."""
    return (sys.executable, "-m", "pre_commit", "run", "--config", f".{name}.yaml")


def main() -> None:
    """Print the figures of this run."""
    print(machine())
    with tempfile.TemporaryDirectory() as top:
        few, many = project(os.path.join(top, "few"), 1), project(os.path.join(top, "many"), 5_000)
        took = medians([Timed("noop", pre_commit("noop"), few), Timed("memstile", pre_commit("memstile"), few)])
        over = (took["memstile"] - took["noop"]) * 1000
        detail = f"{took['memstile'] * 1000:.0f} ms against {took['noop'] * 1000:.0f} ms"
        mark = "ok  " if over <= 120 else "MISS"
        print(f"{mark} commit hook over a no-op hook: {over:.0f} ms, budget 120 ms ({detail})")
        check = (sys.executable, "-m", "memstile", "check", "--staged")
        took = medians([Timed("few", check, few), Timed("many", check, many)])
        detail = f"{took['many'] * 1000:.0f} ms against {took['few'] * 1000:.0f} ms"
        show("check --staged, 5,000 staged files / 1", took["many"] / took["few"], 2.0, detail)


if __name__ == "__main__":
    main()
