"""Cline: an executable a hook, named like its event. Source: docs/hosts.md, runs of 3.0.65."""

from __future__ import annotations

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


SETUP = Setup(
    host="cline",
    program="cline",
    files=files,
    skill=lambda where: "",
    notes=lambda where: ("a refusal ends Cline's run, and its model is not told why: docs/hosts/cline.md",),
)
