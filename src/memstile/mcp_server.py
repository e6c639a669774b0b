"""Serve the control of the turn gate over MCP, on standard input and output: `classify` and `status`.

It keeps no state. The host's hooks see the calls and move the turn; the answers here say what was declared.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Mapping

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from memstile import __version__
from memstile.config import Loaded
from memstile.core.control_words import (
    FOLLOWS,
    MOST_RATIONALE,
    TASKS,
    argument_fault,
    declared,
    instructions,
    status_told,
)

NAME = "memstile"
"""The name a host has to know the server by: hooks look for mcp__memstile__classify."""

Settled = Callable[[], Loaded]
"""Reads the settings, at each call anew: a person may change them while the server runs."""

CLASSIFY = Tool(
    name="classify",
    title="Declare what this turn is",
    description="Declare this turn, before its first memory write. "
    + " ".join(f"{word}: {FOLLOWS[task]}." for word, task in TASKS.items()),
    input_schema={
        "type": "object",
        "properties": {
            "task": {"type": "string", "enum": list(TASKS)},
            "rationale": {
                "type": "string",
                "maxLength": MOST_RATIONALE,
                "description": "Why, in a few words. Not stored, not logged.",
            },
        },
        "required": ["task"],
    },
    annotations=ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
)
STATUS = Tool(
    name="status",
    title="Show the gate's settings",
    description="Tell the mode and profile of the turn gate here, what it covers, and the cap of the index.",
    input_schema={"type": "object", "properties": {}},
    annotations=ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
)
TOOLS = (CLASSIFY, STATUS)


def answer(name: str, arguments: Mapping[str, object], settled: Settled) -> CallToolResult:
    """Answer one call. A tool or an argument that is none of ours gives a result with the error flag, and facts."""
    if name == CLASSIFY.name:
        fault = argument_fault(arguments)
        return _text(fault, is_error=True) if fault else _text(_declared(arguments, settled))
    if name == STATUS.name:
        loaded = settled()
        return _text(status_told(loaded.settings, len(loaded.faults)))
    return _text("no such tool; there are classify and status", is_error=True)


def _declared(arguments: Mapping[str, object], settled: Settled) -> str:
    return declared(TASKS[str(arguments["task"])], settled().settings.gate_mode)


def _text(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def server(settled: Settled) -> Server[object]:
    """Make the server. settled: reads the settings that hold where it was started."""

    async def list_tools(_: object, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(TOOLS))

    async def call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        return answer(params.name, params.arguments or {}, settled)

    return Server(
        NAME,
        version=__version__,
        instructions=instructions(settled().settings),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(settled: Settled) -> None:
    """Serve until standard input ends. An interrupt ends the process: a thread that waits for input would not."""
    if sys.stdin is None or sys.stdout is None:
        return
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # it would log messages that cannot be read, with text
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        asyncio.run(_serve(server(settled)))
    except* BrokenPipeError:
        pass  # nobody reads the answers any more: the host is gone


async def _serve(made: Server[object]) -> None:
    async with stdio_server() as (read, write):
        await made.run(read, write, made.create_initialization_options())
