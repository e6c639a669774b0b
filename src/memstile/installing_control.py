"""Plan the control of the turn gate in a host: memstile's MCP server, and leave for its tools to run unasked.

The server needs the SDK of the extra memstile[mcp]; without it the shell command `memstile classify` is the control.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

from memstile.config import load
from memstile.core.gate_calls import SHELL_TOOLS
from memstile.core.request import Kind
from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.hosts import HOSTS
from memstile.hosts.host import Host
from memstile.settings_places import user_file
from memstile.setups.joined import without
from memstile.setups.setup import Command, File, Setup, Where
from memstile.standing import Standing

SDK = "mcp"
HINT = "pip install 'memstile[mcp]'"
_AUDIT = "set gate.mode to audit or off in your settings"


class Control(NamedTuple):
    """What is done about the control. files: to be written; gone: to be taken out; notes: told after the steps."""

    files: tuple[File, ...] = ()
    gone: tuple[File, ...] = ()
    notes: tuple[str, ...] = ()


def server_command(environment: Mapping[str, str]) -> Command:
    """Give the command line of memstile's MCP server: the program beside this Python, else this Python itself."""
    python = os.path.abspath(sys.executable)
    program = os.path.join(os.path.dirname(python), "memstile")
    options = ("--config", user_file(environment))
    if os.access(program, os.X_OK):
        return Command(program, ("mcp",), options)
    return Command(python, ("-P", "-m", "memstile", "mcp"), options)


def has_sdk() -> bool:
    """Tell whether the Python that would run the server finds the SDK: it is the one that runs now."""
    return importlib.util.find_spec(SDK) is not None


def has_shell(host: str) -> bool:
    """Tell whether the gate sees `memstile classify` in a shell tool of a host."""
    tools = getattr(importlib.import_module(HOSTS[host]), "TOOLS", {})
    return any(tool.kind is Kind.SHELL and name in SHELL_TOOLS for name, tool in tools.items())


def enforces(standing: Standing) -> bool:
    """Tell whether the turn gate enforces where the person stands."""
    return load(standing.cwd, environment=standing.environment, flags={}).settings.gate_mode == "enforce"


def unreachable(setup: Setup, host: Host, *, is_reached: bool) -> str:
    """Say why the gate must not enforce in a host, "" if it may. is_reached: the server, or a shell tool, is there."""
    if setup.gateless:
        return f"{host.title} cannot carry the turn gate: {setup.gateless}"
    if is_reached:
        return ""
    return f"no control of the turn gate can be reached in {host.title}: no MCP server, and no shell tool it knows of"


def control_of(setup: Setup, host: Host, where: Where, standing: Standing, *, is_wanted: bool) -> Control:
    """Plan the control. is_wanted: not left out by the person. Raises GuardError where the gate must not enforce."""
    command = server_command(standing.environment)
    rows = setup.control(where, command)
    has_server = is_wanted and has_sdk() and any(row.lines for row in rows)
    why = unreachable(setup, host, is_reached=has_server or has_shell(setup.host)) if enforces(standing) else ""
    if why:
        raise GuardError(f"gate.mode is enforce, and {why}", _AUDIT if setup.gateless else f"{HINT}; or {_AUDIT}")
    for path in (command.program, *command.options) if has_server else ():
        if not path.isprintable():
            raise GuardError(f"{shown(path)} cannot be written into a host's settings", "add --no-control")
    if has_server:
        return Control(rows, notes=setup.control_notes(where))
    return Control(gone=rows, notes=_left_out(setup, where, rows) if is_wanted else ())


def _left_out(setup: Setup, where: Where, rows: tuple[File, ...]) -> tuple[str, ...]:
    if any(row.lines for row in rows):
        shell = "; the shell command `memstile classify` is the control" if has_shell(setup.host) else ""
        return (f"the MCP server was not registered, the SDK `{SDK}` is missing: {HINT}, then this again{shell}",)
    return setup.control_notes(where)


def taken_out(rows: tuple[File, ...], paths: set[str]) -> tuple[list[File], list[File]]:
    """Sort what is to be taken out. paths: of files that are written besides.

    Result: rows to join with these, and rows to take out by themselves.
    """
    return [without(row) for row in rows if row.path in paths], [row for row in rows if row.path not in paths]
