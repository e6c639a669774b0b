"""Check the control of the turn gate in a host: memstile's MCP server, leave for its tools, or a shell tool."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memstile.core.text import shown
from memstile.disk import read_small
from memstile.doctor_check import Check, bad, ok
from memstile.doctor_found import MOST_BYTES
from memstile.doctor_subject import Subject
from memstile.installing_control import HINT, enforces, has_sdk, has_shell, server_command, unreachable
from memstile.installing_version import on_path
from memstile.setups.setup import File, Unmergeable


def control(row: Subject) -> Iterator[Check]:
    """Look whether the server and its leave are there, as `memstile init` writes them, and whether it can start."""
    files = row.setup.control(row.where, server_command(row.standing.environment))
    tried = f"look for memstile's MCP server in {', '.join(shown(file.path) for file in files) or 'no file'}"
    if any(found.fault for found in row.found if found.path in {file.path for file in files}):
        return  # told with the hooks
    states = {file.path: _state(file, row) for file in files}
    faults = [f"{shown(path)}: {told}" for path, (_, told) in states.items() if told]
    there = [is_there for is_there, _ in states.values()]
    if any(there) and (faults or not all(there)):
        yield bad("control", tried, "; ".join(faults) or "it is registered, without all that it needs", row.mend)
    elif any(there) and not has_sdk():
        yield bad("control", tried, "it is registered, and cannot start: the SDK `mcp` is missing", HINT)
    elif any(there):
        yield ok("control", tried, "the MCP server is registered")
    else:
        yield from _absent(row, tried)


def _absent(row: Subject, tried: str) -> Iterator[Check]:
    is_reached = has_shell(row.setup.host)
    why = unreachable(row.setup, row.host, is_reached=is_reached) if enforces(row.standing) else ""
    if why:
        yield bad("control", tried, f"gate.mode is enforce, and {why}", f"{HINT}, then {row.mend}")
    elif is_reached:
        yield ok("control", tried, f"it is not registered; {_in_shell(row)}")


def _in_shell(row: Subject) -> str:
    """Say what the control is then. Where the program is missing the hook counts the command all the same."""
    is_there = on_path("memstile", row.standing.environment)
    place = (
        "`memstile` is on PATH" if is_there else "`memstile` is not on PATH: it counts, and the shell shows an error"
    )
    return f"`memstile classify` in a shell tool is the control, and {place}"


def _state(file: File, row: Subject) -> tuple[bool, str]:
    """Tell whether something of ours is in a file, and what is wrong with it, "" if nothing.

    A file beside the one with the hooks, to where a person may move ours, counts as that one.
    """
    data = read_small(file.path, MOST_BYTES) if os.path.lexists(file.path) else b""
    if data is None:
        return True, "it cannot be read"
    is_hooks = any(file.path == own.path for own in row.files)
    also = [found.text for found in row.found[len(row.files) :] if not found.fault] if is_hooks else []
    states = [_state_of(file, text) for text in (data.decode("utf-8", "replace"), *also)]
    return next((state for state in states if state[0]), states[0])


def _state_of(file: File, text: str) -> tuple[bool, str]:
    try:
        if not text or file.take(text) == text:
            return False, ""
        return True, "" if file.put(text) == text else "it is not what `memstile init` writes now"
    except Unmergeable as error:
        return "memstile" in text, error.message
