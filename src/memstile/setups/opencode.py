"""opencode: a plugin of one JavaScript file that asks our hook. Source: docs/hosts.md, runs of 1.18.33."""

from __future__ import annotations

from memstile.setups.setup import Command, File, Setup, Where, own_file
from memstile.setups.shim import filled

SHIM = "opencode-memstile.js"


def _folder(where: Where) -> str:
    if where.is_project:
        return f"{where.project}/.opencode"
    return f"{where.folder('XDG_CONFIG_HOME', '.config')}/opencode"


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give the plugin's file with our command line in it."""
    text = filled(where.texts.get(SHIM, ""), command)
    return (own_file(f"{_folder(where)}/plugins/memstile.js", text, ("all tools",)),)


SETUP = Setup(
    host="opencode",
    program="opencode",
    files=files,
    skill=lambda where: f"{_folder(where)}/skills/memstile/SKILL.md",
    texts=(SHIM,),
)
