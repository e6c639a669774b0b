"""What a host is: how its payloads are read, how it is answered, what it can carry, and what slips past it."""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.matching import Matching
from memstile.core.record import NamedTuple
from memstile.core.request import Event, Kind, Request
from memstile.core.tool_shapes import READ_TOOLS, WRITE_TOOLS, naming, own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstile.core.tool_shapes import Shape


class Reply(NamedTuple):
    """What a hook's process leaves behind: its output, its error output, its exit code."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


NO_REPLY = Reply()


class Tool(NamedTuple):
    """How a tool of a host is to be read. shape: the files it would write; None where it writes none that is known."""

    kind: Kind
    shape: Shape | None = None


class Host(NamedTuple):
    """One row of the table of hosts. Everything that is not a function is shown in docs/hosts.md.

    parse: (payload as decoded JSON, event from the command line) to a request; total. reply: (answer, request) to what
    the process leaves behind; the answer has been fitted to `carries`. refuse: (reason, event from the command line)
    to a refusal for a payload that could not be read, for `on_error = "closed"`.
    evidence: "recorded" from the real client, or "documented" by its vendor. verified: versions that were run.
    supported: (first version, first that is not), "" where there is no such end.
    settings_files: endings of the paths of the host's own hook settings, "/" between parts, "*" for any one name.
    slips: what no hook of this host can see, one sentence each. takes_text: a payload may be a bare patch envelope.
    answers_all: `reply` is asked even where there is nothing to say.
    joint: what stands between server and tool in the name of an MCP tool, "" where the payload says which server it
    is, and "MCP:" before a name that does not. tells_batches: there is an event when all calls of one answer of the
    model have run. injects: TURN_START comes for texts that are no new turn as well, and a turn's id, where there
    is one, is what counts. gates: the turn gate may refuse here; false where a refusal ends the run and its reason
    is lost. reads_by_shell: it has no tool that reads but its shell. tells_looks_before: each read raises an event
    before it, so that a result without one is of no turn.
    """

    name: str
    title: str
    parse: Callable[[object, str], Request]
    reply: Callable[[Answer, Request], Reply]
    refuse: Callable[[str, str], Reply]
    carries: Mapping[Event, frozenset[Channel]]
    matching: Matching
    evidence: str
    verified: tuple[str, ...]
    supported: tuple[str, str]
    settings_files: tuple[str, ...]
    slips: tuple[str, ...]
    takes_text: bool = False
    answers_all: bool = False
    joint: str = ""
    tells_batches: bool = False
    injects: bool = False
    gates: bool = True
    reads_by_shell: bool = False
    tells_looks_before: bool = False


def as_mapping(value: object) -> Mapping[str, object]:
    """Give an object of a payload, an empty one where it is anything else."""
    return value if isinstance(value, dict) else {}


def as_text(value: object) -> str:
    """Give a text of a payload, "" where it is anything else."""
    return value if isinstance(value, str) else ""


def mcp_tool(tool: str) -> str:
    """Give the own name of a tool called "mcp__SERVER__TOOL", "" for any other.

    TOOL may begin with the server's name again: "mcp__mcp-obsidian__obsidian_append_content" is "append_content".
    """
    return own_name(tool) or tool.rpartition("__")[2] if tool.startswith("mcp__") else ""


def served_by(server: object, tool: str) -> str:
    """Give the full name of a tool of an MCP server, "" where the server or the tool is not named."""
    return f"mcp__{server}__{tool}" if isinstance(server, str) and server and tool else ""


_MOST_OPENING = 200
_TEXT_ROW = ('[{"type":"text","text":"', '[{"type": "text", "text": "')
_WRAPPERS = (
    "<untrusted_context>\n",
    *(f'{{"result":{blank}{inner}' for blank in ("", " ") for inner in ('"', *_TEXT_ROW)),
    *_TEXT_ROW,
)
_TEXT_KEYS = ("text", "content", "llmContent", "textResultForLlm", "text_result_for_llm", "output", "result")


def opening_of(result: object) -> str:
    """Give how the text of a result begins, "" where there is none. Total.

    result: whatever the host wraps it in. {"result": TEXT} is what a server's library makes of a plain text.
    """
    for _ in range(8):
        if isinstance(result, str):
            text = result[: 4 * _MOST_OPENING].lstrip()
            for wrapper in _WRAPPERS:
                if text.startswith(wrapper):
                    text = text.removeprefix(wrapper).replace('\\"', '"').replace("\\n", "\n").lstrip()
            return text[:_MOST_OPENING]
        if isinstance(result, list):
            result = next((row for row in result if row), None)
        elif isinstance(result, dict):
            result = next((result[key] for key in _TEXT_KEYS if result.get(key)), None)
    return ""


def called(request: Request, tools: Mapping[str, Tool], tool: str, arguments: object, *, own_name: str = "") -> Request:
    """Add a tool call to a request: what kind of tool it is, and the files that it would write.

    tools: the host's own. own_name: an MCP tool's name without that of its server, "" for a tool of the host. A tool
    that is in no table is OTHER, and the files it names are told as written in a way that is not known.
    """
    given = as_mapping(arguments)
    row = tools.get(tool) or _served(own_name or tool)
    return request._replace(
        tool=tool,
        kind=row.kind,
        arguments=given if isinstance(arguments, dict) else None,
        writes=row.shape(given) if row.shape else (),
    )


def _served(name: str) -> Tool:
    if name in READ_TOOLS:
        return Tool(Kind.READ)
    shape = WRITE_TOOLS.get(name)
    return Tool(Kind.WRITE, shape) if shape else Tool(Kind.OTHER, naming)
