"""Codex CLI: JSON on stdin, JSON on stdout, exit code 0. Source: docs/hosts.md, runs of 0.171.0.

Replies are strict. A key that is not in the schema of the event's output, an "ask", an "allow" or a "deny" without a
reason is a failed hook to Codex, and the call goes on: so this file writes four keys and nothing else.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.json_text import dumps
from memstile.core.matching import Matching
from memstile.core.own_shapes import EnvelopeBy
from memstile.core.record import NamedTuple
from memstile.core.request import NOTHING, Event, Kind, Request
from memstile.core.tool_shapes import envelope_writes, text
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, mcp_tool, opening_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATCH, SHELL = "apply_patch", "Bash"

# A call nested in a script of code mode comes under its own name; the script's tool, `exec`, raises no hook.
TOOLS = {
    PATCH: Tool(Kind.WRITE, EnvelopeBy("command").writes),
    SHELL: Tool(Kind.SHELL),
}

EVENTS = {
    "SessionStart": Event.SESSION_START,
    "UserPromptSubmit": Event.TURN_START,
    "PreToolUse": Event.TOOL_CALL,
    "PostToolUse": Event.TOOL_RESULT,
    "SessionEnd": Event.SESSION_END,
}
_NAMES = {event: name for name, event in EVENTS.items()}

# systemMessage is in the schema of every output that is listed here, and was taken beside a denial and beside a
# context. `codex exec` shows it nowhere. additionalContext reached the model at all four events.
_TEXTS = frozenset((Channel.MODEL, Channel.PERSON))
CARRIES = {
    Event.SESSION_START: _TEXTS,
    Event.TURN_START: _TEXTS,
    Event.TOOL_CALL: _TEXTS | {Channel.DENY},
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
        agent=as_text(given.get("agent_id")),
        turn=as_text(given.get("turn_id")),
        call=as_text(given.get("tool_use_id")),
        cwd=as_text(given.get("cwd")),
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    missing = _missing(given)
    if missing:
        return request._replace(missing=missing)
    tool = as_text(given["tool_name"])
    request = called(request, TOOLS, tool, given["tool_input"], own_name=mcp_tool(tool))
    if tool == SHELL:
        request = _with_heredoc(request)
    if request.event is Event.TOOL_CALL:
        return request
    opening = "" if request.tool == PATCH else opening_of(given.get("tool_response"))
    return request._replace(is_error=_is_error(given, tool), opening=opening)


def _missing(given: Mapping[str, object]) -> str:
    tool = given.get("tool_name")
    if not isinstance(tool, str):
        return "tool_name"
    if "tool_input" not in given:
        return "tool_input"
    if tool == PATCH and text(as_mapping(given["tool_input"]), "command") is None:
        return "tool_input.command"
    return ""


def _is_error(given: Mapping[str, object], tool: str) -> bool | None:
    """Tell whether a call failed: no event follows one that did, but for a shell, whose `exit 3` looks like success."""
    if as_mapping(given.get("tool_response")).get("isError") is True:
        return True
    return None if tool == SHELL else False


class Heredoc(NamedTuple):
    """A patch in a shell command. folder: where its paths start from, "" for the command's own."""

    folder: str
    envelope: str


def heredoc(command: str) -> Heredoc | None:
    """Find the patch in a shell command that Codex carries out itself; no event follows such a call.

    It does so for `apply_patch <<EOF ... EOF` and `cd FOLDER && apply_patch <<EOF ... EOF`, also called `applypatch`;
    FOLDER is taken as it stands, "~" too. With anything else in the command a shell runs it, and finds no such program.
    """
    head, _, rest = command.partition("<<")
    before, joint, program = head.replace("\\\n", " ").rpartition("&&")
    begin, end = rest.find("*** Begin Patch"), rest.rfind("*** End Patch")
    if program.strip() not in (PATCH, "applypatch") or not 0 <= begin < end:
        return None
    verb, _, folder = before.strip().partition(" ")
    if joint and verb != "cd":
        return None
    return Heredoc(folder.strip().strip("'\""), rest[begin : end + len("*** End Patch")])


def _with_heredoc(request: Request) -> Request:
    found = heredoc(text(request.arguments or {}, "command") or "")
    writes = envelope_writes(found.envelope) if found else ()
    if not found or not writes:
        return request
    is_absolute = found.folder.startswith("/")
    cwd = found.folder if is_absolute else "/".join(part for part in (request.cwd, found.folder) if part)
    return request._replace(kind=Kind.WRITE, writes=writes, cwd=cwd)


def reply(answer: Answer, request: Request) -> Reply:
    """Answer. There is never an "allow", and an ASK that comes this far is a denial: Codex lets an "ask" through."""
    body: dict[str, object] = {}
    told = _told(answer, request.event)
    if told:
        body["hookSpecificOutput"] = {"hookEventName": _NAMES[request.event], **told}
    if answer.to_person:
        body["systemMessage"] = answer.to_person
    return Reply(stdout=dumps(body)) if body else NO_REPLY


def _told(answer: Answer, event: Event) -> dict[str, object]:
    if event not in CARRIES:
        return {}
    if event is Event.TOOL_CALL and answer.verdict in (Verdict.DENY, Verdict.ASK):
        return _denial(answer.to_model)
    return {"additionalContext": answer.to_model} if answer.to_model else {}


def _denial(reason: str) -> dict[str, object]:
    return {"permissionDecision": "deny", "permissionDecisionReason": reason if reason.strip() else _NO_REASON}


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read, if it was a tool call.

    At any other event Codex finds the reply invalid, reports a failed hook, and goes on; exit code 2 would throw away
    the person's prompt.
    """
    return Reply(stdout=dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **_denial(reason)}}))


HOST = Host(
    name="codex",
    title="Codex CLI",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="recorded",
    verified=("0.171.0",),
    supported=("0.171.0", "1.0.0"),
    settings_files=(
        ".codex/hooks.json",
        ".codex/config.toml",
    ),
    joint="__",
    reads_by_shell=True,
    slips=(
        "What a shell command writes is seen after it ran, unless the command is a lone apply_patch heredoc.",
        "What is typed into a program that is still running (write_stdin) raises no hook, before or after.",
        "After a failed call, and after a command that outlives its yield time, there is no event to look at.",
        "A hook that is not trusted is passed over in silence, and every write lands.",
        "A hook that crashes or runs out of time lets the call through.",
    ),
)
