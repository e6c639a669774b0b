"""Cline: JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, runs of the CLI 3.0.65.

For the cap alone: a refusal ends Cline's whole run, and its model is not told why. The event is named on the command
line, since a hook is a file named like its event. The extension (older, from its documentation) sends the same events
with its own tools, and has the call in `preToolUse` alone, where each value is a text.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.change import Edit, Insertion, Substitutions
from memstile.core.json_text import dumps, loads
from memstile.core.matching import Matching, encoded
from memstile.core.own_shapes import EnvelopeBy, OpaqueBy, WholeBy
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import NOT_SAID, own_name, text
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _editor(arguments: Mapping[str, object]) -> tuple[Write, ...]:
    """Read a call of `editor`.

    insert_line: text goes in before this line, counted from 1, and old_text does not count; it may be a text of digits.
    Else old_text is replaced, which has to be there once. A missing file is made of new_text, whatever old_text says;
    one that is there is not overwritten.
    """
    path, new, old = text(arguments, "path"), text(arguments, "new_text"), text(arguments, "old_text")
    line = arguments.get("insert_line")
    if not path or new is None:
        return ()
    if line is not None:
        number = int(line) if isinstance(line, str) and line.isdecimal() and len(line) < 10 else line
        if not isinstance(number, int):
            return (Write(path, NOT_SAID),)
        return (Write(path, Insertion(number - 1, encoded(new))),)
    # An empty old text is refused where the file is there, unless it is blank; that makes no difference to a size.
    edits = (Edit(encoded(old or ""), encoded(new)),)
    return (Write(path, Substitutions(edits, if_missing=encoded(new))),)


_READS = (
    "read_files", "search_codebase", "fetch_web_content", "ask_question",
    "read_file", "list_files", "search_files", "list_code_definition_names", "ask_followup_question", "web_fetch",
)  # fmt: skip
_MCP = "use_mcp_tool"
TOOLS = {
    "editor": Tool(Kind.WRITE, _editor),
    "apply_patch": Tool(Kind.WRITE, EnvelopeBy("input").writes),
    "write_to_file": Tool(Kind.WRITE, WholeBy("path", "content").writes),
    "replace_in_file": Tool(Kind.WRITE, OpaqueBy("path").writes),  # SEARCH/REPLACE blocks
    "run_commands": Tool(Kind.SHELL),
    "execute_command": Tool(Kind.SHELL),
    **dict.fromkeys(_READS, Tool(Kind.READ)),
}

EVENTS = {
    "TaskStart": Event.SESSION_START,
    "TaskResume": Event.SESSION_START,
    "UserPromptSubmit": Event.TURN_START,
    "PreToolUse": Event.TOOL_CALL,
    "PostToolUse": Event.TOOL_RESULT,
    "SessionShutdown": Event.SESSION_END,
}
_OWN_NAMES = {
    "agent_start": "TaskStart",
    "agent_resume": "TaskResume",
    "prompt_submit": "UserPromptSubmit",
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "session_shutdown": "SessionShutdown",
}
"""What the CLI calls an event in a payload; the extension uses the file's name."""

# contextModification reached the model before and after a call, and from no TaskStart.
_DENY, _MODEL = Channel.DENY, Channel.MODEL
CARRIES = {Event.TOOL_CALL: frozenset((_DENY, _MODEL)), Event.TOOL_RESULT: frozenset((_MODEL,))}

_MOST_CONTEXT = 50_000  # characters, after which Cline cuts


def parse(payload: object, event: str = "") -> Request:
    """Read a payload. event: the name of the hook's file, on the command line."""
    given = as_mapping(payload)
    named = as_text(given.get("hookName"))
    host_event = _OWN_NAMES.get(named, named) or event
    if not given or host_event not in EVENTS:
        return NOTHING._replace(host_event=host_event, missing="" if given and host_event else "hookName")
    roots = given.get("workspaceRoots")
    request = Request(
        EVENTS[host_event],
        host_event,
        session=as_text(given.get("taskId")),
        agent=as_text(given.get("agent_id")) if given.get("parent_agent_id") else "",
        cwd=as_text(roots[0]) if isinstance(roots, list) and roots else "",
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    return _with_call(request, given)


def _with_call(request: Request, given: Mapping[str, object]) -> Request:
    is_result = request.event is Event.TOOL_RESULT
    row = as_mapping(given.get("tool_result" if is_result else "tool_call"))
    older = as_mapping(given.get("postToolUse" if is_result else "preToolUse"))
    tool, arguments = row.get("name", older.get("toolName")), row.get("input", older.get("parameters"))
    if not isinstance(tool, str) or arguments is None:
        return request._replace(missing="tool_call.input" if isinstance(tool, str) else "tool_call.name")
    request = request._replace(call=as_text(row.get("id")))
    tools = TOOLS
    if tool == _MCP:
        tools = {}  # a server may call a tool as Cline calls one of its own
        served = as_mapping(arguments)
        tool, arguments = as_text(served.get("tool_name")), served.get("arguments")
        arguments = loads(arguments) if isinstance(arguments, str) else arguments
    request = called(request, tools, tool, arguments, own_name=own_name(tool))
    return request._replace(is_error=_is_error(row, older) if is_result else None)


def _is_error(row: Mapping[str, object], older: Mapping[str, object]) -> bool | None:
    """Tell whether a call failed by its output; postToolUse.success is true for a failed edit, and for exit code 3."""
    output = row.get("output")
    rows = [as_mapping(one) for one in (output if isinstance(output, list) else [output])]
    if any(one.get("success") is False or one.get("isError") is True for one in rows):
        return True
    return False if row or older.get("success") is True else None


def reply(answer: Answer, request: Request) -> Reply:
    """Answer. "cancel" ends the run; a text goes into the conversation."""
    if request.event is Event.TOOL_CALL and answer.verdict in (Verdict.DENY, Verdict.ASK):
        return _cancelled(answer.to_model)
    if request.event not in CARRIES or not answer.to_model:
        return NO_REPLY
    return Reply(stdout=dumps({"cancel": False, "contextModification": answer.to_model[:_MOST_CONTEXT]}))


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read; only what comes before a call has something to refuse."""
    return _cancelled(reason) if event in ("", "PreToolUse") else Reply(stderr=f"{reason}\n")


def _cancelled(reason: str) -> Reply:
    return Reply(stdout=dumps({"cancel": True, "errorMessage": reason or "memstile refused this call"}))


HOST = Host(
    name="cline",
    title="Cline",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.EXACT,
    evidence="recorded",
    verified=("3.0.65",),
    supported=("3.0.65", "4.0.0"),
    settings_files=(
        ".cline/hooks/*",
        ".clinerules/hooks/*",
        "Cline/Hooks/*",
    ),
    joint="__",
    gates=False,
    slips=(
        "A refusal ends the whole run, and the model is not told why: memstile keeps the cap here, and no more.",
        "What a shell command writes is seen after it ran.",
        "A hook that crashes or runs out of time lets the call through.",
        "In an index with CRLF an inserted text is counted without its carriage returns.",
        "The extension for editors was not run: what is known of it is its documentation.",
    ),
)
