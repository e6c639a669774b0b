"""Speak the gate protocol with live state: a line of JSON an event, the turns in the store, an answer to each call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memstile.core.gate_protocol import answer_line, error_line, read_line
from memstile.core.gate_reasons import failed
from memstile.core.gate_step import GateAnswer, Happened, Stepped, step
from memstile.core.gate_words import INTERNAL_ERROR
from memstile.core.json_text import dumps, loads
from memstile.core.request import Event
from memstile.core.settings import Settings
from memstile.core.turn import FRESH
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
    for data in lines:
        line = read_line(data)
        if line.happened is None:
            if line.fault:
                yield error_line(line)
            continue
        now = clock()
        in_force = settings._replace(gate_mode="off") if is_paused(now) else settings
        answer = _answer(line.happened, in_force, store, now)
        if answer is not None:
            yield answer_line(line.call, answer)


def _answer(happened: Happened, settings: Settings, store: Store, now: float) -> GateAnswer | None:
    if settings.gate_mode == "off" and happened.event is not Event.TURN_START:
        return step(FRESH, happened, settings).answer

    def change(state: str | None) -> Changed[Stepped]:
        stepped = step(FRESH if state is None else from_state(loads(state)), happened, settings)
        after = None if settings.gate_mode == "off" else dumps(to_state(stepped.turn))
        return Changed(after, turn_rows(stepped, happened, settings, now), stepped)

    try:
        return store.with_turn(happened.key, now, settings.gate_turn_ttl_s, change).answer
    except StoreError as error:
        return _without_store(happened, settings, str(error))


def _without_store(happened: Happened, settings: Settings, why: str) -> GateAnswer | None:
    """Answer a call without knowing its turn: reads and what is out of scope pass, a write as gate.on_error says."""
    answer = step(FRESH, happened, settings).answer
    if answer is None or answer.is_allowed:
        return answer
    is_refused = settings.gate_on_error == "closed" and settings.gate_mode == "enforce"
    told = failed(why, is_refused=is_refused)
    action = Verdict.DENY if is_refused else Verdict.ALLOW
    return GateAnswer(not is_refused, INTERNAL_ERROR, action, message=told)
