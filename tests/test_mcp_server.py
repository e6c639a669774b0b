"""mcp_server.py and cli/mcp.py: the control over MCP, asked by the SDK's own client over stdio."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from memstile import __version__
from memstile.core.control_words import declared, instructions
from memstile.core.gate_words import Classification
from memstile.core.settings import DEFAULTS
from tests.git_tools import environment

START = [sys.executable, "-m", "memstile", "mcp"]


def of(result: CallToolResult) -> tuple[bool, str]:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return bool(result.is_error), block.text


def surroundings(folder: Path) -> dict[str, str]:
    source = str(Path(__file__).parents[1] / "src")
    return {**environment(folder / "home"), "PYTHONPATH": source, "PYTHONSAFEPATH": "1"}


def client(folder: Path, *options: str) -> Client:
    command, *words = (*START, *options)
    return Client(StdioServerParameters(command=command, args=words, env=surroundings(folder), cwd=folder))


def called(folder: Path, name: str, arguments: Mapping[str, object]) -> tuple[bool, str]:
    async def ask() -> tuple[bool, str]:
        async with client(folder) as asking:
            return of(await asking.call_tool(name, dict(arguments)))

    return asyncio.run(ask())


def test_a_client_learns_the_protocol_and_the_two_tools(tmp_path: Path) -> None:
    async def ask() -> None:
        async with client(tmp_path) as asking:
            info = asking.server_info
            assert info is not None
            assert (info.name, info.version) == ("memstile", __version__)
            assert asking.instructions == instructions(DEFAULTS)
            classify, status = (await asking.list_tools()).tools
        assert (classify.name, status.name) == ("classify", "status")
        hints = [tool.annotations.model_dump(exclude_none=True) for tool in (classify, status) if tool.annotations]
        shared = {"destructive_hint": False, "idempotent_hint": True, "open_world_hint": False}
        assert hints == [{"read_only_hint": False, **shared}, {"read_only_hint": True, **shared}]
        assert classify.input_schema["required"] == ["task"]

    asyncio.run(ask())


def test_calls_are_answered_in_one_session_good_ones_and_bad_ones(tmp_path: Path) -> None:
    async def ask() -> None:
        async with client(tmp_path) as asking:

            async def told(name: str, **arguments: object) -> tuple[bool, str]:
                return of(await asking.call_tool(name, arguments))

            for task in (Classification.SIMPLE, Classification.COMPLEX):
                assert await told("classify", task=task.value) == (False, declared(task, "audit"))
            assert (await told("classify", task="simple", rationale="a typo"))[0] is False
            for bad in ({}, {"task": "hard"}, {"task": 1}, {"task": None}, {"task": ["simple"]}):
                is_error, text = await told("classify", **bad)
                assert is_error
                assert text.endswith('it can be "simple" or "complex". Nothing was declared.')
            for rationale in ("secret " * 40, 5):
                is_error, text = await told("classify", task="simple", rationale=rationale)
                assert is_error
                assert "Hooks look at task alone, which was simple." in text
                assert "secret" not in text
            assert await told("classified") == (True, "no such tool; there are classify and status")
            is_error, status = await told("status")
            assert not is_error
            assert status.startswith("gate.mode is audit:")
            assert str(tmp_path) not in status

            (tmp_path / "memstile.toml").write_text('[gate]\nmode = "enforce"\nprofile = "strict"\nprofil = 1\n')
            is_error, status = await told("status")
            assert status.startswith("gate.mode is enforce:")
            assert "profile: strict\n" in status
            assert "1 entry of the settings is not used" in status

    asyncio.run(ask())


def test_where_the_gate_is_off_it_says_so(tmp_path: Path) -> None:
    settings = tmp_path / "home" / ".config" / "memstile" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[gate]\nmode = "off"\n')
    off = "Nothing is gated here: gate.mode is off."
    assert called(tmp_path, "classify", {"task": "complex"}) == (False, f"declared complex. {off}")
    assert called(tmp_path, "status", {})[1].startswith(off)


@pytest.mark.parametrize(("name", "mode"), [("mine.toml", "enforce"), ("none_yet.toml", "audit")])
def test_the_persons_settings_are_those_of_the_file_that_is_named(name: str, mode: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[gate]\nmode = "enforce"\n')

    async def ask() -> None:
        async with client(tmp_path, "--config", str(tmp_path / name)) as asking:
            _, told = of(await asking.call_tool("status", {}))
        assert told.startswith(f"gate.mode is {mode}:")
        assert "not used" not in told

    asyncio.run(ask())


def started(folder: Path, given: bytes | None, *, before: str = "", closed: str = "") -> tuple[int, bytes, bytes]:
    """Run the program over given input; before: code run first. closed: streams the shell closes."""
    program = f"{before}\nfrom memstile.cli.main import main\nmain()"
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", program, "mcp"]
    ran = subprocess.run(shell, input=given, capture_output=True, cwd=folder, env=surroundings(folder), check=False)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("closed", ["", "<&-", "<&- >&-", "</dev/null"])
def test_an_end_of_input_is_the_end_and_no_fault(closed: str, tmp_path: Path) -> None:
    assert started(tmp_path, b"", closed=closed) == (0, b"", b"")


def running(folder: Path) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(START, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=surroundings(folder))


INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a client of an older protocol", "version": "1"},
}
FIRST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}).encode() + b"\n"


def test_nobody_who_reads_the_answer_is_no_bug(tmp_path: Path) -> None:
    with running(tmp_path) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        program.stdin.write(FIRST * 3)
        program.stdin.close()
        assert program.stderr.read() == b""
        assert program.wait() == 0


def test_an_interrupt_ends_it_while_input_is_open(tmp_path: Path) -> None:
    with running(tmp_path) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write(FIRST)
        program.stdin.flush()
        result = json.loads(program.stdout.readline())["result"]
        assert result["instructions"] == instructions(DEFAULTS)
        program.send_signal(signal.SIGINT)
        assert (program.wait(), program.stderr.read()) == (-signal.SIGINT, b"")


def test_a_line_that_is_no_message_is_not_logged_and_ends_nothing(tmp_path: Path) -> None:
    call = {"name": "classify", "arguments": {"task": "simple", "rationale": "hunter2"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).encode()
    given = b'hunter2 {"x"\n\xff\xfe\n' + message + b"\n"
    code, out, err = started(tmp_path, given)
    assert (code, err) == (0, b"")
    assert b"hunter2" not in out


def test_without_the_sdk_it_ends_in_2_and_says_how_to_get_it(tmp_path: Path) -> None:
    code, out, err = started(tmp_path, b"", before="import sys; sys.modules['mcp'] = None")
    assert (code, out) == (2, b"")
    assert err == b"memstile: the MCP SDK (mcp 2) is not installed\n  hint: pip install 'memstile[mcp]'\n"
