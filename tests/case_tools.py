"""Real-world cases as rows: what a case builds, and what every kind of check says about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check
from tests.vault_tools import index, vault

DISK: tuple[str, ...] = ()
SINCE = ("--since", "HEAD")
STAGED = ("--staged",)


class Case(NamedTuple):
    """A case. name: its number and what it is about. build: makes it below a folder, and gives where to stand.

    told: by the words after `memstile check`. variables: added to the environment of the checks.
    """

    name: str
    build: Callable[[Path], Path]
    told: Mapping[tuple[str, ...], Checked]
    variables: Mapping[str, str] = {}


def rows(cases: Sequence[Case]) -> pytest.MarkDecorator:
    """Make a test of each case."""
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases])


def told(case: Case, folder: Path) -> dict[tuple[str, ...], Checked]:
    """Build a case and run its checks, each of which has to leave everything below the folder as it was."""
    cwd = case.build(folder)
    variables = {**environment(folder / "home"), **case.variables}
    return {words: check(*words, cwd=cwd, environment=variables, unchanged=folder) for words in case.told}


def numbers(cases: Sequence[Case]) -> set[str]:
    """Give the numbers of the cases that have a row."""
    return {case.name[:3] for case in cases}


def project(folder: Path, name: str = "proj") -> Repo:
    """Make a repository with one commit that has nothing to do with a vault."""
    repo = init(folder / name, environment(folder / "home"))
    repo.write("README", "a project\n")
    repo.commit()
    return repo


def changed(before: bytes, after: bytes) -> Callable[[Path], Path]:
    """Build a vault with a repository of its own: `before` is committed, `after` is on disk and staged."""

    def build(folder: Path) -> Path:
        repo = init(folder / "proj", environment(folder / "home"))
        vault(repo.path, before)
        repo.commit()
        vault(repo.path, after)
        repo.git("add", "--all")
        return repo.path

    return build


def grown_to(after: bytes) -> Callable[[Path], Path]:
    """Build a vault whose healthy index was replaced by this one."""
    return changed(index(), after)


def past_window(path: str, layer: str, first: int, last: int) -> str:
    """Write the finding on an index whose lines `first` to `last`, without pointers, a host does not load."""
    named = ", ".join(f"line {number}" for number in range(first, min(first + 3, last + 1)))
    more = f" and {last - first - 2:,} more" if last - first > 2 else ""
    entries = "1 entry" if first == last else f"{last - first + 1:,} entries"
    return f"warning MS104 {path}:{first}: claude-code does not load {entries} of the {layer}: {named}{more}"


def alone(mode: str, size: str, *findings: str, code: int = 0) -> Checked:
    """Expect these findings about the one vault that is where the person stands. size: as `vault_line` says it."""
    return Checked(code, list(findings), [f". ({mode}): {size}"])
