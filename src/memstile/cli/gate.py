"""`memstile gate`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

import click

from memstile.cli.terminal import say, standing
from memstile.config import load
from memstile.core.setting_keys import MODES
from memstile.core.settings import Settings
from memstile.errors import GuardError
from memstile.replay import MOST_BYTES, replayed

_NAMES = {"help_option_names": ["-h", "--help"]}


@click.group("gate", context_settings=_NAMES)
def command() -> None:
    """The turn gate by itself: no memory write before the turn is classified and, if complex, memory was searched."""


@command.command("replay", context_settings=_NAMES)
@click.argument("file", metavar="FILE")
@click.option("--mode", type=click.Choice(MODES), help="Instead of gate.mode.")
@click.option("--profile", type=click.Choice(("compat", "strict")), help="Instead of gate.profile.")
def replay(file: str, mode: str | None, profile: str | None) -> None:
    """Replay FILE, events of the gate protocol as JSON Lines, from empty state; "-" is standard input.

    One answer a line for each tool call; a bad line is answered with an error, and the rest goes on. Nothing is
    stored or logged. The guards are those of the settings here.

    \b
    memstile gate replay session.jsonl
    memstile gate replay session.jsonl --mode enforce --profile strict

    \b
    Exit codes: 0 replayed, 2 usage, settings, or the file cannot be read.
    """
    settings = _settings(mode, profile)
    with _opened(file) as stream:
        for answer in replayed(_lines(stream), settings):
            say([answer])


def _settings(mode: str | None, profile: str | None) -> Settings:
    """Read the settings; a fault ends the command: what it would replay is not what was asked for."""
    here = standing()
    flags = {"gate.mode": mode, "gate.profile": profile}
    loaded = load(here.cwd, environment=here.environment, flags=flags)
    if loaded.faults:
        told = "; ".join(f"{fault.name}: {fault.key} {fault.message}" for fault in loaded.faults)
        raise GuardError(f"the settings cannot be used as they are: {told}", loaded.faults[0].hint)
    return loaded.settings


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    if file == "-":
        if sys.stdin is None:
            raise GuardError("standard input is closed", "name a file")
        return nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except OSError as error:
        raise GuardError(f"cannot read {file}: {error.strerror}", "name a file of JSON Lines") from error


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Read line by line; of a line that is too long the beginning is given, which is no JSON."""
    while line := _read(stream):
        yield line
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = _read(stream)


def _read(stream: BinaryIO) -> bytes:
    try:
        return stream.readline(MOST_BYTES + 1)
    except OSError as error:
        raise GuardError(f"cannot read the events: {error.strerror}", "name a file of JSON Lines") from error
