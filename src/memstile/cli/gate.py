"""`memstile gate`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

import click

from memstile.cli.terminal import say, standing
from memstile.config import load
from memstile.core.setting_keys import MODES
from memstile.core.settings import Settings
from memstile.errors import GuardError
from memstile.gate_run import run
from memstile.hook_state import paused_until
from memstile.paths import state_folder
from memstile.replay import MOST_BYTES, replayed
from memstile.store import StoreError, open_store

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


@command.command("run", context_settings=_NAMES)
@click.option("--mode", type=click.Choice(MODES), help="Instead of gate.mode.")
@click.option("--profile", type=click.Choice(("compat", "strict")), help="Instead of gate.profile.")
@click.option("--state", metavar="FOLDER", help="State folder, if not the usual one.")
def run_command(mode: str | None, profile: str | None, state: str | None) -> None:
    """Speak the gate protocol on standard input and output, for an editor or an agent of your own.

    One line of JSON an event; each tool call is answered with a line, a bad line with an error. Turns and decisions
    are kept in the state folder, where the hooks of hosts keep theirs: a restart loses nothing.

    \b
    Exit codes: 0 the input ended, 2 usage, settings, or the store cannot
    be opened.
    """
    settings = _settings(mode, profile)
    folder = state or state_folder(standing().environment)
    try:
        store = open_store(folder)
    except StoreError as error:
        hint = "`memstile status` names the state folder; `--state FOLDER` takes another"
        raise GuardError(str(error), hint) from error
    try:
        with _opened("-") as stream:
            for answer in run(_lines(stream), settings, store, time.time, lambda now: paused_until(folder, now) > 0):
                say([answer])
    finally:
        store.close()


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
