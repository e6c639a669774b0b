"""DeepSeek Harness: rows for its bridges to hooks in cordis.patch.yml, with hooks files of our own.

Tool names are lowercase there, and a matcher `Write|Edit` never fires. The bridge to Claude Code's hooks carries what
is judged; that to Codex's hooks, at a prompt alone, tells the turn. dsh does not start with a row whose module it
cannot load, so the second, and the MCP client with our server, get a row only where they were found. Source:
docs/hosts.md, runs of 0.1.0-rc.8 with bridges 0.1.1-rc.2 and 0.0.1-rc.5; the server's row was run in that form, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

from memstile.setups.cordis_patch import Row, put, take
from memstile.setups.mcp_server import SERVER, started
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where, own_file

MATCHERS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "PreToolUse": "^(write|edit|str_replace_editor|bash|pwsh|run_code|terminal_open|terminal_send|mcp__.*)$",
    "PostToolUse": "",
}
TURNS = {"UserPromptSubmit": ""}
BRIDGE = "@deepseek-ai/dsh-hooks-claude-code"
TURN_BRIDGE = "@deepseek-ai/dsh-hooks-codex"
MCP_CLIENT = "@deepseek-ai/dsh-mcp-client"
"""An npm package. dsh looks for a bare name in its profile's folder, so that a row names the file that was found."""

HOOK_ROWS = ("memstile-claude-code", "memstile-codex")
CONTROL_ROWS = ("memstile-mcp",)
"""Ids of our rows: two parts of this setup write into one file, and each keeps to its own."""


def _home(where: Where) -> str:
    return where.folder("DSH_HOME", ".dsh")


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give the hooks files and the rows that mount the bridges with them."""
    bridges = [(BRIDGE, MATCHERS, "")]
    if TURN_BRIDGE in where.found:
        bridges.append((TURN_BRIDGE, TURNS, "codex-bridge"))
    hooks = [
        _hooks_file(_path(where, bridge), matchers, command.closing_line(word)) for bridge, matchers, word in bridges
    ]
    rows = [
        _row(where, f"memstile-{_short(bridge)}", bridge, {"configPath": file.path})
        for (bridge, _, _), file in zip(bridges, hooks, strict=True)
    ]
    return (*hooks, _patch(where, rows, HOOK_ROWS))


def control(where: Where, command: Command) -> tuple[File, ...]:
    """Give the row that starts the MCP server; dsh does not sandbox it."""
    server = {"serverName": SERVER, "transport": "stdio", **started(command)}
    row = _row(where, CONTROL_ROWS[0], MCP_CLIENT, server)
    return (_patch(where, [row] if MCP_CLIENT in where.found else [], CONTROL_ROWS),)


def control_notes(where: Where) -> tuple[str, ...]:
    """Say what an MCP client that is not there means."""
    return () if MCP_CLIENT in where.found else (f"{MCP_CLIENT} was not found beside dsh: `classify` was left out",)


def _short(bridge: str) -> str:
    return bridge.removeprefix("@deepseek-ai/dsh-hooks-")


def _path(where: Where, bridge: str) -> str:
    return f"{_home(where)}/memstile/hooks-{_short(bridge)}.json"


def _row(where: Where, name: str, module: str, config: Row) -> Row:
    return {"id": name, "name": where.found.get(module, module), "config": config}


def _patch(where: Where, rows: list[Row], ours: tuple[str, ...]) -> File:
    path, lines = f"{_home(where)}/cordis.patch.yml", tuple(f"row {row['id']}" for row in rows)
    return File(path, partial(put, rows=rows, ours=ours), partial(take, ours=ours), lines)


def _hooks_file(path: str, matchers: Mapping[str, str], line: str) -> File:
    hook = {"type": "command", "command": line, "timeout": TIMEOUT_S}
    hooks = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in matchers.items()
    }
    text = json.dumps({"hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    return own_file(path, text, tuple(f"{event}: {matcher or 'all'}" for event, matcher in matchers.items()))


def former(where: Where) -> tuple[File, ...]:
    """Give the hooks file of the bridge that tells the turn, where that is gone; its row goes with the patch."""
    return () if TURN_BRIDGE in where.found else (own_file(_path(where, TURN_BRIDGE), ""),)


def notes(where: Where) -> tuple[str, ...]:
    """Say what a bridge that is not there means."""
    turns = f"{TURN_BRIDGE} was not found beside dsh: without it a turn cannot be told from what dsh itself puts in"
    needed = () if BRIDGE in where.found else (f"{BRIDGE} was not found: dsh does not start without it",)
    return needed if TURN_BRIDGE in where.found else (*needed, turns)


SETUP = Setup(
    host="dsh",
    program="dsh",
    files=files,
    skill=lambda where: f"{_home(where)}/skills/memstile/SKILL.md",
    notes=notes,
    has_project=False,
    modules=(BRIDGE,),
    former=former,
    optional=(TURN_BRIDGE, MCP_CLIENT),
    control=control,
    control_notes=control_notes,
)
