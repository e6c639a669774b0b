"""Claude Code: JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, runs of 2.1.332."""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.json_text import dumps
from memstile.core.matching import Matching
from memstile.core.own_shapes import EditBy, EditKeys, EditsBy, OpaqueBy, WholeBy
from memstile.core.request import NOTHING, Event, Kind, Request
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, mcp_tool, opening_of

_EDIT = EditKeys("old_string", "new_string", "replace_all")
TOOLS = {
    "Write": Tool(Kind.WRITE, WholeBy("file_path", "content").writes),
    "Edit": Tool(Kind.WRITE, EditBy("file_path", _EDIT).writes),
    "MultiEdit": Tool(Kind.WRITE, EditsBy("file_path", _EDIT).writes),  # gone in 2.1.332; older versions have it
    "NotebookEdit": Tool(Kind.WRITE, OpaqueBy("notebook_path").writes),
    "Bash": Tool(Kind.SHELL),
    "PowerShell": Tool(Kind.SHELL),
    **dict.fromkeys(("Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch"), Tool(Kind.READ)),
}

EVENTS = {
    "SessionStart": Event.SESSION_START,
    "UserPromptSubmit": Event.TURN_START,
    "PreToolUse": Event.TOOL_CALL,
    "PostToolUse": Event.TOOL_RESULT,
    "PostToolUseFailure": Event.TOOL_RESULT,
    "PostToolBatch": Event.BATCH_END,
    "SessionEnd": Event.SESSION_END,
    "ConfigChange": Event.SETTINGS_CHANGE,
}

_SKILLS = "skills"
"""Source of a ConfigChange in which no setting changed: a skill was edited."""

_TEXTS = frozenset((Channel.MODEL, Channel.PERSON))
CARRIES = {
    Event.SESSION_START: _TEXTS,
    Event.TURN_START: _TEXTS,
    Event.TOOL_CALL: frozenset(Channel),
    Event.TOOL_RESULT: _TEXTS,
    Event.BATCH_END: frozenset((Channel.PERSON,)),
    Event.SETTINGS_CHANGE: frozenset((Channel.DENY, Channel.PERSON)),
}


def parse(payload: object, event: str = "") -> Request:
    """Read a payload. event: on the command line, for a payload that does not name its own."""
    given = as_mapping(payload)
    host_event = as_text(given.get("hook_event_name")) or event
    if not given or host_event not in EVENTS:
        return NOTHING._replace(host_event=host_event, missing="" if given and host_event else "hook_event_name")
    request = Request(
        EVENTS[host_event],
        host_event,
        session=as_text(given.get("session_id")),
        agent=as_text(given.get("agent_id")),
        turn=as_text(given.get("prompt_id")),
        call=as_text(given.get("tool_use_id")),
        cwd=as_text(given.get("cwd")),
        settings_file=as_text(given.get("file_path")),
        own_vault=_auto_memory(as_text(given.get("transcript_path"))),
    )
    if request.event is Event.SETTINGS_CHANGE and given.get("source") == _SKILLS:
        return request._replace(event=Event.OTHER)
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    tool = given.get("tool_name")
    if not isinstance(tool, str) or "tool_input" not in given:
        return request._replace(missing="tool_input" if isinstance(tool, str) else "tool_name")
    request = called(request, TOOLS, tool, given["tool_input"], own_name=mcp_tool(tool))
    if request.event is Event.TOOL_CALL:
        return request
    is_error = host_event == "PostToolUseFailure"
    opening = "" if request.tool in TOOLS else opening_of(given.get("tool_response"))
    return request._replace(is_error=is_error, opening=opening)


def _auto_memory(transcript: str) -> str:
    """Give the folder of the auto-memory, which lies beside the transcripts of the same project."""
    folder, _, name = transcript.rpartition("/")
    return f"{folder}/memory" if "/projects/" in folder and name.endswith(".jsonl") else ""


def reply(answer: Answer, request: Request) -> Reply:
    """Answer. There is never an "allow": it would skip the person's own permission prompt."""
    body: dict[str, object] = {}
    if request.event is Event.SETTINGS_CHANGE:
        if answer.verdict is Verdict.DENY:
            body = {"decision": "block", "reason": answer.to_model}
    else:
        body = specific(answer, request.host_event)
    if answer.to_person:
        body["systemMessage"] = answer.to_person
    return Reply(stdout=dumps(body)) if body else NO_REPLY


def specific(answer: Answer, host_event: str) -> dict[str, object]:
    """Write the part of a reply that names its event; without the name the host passes it over."""
    if answer.verdict in (Verdict.DENY, Verdict.ASK):
        told = {"permissionDecision": answer.verdict.name.lower(), "permissionDecisionReason": answer.to_model}
    elif answer.to_model:
        told = {"additionalContext": answer.to_model}
    else:
        return {}
    return {"hookSpecificOutput": {"hookEventName": host_event, **told}}


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read: exit code 2 blocks whichever event it was."""
    return Reply(stderr=reason, exit_code=2)


HOST = Host(
    name="claude-code",
    title="Claude Code",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.TYPOGRAPHIC,
    evidence="recorded",
    verified=("2.1.332",),
    supported=("2.1.0", "3.0.0"),
    settings_files=(
        ".claude/settings.json",
        ".claude/settings.local.json",
        "managed-settings.json",
    ),
    joint="__",
    tells_batches=True,
    slips=(
        "What a shell command writes is seen after it ran.",
        "Invalid edits never reach a hook, and change nothing.",
    ),
)
