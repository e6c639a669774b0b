"""The turn gate in a hook: an event moves the turn in the store, and a memory write gets its verdict there."""

from __future__ import annotations

from memstile.core.answer import SILENT, Answer, Channel, joined
from memstile.core.gate_calls import Call
from memstile.core.gate_ids import id_text
from memstile.core.gate_reasons import FOR_THE_PERSON, IN_THE_OPEN, failed
from memstile.core.gate_step import GateAnswer, Happened, Stepped, step
from memstile.core.gate_words import INTERNAL_ERROR, WRITES, CallClass
from memstile.core.json_text import dumps, loads
from memstile.core.request import Event, Kind, Request
from memstile.core.settings import Settings
from memstile.core.turn import FRESH, begun
from memstile.core.turn_state import from_state, to_state
from memstile.core.verdict import Verdict
from memstile.hook_place import Place
from memstile.hook_turn_calls import full_name, turn_call
from memstile.hook_turn_store import Lost, change_turn
from memstile.hosts.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memstile.core.log_row import Row

_CALLS = (Event.TOOL_CALL, Event.TOOL_RESULT)


def gate(request: Request, host: Host, place: Place, settings: Settings, *, is_closed: bool) -> Answer:
    """Take in an event, and judge a call that writes to memory. SILENT for what the gate has nothing to do with.

    settings: those of hook_gate_settings. is_closed: our own failure refuses a write, where the gate enforces.
    """
    call = turn_call(request, host, place, settings) if request.event in _CALLS else None
    if call and call.kind is CallClass.OTHER:
        return SILENT
    happened = _happened(request, host, call, settings)

    def move(state: str | None) -> tuple[str, Stepped]:
        return _moved(state, happened, host, settings, place.now)

    try:
        stepped, is_new = change_turn(happened, place, settings, move, _rows(request, host, place))
    except Lost as lost:
        return _without_store(happened, call, lost.why, is_closed=is_closed and settings.gate_mode == "enforce")
    told = _told(stepped.answer)
    return joined((told, Answer(Verdict.WARN, "", IN_THE_OPEN, IN_THE_OPEN))) if is_new else told


def _rows(request: Request, host: Host, place: Place) -> tuple[Row, ...]:
    """Take what was noted of indexes, to be logged in the same transaction."""
    if not place.noted:
        return ()
    from memstile.hook_log import index_rows

    rows = index_rows(request, host.name, place)
    place.noted.clear()
    return rows


def _happened(request: Request, host: Host, call: Call | None, settings: Settings) -> Happened:
    return Happened(
        request.event,
        host.name,
        id_text(request.session),
        id_text(request.agent),
        id_text(request.turn),
        id_text(request.call),
        full_name(request, host.joint, settings.gate_servers) if call else "",
        request.arguments,
        _is_error(request, call),
        opening=request.opening,
        has_batches=request.tells_batches or (host.tells_batches and request.event is Event.SESSION_START),
        given=call,
        is_look_told_late=not host.tells_looks_before and call is not None and not call.server,
    )


def _is_error(request: Request, call: Call | None) -> bool | None:
    """Tell whether a call failed. Of a shell that looked at a file which is there it need not be said."""
    is_look = request.kind is Kind.SHELL and call is not None and call.kind is CallClass.SEARCH
    return False if is_look and request.is_error is None else request.is_error


def _moved(state: str | None, happened: Happened, host: Host, settings: Settings, now: float) -> tuple[str, Stepped]:
    """Give the state after an event, and what the event came to. state: None where there is none."""
    turn = FRESH if state is None else from_state(loads(state))
    if turn == FRESH:  # there is none, or it was written by another version
        turn = begun(now)._replace(has_batches=host.tells_batches)
    if happened.event is Event.TURN_START and host.injects and turn.id and not happened.turn:
        return dumps(to_state(turn)), Stepped(turn)
    can_ask = Channel.ASK in host.carries.get(Event.TOOL_CALL, ())
    stepped = step(turn, happened, settings, can_ask=can_ask)
    return dumps(to_state(stepped.turn)), stepped


def _told(answer: GateAnswer | None) -> Answer:
    """Say a verdict. In audit mode nothing is said: the log has it."""
    if answer is None:
        return SILENT
    if answer.action is Verdict.ALLOW:
        is_said = bool(answer.message) and not answer.audit_override
        verdict, code = (Verdict.WARN, next(iter(answer.observations), "")) if is_said else (Verdict.ALLOW, "")
        return Answer(verdict, code, answer.message if is_said else "", gated=answer)
    reason = f"{FOR_THE_PERSON}\n{answer.message}" if answer.action is Verdict.ASK else answer.message
    return Answer(answer.action, answer.reason_code, reason, gated=answer)


def _without_store(happened: Happened, call: Call | None, why: str, *, is_closed: bool) -> Answer:
    """Do what the failure policy says about a write; what only moves the turn is passed over."""
    if happened.event is not Event.TOOL_CALL or not call or call.kind not in WRITES:
        return SILENT
    told = failed(why, is_refused=is_closed)
    if is_closed:
        return Answer(Verdict.DENY, INTERNAL_ERROR, told)
    return Answer(Verdict.WARN, INTERNAL_ERROR, told, told)
