"""What a host tells a hook, in one form for all hosts: an event, and for a tool call the files it would write."""

from __future__ import annotations

from memstile.core.change import Change
from memstile.core.choice import Enum
from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Event(Enum):
    """What happened in the agent's session. OTHER: nothing memstile has to do with."""

    SESSION_START = "session_start"
    TURN_START = "turn_start"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    BATCH_END = "batch_end"
    SESSION_END = "session_end"
    SETTINGS_CHANGE = "settings_change"
    OTHER = "other"


class Kind(Enum):
    """What a tool does with files.

    READ is never refused. WRITE: its files and their content are known, or at least that it writes them. SHELL and
    OTHER may write anything: they are never refused, and what they did is looked at afterwards.
    """

    READ = "read"
    WRITE = "write"
    SHELL = "shell"
    OTHER = "other"


class Write(NamedTuple):
    """One file that a tool call would change. path: as the payload spells it, relative to the request's cwd."""

    path: str
    change: Change


class Request(NamedTuple):
    """One payload, read.

    host_event: the event's name in the host's words. turn, call, agent: "" where the host has no such id. cwd: the
    folder relative paths start from, "" where the payload names none. served: "mcp__SERVER__TOOL" where the payload
    says that a tool is of an MCP server, "" where only its name may. arguments: of the tool call, None where they
    are no object. is_error: of a result, None where the host does not say. opening: how the text of an MCP tool's
    result begins; it is looked at and never kept. settings_file: what a SETTINGS_CHANGE is about. own_vault: the
    folder where the host keeps its own vault for this session, "" where it has none or does not say. is_searched:
    the host looks for a relative path that leads nowhere by its ending. missing: a field that this host promises
    and this payload lacks: a surface mismatch. tells_batches: a SESSION_START says that the end of each batch will
    be told.
    """

    event: Event
    host_event: str = ""
    session: str = ""
    agent: str = ""
    turn: str = ""
    call: str = ""
    cwd: str = ""
    tool: str = ""
    served: str = ""
    kind: Kind = Kind.OTHER
    writes: tuple[Write, ...] = ()
    arguments: Mapping[str, object] | None = None
    is_error: bool | None = None
    opening: str = ""
    settings_file: str = ""
    own_vault: str = ""
    is_searched: bool = False
    missing: str = ""
    tells_batches: bool = False


NOTHING = Request(Event.OTHER)
"""A payload that is none of memstile's business."""
