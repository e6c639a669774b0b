"""Read a tool call for the turn gate: which class it is of, which note it is about, what it declares."""

from __future__ import annotations

from memstile.core.gate_ids import digest
from memstile.core.gate_words import WRITES, CallClass, Classification
from memstile.core.memory_servers import (
    BASIC_MEMORY,
    CREATE_TOOL,
    ERROR_KEYS,
    FAILED_RESULTS,
    NOTE_READERS,
    READ_TARGET_KEYS,
    SERVERS,
    UNFINISHED_RESULT,
    WRITE_TARGET_KEYS,
)
from memstile.core.note_names import note_name
from memstile.core.record import NamedTuple
from memstile.core.turn_calls import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OWN_SERVER = "memstile"
CONTROL_TOOLS = ("bmpp__classify",)
"""Names that are the control tool wherever they come from; the earlier system's."""

SHELL_TOOLS = ("Bash", "bash", "shell", "Shell", "local_shell", "exec", "exec_command", "run_shell_command",
               "run_command", "run_commands", "run_in_terminal", "execute_command", "execute_bash",
               "terminal")  # fmt: skip
_COMMAND_KEYS = ("command", "cmd", "command_line", "commands")
_DECLARED = {choice.value: choice for choice in (Classification.SIMPLE, Classification.COMPLEX)}
_COMMANDS = {("memstile", "classify", word): choice for word, choice in _DECLARED.items()}


class Call(NamedTuple):
    """A tool call, read. It lives as long as the verdict: nothing here but kind, tool, digest and target is kept.

    tool: the host's name of it. server: the memory server it belongs to, "" for a call on the files of a vault.
    arguments: of a write, any JSON value. task: what a control call declares. is_create: it makes a note.
    is_overwrite: it replaces one. target: the note that is read or replaced, as core/note_names.py names it. digest:
    of the arguments, "" where they are no object, or the turn has no use for it. is_known: false for a tool of a
    memory server that is in no table.
    """

    kind: CallClass
    tool: str = ""
    server: str = ""
    arguments: object = None
    task: Classification | None = None
    is_create: bool = False
    is_overwrite: bool = False
    target: str = ""
    digest: str = ""
    is_known: bool = True


_FALSE = (None, False, 0, "", "false", "False", "no", "0", "off")


def classify_call(tool: str, arguments: object, servers: Sequence[str]) -> Call:
    """Read a tool call. tool: "mcp__SERVER__TOOL" for a tool of an MCP server, whatever the host calls it.

    servers: names of memory servers. Total.
    """
    server, own = _served(tool, servers)
    if own == "classify" and server == OWN_SERVER:
        return _control(tool, arguments)
    if tool in CONTROL_TOOLS or (server and own == "memstile_classify"):
        return _control(tool, arguments)
    if server in servers:
        return _memory_call(tool, own, server, arguments)
    task = _shell_task(arguments) if tool in SHELL_TOOLS else None
    return Call(CallClass.OTHER if task is None else CallClass.CONTROL, tool, task=task)


def outcome_of(is_error: bool | None, opening: str) -> Outcome:
    """Tell how a call ended. is_error: None where the host does not say; then it is no success.

    opening: how the result's text begins, "" where it is not known; some failures carry no error flag.
    """
    first, then = UNFINISHED_RESULT
    if opening.startswith(first) and then in opening:
        return Outcome.UNFINISHED
    is_told = opening.startswith(FAILED_RESULTS) or (opening[:1] == "{" and any(key in opening for key in ERROR_KEYS))
    return Outcome.DONE if is_error is False and not is_told else Outcome.FAILED


def _served(tool: str, servers: Sequence[str]) -> tuple[str, str]:
    """Split the name of a memory server's tool, or of memstile's own; a plugin's server has the plugin before it."""
    if not tool.startswith("mcp__"):
        return "", ""
    rest = tool[5:]
    first, found, own = rest.partition("__")
    if found and (first == OWN_SERVER or first in servers):
        return first, own
    for server in (OWN_SERVER, *servers):  # a plugin's, or one with "__" in its name
        if rest.startswith(f"{server}__"):
            return server, rest[len(server) + 2 :]
        if rest.startswith("plugin_"):
            head, found, own = rest.partition(f"_{server}__")
            if found and len(head) > len("plugin_"):
                return server, own
    return "", ""


def _control(tool: str, arguments: object) -> Call:
    task = arguments.get("task") if isinstance(arguments, dict) else None
    return Call(CallClass.CONTROL, tool, task=_DECLARED.get(task) if isinstance(task, str) else None)


def _shell_task(arguments: object) -> Classification | None:
    """Give what a shell call declares: its command has to be exactly the one that does so."""
    given = arguments if isinstance(arguments, dict) else {}
    values = [given[key] for key in _COMMAND_KEYS if key in given]
    command = values[0] if len(values) == 1 else None
    if isinstance(command, list):
        command = command[0] if len(command) == 1 else command
    if isinstance(command, str):
        command = command.strip(" \n").split(" ") if len(command) < 100 else None
    words = command if isinstance(command, list) else []
    return _COMMANDS.get(tuple(words)) if all(isinstance(word, str) for word in words) else None


def _target(own: str, given: Mapping[str, object], *, is_overwrite: bool) -> str:
    """Name the note where a guard will ask for it: of a call that reads one or replaces one."""
    if own in NOTE_READERS:
        return note_name(given, READ_TARGET_KEYS)
    return note_name(given, WRITE_TARGET_KEYS) if is_overwrite else ""


def _memory_call(tool: str, own: str, server: str, arguments: object) -> Call:
    kind = SERVERS.get(server, BASIC_MEMORY).get(own)
    given: Mapping[str, object] = arguments if isinstance(arguments, dict) else {}
    found = kind or CallClass.WRITE
    is_write = found in WRITES
    # The server takes "true", 1 and "yes" for true as well: what is not plainly false may replace a note.
    is_overwrite = is_write and own == CREATE_TOOL and given.get("overwrite") not in _FALSE
    target = _target(own, given, is_overwrite=is_overwrite)
    is_kept = is_write or found is CallClass.SEARCH or bool(target)
    return Call(
        found,
        tool,
        server,
        arguments if is_write else None,
        is_create=own == CREATE_TOOL and given.get("overwrite") is not True,
        is_overwrite=is_overwrite,
        target=target,
        digest=digest(arguments) if isinstance(arguments, dict) and is_kept else "",
        is_known=kind is not None,
    )
