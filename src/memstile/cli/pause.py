"""`memstile pause`."""

from __future__ import annotations

import os
import sys
import time

import click

from memstile.cli.terminal import say
from memstile.errors import GuardError
from memstile.paths import state_folder
from memstile.pausing import pause, pause_told, seconds_of


@click.command("pause", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("duration")
def command(duration: str) -> None:
    """Let every tool call through for DURATION (90s, 30m, 2h; at most a day), or end a pause with 0.

    For a person at a terminal: an agent's shell has none. Commit hooks and CI go on; `memstile status` shows the pause.

    \b
    memstile pause 30m       let a restructuring through
    memstile pause 0         guard again
    """
    seconds = seconds_of(duration)
    if seconds and not _is_terminal():  # anybody may end a pause
        raise GuardError("pausing the guard needs a terminal", "run it yourself, not through an agent or a script")
    state, now = state_folder(os.environ), time.time()
    pause(state, seconds, now)
    say([f"the hooks are {pause_told(state, now) or 'on'}"])


def _is_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
