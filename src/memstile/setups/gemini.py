"""Gemini CLI: hooks in settings.json, which may hold comments. Source: docs/hosts.md, runs of 0.61.0.

So was the form of the MCP server's entry, with `trust`; that this runs the tools of that one server unasked is from
Gemini CLI's documentation, "MCP servers". `includeTools` holds it to the two that memstile has.
"""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
from memstile.setups.mcp_server import TOOLS, server_file, started
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where

MATCHERS = {
    "SessionStart": "",
    "BeforeAgent": "",
    "BeforeTool": "^(write_file|replace|run_shell_command|mcp_.*)$",
    "AfterTool": "",
}


def _folder(where: Where) -> str:
    return f"{where.project if where.is_project else where.home}/.gemini"


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give settings.json with our hooks. A name makes them show, and be switched, by it."""
    hook = {
        "type": "command",
        "name": "memstile",
        "command": command.closing_line(),
        "timeout": TIMEOUT_S * 1000,  # milliseconds here, seconds everywhere else
    }
    entries = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in MATCHERS.items()
    }
    return (hooks_file(f"{_folder(where)}/settings.json", entries),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give settings.json with the MCP server."""
    entry = {**started(command), "trust": True, "includeTools": list(TOOLS)}
    return (server_file(f"{_folder(where)}/settings.json", entry, f"trust for its {' and '.join(TOOLS)}"),)


def notes(where: Where) -> tuple[str, ...]:
    """Say what hooks wait for, and what keeps a vault from being read."""
    return (
        "Gemini CLI takes up no hook, not even yours, in a folder that is not trusted: start `gemini` there, trust it",
        "its read_file reads nothing that git ignores, so no vault either that is ignored, unless settings.json has "
        '"context": {"fileFiltering": {"respectGitIgnore": false}}',
    )


SETUP = Setup(
    host="gemini",
    program="gemini",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
    notes=notes,
    control=control,
)
