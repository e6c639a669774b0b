"""Benchmark `memstile check`: against find and cat on 10,000 notes, and 100,000 notes against 10,000.

python benchmarks/check.py [--quick]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from timing import Timed, machine, medians, show
from vaults import build_vault

CHECK = (sys.executable, "-m", "memstile", "check", "vault")
PEAK = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def project(folder: str, notes: int) -> str:
    """Make a git project whose ignored vault has this many notes."""
    build_vault(os.path.join(folder, "vault"), notes)
    subprocess.run(("git", "init", "-q", folder), check=True)
    with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("/vault/\n")
    return folder


def by_file(folder: str) -> None:
    """Ignore the vault by a rule that git has to apply to every file."""
    with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("/vault/**/*.md\n/vault/*.md\n")


def peak_mb(folder: str) -> float:
    """Give the peak memory of one check, with the git processes it starts, in MB."""
    out = subprocess.run((sys.executable, "-c", PEAK, *CHECK), cwd=folder, capture_output=True, check=True).stdout
    return int(out) / 1024


def compare(small: str, large: str, sizes: tuple[int, int], what: str) -> None:
    """Print the ratios of one way to ignore a vault."""
    find = ("find", "vault", "-name", "*.md", "-exec", "cat", "{}", "+")
    took = medians([Timed("find", find, small), Timed("check", CHECK, small)])
    detail = f"{took['check'] * 1000:.0f} ms against {took['find'] * 1000:.0f} ms"
    show(f"{sizes[0]:,} notes, {what} / find + cat", took["check"] / took["find"], 2.0, detail)
    took = medians([Timed("small", CHECK, small), Timed("large", CHECK, large)], rounds=5)
    detail = f"{took['large'] * 1000:.0f} ms against {took['small'] * 1000:.0f} ms"
    show(f"{sizes[1]:,} notes / {sizes[0]:,} notes, {what}", took["large"] / took["small"], 11.0, detail)
    print(f"     peak memory, {sizes[1]:,} notes, {what}: {peak_mb(large):.0f} MB  budget 120 MB")


def main() -> None:
    """Print the ratios of this run."""
    sizes = (1_000, 10_000) if "--quick" in sys.argv else (10_000, 100_000)
    print(machine())
    with tempfile.TemporaryDirectory() as top:
        small, large = (project(os.path.join(top, str(size)), size) for size in sizes)
        start = medians([Timed("start", (sys.executable, "-c", "import memstile.cli.check"))])["start"]
        print(f"     start of memstile check: {start * 1000:.0f} ms")
        compare(small, large, sizes, "ignored as a folder")
        by_file(small)
        by_file(large)
        compare(small, large, sizes, "a rule for each file")


if __name__ == "__main__":
    main()
