"""Read a tool call of a host for the turn gate: an MCP tool by its full name, a file tool by its notes."""

from __future__ import annotations

import os

from memstile.core.change import Whole
from memstile.core.gate_calls import Call, classify_call
from memstile.core.gate_ids import digest
from memstile.core.gate_words import CallClass
from memstile.core.host_vaults import host_vault
from memstile.core.memory_servers import OWN_TOOLS, permalink
from memstile.core.request import Event, Kind, Request
from memstile.core.settings import Settings
from memstile.hook_place import Place
from memstile.hook_targets import absolute, configured_indexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOTE_ENDING = ".md"
_PATH_KEYS = ("file_path", "path", "filePath", "absolute_path", "target_file", "dir_path", "directory", "folder")
_COMMAND_KEYS = ("command", "cmd", "command_line")
_LISTERS = frozenset(("LS", "ls", "list", "list_directory", "list_files"))
"""Tools that read names alone: no search."""
_MOST_PATHS = 64


def turn_call(request: Request, joint: str, place: Place, settings: Settings) -> Call:
    """Read the call. joint: of the host's names of MCP tools (hosts/host.py)."""
    servers = settings.gate_servers
    call = classify_call(full_name(request, joint, servers), request.arguments, servers)
    if call.kind is not CallClass.OTHER or not settings.gate_vault_files:
        return call
    return _write(request, place, settings) or _read(request, place, settings) or call


def full_name(request: Request, joint: str, servers: Sequence[str]) -> str:
    """Give "mcp__SERVER__TOOL" for a tool of memstile's or of a memory server, the host's own name for any other."""
    tool = request.served or request.tool
    if joint == _NAMELESS and tool.startswith(_NAMELESS):
        return _owned(tool.removeprefix(_NAMELESS), servers)
    head, between = ("mcp__", "__") if tool.startswith("mcp__") else ("", joint)
    for server in ("memstile", *servers) if between else ():
        for spelled in _spellings(server):
            start = f"{head}{spelled}{between}"
            if tool.startswith(start):
                return f"mcp__{server}__{tool[len(start) :]}"
    return tool


_NAMELESS = "MCP:"


def _owned(own: str, servers: Sequence[str]) -> str:
    """Name a tool whose server is not named: one that is called as no other server's is taken for a memory server's."""
    if own in OWN_TOOLS["memstile"]:
        return f"mcp__memstile__{own}"
    is_known = any(own in OWN_TOOLS[name] for name in OWN_TOOLS if name != "memstile")
    return f"mcp__{servers[0]}__{own}" if is_known and servers else _NAMELESS + own


def _spellings(server: str) -> tuple[str, ...]:
    """Give the ways in which hosts write a server's name: opencode keeps "-" and "_", Codex "_" alone."""
    others = ("".join(sign if sign.isalnum() or sign in kept else "_" for sign in server) for kept in ("-_", "_"))
    return tuple(dict.fromkeys((server, *others)))


def _write(request: Request, place: Place, settings: Settings) -> Call | None:
    """Read a write of a note. A call about several notes is taken for one about the first."""
    if request.kind is not Kind.WRITE:
        return None
    paths = [write for write in request.writes if write.path.lower().endswith(NOTE_ENDING)][:_MOST_PATHS]
    for write in paths:
        real = os.path.realpath(absolute(write.path, place.cwd)) if "\0" not in write.path else ""
        vault = _vault_of(os.path.dirname(real), request, settings) if real else ""
        if not vault:
            continue
        is_there, is_index = os.path.lexists(real), os.path.basename(real) == settings.index_name
        is_emptied = isinstance(write.change, Whole) and not write.change.data
        return Call(
            CallClass.DESTRUCTIVE if is_there and is_emptied else CallClass.WRITE,
            request.tool,
            arguments=request.arguments,
            is_create=not is_there,
            is_overwrite=is_there and not is_index and isinstance(write.change, Whole),
            target=_named(real, vault),
            digest=_digest(request),
        )
    return None


def _read(request: Request, place: Place, settings: Settings) -> Call | None:
    """Read a look at a note or at the index, or a search in the vault; what lists names alone is neither."""
    if not request.arguments or request.tool in _LISTERS:
        return None
    path = ""
    if request.kind is Kind.READ:
        path = next((text for key in _PATH_KEYS if isinstance(text := request.arguments.get(key), str) and text), "")
    elif request.kind is Kind.SHELL and request.event is Event.TOOL_RESULT:
        path = _shell_path(request, place)
    if not path or "\0" in path:
        return None
    real = os.path.realpath(absolute(path, place.cwd))
    is_note = real.lower().endswith(NOTE_ENDING)
    vault = _vault_of(os.path.dirname(real) if is_note else real, request, settings)
    if not vault:
        return None
    target = _named(real, vault) if is_note else ""
    return Call(CallClass.SEARCH, request.tool, target=target, digest=_digest(request))


def _shell_path(request: Request, place: Place) -> str:
    """Give the first path that a shell command has looked at and that is there; "" for a command that does more."""
    from memstile.core.shell_looks import looked_at

    command = next((text for key in _COMMAND_KEYS if isinstance(text := (request.arguments or {}).get(key), str)), "")
    return next((path for path in looked_at(command) if os.path.exists(absolute(path, place.cwd))), "")


def _digest(request: Request) -> str:
    return digest(request.arguments) if isinstance(request.arguments, dict) else ""


def _named(real: str, vault: str) -> str:
    """Name a note as core/note_names.py does; a digest stands for the vault, so that no path of the machine is kept."""
    return f"{digest(vault)[:8]}|{permalink(os.path.relpath(real, vault)[: -len(NOTE_ENDING)])}"


def _vault_of(folder: str, request: Request, settings: Settings) -> str:
    """Give the vault that a folder is or lies in, "" for none: a configured one, the host's own, or a host's place."""
    for vault in _vaults(request, settings):
        if (folder + os.sep).startswith(vault.rstrip(os.sep) + os.sep):
            return vault
    parts = folder.split(os.sep)
    heads = ("/".join(parts[:end]) for end in range(2, len(parts) + 1))
    return next((head for head in heads if host_vault(head)), "")


def _vaults(request: Request, settings: Settings) -> Iterator[str]:
    for index in configured_indexes(settings):
        yield os.path.realpath(os.path.dirname(index))
    if request.own_vault:
        yield os.path.realpath(request.own_vault)
