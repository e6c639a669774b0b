"""Answer one payload: read it as its host writes it, judge the event, fit the answer to what the host can carry."""

from __future__ import annotations

import os
import time

from memstile.core import reasons
from memstile.core.answer import SILENT, Answer, carried, joined
from memstile.core.json_text import UNREADABLE, loads
from memstile.core.request import Event, Request
from memstile.core.tool_shapes import note_tool
from memstile.core.verdict import Verdict
from memstile.errors import GuardError
from memstile.hook import Words
from memstile.hook_place import Place, place_of
from memstile.hook_settings import Source
from memstile.hook_state import note_call, paused_until, put_waiting, take_waiting
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import NO_REPLY, Host, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def run(words: Words, raw: bytes, environment: Mapping[str, str] | None = None, now: float | None = None) -> Reply:
    """Answer a payload. raw: its bytes as they came. Raises what the entry point's catch-all turns into a failure."""
    environment = os.environ if environment is None else environment
    if words.host not in HOSTS:
        raise GuardError(f"no such host: {words.host}")
    host = host_named(words.host)
    state = words.options["--state"] or _usual_state(environment)
    now = time.time() if now is None else now
    if paused_until(state, now):
        return NO_REPLY
    payload = decoded(raw, takes_text=host.takes_text)
    request = host.parse(payload, words.event)
    source = Source(environment, words.options["--config"], state)
    place = place_of(_folder(request.cwd), source, now)
    if request.missing and _is_closed(words, place) and request.event in (Event.TOOL_CALL, Event.OTHER):
        return host.refuse(reasons.surface_mismatch(host.title, request.missing), words.event)
    return _reply(_answer(request, host, place), request, host, place)


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


def _folder(cwd: str) -> str:
    return cwd if os.path.isabs(cwd) and "\0" not in cwd else ""


def _answer(request: Request, host: Host, place: Place) -> Answer:
    answers = [_judged(request, host, place)]
    if request.missing:
        told = reasons.surface_mismatch(host.title, request.missing)
        answers.append(Answer(Verdict.WARN, reasons.SURFACE_MISMATCH, told, told))
    if request.event is Event.SESSION_START and place.faults():
        answers.append(Answer(Verdict.WARN, reasons.INTERNAL_ERROR, "", _faults(place)))
    return joined(answers)


def _is_closed(words: Words, place: Place) -> bool:
    return words.is_closed or place.settings_of(place.cwd).gate_on_error == "closed"


def _faults(place: Place) -> str:
    return "memstile: settings that are not used: " + "; ".join(place.faults()[:3])


def _judged(request: Request, host: Host, place: Place) -> Answer:
    if request.event is Event.TOOL_CALL:
        from memstile.hook_call import judge

        if note_tool(request.tool):
            from memstile.hook_notes import with_notes

            request = with_notes(request, place)
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
