"""What a doctor finds: one line a check, in groups, and the exit code they come to. Unknown is never fine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memstile.core.choice import Enum
from memstile.errors import ExitCode


class State(Enum):
    """How a check ended. UNKNOWN: it could not be told. OFF: it guards nothing, by somebody's wish."""

    OK = "ok"
    BAD = "bad"
    UNKNOWN = "unknown"
    OFF = "off"


class Check(NamedTuple):
    """One check. name: which, a word; tried: what was looked at or run; seen: what came of it; hint: what mends it."""

    name: str
    state: State
    tried: str
    seen: str
    hint: str = ""


class Group(NamedTuple):
    """The checks of one thing: a host in one scope, commits, memstile itself. place: its file, "" where it has none."""

    title: str
    place: str
    checks: tuple[Check, ...]


def ok(name: str, tried: str, seen: str) -> Check:
    """Say that a layer was proved."""
    return Check(name, State.OK, tried, seen)


def bad(name: str, tried: str, seen: str, hint: str = "") -> Check:
    """Say that a layer does not hold."""
    return Check(name, State.BAD, tried, seen, hint)


def unknown(name: str, tried: str, seen: str, hint: str = "") -> Check:
    """Say that it could not be told."""
    return Check(name, State.UNKNOWN, tried, seen, hint)


def off(name: str, tried: str, seen: str, hint: str = "") -> Check:
    """Say that nothing is guarded here, and that somebody wanted it so."""
    return Check(name, State.OFF, tried, seen, hint)


def counts(groups: Iterable[Group]) -> dict[State, int]:
    """Count the checks by how they ended."""
    states = [check.state for group in groups for check in group.checks]
    return {state: states.count(state) for state in State}


def exit_code(groups: Sequence[Group]) -> ExitCode:
    """Come to a code: 1 for anything bad or off, else 2 for anything unknown, else 0."""
    found = counts(groups)
    if found[State.BAD] or found[State.OFF]:
        return ExitCode.FINDINGS
    return ExitCode.NOT_CHECKED if found[State.UNKNOWN] else ExitCode.CLEAN
