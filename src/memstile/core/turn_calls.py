"""What a turn remembers of its calls: those that run, and what those that ran leave behind."""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.gate_words import WRITES, CallClass
from memstile.core.record import NamedTuple
from memstile.core.turn import Pending, Signal, Turn, moved

MOST_PENDING = 256
MOST_KEPT = 2_048
"""What is older is forgotten: a state stays small. A forgotten write may be repeated; all else gets stricter."""


class Outcome(Enum):
    """How a call ended. UNFINISHED: the host reports a result, but the call still runs in the background."""

    DONE = "done"
    FAILED = "failed"
    UNFINISHED = "unfinished"


class Settled(NamedTuple):
    """A turn after a result. call: what the result belongs to, None where it belongs to no call of this turn."""

    turn: Turn
    call: Pending | None = None


def opened(turn: Turn, call: Pending) -> Turn:
    """Remember a call that was let through; the same call told again takes the place of the first."""
    others = turn.pending
    if call.call and others:
        others = tuple(row for row in others if row.call != call.call)
    turn = turn._replace(pending=(*others, call)[-MOST_PENDING:])
    return moved(turn, Signal.OPENED) if call.kind is CallClass.SEARCH else turn


def settled(turn: Turn, call: str, tool: str, digest: str, outcome: Outcome) -> Settled:
    """Take in a result. call: "" where the host has no ids; then tool and digest say which call it was.

    A result of a call that is not pending in this turn counts for nothing.
    """
    found = _found(turn.pending, call, tool, digest)
    if found is None:
        return Settled(turn)
    row = turn.pending[found]
    if outcome is Outcome.UNFINISHED:
        return Settled(turn, row)
    turn = turn._replace(pending=turn.pending[:found] + turn.pending[found + 1 :])
    if row.kind is CallClass.SEARCH:
        turn = _searched(turn, is_done=outcome is Outcome.DONE)
    elif outcome is Outcome.DONE and row.kind in WRITES and row.digest:
        # After a deletion the note may be written again.
        before = () if row.kind is CallClass.DESTRUCTIVE else turn.written
        turn = turn._replace(written=_with(before, written_as(row.tool, row.digest)))
    if outcome is Outcome.DONE and row.target and row.kind not in WRITES:
        turn = _seen(turn, row.target)
    return Settled(turn, row)


def written_as(tool: str, digest: str) -> str:
    """Give what a write that ran is remembered by; digest: of its arguments."""
    return f"{tool} {digest}"


def batch_ended(turn: Turn) -> Turn:
    """Let count what was waiting for the end of its batch."""
    was_waiting = turn.is_search_waiting
    read = turn.read
    for target in turn.read_waiting:
        read = _with(read, target)
    turn = turn._replace(read=read, read_waiting=(), is_search_waiting=False)
    return moved(turn, Signal.SUCCEEDED) if was_waiting else turn


def _searched(turn: Turn, *, is_done: bool) -> Turn:
    if is_done and turn.has_batches:
        return moved(turn._replace(is_search_waiting=True), Signal.WAITING)
    if is_done:
        return moved(turn, Signal.SUCCEEDED)
    return moved(turn, Signal.FAILED_OTHERS_OPEN if turn.is_search_open else Signal.FAILED)


def _seen(turn: Turn, target: str) -> Turn:
    if turn.has_batches:
        return turn._replace(read_waiting=_with(turn.read_waiting, target))
    return turn._replace(read=_with(turn.read, target))


def _with(kept: tuple[str, ...], text: str) -> tuple[str, ...]:
    return kept if text in kept else (*kept, text)[-MOST_KEPT:]


def _found(pending: tuple[Pending, ...], call: str, tool: str, digest: str) -> int | None:
    """Find the oldest call a result can belong to. With an id on both sides, nothing but the id counts."""
    for at, row in enumerate(pending):
        if call and row.call:
            if row.call == call and tool in ("", row.tool):
                return at
        elif tool and row.tool == tool and row.digest == digest:
            return at
    return None
