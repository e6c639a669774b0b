"""The gate protocol, for programs that forward what an agent does: docs/hosts.md, "Your own integration".

One JSON object on stdin, one line of JSON on stdout for each tool call; other events are taken in and not answered:

    {"event": "tool_call", "session": "s1", "call": "c1", "tool": "write_file", "arguments": {}, "cwd": "/project"}
    {"call": "c1", "decision": "deny", "reason_code": "INDEX_GREW_OVER_CAP", "action": "deny", "audit_override": false,
     "classification": "unknown", "recall": "idle", "observations": [], "message": "..."}

This is no host with a permission prompt of its own, and so an "allow" is written here, as nowhere else. What does not
fit is answered with {"error": TEXT}.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.gate_ids import told_id
from memstile.core.json_text import UNREADABLE, dumps, loads
from memstile.core.matching import Matching
from memstile.core.reasons import GREW, INTERNAL_ERROR, NOT_COMPUTABLE
from memstile.core.request import NOTHING, Event, Kind, Request
from memstile.core.tool_shapes import by_any_keys, envelope, opaque, own_name, whole
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called

_WHOLES = ("Write", "write", "create")
_EDITS = ("Edit", "MultiEdit", "edit", "multiedit", "replace")
_SHELLS = ("Bash", "bash", "shell", "run_shell_command", "execute_command", "run_commands", "terminal", "exec")
_READS = ("Read", "read", "view", "Grep", "grep", "Glob", "glob", "LS", "ls", "list", "WebFetch", "WebSearch")
TOOLS = {
    **dict.fromkeys(_WHOLES, Tool(Kind.WRITE, whole)),
    **dict.fromkeys(_EDITS, Tool(Kind.WRITE, by_any_keys)),
    "patch": Tool(Kind.WRITE, envelope),
    "NotebookEdit": Tool(Kind.WRITE, opaque),
    **dict.fromkeys(_SHELLS, Tool(Kind.SHELL)),
    **dict.fromkeys(_READS, Tool(Kind.READ)),
}

EVENTS = {
    "session_start": Event.SESSION_START,
    "turn_start": Event.TURN_START,
    "tool_call": Event.TOOL_CALL,
    "tool_result": Event.TOOL_RESULT,
    "batch_end": Event.BATCH_END,
    "session_end": Event.SESSION_END,
}

CARRIES = {Event.TOOL_CALL: frozenset((Channel.DENY, Channel.ASK, Channel.MODEL))}

_WOULD_REFUSE = (GREW, NOT_COMPUTABLE)
"""Codes of refusals: with a warning, they are what audit mode lets through."""


def parse(payload: object, event: str = "") -> Request:
    """Read one event. event: on the command line, for an object that does not name its own."""
    given = as_mapping(payload)
    host_event = as_text(given.get("event")) or event
    if not given or host_event not in EVENTS:
        return NOTHING._replace(host_event=host_event, missing="event")
    request = Request(
        EVENTS[host_event],
        host_event,
        session=told_id(given.get("session")),
        agent=told_id(given.get("agent")),
        turn=told_id(given.get("turn")),
        call=told_id(given.get("call")),
        cwd=as_text(given.get("cwd")),
        tells_batches=given.get("batches") is True,
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    tool = given.get("tool")
    if isinstance(tool, str):
        own = "" if tool in TOOLS else own_name(tool)
        request = called(request, TOOLS, tool, given.get("arguments"), own_name=own)
    elif request.event is Event.TOOL_CALL:
        return request._replace(missing="tool")
    is_error = given.get("is_error")
    is_told = request.event is Event.TOOL_RESULT and isinstance(is_error, bool)
    return request._replace(is_error=is_error is True if is_told else None)


def reply(answer: Answer, request: Request) -> Reply:
    """Answer a tool call, always; at another event only what does not fit is told."""
    if request.event is Event.TOOL_CALL:
        return _line(_answered(answer, request))
    if request.event is Event.OTHER:
        return _line({"error": answer.to_person or answer.to_model or "no such event"})
    return NO_REPLY


def _answered(answer: Answer, request: Request) -> dict[str, object]:
    """Put together what the index and the turn gate say: the stricter one is the decision."""
    gated = answer.gated
    is_refused = answer.verdict in (Verdict.DENY, Verdict.ASK)
    is_overridden = not is_refused and answer.code in _WOULD_REFUSE
    is_denial = is_refused or is_overridden
    allowed = "ALLOW_READ_ONLY" if request.kind is Kind.READ else "ALLOW_OUT_OF_SCOPE"
    seen = [*gated.observations] if gated else []
    if answer.code and not is_denial and answer.code not in seen:
        seen.append(answer.code)
    if gated and not is_denial:
        is_denial, is_overridden, allowed = not gated.is_allowed, gated.audit_override, gated.reason_code
    return {
        "call": _as_given(request.call),
        "decision": "deny" if is_denial else "allow",
        "reason_code": answer.code if is_refused or answer.code in _WOULD_REFUSE else allowed,
        "action": answer.verdict.name.lower() if is_refused else "allow",
        "audit_override": is_overridden,
        "classification": gated.classification.value if gated else "unknown",
        "recall": gated.recall.value if gated else "idle",
        "observations": seen,
        "message": answer.to_model or (gated.message if gated else ""),
    }


def _as_given(call: str) -> object:
    """Give an id as it was written: "#1" stands for the number, and a digest for what would have to be kept."""
    value = loads(call[1:]) if call.startswith("#") else call
    return call if value is UNREADABLE else value


def refuse(reason: str, event: str) -> Reply:
    """Refuse what could not be read."""
    return _line(_answered(Answer(Verdict.DENY, INTERNAL_ERROR, reason), Request(Event.TOOL_CALL)))


def _line(body: dict[str, object]) -> Reply:
    return Reply(stdout=dumps(body) + "\n")


HOST = Host(
    name="generic",
    title="the gate protocol",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="documented",
    verified=(),
    supported=("", ""),
    settings_files=(),
    slips=(
        "What a shell command writes is seen after it ran, and told at the next tool call.",
        "A tool that is in no table is never refused.",
        "While memstile is paused no event is answered.",
    ),
    answers_all=True,
    tells_looks_before=True,
)
