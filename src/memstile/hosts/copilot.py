"""Copilot CLI: JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, runs of 1.0.102.

Two dialects, by how an event is spelled in the hooks file. In camelCase, which `memstile init` sets up, a payload does
not name its event: it stands on the command line. In PascalCase it does, and tools have Claude Code's names with the
arguments of Copilot's. A flat reply is understood in both; in camelCase a `hookSpecificOutput` is passed over, and the
call goes on. Any exit code but 0 is a denial that loses its reason.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.change import Edit, Opaque, Substitutions
from memstile.core.json_text import UNREADABLE, dumps, loads
from memstile.core.matching import Matching, encoded
from memstile.core.own_shapes import EditBy, EditKeys, editor
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import envelope, envelope_writes, own_name, text
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, opening_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_NOT_OVER_A_FILE = (Edit(b"", b""),)  # an edit that changes nothing is refused wherever there is a file


def _created(arguments: Mapping[str, object]) -> tuple[Write, ...]:
    """Read a call of `create`, which refuses a path that exists, and makes no folder."""
    path, content = text(arguments, "path"), text(arguments, "file_text")
    if not path:
        return ()
    if content is None:
        return (Write(path, Opaque("no content key is known")),)
    return (Write(path, Substitutions(_NOT_OVER_A_FILE, if_missing=encoded(content))),)


PATCH = "apply_patch"
_PATCHES = (PATCH, "Edit")
_SHELLS = ("bash", "Bash", "powershell", "write_bash", "write_powershell")
_READS = (
    "view", "Read", "grep", "Grep", "rg", "glob", "Glob", "read_bash", "list_bash", "stop_bash", "web_fetch",
    "WebFetch", "fetch_copilot_cli_documentation", "read_agent", "list_agents", "skill",
)  # fmt: skip
TOOLS = {
    **dict.fromkeys(("create", "Write"), Tool(Kind.WRITE, _created)),
    **dict.fromkeys(("edit", "Edit"), Tool(Kind.WRITE, EditBy("path", EditKeys("old_str", "new_str")).writes)),
    PATCH: Tool(Kind.WRITE, envelope),  # offered to some models in the place of the others
    "str_replace_editor": Tool(Kind.WRITE, editor),
    **dict.fromkeys(("task", "write_agent"), Tool(Kind.OTHER)),  # a subagent's calls come as its own
    **dict.fromkeys(_SHELLS, Tool(Kind.SHELL)),
    **dict.fromkeys(_READS, Tool(Kind.READ)),
}

EVENTS = {
    **dict.fromkeys(("sessionStart", "SessionStart"), Event.SESSION_START),
    **dict.fromkeys(("userPromptSubmitted", "UserPromptSubmit"), Event.TURN_START),
    **dict.fromkeys(("preToolUse", "PreToolUse"), Event.TOOL_CALL),
    **dict.fromkeys(("postToolUse", "PostToolUse"), Event.TOOL_RESULT),
    **dict.fromkeys(("postToolUseFailure", "PostToolUseFailure"), Event.TOOL_RESULT),
    **dict.fromkeys(("sessionEnd", "SessionEnd"), Event.SESSION_END),
}
_FAILURES = ("postToolUseFailure", "PostToolUseFailure")

# additionalContext reached the model at each of these, in both dialects; nothing is shown to the person alone.
# An "ask" was denied without its reason in a headless run, and no other kind of run was seen.
_MODEL = frozenset((Channel.MODEL,))
CARRIES = {
    Event.SESSION_START: _MODEL,
    Event.TURN_START: _MODEL,
    Event.TOOL_CALL: _MODEL | {Channel.DENY},
    Event.TOOL_RESULT: _MODEL,
}

_NO_REASON = "memstile refused this call"


def parse(payload: object, event: str = "") -> Request:
    """Read a payload. event: on the command line, for a payload that does not name its own."""
    given = as_mapping(payload)
    host_event = as_text(given.get("hook_event_name")) or as_text(given.get("hookName")) or event
    if not given or host_event not in EVENTS:
        return NOTHING._replace(host_event=host_event, missing="" if given and host_event else "hook_event_name")
    request = Request(
        EVENTS[host_event],
        host_event,
        session=as_text(given.get("sessionId", given.get("session_id"))),
        agent=as_text(given.get("agentId", given.get("agent_id"))),
        cwd=as_text(given.get("cwd")),
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    request = _with_call(request, given)
    if request.event is Event.TOOL_CALL:
        return request
    result = given.get("toolResult", given.get("tool_result"))
    opening = "" if request.tool in TOOLS else opening_of(result)
    return request._replace(is_error=_is_error(request, given), opening=opening)


def _with_call(request: Request, given: Mapping[str, object]) -> Request:
    tool, arguments = given.get("toolName", given.get("tool_name")), given.get("toolArgs", given.get("tool_input"))
    if not isinstance(tool, str):
        return request._replace(missing="toolName")
    if isinstance(arguments, str):
        decoded = loads(arguments)
        if decoded is UNREADABLE:  # a patch, as it stands
            return _with_patch(request, tool, arguments)
        arguments = decoded  # arguments as a JSON text, in older versions
    if arguments is None:
        return request._replace(tool=tool, missing="toolArgs")
    return called(request, TOOLS, tool, arguments, own_name=own_name(tool))


def _with_patch(request: Request, tool: str, arguments: str) -> Request:
    writes = envelope_writes(arguments) if tool in _PATCHES else ()
    if not writes:
        return request._replace(tool=tool, missing="toolArgs")
    return request._replace(tool=tool, kind=Kind.WRITE, writes=writes)


def _is_error(request: Request, given: Mapping[str, object]) -> bool | None:
    """Tell whether a call failed; a shell's `exit 3` counts as success."""
    if request.host_event in _FAILURES:
        return True
    row = as_mapping(given.get("toolResult", given.get("tool_result")))
    kind = row.get("resultType", row.get("result_type"))
    if not isinstance(kind, str):
        return None
    return True if kind != "success" else None if request.kind is Kind.SHELL else False


def reply(answer: Answer, request: Request) -> Reply:
    """Answer, flat. There is never an "allow"; an ASK that comes this far is a denial, so that its reason is read."""
    if request.event is Event.TOOL_CALL and answer.verdict in (Verdict.DENY, Verdict.ASK):
        return _denied(answer.to_model)
    if request.event not in CARRIES or not answer.to_model:
        return NO_REPLY
    return Reply(stdout=dumps({"additionalContext": answer.to_model}))


def _denied(reason: str) -> Reply:
    told = reason if reason.strip() else _NO_REASON
    return Reply(stdout=dumps({"permissionDecision": "deny", "permissionDecisionReason": told}))


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read, unless it is known to be no tool call."""
    if EVENTS.get(event, Event.TOOL_CALL) is not Event.TOOL_CALL:
        return Reply(stderr=f"{reason}\n")
    return _denied(reason)


HOST = Host(
    name="copilot",
    title="Copilot CLI",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="recorded",
    verified=("1.0.102",),
    supported=("1.0.102", "2.0.0"),
    settings_files=(
        ".copilot/hooks/*",
        ".copilot/settings.json",
        ".copilot/config.json",
        ".github/hooks/*",
    ),
    joint="-",
    slips=(
        "What a shell command writes is seen after it ran.",
        "An edit whose old text is not there as it stands is matched loosely by Copilot CLI, and is not computed.",
        "Hooks of a project run in a trusted folder alone, and `disableAllHooks` switches all hooks off.",
        "A hook that runs out of time lets the call through; one that crashes refuses it.",
    ),
)
