"""Plan to take memstile out of files that `memstile init` wrote when a variable named another folder of the host."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.installing_desk import Desk, Step
from memstile.installing_files import taking
from memstile.setups.setup import File


class Elsewhere(NamedTuple):
    """What is done about such files. left: those whose entries cannot be taken out, by path, with why, safe to show."""

    steps: tuple[Step, ...]
    left: Mapping[str, str]

    def notes(self) -> list[str]:
        """Tell of what is left."""
        return [f"{why}; memstile's entries stay in it, and the launcher for them" for why in self.left.values()]


def respelled(desk: Desk, now: Sequence[File]) -> list[File]:
    """Give today's files by the paths under which the record has them, where it spells them otherwise."""
    noted = desk.record.of(desk.key).files
    spelled = {os.path.realpath(path): path for path in noted}
    return [
        file if file.path in noted else file._replace(path=spelled.get(os.path.realpath(file.path), file.path))
        for file in now
    ]


def elsewhere(desk: Desk, now: Sequence[File]) -> Elsewhere:
    """Plan for the recorded files that are none of today's. now: today's. Raises nothing over a file."""
    today = {os.path.realpath(file.path) for file in now}
    paths = [path for path in desk.record.of(desk.key).files if os.path.realpath(path) not in today]
    rows = {path: _taken(desk, path, now) for path in paths}
    steps = tuple(row for row in rows.values() if isinstance(row, Step))
    return Elsewhere(steps, {path: row for path, row in rows.items() if isinstance(row, str) and row})


def _taken(desk: Desk, path: str, now: Sequence[File]) -> Step | str:
    """Plan for one file. Result: a step, why there is none, or "" where nothing of ours is in it."""
    alike = _alike(path, now)
    try:
        if b"memstile" not in desk.seen(path).data:
            return ""
        step = taking(desk, alike or File(path, lambda before: before or "", lambda before: before))
    except GuardError as error:
        return shown(error.message)
    return step or ("" if alike else f"{desk.name(path)} was left alone: memstile writes no such file any more")


def _alike(path: str, now: Sequence[File]) -> File | None:
    """Find how a file is changed by today's of the same name: of several, that with the longest common end."""
    found = [file for file in now if os.path.basename(file.path) == os.path.basename(path)]
    return max(found, key=lambda file: _common(file.path, path))._replace(path=path) if found else None


def _common(one: str, other: str) -> int:
    pairs = zip(reversed(one.split(os.sep)), reversed(other.split(os.sep)), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
