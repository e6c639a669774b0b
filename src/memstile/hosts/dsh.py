"""DeepSeek Harness (dsh): JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, runs of 0.1.0-rc.8.

dsh has two bridges to command hooks, and both can be mounted at once. The one for Claude Code's hooks sends paths and
content, and is the one that judges. The one for Codex's hooks sends a turn id, and of a call's arguments the command
alone: of its events a prompt counts, which begins a turn, and which takes a text as the other bridge's does.
`memstile-hook dsh codex-bridge` says that a call comes from it.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.json_text import dumps
from memstile.core.matching import Matching
from memstile.core.own_shapes import EditBy, EditKeys, WholeBy, editor
from memstile.core.request import NOTHING, Event, Kind, Request
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, mcp_tool, opening_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CODEX_BRIDGE = "codex-bridge"
"""In the place of an event on the command line."""

EDITOR = "str_replace_editor"
_READS = ("read", "read_image", "grep", "glob", "ls", "lsp", "web_fetch", "web_search")
_SHELLS = ("bash", "pwsh", "run_code", "terminal_open", "terminal_send")
TOOLS = {
    "write": Tool(Kind.WRITE, WholeBy("file_path", "content").writes),
    "edit": Tool(Kind.WRITE, EditBy("file_path", EditKeys("old_string", "new_string", "replace_all")).writes),
    EDITOR: Tool(Kind.WRITE, editor),
    **dict.fromkeys(_SHELLS, Tool(Kind.SHELL)),  # what a script of run_code calls comes under its own name as well
    **dict.fromkeys(_READS, Tool(Kind.READ)),
}

EVENTS = {
    "SessionStart": Event.SESSION_START,
    "UserPromptSubmit": Event.TURN_START,  # also for what dsh itself puts in: a background job that ended
    "PreToolUse": Event.TOOL_CALL,
    "PostToolUse": Event.TOOL_RESULT,
}
_NAMES = {event: name for name, event in EVENTS.items()}

# additionalContext is passed over at PreToolUse, and systemMessage everywhere. Headless, an "ask" is a denial whose
# reason is lost. A slow SessionStart hook may miss the first request; its text then comes with a later one.
_MODEL = frozenset((Channel.MODEL,))
CARRIES = {
    Event.SESSION_START: _MODEL,
    Event.TURN_START: _MODEL,
    Event.TOOL_CALL: frozenset((Channel.DENY,)),
    Event.TOOL_RESULT: _MODEL,
}

_NO_REASON = "memstile refused this call"
_FAILED = "Error: "  # a result has no flag; a call that was denied has a result, too


def parse(payload: object, event: str = "") -> Request:
    """Read a payload. event: on the command line, CODEX_BRIDGE or, for a payload that does not name its own, its event.

    A call whose arguments were no JSON comes with a text for them; dsh refuses it, so that it writes nothing.
    """
    given = as_mapping(payload)
    host_event = as_text(given.get("hook_event_name")) or event
    request = NOTHING._replace(
        host_event=host_event,
        session=as_text(given.get("session_id")),
        turn=as_text(given.get("turn_id")),
        call=as_text(given.get("tool_use_id")),
        cwd=as_text(given.get("cwd")),
    )
    if event == CODEX_BRIDGE or _is_from_codex_bridge(given):
        is_turn = EVENTS.get(host_event) is Event.TURN_START and request.turn != ""
        return request._replace(event=Event.TURN_START) if is_turn else request
    if not given or host_event not in EVENTS:
        return request._replace(missing="" if given and host_event else "hook_event_name")
    request = request._replace(event=EVENTS[host_event])
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    tool = given.get("tool_name")
    if not isinstance(tool, str) or "tool_input" not in given:
        return request._replace(missing="tool_input" if isinstance(tool, str) else "tool_name")
    request = called(request, TOOLS, tool, given["tool_input"], own_name=mcp_tool(tool))
    if tool == EDITOR and (request.arguments or {}).get("command") == "view":
        request = request._replace(kind=Kind.READ)
    if request.event is Event.TOOL_CALL:
        return request
    opening = "" if request.tool in TOOLS else opening_of(given.get("tool_response"))
    return request._replace(is_error=_is_error(given), opening=opening)


def _is_from_codex_bridge(given: Mapping[str, object]) -> bool:
    """Tell the Codex bridge by fields that the other has not; arguments that it could not have sent speak against it.

    So a Claude Code bridge that one day has these fields as well goes on to be judged.
    """
    has_its_fields = "model" in given and "permission_mode" in given
    return has_its_fields and set(as_mapping(given.get("tool_input"))) <= {"command"}


def _is_error(given: Mapping[str, object]) -> bool | None:
    response = given.get("tool_response")
    return response.startswith(_FAILED) if isinstance(response, str) else None


def reply(answer: Answer, request: Request) -> Reply:
    """Answer. There is never an "allow", and an ASK that comes this far is a denial, so that its reason is read."""
    told: dict[str, object] = {}
    if request.event is Event.TOOL_CALL:
        if answer.verdict in (Verdict.DENY, Verdict.ASK):
            told = _denial(answer.to_model)
    elif request.event in CARRIES and answer.to_model:
        told = {"additionalContext": answer.to_model}
    return _specific(_NAMES[request.event], told) if told else NO_REPLY


def _denial(reason: str) -> dict[str, object]:
    return {"permissionDecision": "deny", "permissionDecisionReason": reason if reason.strip() else _NO_REASON}


def _specific(event: str, told: dict[str, object]) -> Reply:
    """Write a reply that names its event; dsh passes over one that names none, or another."""
    return Reply(stdout=dumps({"hookSpecificOutput": {"hookEventName": event, **told}}))


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read, if it was a tool call; what comes from the Codex bridge is let through.

    At any other event dsh passes the reply over. Exit code 2 would throw away the person's prompt, and headless end the
    run without a word.
    """
    return Reply(stderr=f"{reason}\n") if event == CODEX_BRIDGE else _specific("PreToolUse", _denial(reason))


HOST = Host(
    name="dsh",
    title="DeepSeek Harness",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.EXACT,
    evidence="recorded",
    verified=("0.1.0-rc.8",),
    supported=("0.1.0-rc.8", "0.2.0"),
    settings_files=(
        "cordis.patch.yml",
        "cordis.yml",
    ),
    joint="__",
    injects=True,
    slips=(
        "What a shell, a terminal or a script of run_code writes by itself is seen after it ran.",
        "What a background job writes after its call returned is seen at the next call.",
        "A native plugin (cordis_define, cordis_run) can write without a tool call.",
        "Where the sandbox runner cannot start, no hook runs, and the call goes on.",
        "A hook that crashes, runs out of time or is not there lets the call through.",
    ),
)
