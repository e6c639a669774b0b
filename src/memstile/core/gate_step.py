"""One event of the gate protocol moves a turn: (turn, event, settings) to (turn, answer, rows). Total and pure."""

from __future__ import annotations

from memstile.core.enforce import Enforced, enforce
from memstile.core.gate import Decision, decide
from memstile.core.gate_calls import Call, classify_call, outcome_of
from memstile.core.gate_guards import Guards, guards_of
from memstile.core.gate_ids import digest
from memstile.core.gate_reasons import audited, message, warned
from memstile.core.gate_words import ALLOW_OUT_OF_SCOPE, RECALL_EMPTY, WRITES, CallClass, Classification, Recall
from memstile.core.record import NamedTuple
from memstile.core.request import Event
from memstile.core.settings import Settings
from memstile.core.turn import FRESH, Pending, Signal, Turn, entered, moved, started
from memstile.core.turn_calls import Outcome, batch_ended, opened, settled
from memstile.core.verdict import Verdict


class Happened(NamedTuple):
    """One event. All ids are texts of core/gate_ids.py, "" where the host has none.

    arguments: any JSON value. is_error: of a result, None where the host does not say. result_count: hits of a search,
    None where not known. opening: how the result's text begins; it is looked at and never kept. has_batches: the host
    tells the end of a batch. given: the call, where somebody who sees more than the tool's name has read it.
    is_look_told_late: of a look at files nothing is told but its result; it takes no time, so that the result opens it.
    """

    event: Event
    host: str = ""
    session: str = ""
    agent: str = ""
    turn: str = ""
    call: str = ""
    tool: str = ""
    arguments: object = None
    is_error: bool | None = None
    result_count: int | None = None
    opening: str = ""
    has_batches: bool = False
    given: Call | None = None
    is_look_told_late: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Give what the state is kept under: host, session, agent."""
        return self.host, self.session, self.agent


class GateAnswer(NamedTuple):
    """The answer to a tool call. is_allowed is the policy's; action what to do: ALLOW, ASK or DENY.

    classification, recall: after the call. message: for the model, "" where there is nothing to say.
    """

    is_allowed: bool
    reason_code: str
    action: Verdict = Verdict.ALLOW
    audit_override: bool = False
    classification: Classification = Classification.UNKNOWN
    recall: Recall = Recall.IDLE
    observations: tuple[str, ...] = ()
    message: str = ""


class GateRow(NamedTuple):
    """What the decision log is told of one event. Texts are ids, names of tools, and words of the gate.

    action: "" where nothing was decided (a result, the end of a batch). kind: class of the call. is_minor: belongs
    to a verbose log alone.
    """

    event: str
    turn: str
    call: str
    tool: str
    kind: str
    decision: str
    reason_code: str
    action: str
    audit_override: bool
    classification: str
    recall: str
    observations: tuple[str, ...] = ()
    is_minor: bool = False


class Stepped(NamedTuple):
    """The turn after an event, the answer if it was a tool call, and rows for the log."""

    turn: Turn
    answer: GateAnswer | None = None
    rows: tuple[GateRow, ...] = ()


OFF = GateAnswer(True, ALLOW_OUT_OF_SCOPE)


def step(turn: Turn, happened: Happened, settings: Settings, *, can_ask: bool = True) -> Stepped:
    """Take in one event of the agent that `turn` belongs to. can_ask: the host can ask the person.

    Mode off decides, records and remembers nothing: what was known of the turn is forgotten.
    """
    if settings.gate_mode == "off":
        return Stepped(FRESH, OFF if happened.event is Event.TOOL_CALL else None)
    if (happened.has_batches or happened.event is Event.BATCH_END) and not turn.has_batches:
        turn = turn._replace(has_batches=True)
    stepped = _step(turn, happened, settings, can_ask=can_ask)
    if stepped.turn.number != turn.number and (turn.is_search_waiting or turn.read_waiting):
        # It was waited for in vain: till an end of a batch comes again, a result counts when it comes.
        return stepped._replace(turn=stepped.turn._replace(has_batches=False))
    return stepped


def _step(turn: Turn, happened: Happened, settings: Settings, *, can_ask: bool) -> Stepped:
    if happened.event is Event.TOOL_CALL:
        return _called(entered(turn, happened.turn), happened, settings, can_ask=can_ask)
    if happened.event is Event.TURN_START:
        return Stepped(started(turn, happened.turn))
    if happened.event is Event.SESSION_END:
        return Stepped(moved(turn, Signal.NEW_TURN)._replace(has_batches=False))
    is_of_another = happened.turn and turn.id and happened.turn != turn.id
    if is_of_another or happened.event not in (Event.TOOL_RESULT, Event.BATCH_END):
        return Stepped(turn)
    return _settled(turn, happened) if happened.event is Event.TOOL_RESULT else _ended(turn, happened)


_NO_GUARDS = Guards()


def _called(turn: Turn, happened: Happened, settings: Settings, *, can_ask: bool) -> Stepped:
    call = happened.given or classify_call(happened.tool, happened.arguments, settings.gate_servers)
    decision = decide(turn, call, guards_of(settings) if call.kind in WRITES else _NO_GUARDS)
    enforced = enforce(decision.is_allowed, call.kind, settings.gate_mode, settings.gate_profile, can_ask=can_ask)
    turn = _after(turn, happened, call, enforced)
    answer = GateAnswer(
        decision.is_allowed,
        decision.reason_code,
        enforced.action,
        enforced.audit_override,
        turn.classification,
        turn.recall,
        decision.observations,
        _told(decision, enforced, call.server),
    )
    if call.kind is CallClass.OTHER:
        return Stepped(turn, answer)
    return Stepped(turn, answer, (_row(turn, happened, call.kind, answer),))


def _after(turn: Turn, happened: Happened, call: Call, enforced: Enforced) -> Turn:
    """Remember what a call that was let through may leave behind."""
    if call.kind is CallClass.CONTROL:
        return turn if call.task is None else moved(turn, _DECLARES[call.task])
    is_kept = call.kind is CallClass.SEARCH or (call.kind is CallClass.READ and call.target)
    is_run = call.kind in WRITES and enforced.action is not Verdict.DENY
    if not is_kept and not is_run:
        return turn
    return opened(turn, Pending(happened.call, call.tool, call.kind, call.digest, call.target))


_DECLARES = {
    Classification.SIMPLE: Signal.SIMPLE,
    Classification.COMPLEX: Signal.COMPLEX,
    Classification.UNKNOWN: Signal.NOTHING,
}


def _told(decision: Decision, enforced: Enforced, server: str) -> str:
    if enforced.audit_override:
        return audited(decision.reason_code, server)
    return warned(decision.observations, server) if decision.is_allowed else message(decision.reason_code, server)


def _settled(turn: Turn, happened: Happened) -> Stepped:
    left = digest(happened.arguments) if isinstance(happened.arguments, dict) and not happened.call else ""
    outcome = outcome_of(happened.is_error, happened.opening)
    after, call = settled(turn, happened.call, happened.tool, left, outcome)
    if call is None and happened.given and happened.is_look_told_late and happened.given.kind is CallClass.SEARCH:
        turn = _after(turn, happened, happened.given, Enforced(Verdict.ALLOW))
        after, call = settled(turn, happened.call, happened.tool, left, outcome)
    if call is None or call.kind is CallClass.READ:
        return Stepped(after)
    is_empty = call.kind is CallClass.SEARCH and outcome is Outcome.DONE and happened.result_count == 0
    row = _row(after, happened._replace(call=call.call, tool=call.tool), call.kind, None)
    seen = (RECALL_EMPTY,) if is_empty else ()
    return Stepped(after, None, (row._replace(reason_code="", decision=outcome.value, observations=seen),))


def _ended(turn: Turn, happened: Happened) -> Stepped:
    after = batch_ended(turn)
    if after.recall is turn.recall:
        return Stepped(after)
    return Stepped(after, None, (_row(after, happened, CallClass.SEARCH, None),))


def _row(turn: Turn, happened: Happened, kind: CallClass, answer: GateAnswer | None) -> GateRow:
    return GateRow(
        happened.event.value,
        turn.label,
        happened.call,
        happened.tool,
        kind.value,
        "" if answer is None else "allow" if answer.is_allowed else "deny",
        answer.reason_code if answer else "",
        answer.action.name.lower() if answer else "",
        bool(answer and answer.audit_override),
        turn.classification.value,
        turn.recall.value,
        answer.observations if answer else (),
        is_minor=answer is not None and kind in (CallClass.SEARCH, CallClass.READ),
    )
