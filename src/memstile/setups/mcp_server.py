"""memstile's MCP server in a host's settings: its name, its tools, and the JSON files that most hosts have for it."""

from __future__ import annotations

from collections.abc import Mapping

from memstile.setups.json_members import Member, members_file
from memstile.setups.setup import Command, File

SERVER = "memstile"
TOOLS = ("classify", "status")
"""All that the server has: one declares what the turn is about, the other reads. Neither writes a file."""

NOT_HERE = "no place for a project's MCP servers is known here: without --project the server is registered for you"


def started(command: Command) -> dict[str, object]:
    """Give what nearly every host asks for: a program, and its arguments as a list."""
    return {"command": command.program, "args": command.arguments()}


def server_member(entry: Mapping[str, object], key: str = "mcpServers") -> Member:
    """Give the member that registers the server. key: of the object that holds a host's servers."""
    return Member((key, SERVER), entry)


def server_file(path: str, entry: Mapping[str, object], *lines: str) -> File:
    """Describe a file that registers the server below `mcpServers`. lines: what the entry allows."""
    return members_file(path, (server_member(entry),), (f"MCP server {SERVER}", *lines))
