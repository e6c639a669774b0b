"""Answer one payload: read it as its host writes it, judge the event, fit the answer to what the host can carry."""

from __future__ import annotations

import os
import time

from memstile.core.answer import SILENT, Answer, carried, joined
from memstile.core.gate_words import INTERNAL_ERROR
from memstile.core.json_text import UNREADABLE, loads
from memstile.core.request import Event, Kind, Request
from memstile.core.tool_shapes import note_tool
from memstile.core.verdict import Verdict
from memstile.errors import GuardError
from memstile.hook import Words
from memstile.hook_gate_settings import gate_settings
from memstile.hook_place import Place, place_of
from memstile.hook_settings import Source
from memstile.hook_state import note_call, paused_until, put_waiting, take_waiting
from memstile.hook_targets import nameable
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import NO_REPLY, Host, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def run(words: Words, raw: bytes, environment: Mapping[str, str] | None = None, now: float | None = None) -> Reply:
    """Answer a payload. raw: its bytes as they came. Raises what the entry point's catch-all turns into a failure.

    environment: None for this process's own, which ends at once with the answer.
    """
    is_last = environment is None
    environment = os.environ if environment is None else environment
    if words.host not in HOSTS:
        raise GuardError(f"no such host: {words.host}")
    host = host_named(words.host)
    state = words.options["--state"] or _usual_state(environment)
    now = time.time() if now is None else now
    source = Source(environment, words.options["--config"], state)
    if paused_until(state, now):
        return _unseen(raw, words, source, now)
    request = host.parse(decoded(raw, takes_text=host.takes_text), words.event)
    request = request._replace(own_vault=_folder(request.own_vault))
    place = place_of(_folder(request.cwd), source, now, is_last=is_last)
    is_closed = _is_closed(words, place)
    if request.missing and is_closed and request.event in (Event.TOOL_CALL, Event.OTHER):
        refused = _mismatch(request, host)._replace(verdict=Verdict.DENY)
        return host.reply(refused, request) if host.answers_all else host.refuse(refused.to_model, words.event)
    return _reply(_answer(request, host, place, is_closed=is_closed), request, host, place)


def _unseen(raw: bytes, words: Words, source: Source, now: float) -> Reply:
    """Say nothing while the person has paused the guard; a turn that was going on is over all the same."""
    host = host_named(words.host)
    try:
        request = host.parse(decoded(raw, takes_text=host.takes_text), words.event)
    except GuardError:
        return NO_REPLY
    if request.event is Event.TURN_START:
        from memstile.hook_turn_store import forget

        forget(request, host.name, place_of(_folder(request.cwd), source, now))
    return host.reply(SILENT, request) if host.answers_all else NO_REPLY


def decoded(raw: bytes, *, takes_text: bool = False) -> object:
    """Decode a payload: UTF-8 whatever the locale, without a byte order mark; a lone surrogate stays.

    takes_text: a bare patch envelope is a payload too. Raises GuardError where it is neither.
    """
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    if takes_text and text.lstrip().startswith("*** Begin Patch"):
        return text
    value = loads(text)
    if value is UNREADABLE:
        raise GuardError("the payload is empty" if not text.strip() else "the payload is no JSON")
    return value


def _usual_state(environment: Mapping[str, str]) -> str:
    from memstile.paths import state_folder

    return state_folder(environment)


def _folder(path: str) -> str:
    """Give a folder that a payload names as the system can be asked about it, "" for none, and for no folder's name."""
    return nameable(path) if os.path.isabs(path) and "\0" not in path else ""


def _answer(request: Request, host: Host, place: Place, *, is_closed: bool) -> Answer:
    answers = [_judged(request, host, place), *_gated(request, host, place, is_closed=is_closed)]
    if request.missing:
        answers.append(_mismatch(request, host))
    if request.event is Event.SESSION_START and place.faults():
        answers.append(Answer(Verdict.WARN, INTERNAL_ERROR, "", _faults(place)))
    is_logged = place.noted and place.settings_of(place.cwd).audit_level != "off"
    # With the gate off, what passes in silence is not worth a store.
    if is_logged and any(noted.code for noted in place.noted):
        from memstile.hook_log import log

        log(request, host.name, place)
    return joined(answers)


def _mismatch(request: Request, host: Host) -> Answer:
    """Say that a payload lacks what its host promises."""
    from memstile.core.reasons import SURFACE_MISMATCH, surface_mismatch

    told = surface_mismatch(host.title, request.missing)
    return Answer(Verdict.WARN, SURFACE_MISMATCH, told, told)


def _gated(request: Request, host: Host, place: Place, *, is_closed: bool) -> Iterator[Answer]:
    """Ask the turn gate, which is loaded for what it may have to do with."""
    if not host.gates or request.event in (Event.OTHER, Event.SETTINGS_CHANGE) or not _may_be_gated(request):
        return
    settings = gate_settings(request, place)
    if settings.gate_mode != "off":
        from memstile.hook_gate import gate

        is_closed = is_closed or settings.gate_on_error == "closed"
        yield gate(request, host, place, settings, is_closed=is_closed)
    elif request.event is Event.TURN_START:  # what is known of a turn is of one that is over
        from memstile.hook_turn_store import forget

        forget(request, host.name, place)


_LOOKERS = ("cat", "head", "tail", "less", "more", "nl", "rg", "ag", "grep")


def _may_be_gated(request: Request) -> bool:
    """Look quickly at a shell's call: it may be the control, or a look at notes, which counts once it is over."""
    if request.kind is not Kind.SHELL:
        return True
    text = str(request.arguments)
    return "classify" in text or (request.event is Event.TOOL_RESULT and any(word in text for word in _LOOKERS))


def _is_closed(words: Words, place: Place) -> bool:
    return words.is_closed or place.settings_of(place.cwd).gate_on_error == "closed"


def _faults(place: Place) -> str:
    return "memstile: settings that are not used: " + "; ".join(place.faults()[:3])


def _judged(request: Request, host: Host, place: Place) -> Answer:
    if request.event is Event.TOOL_CALL:
        if note_tool(request.tool):
            from memstile.hook_notes import with_notes

            request = with_notes(request, place)
        if request.kind is Kind.READ or not request.writes:
            return SILENT
        from memstile.hook_call import judge

        return judge(request, host.matching, place)
    if request.event in (Event.TOOL_RESULT, Event.BATCH_END):
        from memstile.hook_after import look

        return look(request, place)
    if request.event is Event.SESSION_START:
        from memstile.hook_start import greet

        return greet(request, place)
    if request.event is Event.SETTINGS_CHANGE:
        from memstile.hook_guard import judge_change

        return judge_change(request, place)
    return SILENT


def _reply(answer: Answer, request: Request, host: Host, place: Place) -> Reply:
    session = f"{host.name} {request.session}"
    can = host.carries.get(request.event, frozenset())
    waiting = take_waiting(place.state, session) if can and answer.verdict < Verdict.ASK else ""
    if waiting:
        answer = joined((answer, Answer(Verdict.WARN, "", waiting)))
    sent, rest = carried(answer, can)
    put_waiting(place.state, session, rest)
    note_call(place.state, host.name, place.now)
    return NO_REPLY if sent == SILENT and not host.answers_all else host.reply(sent, request)
