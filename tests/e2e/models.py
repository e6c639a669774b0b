"""A scripted model on loopback: it answers a client's requests with the next tool calls, and keeps what it was told."""

from __future__ import annotations

import json
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple

from tests.e2e.dialects import JSON, Body, Call, Dialect


class Asked(NamedTuple):
    """One request of the conversation. entries: all messages it carries. memory: the index at that moment."""

    entries: list[Any]
    memory: bytes


class Model(NamedTuple):
    """A model that is served. url: without a path. asked: filled while it runs."""

    url: str
    asked: list[Asked]


class _Server(ThreadingHTTPServer):
    """A server that keeps what went wrong in it; clients that hang up are none of that."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.faults: list[str] = []

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            self.faults.append(traceback.format_exc())


@contextmanager
def served(dialect: Dialect, script: Sequence[Sequence[Call]], probe: Callable[[], bytes]) -> Iterator[Model]:
    """Serve a script on a free port of 127.0.0.1, a step a request; after the last one, "done".

    probe: reads the index whenever a step is asked for. Raises AssertionError for a request that could not be answered.
    """
    asked: list[Asked] = []
    numbers = count(1000)
    lock = threading.Lock()

    def next_answer(path: str, body: Body) -> tuple[str, bytes]:
        with lock:
            if not dialect.is_turn(path, body):
                return dialect.answer((), next(numbers), body, path)
            step = len(asked)
            asked.append(Asked(dialect.entries(body), probe()))
        return dialect.answer(script[step] if step < len(script) else (), step, body, path)

    server = _Server(_handler(next_answer))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield Model(f"http://127.0.0.1:{server.server_address[1]}", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert not server.faults, server.faults[0]


def _handler(next_answer: Callable[[str, Body], tuple[str, bytes]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers one connection; it is closed after each answer, so that no thread outlives the client."""

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            self._send(200, *next_answer(self.path, json.loads(raw or b"{}")))

        def do_GET(self) -> None:
            models = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}
            self._send(200 if self.path.endswith("/models") else 404, JSON, json.dumps(models).encode())

        def do_HEAD(self) -> None:
            self._send(200, JSON, b"")

        def _send(self, code: int, kind: str, data: bytes) -> None:
            self.send_response(code)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the base class
            pass

    return Handler
