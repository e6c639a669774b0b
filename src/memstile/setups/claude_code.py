"""Claude Code: hooks in settings.json, started without a shell. Source: docs/hosts.md, runs of 2.1.332.

The MCP server stands where `claude mcp add` of 2.1.332 put one, in the form it wrote.
"""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
from memstile.setups.json_members import Member, members_file
from memstile.setups.mcp_server import TOOLS, server_file, started
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where

WRITES = "^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$"
"""A matcher of plain names is exact; anything else is an unanchored regex. `mcp__.*` takes in plugins' servers."""

MATCHERS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "PreToolUse": WRITES,
    # What a tool nobody knows has written is seen after it ran.
    "PostToolUse": "",
    "PostToolUseFailure": "",
    "PostToolBatch": "",
    "ConfigChange": "",
}


def _folder(where: Where) -> str:
    return where.own("CLAUDE_CONFIG_DIR", ".claude")


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give settings.json with our hooks."""
    hook: dict[str, object] = {
        "type": "command",
        "command": command.program,
        "args": command.arguments(),
        "timeout": TIMEOUT_S,
    }
    if command.is_closed:
        hook["onFailure"] = "block"
    entries = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in MATCHERS.items()
    }
    return (hooks_file(f"{_folder(where)}/settings.json", entries),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give the file of MCP servers, and settings.json with leave for the server's two tools."""
    own = where.environment.get("CLAUDE_CONFIG_DIR", "")
    user = f"{own if own.startswith('/') else where.home}/.claude.json"
    entry = {"type": "stdio", **started(command), "env": {}}
    rules = [f"mcp__memstile__{tool}" for tool in TOOLS]
    leave = [Member(("permissions", "allow"), rule, is_listed=True) for rule in rules]
    return (
        server_file(f"{where.project}/.mcp.json" if where.is_project else user, entry),
        members_file(f"{_folder(where)}/settings.json", leave, tuple(f"permission {rule}" for rule in rules)),
    )


def control_notes(where: Where) -> tuple[str, ...]:
    """Say what a server of a project waits for."""
    asked = "Claude Code asks once whether to start the server of this project's .mcp.json: start `claude`, say yes"
    return (asked,) if where.is_project else ()


SETUP = Setup(
    host="claude-code",
    program="claude",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
    control=control,
    control_notes=control_notes,
)
