"""Windsurf: hooks in hooks.json, an event a kind of tool. Source: docs/hosts.md, from its documentation; not run."""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
from memstile.setups.mcp_server import NOT_HERE, server_file, started
from memstile.setups.setup import Command, File, Setup, Where

EVENTS = (
    "pre_user_prompt",
    "pre_write_code",
    "pre_run_command",
    "pre_mcp_tool_use",
    "post_read_code",  # a look at notes counts for the turn gate
    "post_write_code",
    "post_run_command",
    "post_mcp_tool_use",
)


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give hooks.json with our hooks. No matcher and no time limit is documented."""
    folder = f"{where.project}/.windsurf" if where.is_project else f"{where.home}/.codeium/windsurf"
    entries = {event: [{"command": command.closing_line(), "show_output": True}] for event in EVENTS}
    return (hooks_file(f"{folder}/hooks.json", entries),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give the file of MCP servers; a project has none of its own."""
    path = f"{where.home}/.codeium/windsurf/mcp_config.json"
    return () if where.is_project else (server_file(path, started(command)),)


def control_notes(where: Where) -> tuple[str, ...]:
    """Say what no setting is documented for."""
    asked = "no setting is documented by which Windsurf runs `classify` without asking"
    return (NOT_HERE,) if where.is_project else (asked,)


SETUP = Setup(
    host="windsurf",
    program="",  # an editor: nothing on PATH tells its version
    files=files,
    skill=lambda where: "",
    control=control,
    control_notes=control_notes,
)
