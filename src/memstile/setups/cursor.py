"""Cursor: hooks in hooks.json. Source: docs/hosts.md, from its documentation; not run.

So are mcp.json and the permission tokens of its CLI ("Permissions", cursor.com/docs/cli). The editor's own list is left
alone: `mcpAllowlist` of permissions.json would take the place of what a person allowed in the editor.
"""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
from memstile.setups.json_members import Member, members_file
from memstile.setups.mcp_server import TOOLS, server_file, started
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where

MATCHERS = {
    "sessionStart": "",
    "beforeSubmitPrompt": "",
    "preToolUse": "Write|StrReplace|ApplyPatch|Delete|Shell|MCP:.*",
    "postToolUse": "",
    "postToolUseFailure": "",
}


def _folder(where: Where) -> str:
    return f"{where.project if where.is_project else where.home}/.cursor"


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give hooks.json with our hooks."""
    closing = {"failClosed": True} if command.is_closed else {}
    entries = {
        event: [
            {
                "command": command.line(),
                **({"matcher": matcher} if matcher else {}),
                "timeout": TIMEOUT_S,
                **(closing if event == "preToolUse" else {}),
            }
        ]
        for event, matcher in MATCHERS.items()
    }
    return (hooks_file(f"{_folder(where)}/hooks.json", entries, {"version": 1}),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give mcp.json, and the CLI's settings with leave for the server's two tools."""
    rules = [f"Mcp(memstile:{tool})" for tool in TOOLS]
    leave = [Member(("permissions", "allow"), rule, is_listed=True) for rule in rules]
    settings = "cli.json" if where.is_project else "cli-config.json"
    return (
        server_file(f"{_folder(where)}/mcp.json", started(command)),
        members_file(f"{_folder(where)}/{settings}", leave, tuple(f"permission {rule}" for rule in rules)),
    )


def control_notes(where: Where) -> tuple[str, ...]:
    """Say what is left to the person in the editor."""
    return ("in the editor, allow the tools of the MCP server memstile yourself: its list of allowed tools is its own",)


def notes(where: Where) -> tuple[str, ...]:
    """Say what else Cursor reads, and what a project's hooks wait for."""
    project = ("Cursor runs hooks of a project in a trusted workspace only",) if where.is_project else ()
    return (
        *project,
        "Cursor can also load Claude Code's hooks: have memstile in one of the two, or each call is judged twice",
    )


SETUP = Setup(
    host="cursor",
    program="cursor-agent",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
    notes=notes,
    control=control,
    control_notes=control_notes,
)
