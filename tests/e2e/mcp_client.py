"""A client of an MCP server over stdio, as small as it can be: one request, one answer."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from tests.e2e.basic_memory import Server

LIMIT_S = 60.0
_PROTOCOL = "2025-06-18"


class Result(NamedTuple):
    """What a call gave. text: of the first content block; is_error: the protocol's flag; structured: or None."""

    text: str
    is_error: bool
    structured: Any = None


class Client:
    """A conversation with a server that runs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._numbers = count(1)
        who = {"name": "memstile-e2e", "version": "1"}
        self._ask("initialize", {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": who})
        self._tell({"method": "notifications/initialized"})

    def tools(self) -> list[dict[str, Any]]:
        """List the tools that the server offers."""
        tools: list[dict[str, Any]] = self._ask("tools/list", {})["tools"]
        return tools

    def call(self, tool: str, **arguments: object) -> Result:
        """Call a tool."""
        told = self._ask("tools/call", {"name": tool, "arguments": arguments})
        return Result(told["content"][0]["text"], told["isError"], told.get("structuredContent"))

    def _ask(self, method: str, parameters: object) -> Any:
        number = next(self._numbers)
        self._tell({"id": number, "method": method, "params": parameters})
        assert self._process.stdout
        while select.select([self._process.stdout], [], [], LIMIT_S)[0]:
            line = self._process.stdout.readline()
            assert line, f"the server ended before it answered {method}"
            answer = json.loads(line)
            if answer.get("id") == number:
                return answer["result"]
        raise AssertionError(f"the server did not answer {method}")

    def _tell(self, message: dict[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


@contextlib.contextmanager
def connected(server: Server) -> Iterator[Client]:
    """Start a server and greet it; it ends with its input."""
    with subprocess.Popen(
        server.words,
        bufsize=0,
        cwd=server.notes,
        env=server.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield Client(process)
        finally:
            process.kill()
