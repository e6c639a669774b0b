"""The gate protocol, version 1: one line of JSON to an event, and an answer to a line."""

from __future__ import annotations

from memstile.core.gate_ids import told_id
from memstile.core.gate_step import GateAnswer, Happened
from memstile.core.json_text import UNREADABLE, dumps, loads
from memstile.core.record import NamedTuple
from memstile.core.request import Event

EVENTS = {
    event.value: event
    for event in (
        Event.SESSION_START,
        Event.TURN_START,
        Event.TOOL_CALL,
        Event.TOOL_RESULT,
        Event.BATCH_END,
        Event.SESSION_END,
    )
}


class Line(NamedTuple):
    """A line, read. happened: None for a line that says nothing; fault: why, "" for a blank line.

    call: the id as it was written, for the answer. number: of the line, from 1; 0 where it is not known.
    """

    happened: Happened | None = None
    fault: str = ""
    call: object = None
    number: int = 0


def read_line(data: bytes) -> Line:
    """Read one line. data: UTF-8, without or with its line end. Total: what does not fit is a fault, in plain words."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").strip()
    except UnicodeDecodeError:
        return Line(fault="not UTF-8")
    if not text:
        return Line()
    value = loads(text)
    if value is UNREADABLE:
        return Line(fault="not JSON")
    if not isinstance(value, dict):
        return Line(fault="not an object")
    event = _event(value)
    fault = "no such event" if event is None else _fault(value, event)
    if event is None or fault:
        return Line(fault=fault, call=value.get("call"))
    return Line(_happened(value, event), call=value.get("call"))


def answer_line(call: object, answer: GateAnswer) -> str:
    """Write the answer to a tool call. call: its id as it was given, None where it had none."""
    return dumps(
        {
            "call": call if _is_shallow(call) else None,
            "decision": "allow" if answer.is_allowed else "deny",
            "reason_code": answer.reason_code,
            "action": answer.action.name.lower(),
            "audit_override": answer.audit_override,
            "classification": answer.classification.value,
            "recall": answer.recall.value,
            "observations": answer.observations,
            "message": answer.message,
        }
    )


def error_line(line: Line) -> str:
    """Write what is wrong with a line, with its number and the id of the call it may have been about."""
    told: dict[str, object] = {"error": line.fault, **({"line": line.number} if line.number else {})}
    return dumps(told if line.call is None or not _is_shallow(line.call) else {**told, "call": line.call})


def _event(value: dict[str, object]) -> Event | None:
    name = value.get("event")
    return EVENTS.get(name) if isinstance(name, str) else None


def _fault(value: dict[str, object], event: Event) -> str:
    if "session" not in value:
        return "no session"
    if event is Event.TOOL_CALL and not isinstance(value.get("tool"), str):
        return "no tool, or its name is no text"
    if event is Event.TOOL_RESULT and not isinstance(value.get("is_error"), bool):
        return "is_error is not true or false: the result was not counted"
    return ""


def _happened(value: dict[str, object], event: Event) -> Happened:
    count, tool = value.get("result_count"), value.get("tool")
    return Happened(
        event,
        host=told_id(value.get("host")),
        session=told_id(value["session"]),
        agent=told_id(value.get("agent")),
        turn=told_id(value.get("turn")),
        call=told_id(value.get("call")),
        tool=tool if isinstance(tool, str) else "",
        arguments=value.get("arguments"),
        is_error=value.get("is_error") is True if event is Event.TOOL_RESULT else None,
        result_count=count if isinstance(count, int) and not isinstance(count, bool) else None,
        has_batches=value.get("batches") is True,
    )


def _is_shallow(value: object) -> bool:
    """Tell whether a value can be written back: scalars, and lists or objects of a few of them."""
    inner = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return len(inner) <= 20 and not any(isinstance(part, (list, dict)) for part in inner)
