"""Windsurf: JSON on stdin; exit code 2 refuses, and stderr is the reason. Source: docs/hosts.md, documentation alone.

There is an event for each kind of tool, and no name of a tool but for MCP. Nothing else that a hook says is read.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.change import Substitutions, Whole
from memstile.core.json_text import loads
from memstile.core.matching import Matching
from memstile.core.own_shapes import EditKeys, EditsBy, OpaqueBy
from memstile.core.record import NamedTuple
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import own_name
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, opening_of, served_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


_EDITS = EditsBy("file_path", EditKeys("old_string", "new_string"))


def _written(info: Mapping[str, object]) -> tuple[Write, ...]:
    """Read the edits of a write.

    A single edit without old text is taken for the whole file, also where there is one: such writes are reported to
    come so. If it were put before or after what is there, as much would be in the file, or more.
    """
    writes = _EDITS.writes(info) or OpaqueBy("file_path").writes(info)  # not understood: not computed
    return tuple(_whole(write) for write in writes)


def _whole(write: Write) -> Write:
    edits = write.change.edits if isinstance(write.change, Substitutions) else ()
    is_whole = len(edits) == 1 and not edits[0].old
    return write._replace(change=Whole(edits[0].new)) if is_whole else write


WRITE, SHELL, READ, MCP = "write_code", "run_command", "read_code", "mcp_tool_use"
TOOLS = {
    WRITE: Tool(Kind.WRITE, _written),
    SHELL: Tool(Kind.SHELL),
    READ: Tool(Kind.READ),
}
_REQUIRED = {WRITE: "file_path", SHELL: "command_line", READ: "file_path", MCP: "mcp_tool_name"}


class _Row(NamedTuple):
    event: Event
    tool: str = ""


_ROWS = {
    "pre_user_prompt": _Row(Event.TURN_START),
    **{f"pre_{tool}": _Row(Event.TOOL_CALL, tool) for tool in _REQUIRED},
    **{f"post_{tool}": _Row(Event.TOOL_RESULT, tool) for tool in _REQUIRED},
}
EVENTS = {name: row.event for name, row in _ROWS.items()}

# stdout is not read, and stderr only with exit code 2: a warning has no way to anybody.
CARRIES = {Event.TOOL_CALL: frozenset((Channel.DENY,))}

_NO_REASON = "memstile refused this call"


def parse(payload: object, event: str = "") -> Request:
    """Read a payload. event: on the command line, for a payload that does not name its own."""
    given = as_mapping(payload)
    host_event = as_text(given.get("agent_action_name")) or event
    if not given or host_event not in _ROWS:
        return NOTHING._replace(host_event=host_event, missing="" if given and host_event else "agent_action_name")
    row, info = _ROWS[host_event], given.get("tool_info")
    request = Request(
        row.event,
        host_event,
        session=as_text(given.get("trajectory_id")),
        turn=as_text(given.get("execution_id")),
        cwd=as_text(as_mapping(info).get("cwd")),
    )
    if not row.tool:
        return request
    if not isinstance(info, dict):
        return request._replace(missing="tool_info")
    return _with_call(request, row.tool, info)


def _with_call(request: Request, tool: str, info: Mapping[str, object]) -> Request:
    key = _REQUIRED[tool]
    if not as_text(info.get(key)):
        return request._replace(missing=f"tool_info.{key}")
    arguments: object = info
    if tool == MCP:
        tool, arguments = as_text(info[key]), info.get("mcp_tool_arguments")
        arguments = loads(arguments) if isinstance(arguments, str) else arguments
        request = called(request, {}, tool, arguments, own_name=own_name(tool))
        served = served_by(info.get("mcp_server_name"), tool)
        request = request._replace(served=served, opening=opening_of(info.get("mcp_result")))
    else:
        request = called(request, TOOLS, tool, arguments)
    # After MCP tools and reads that failed there is no event; of the others that is not said.
    is_known = request.event is Event.TOOL_RESULT and tool not in (WRITE, SHELL)
    return request._replace(is_error=False if is_known else None)


def reply(answer: Answer, request: Request) -> Reply:
    """Answer: a refusal, or nothing."""
    if request.event is Event.TOOL_CALL and answer.verdict in (Verdict.DENY, Verdict.ASK):
        return _refused(answer.to_model)
    return NO_REPLY


def _refused(reason: str) -> Reply:
    return Reply(stderr=reason if reason.strip() else _NO_REASON, exit_code=2)


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read, unless it is known to be no tool call."""
    if EVENTS.get(event, Event.TOOL_CALL) is not Event.TOOL_CALL:
        return Reply(stderr=f"{reason}\n")
    return _refused(reason)


HOST = Host(
    name="windsurf",
    title="Windsurf",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="documented",
    verified=(),
    supported=("", ""),
    settings_files=(
        ".windsurf/hooks.json",
        ".codeium/windsurf/hooks.json",
        "windsurf/hooks.json",
        "Windsurf/hooks.json",
    ),
    slips=(
        "It was not run: what is known of it is its documentation.",
        "What a shell command writes is seen after it ran, and there is no way to tell of it.",
        "Only refusals reach the model: no warning does, and nothing at the start of a session.",
        "A write that comes as one edit without old text is taken for the whole file.",
        "A hook that crashes lets the call through; what one that runs out of time does is not documented.",
    ),
)
