"""Cursor: hooks in hooks.json. Source: docs/hosts.md, from its documentation; not run."""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
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
)
