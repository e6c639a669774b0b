"""Claude Code: hooks in settings.json, started without a shell. Source: docs/hosts.md, runs of 2.1.332."""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
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


SETUP = Setup(
    host="claude-code",
    program="claude",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
)
