"""opencode: a plugin of one JavaScript file that asks our hook. Source: docs/hosts.md, runs of 1.18.33.

So was the form of the MCP server's entry. Tools run unasked unless `permission` says otherwise, and its last rule that
fits counts: opencode.ai/docs/permissions.
"""

from __future__ import annotations

from memstile.setups.json_members import Member, members_file
from memstile.setups.mcp_server import SERVER, TOOLS, server_member
from memstile.setups.setup import Command, File, Setup, Where, own_file
from memstile.setups.shim import filled

SHIM = "opencode-memstile.js"


def _folder(where: Where) -> str:
    if where.is_project:
        return f"{where.project}/.opencode"
    return f"{where.folder('XDG_CONFIG_HOME', '.config')}/opencode"


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give the plugin's file with our command line in it."""
    text = filled(where.texts.get(SHIM, ""), command)
    return (own_file(f"{_folder(where)}/plugins/memstile.js", text, ("all tools",)),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give opencode.json with the MCP server, and leave for its two tools where `permission` is not one word."""
    folder = where.project if where.is_project else _folder(where)
    entry = {"type": "local", "command": [command.program, *command.arguments()], "enabled": True}
    names = [f"{SERVER}_{tool}" for tool in TOOLS]
    leave = [Member(("permission", name), "allow", is_optional=True) for name in names]
    lines = (f"MCP server {SERVER}", *(f"permission {name}: allow" for name in names))
    return (members_file(f"{folder}/opencode.json", (server_member(entry, "mcp"), *leave), lines),)


SETUP = Setup(
    host="opencode",
    program="opencode",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
    texts=(SHIM,),
    control=control,
)
