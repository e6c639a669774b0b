"""Cursor: JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, documentation and reports alone.

The keys of its write tools are not documented: what is not understood is a write that is not computed. A patch has been
reported to come as bare text, in the place of the payload or of a call's arguments.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.change import Whole
from memstile.core.json_text import UNREADABLE, dumps, loads
from memstile.core.matching import Matching
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import by_any_keys, envelope_writes, opaque, own_name
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, opening_of, served_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _deleted(arguments: Mapping[str, object]) -> tuple[Write, ...]:
    return tuple(write._replace(change=Whole(b"")) for write in opaque(arguments))


PATCH, SHELL = "ApplyPatch", "Shell"
_WRITES = ("Write", "StrReplace", PATCH, "Edit", "MultiEdit", "EditNotebook")
_READS = ("Read", "Grep", "Glob", "LS", "SemanticSearch", "WebSearch", "WebFetch", "ReadLints", "TodoWrite")
TOOLS = {
    **dict.fromkeys(_WRITES, Tool(Kind.WRITE, by_any_keys)),
    "Delete": Tool(Kind.WRITE, _deleted),
    SHELL: Tool(Kind.SHELL),
    "Task": Tool(Kind.OTHER),  # a subagent's calls come as its own
    **dict.fromkeys(_READS, Tool(Kind.READ)),
}

# afterFileEdit, afterShellExecution and afterMCPExecution come beside postToolUse, and read no reply: looking there
# would lose what there is to tell.
EVENTS = {
    "sessionStart": Event.SESSION_START,
    "beforeSubmitPrompt": Event.TURN_START,
    "preToolUse": Event.TOOL_CALL,
    "beforeShellExecution": Event.TOOL_CALL,
    "beforeMCPExecution": Event.TOOL_CALL,
    "postToolUse": Event.TOOL_RESULT,
    "postToolUseFailure": Event.TOOL_RESULT,
    "sessionEnd": Event.SESSION_END,
}

# additional_context is documented for sessionStart and postToolUse; at a prompt there is none. An "ask" is taken at
# preToolUse and not enforced, and works for shells and MCP tools only: it is never sent, so that it cannot be lost.
_MODEL = frozenset((Channel.MODEL,))
CARRIES = {
    Event.SESSION_START: _MODEL,
    Event.TOOL_CALL: frozenset((Channel.DENY,)),
    Event.TOOL_RESULT: _MODEL,
}

_NO_REASON = "memstile refused this call"


def parse(payload: object, event: str = "") -> Request:
    """Read a payload, or a bare patch. event: on the command line, for a payload that does not name its own."""
    if isinstance(payload, str):
        return _bare_patch(payload, event)
    given = as_mapping(payload)
    host_event = as_text(given.get("hook_event_name")) or event
    if not given or host_event not in EVENTS:
        return NOTHING._replace(host_event=host_event, missing="" if given and host_event else "hook_event_name")
    roots = given.get("workspace_roots")
    root = as_text(roots[0]) if isinstance(roots, list) and roots else ""
    request = Request(
        EVENTS[host_event],
        host_event,
        session=as_text(given.get("conversation_id")),
        turn=as_text(given.get("generation_id")),
        call=as_text(given.get("tool_use_id")),
        cwd=as_text(given.get("cwd")) or root,
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    request = _with_call(request, given)
    if request.event is Event.TOOL_CALL:
        return request
    output = given.get("tool_output")
    decoded = loads(output) if isinstance(output, str) else output
    opening = "" if request.tool in TOOLS else opening_of(output if decoded is UNREADABLE else decoded)
    is_error = host_event == "postToolUseFailure" or as_mapping(decoded).get("isError") is True
    return request._replace(is_error=is_error, opening=opening)


def _bare_patch(envelope_text: str, event: str) -> Request:
    writes = envelope_writes(envelope_text)
    kind = EVENTS.get(event or "preToolUse", Event.OTHER)
    if not writes or kind not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return NOTHING._replace(host_event=event, missing="hook_event_name")
    return Request(kind, event or "preToolUse", tool=PATCH, kind=Kind.WRITE, writes=writes)


def _with_call(request: Request, given: Mapping[str, object]) -> Request:
    if request.host_event == "beforeShellExecution":
        command = given.get("command")
        if not isinstance(command, str):
            return request._replace(missing="command")
        return called(request, TOOLS, SHELL, {"command": command})
    tool, arguments = given.get("tool_name"), given.get("tool_input")
    if not isinstance(tool, str):
        return request._replace(missing="tool_name")
    if isinstance(arguments, str):
        decoded = loads(arguments)
        writes = envelope_writes(arguments) if decoded is UNREADABLE else ()
        if writes:
            return request._replace(tool=tool, kind=Kind.WRITE, writes=writes)
        arguments = decoded
    if not isinstance(arguments, dict):
        return request._replace(tool=tool, missing="tool_input")
    # A server may call a tool as Cursor calls one of its own.
    is_served = request.host_event == "beforeMCPExecution" or tool.startswith("MCP:")
    served = tool.removeprefix("MCP:")
    request = called(request, {} if is_served else TOOLS, tool, arguments, own_name=own_name(served) or served)
    return request._replace(served=served_by(given.get("mcp_server_name"), served)) if is_served else request


def reply(answer: Answer, request: Request) -> Reply:
    """Answer. There is never an "allow", and an ASK that comes this far is a denial."""
    if request.event is Event.TOOL_CALL and answer.verdict in (Verdict.DENY, Verdict.ASK):
        return _denied(answer.to_model, answer.to_person)
    if Channel.MODEL not in CARRIES.get(request.event, ()) or not answer.to_model:
        return NO_REPLY
    return Reply(stdout=dumps({"additional_context": answer.to_model}))


def _denied(reason: str, to_person: str = "") -> Reply:
    """Write a denial. The person reads the model's reason where there is no text of their own."""
    told = reason if reason.strip() else _NO_REASON
    return Reply(stdout=dumps({"permission": "deny", "user_message": to_person or told, "agent_message": told}))


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read, unless it is known to be no tool call."""
    if EVENTS.get(event, Event.TOOL_CALL) is not Event.TOOL_CALL:
        return Reply(stderr=f"{reason}\n")
    return _denied(reason)


HOST = Host(
    name="cursor",
    title="Cursor",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="documented",
    verified=(),
    supported=("", ""),
    settings_files=(
        ".cursor/hooks.json",
        "cursor/hooks.json",
        "Cursor/hooks.json",
    ),
    slips=(
        "It was not run: what is known of it is its documentation, and the keys of its write tools are reports.",
        "What a shell command writes is seen after it ran.",
        "An edit whose old text is not there as it stands is not computed.",
        "Tab completions raise no event before they are written.",
        "The first, reading turns of cloud agents run no hooks.",
        "A patch that comes as bare text names no folder: its relative paths start where the hook runs.",
        "A hook that crashes or runs out of time lets the call through, unless its entry says `failClosed`.",
    ),
    takes_text=True,
    joint="MCP:",
)
