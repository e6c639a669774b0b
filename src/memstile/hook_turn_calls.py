"""Read a tool call of a host for the turn gate: an MCP tool by its full name, else a file tool."""

from __future__ import annotations

from memstile.core.gate_calls import Call, classify_call
from memstile.core.gate_words import CallClass
from memstile.core.memory_servers import OWN_TOOLS
from memstile.core.request import Request
from memstile.core.settings import Settings
from memstile.hook_note_calls import note_call
from memstile.hook_place import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstile.hosts.host import Host


def turn_call(request: Request, host: Host, place: Place, settings: Settings) -> Call:
    """Read the call: what it is to the memory, OTHER for nothing."""
    servers = settings.gate_servers
    call = classify_call(full_name(request, host.joint, servers), request.arguments, servers)
    if call.kind is not CallClass.OTHER or not settings.gate_vault_files:
        return call
    return note_call(request, place, settings, by_shell=host.reads_by_shell) or call


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
