"""opencode: a plugin of ours asks this hook, and does what the reply says. Source: docs/hosts.md, runs of 1.18.33.

A payload is what opencode gave the plugin, with the plugin's own fields beside it:

    {"hook": "session.start" | "chat.message" | "before" | "after", "cwd": FOLDER, "turn": ID,
     "input": {...}, "output": {...}}

A reply is for the plugin: {"deny": REASON}, {"context": TEXT}, or nothing. The plugin lies in examples/hosts/.
"""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.change import Substitutions, Whole, apply
from memstile.core.json_text import dumps
from memstile.core.matching import Matching
from memstile.core.own_shapes import EditBy, EditKeys, EditsBy, EnvelopeBy, WholeBy
from memstile.core.request import NOTHING, Event, Kind, Request, Write
from memstile.core.tool_shapes import own_name
from memstile.core.verdict import Verdict
from memstile.hosts.host import NO_REPLY, Host, Reply, Tool, as_mapping, as_text, called, opening_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_READS = (
    "read", "grep", "glob", "list", "ls", "webfetch", "websearch", "codesearch", "lsp", "skill", "question",
    "todoread", "todowrite", "invalid",
)  # fmt: skip
_EDIT = EditKeys("oldString", "newString", "replaceAll")
_ONE, _SEVERAL = EditBy("filePath", _EDIT), EditsBy("filePath", _EDIT)


def _edited(shape: EditBy | EditsBy, arguments: Mapping[str, object]) -> tuple[Write, ...]:
    return tuple(_whole(write) for write in shape.writes(arguments))


def _whole(write: Write) -> Write:
    """Take an edit without old text for the whole file, as opencode does also where there is one."""
    edits = write.change.edits if isinstance(write.change, Substitutions) else ()
    after = next(
        (number for number in range(len(edits), 0, -1) if not edits[number - 1].old and edits[number - 1].new), 0
    )
    if not after:
        return write
    applied = apply(Substitutions(edits[after:]), edits[after - 1].new, matching=Matching.LOOSE)
    # Each edit is written before the next one is tried.
    return write._replace(change=Whole(edits[after - 1].new if applied.data is None else applied.data))


TOOLS = {
    "write": Tool(Kind.WRITE, WholeBy("filePath", "content").writes),
    "edit": Tool(Kind.WRITE, lambda arguments: _edited(_ONE, arguments)),
    "multiedit": Tool(Kind.WRITE, lambda arguments: _edited(_SEVERAL, arguments)),
    "apply_patch": Tool(Kind.WRITE, EnvelopeBy("patchText").writes),  # offered to some models in place of the others
    "patch": Tool(Kind.WRITE, EnvelopeBy("patchText").writes),
    "bash": Tool(Kind.SHELL),
    "task": Tool(Kind.OTHER),  # a subagent's calls come as its own
    **dict.fromkeys(_READS, Tool(Kind.READ)),  # "invalid" stands for a tool that there is not
}

EVENTS = {
    "session.start": Event.SESSION_START,
    "chat.message": Event.TURN_START,
    "before": Event.TOOL_CALL,
    "after": Event.TOOL_RESULT,
}

_MODEL = frozenset((Channel.MODEL,))
CARRIES = {
    Event.SESSION_START: _MODEL,
    Event.TURN_START: _MODEL,
    Event.TOOL_CALL: frozenset((Channel.DENY,)),
    Event.TOOL_RESULT: _MODEL,
}


def parse(payload: object, event: str = "") -> Request:
    """Read a payload of the plugin. event: on the command line, for a payload that does not name its own."""
    given = as_mapping(payload)
    host_event = as_text(given.get("hook")) or event
    if not given or host_event not in EVENTS:
        return NOTHING._replace(host_event=host_event, missing="" if given and host_event else "hook")
    asked, output = as_mapping(given.get("input")), as_mapping(given.get("output"))
    message = as_mapping(output.get("message"))
    request = Request(
        EVENTS[host_event],
        host_event,
        session=as_text(asked.get("sessionID")),
        turn=as_text(message.get("id")) or as_text(given.get("turn")),
        call=as_text(asked.get("callID")),
        cwd=as_text(given.get("cwd")),
    )
    if request.event not in (Event.TOOL_CALL, Event.TOOL_RESULT):
        return request
    tool, holder = asked.get("tool"), output if request.event is Event.TOOL_CALL else asked
    if not isinstance(tool, str) or "args" not in holder:
        return request._replace(missing="args" if isinstance(tool, str) else "input.tool")
    request = called(request, TOOLS, tool, holder["args"], own_name="" if tool in TOOLS else own_name(tool))
    if request.event is Event.TOOL_CALL:
        return request
    opening = "" if request.tool in TOOLS else opening_of(output)
    return request._replace(is_error=_is_error(output), opening=opening)


def _is_error(output: Mapping[str, object]) -> bool:
    """Tell whether a call failed; the plugin is not told of one that did, but for a shell's exit code."""
    code = as_mapping(output.get("metadata")).get("exit")
    return output.get("isError") is True or (isinstance(code, int) and code != 0)


def reply(answer: Answer, request: Request) -> Reply:
    """Answer the plugin."""
    if request.event is Event.TOOL_CALL:
        if answer.verdict in (Verdict.DENY, Verdict.ASK):
            return _denied(answer.to_model)
    elif request.event in CARRIES and answer.to_model:
        return Reply(stdout=dumps({"context": answer.to_model}))
    return NO_REPLY


def refuse(reason: str, event: str) -> Reply:
    """Refuse a payload that could not be read. The plugin passes it over where there is nothing to refuse."""
    return _denied(reason)


def _denied(reason: str) -> Reply:
    return Reply(stdout=dumps({"deny": reason or "memstile refused this call"}))


HOST = Host(
    name="opencode",
    title="opencode",
    parse=parse,
    reply=reply,
    refuse=refuse,
    carries=CARRIES,
    matching=Matching.LOOSE,
    evidence="recorded",
    verified=("1.18.33",),
    supported=("1.18.33", "2.0.0"),
    settings_files=(
        ".opencode/plugins/*",
        "opencode/plugins/*",
        "opencode.json",
        "opencode.jsonc",
    ),
    joint="_",
    slips=(
        "What a shell command writes is seen after it ran.",
        "An edit whose old text is not there as it stands is matched loosely by opencode, and is not computed.",
        "After a call that failed there is no event to look at.",
        "A plugin that fails to load is dropped without a word, and every write lands.",
    ),
)
