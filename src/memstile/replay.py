"""Replay a file of the gate protocol from empty state: the same lines and settings always give the same answers."""

from __future__ import annotations

from memstile.core.gate_protocol import answer_line, error_line, read_line
from memstile.core.gate_step import step
from memstile.core.settings import Settings
from memstile.core.turn import FRESH, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_BYTES = 64 * 1024 * 1024
"""Of one line; a longer one is a bad line."""


def replayed(lines: Iterable[bytes], settings: Settings) -> Iterator[str]:
    """Give the answers to the tool calls in these lines, and an error for each bad line, in order.

    lines: with or without line ends. Nothing is kept outside: no store, no log, no clock, so no turn expires.
    """
    turns: dict[tuple[str, str, str], Turn] = {}
    for number, data in enumerate(lines, 1):
        line = read_line(data)._replace(number=number)
        if line.happened is None:
            if line.fault:
                yield error_line(line)
            continue
        key = line.happened.key
        stepped = step(turns.get(key, FRESH), line.happened, settings)
        turns[key] = stepped.turn
        if stepped.answer is not None:
            yield answer_line(line.call, stepped.answer)
