"""Cline: an executable a hook, named like its event. Source: docs/hosts.md, runs of 3.0.65.

So was the form of the MCP server's entry, which the CLI reads with a `transport`, and the extension without.
"""

from __future__ import annotations

from memstile.setups.mcp_server import NOT_HERE, server_file, started
from memstile.setups.setup import Command, File, Setup, Where, own_file

EVENTS = ("TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")

_SCRIPT = """\
#!/bin/sh
# memstile judges writes to a memory vault here; `memstile uninstall cline` takes this file away.
exec {line}
"""
_CLOSED = """\
#!/bin/sh
# memstile judges writes to a memory vault here; `memstile uninstall cline` takes this file away.
{line} && exit
printf '%s\\n' '{{"cancel": true, "errorMessage": "memstile could not be started, so this was refused"}}'
"""


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give one executable an event. Only a hook that runs before a tool has something to refuse."""
    folder = f"{where.project}/.clinerules/hooks" if where.is_project else f"{where.home}/.cline/hooks"
    return tuple(
        own_file(
            f"{folder}/{event}",
            (_CLOSED if command.is_closed and event == "PreToolUse" else _SCRIPT).format(line=command.line(event)),
            (f"{event}: all",),
            is_executable=True,
        )
        for event in EVENTS
    )


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give the CLI's file of MCP servers; a project has none of its own."""
    entry = {**started(command), "transport": {"type": "stdio", **started(command)}}
    path = f"{where.home}/.cline/data/settings/cline_mcp_settings.json"
    return () if where.is_project else (server_file(path, entry),)


SETUP = Setup(
    host="cline",
    program="cline",
    files=files,
    skill=lambda where: "",
    notes=lambda where: ("a refusal ends Cline's run, and its model is not told why: docs/hosts/cline.md",),
    control=control,
    control_notes=lambda where: (NOT_HERE,) if where.is_project else (),
    gateless="a refusal ends Cline's whole run, and its model is not told what would have let the write pass",
)
