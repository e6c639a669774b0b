"""Gemini CLI: JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, runs of 0.61.0 and its package.

An "ask" is never sent: a headless run waits on it until it is killed.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.json_text import dumps
from memstile.core.matching import Matching
from memstile.core.own_shapes import EditBy, EditKeys, WholeBy
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import own_name
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, opening_of, served_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SHELL = "run_shell_command"
_READS = (
    "read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content", "web_fetch",
    "google_web_search", "get_internal_docs", "read_mcp_resource", "list_mcp_resources",
)  # fmt: skip
_ELSEWHERE = ("write_todos", "activate_skill", "ask_user", "update_topic", "complete_task")
_SEARCHING = "replace"  # finds "MEMORY.md" in vault/ too, if there is none where the path leads
_EDIT = EditKeys("old_string", "new_string", "allow_multiple")
TOOLS = {
    "write_file": Tool(Kind.WRITE, WholeBy("file_path", "content").writes),
    _SEARCHING: Tool(Kind.WRITE, EditBy("file_path", _EDIT).writes),  # allow_multiple: wherever it stands
    SHELL: Tool(Kind.SHELL),
    "invoke_agent": Tool(Kind.OTHER),  # a subagent's calls come as its own
    **dict.fromkeys(_READS, Tool(Kind.READ)),
    **dict.fromkeys(_ELSEWHERE, Tool(Kind.OTHER)),
}

EVENTS = {
    "SessionStart": Event.SESSION_START,
    "BeforeAgent": Event.TURN_START,
    "BeforeTool": Event.TOOL_CALL,
    "AfterTool": Event.TOOL_RESULT,  # of a call that failed as well; there is none of one that was denied
    "SessionEnd": Event.SESSION_END,
}
_NAMES = {event: name for name, event in EVENTS.items()}

# additionalContext reached the model at the three events with MODEL, with "<" and ">" written as entities, and not at
# BeforeTool. systemMessage is shown to the person at each: in the interface, headless on stderr.
_TEXTS = frozenset((Channel.MODEL, Channel.PERSON))
CARRIES = {
    Event.SESSION_START: _TEXTS,
    Event.TURN_START: _TEXTS,
    Event.TOOL_CALL: frozenset((Channel.DENY, Channel.PERSON)),
    Event.TOOL_RESULT: _TEXTS,
}

_NO_REASON = "memstile refused this call"


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
        cwd=as_text(given.get("cwd")),
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    tool = given.get("tool_name")
    if not isinstance(tool, str) or "tool_input" not in given:
        return request._replace(missing="tool_input" if isinstance(tool, str) else "tool_name")
    context = as_mapping(given.get("mcp_context"))
    served = as_text(context.get("tool_name"))
    request = called(request, TOOLS, tool, given["tool_input"], own_name=own_name(served) or served or own_name(tool))
    request = request._replace(served=served_by(context.get("server_name"), served))
    if tool in TOOLS:
        writes = tuple(spelled for write in request.writes for spelled in _spellings(write))
        request = request._replace(writes=writes, is_searched=tool == _SEARCHING)
    if request.event is Event.TOOL_CALL:
        return request
    opening = "" if request.tool in TOOLS else opening_of(given.get("tool_response"))
    return request._replace(is_error=_is_error(given, tool), opening=opening)


def _spellings(write: Write) -> Iterator[Write]:
    """Give the files that a path may mean to Gemini: it drops NULs, and an "@" before a path that is not there."""
    path = write.path.replace("\0", "")
    bare = path[1:].lstrip("/\\") if path.startswith("@") else ""
    return (write._replace(path=spelling) for spelling in (path, bare) if spelling)


def _is_error(given: Mapping[str, object], tool: str) -> bool | None:
    """Tell whether a call failed; a shell's exit code stands in its output alone, among what the command printed."""
    response = given.get("tool_response")
    if not isinstance(response, dict):
        return None
    if response.get("error"):
        return True
    return None if tool == SHELL else False


def reply(answer: Answer, request: Request) -> Reply:
    """Answer. There is never an "allow", and an ASK that comes this far is a denial."""
    body: dict[str, object] = {}
    if request.event is Event.TOOL_CALL:
        if answer.verdict in (Verdict.DENY, Verdict.ASK):
            body = _denial(answer.to_model)
    elif request.event in CARRIES and answer.to_model:
        told = {"hookEventName": _NAMES[request.event], "additionalContext": answer.to_model}
        body = {"hookSpecificOutput": told}
    if answer.to_person:
        body["systemMessage"] = answer.to_person
    return Reply(stdout=dumps(body)) if body else NO_REPLY


def _denial(reason: str) -> dict[str, object]:
    return {"decision": "deny", "reason": reason if reason.strip() else _NO_REASON}


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read, unless it is known to be no tool call.

    At BeforeAgent a "deny" throws the person's prompt away, and at AfterTool it hides what a call gave that has run.
    """
    if EVENTS.get(event, Event.TOOL_CALL) is not Event.TOOL_CALL:
        return Reply(stderr=f"{reason}\n")
    return Reply(stdout=dumps(_denial(reason)))


HOST = Host(
    name="gemini",
    title="Gemini CLI",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="recorded",
    verified=("0.61.0",),
    supported=("0.61.0", "1.0.0"),
    settings_files=(
        ".gemini/settings.json",
        "gemini-cli/settings.json",
        "GeminiCli/settings.json",
        ".gemini/extensions/*/hooks/hooks.json",
    ),
    slips=(
        "What a shell command writes is seen after it ran.",
        "An edit whose old text is not there as it stands is matched loosely by Gemini CLI, and is not computed.",
        "A relative path that `replace` does not find is looked for below the project by its end; where that ends at a "
        "vault that is not configured, the edit is seen after it ran.",
        "In an index with CRLF a file written anew gets CRLF too, one byte a line that is not counted before.",
        "With `tools.disableLLMCorrection` off, a model of its own repairs edits that fail, after the hook.",
        "Hooks of a project run in a trusted folder alone, and `hooksConfig` switches hooks off.",
        "A hook that crashes or runs out of time lets the call through.",
    ),
)
