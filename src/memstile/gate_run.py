"""Speak the gate protocol with live state: a line of JSON an event, the turns in the store, an answer to each call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memstile.core.gate_protocol import Line, answer_line, error_line, read_line
from memstile.core.gate_reasons import failed
from memstile.core.gate_step import GateAnswer, Happened, Stepped, step
from memstile.core.gate_words import INTERNAL_ERROR
from memstile.core.json_text import dumps, loads
from memstile.core.request import Event
from memstile.core.settings import Settings
from memstile.core.turn import FRESH, begun
from memstile.core.turn_state import from_state, to_state
from memstile.core.verdict import Verdict
from memstile.store import Changed, Store, StoreError
from memstile.turn_rows import turn_rows


def run(
    lines: Iterable[bytes],
    settings: Settings,
    store: Store,
    clock: Callable[[], float],
    is_paused: Callable[[float], bool],
) -> Iterator[str]:
    """Give the answers to the tool calls in these lines as they come, and an error for each bad line.

    clock: gives seconds since 1970. is_paused: whether the person has paused the guard at a time; then the gate is
    off. A store that fails is our own failure: gate.on_error says what becomes of a call.
    """
    live = _Live(store)
    for number, data in enumerate(lines, 1):
        line = read_line(data)._replace(number=number)
        if line.happened is None:
            if line.fault:
                yield error_line(line)
            continue
        now = clock()
        in_force = settings._replace(gate_mode="off") if is_paused(now) else settings
        answer = live.answer(line.happened, in_force, now)
        if isinstance(answer, str):
            yield error_line(Line(fault=answer, number=number))
        elif answer is not None:
            yield answer_line(line.call, answer)


class _Live:
    """The store, and whose turn began while it could not be written: what it holds of them is of a turn before."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.missed: set[tuple[str, str, str]] = set()

    def answer(self, happened: Happened, settings: Settings, now: float) -> GateAnswer | str | None:
        """Take in an event; give the answer to a tool call, or what is wrong."""
        if settings.gate_mode == "off" and happened.event is not Event.TURN_START:
            return step(FRESH, happened, settings).answer

        def change(state: str | None) -> Changed[Stepped]:
            is_known = state is not None and happened.key not in self.missed
            stepped = step(from_state(loads(state or "")) if is_known else begun(now), happened, settings)
            after = None if settings.gate_mode == "off" else dumps(to_state(stepped.turn))
            return Changed(after, turn_rows(stepped, happened, settings, now), stepped)

        try:
            stepped = self.store.with_turn(happened.key, now, settings.gate_turn_ttl_s, change)
        except StoreError as error:
            if happened.event in (Event.TURN_START, Event.SESSION_END):
                self.missed.add(happened.key)
            is_call = happened.event is Event.TOOL_CALL
            return _without_store(happened, settings, str(error)) if is_call else f"{INTERNAL_ERROR}: {error}"
        self.missed.discard(happened.key)
        return stepped.answer


def _without_store(happened: Happened, settings: Settings, why: str) -> GateAnswer | None:
    """Answer a call without knowing its turn: reads and what is out of scope pass, a write as gate.on_error says."""
    answer = step(FRESH, happened, settings).answer
    if answer is None or answer.is_allowed:
        return answer
    is_refused = settings.gate_on_error == "closed" and settings.gate_mode == "enforce"
    told = failed(why, is_refused=is_refused)
    action = Verdict.DENY if is_refused else Verdict.ALLOW
    return GateAnswer(not is_refused, INTERNAL_ERROR, action, message=told)
