"""Copilot CLI: a hooks file of our own, in camelCase. Source: docs/hosts.md, runs of 1.0.102.

In that dialect a payload does not name its event, so that each event has a command line of its own.
The form of the MCP server's entry was run, too. Leave for its tools is given for one folder at a time, or on the
command line: "Allowing and denying tool use", docs.github.com.
"""

from __future__ import annotations

import json

from memstile.setups.mcp_server import NOT_HERE, TOOLS, server_file, started
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where, own_file

EVENTS = ("sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure")


def _folder(where: Where) -> str:
    return f"{where.project}/.github" if where.is_project else where.folder("COPILOT_HOME", ".copilot")


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give the hooks file. There are no matchers: each tool call asks."""
    hooks = {event: [{"type": "command", "bash": command.line(event), "timeoutSec": TIMEOUT_S}] for event in EVENTS}
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    return (own_file(f"{_folder(where)}/hooks/memstile.json", text, tuple(f"{event}: all" for event in EVENTS)),)


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give the file of MCP servers. Of a project's no place is known that was run."""
    entry = {"type": "local", **started(command), "tools": list(TOOLS)}
    return () if where.is_project else (server_file(f"{_folder(where)}/mcp-config.json", entry),)


def control_notes(where: Where) -> tuple[str, ...]:
    """Say how its tools run unasked: Copilot CLI has no setting for that which holds everywhere."""
    asked = "Copilot CLI asks before `classify` runs, and refuses it headless, without --allow-tool='memstile'"
    return (NOT_HERE,) if where.is_project else (asked,)


def notes(where: Where) -> tuple[str, ...]:
    """Say what a project's hooks wait for, and what fails closed by itself."""
    project = ("Copilot CLI runs hooks of a project only in a folder that it was told to trust",)
    return (
        *(project if where.is_project else ()),
        "a hook that cannot be started refuses the tool call here, whatever on_error says",
    )


SETUP = Setup(
    host="copilot",
    program="copilot",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
    notes=notes,
    control=control,
    control_notes=control_notes,
)
