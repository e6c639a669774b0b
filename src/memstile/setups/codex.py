"""Codex CLI: hooks in hooks.json, beside what config.toml holds. Source: docs/hosts.md, runs of 0.171.0.

The MCP server stands in config.toml. That tools.TOOL.approval_mode = "approve" runs a tool unasked is from Codex's own
docs/config.md; 0.171.0 read the key, and refused a value that is none of its own.
"""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
from memstile.setups.mcp_server import SERVER, TOOLS
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where
from memstile.setups.toml_block import Tables, block_file

MATCHERS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "PreToolUse": "^(apply_patch|Edit|Write|Bash|mcp__.*)$",
    "PostToolUse": "",
}


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give hooks.json with our hooks."""
    hook = {"type": "command", "command": command.closing_line(), "timeout": TIMEOUT_S}
    entries = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in MATCHERS.items()
    }
    return (hooks_file(f"{where.own('CODEX_HOME', '.codex')}/hooks.json", entries),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give config.toml with the MCP server at its end, and leave for its two tools."""
    owned = ("mcp_servers", SERVER)
    table = ".".join(owned)
    leave: Tables = {f"{table}.tools.{tool}": {"approval_mode": "approve"} for tool in TOOLS}
    tables: Tables = {table: {"command": command.program, "args": command.arguments()}, **leave}
    lines = (f"MCP server {SERVER}", *(f"approval_mode of {tool}: approve" for tool in TOOLS))
    return (block_file(f"{where.own('CODEX_HOME', '.codex')}/config.toml", owned, tables, lines),)


def notes(where: Where) -> tuple[str, ...]:
    """Say that Codex passes over a hook, without a word, until a person has trusted it."""
    project = ("and trust the project: Codex reads .codex/ of trusted projects only",) if where.is_project else ()
    return (
        "Codex runs none of these hooks until you trust them: start `codex`, type /hooks, look, and trust them",
        *project,
        "a change of the command line, as by another `memstile init`, asks for that again",
    )


SETUP = Setup(
    host="codex",
    program="codex",
    files=files,
    # Codex looks for skills in .agents/skills: its page "Agent Skills", developers' documentation.
    skill=lambda where: f"{where.project if where.is_project else where.home}/.agents/skills/memstile/SKILL.md",
    notes=notes,
    control=control,
)
