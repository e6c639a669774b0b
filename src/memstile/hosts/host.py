"""What a host is: how its payloads are read, how it is answered, what it can carry, and what slips past it."""

from __future__ import annotations

from memstile.core.answer import Answer, Channel
from memstile.core.matching import Matching
from memstile.core.record import NamedTuple
from memstile.core.request import Event, Kind, Request
from memstile.core.tool_shapes import WRITE_TOOLS, naming

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


def as_mapping(value: object) -> Mapping[str, object]:
    """Give an object of a payload, an empty one where it is anything else."""
    return value if isinstance(value, dict) else {}


def as_text(value: object) -> str:
    """Give a text of a payload, "" where it is anything else."""
    return value if isinstance(value, str) else ""


def called(request: Request, tools: Mapping[str, Tool], tool: str, arguments: object, *, own_name: str = "") -> Request:
    """Add a tool call to a request: what kind of tool it is, and the files that it would write.

    tools: the host's own. own_name: an MCP tool's name without that of its server, "" for a tool of the host. A tool
    that is in no table is OTHER, and the files it names are told as written in a way that is not known.
    """
    given = as_mapping(arguments)
    shape = WRITE_TOOLS.get(own_name or tool)
    row = tools.get(tool) or (Tool(Kind.WRITE, shape) if shape else Tool(Kind.OTHER, naming))
    return request._replace(
        tool=tool,
        kind=row.kind,
        arguments=given if isinstance(arguments, dict) else None,
        writes=row.shape(given) if row.shape else (),
    )
