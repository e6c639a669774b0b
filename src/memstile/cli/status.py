"""`memstile status`."""

from __future__ import annotations

import json
import os
import time

import click

from memstile.cli.terminal import say, standing
from memstile.core.text import shown
from memstile.errors import ExitCode
from memstile.paths import state_folder
from memstile.status import Status, status


@click.command("status", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "is_json", is_flag=True, help="Write one JSON object.")
def command(is_json: bool) -> int:
    """Show whether the guards are on here: modes, a pause, the vaults with their sizes, and which hosts called.

    \b
    Exit codes: 0 the hooks guard, 1 a guard is off or paused, 2 could not tell.
    """
    now = time.time()
    here = standing()
    found = status(here.cwd, os.environ, state_folder(os.environ), now)
    say([json.dumps(found._asdict(), indent=2)] if is_json else lines(found, now))
    return ExitCode.CLEAN if found.is_on else ExitCode.FINDINGS


def lines(found: Status, now: float) -> list[str]:
    """Lay a status out for a person."""
    told = [f"hooks    {found.pause or 'on'}"]
    told += [f"{name:<8} {mode}" for name, mode in found.modes.items()]
    for vault in found.vaults:
        told.append(f"vault    {shown(vault['path'])}: {vault['size']}")
    if not found.vaults:
        told.append("vault    none is configured here; a vault that is recognised is guarded all the same")
    for host, seen in found.hosts.items():
        told.append(f"host     {host}: last call {_ago(now - seen)} ago")
    if not found.hosts:
        told.append("host     no call of any host was seen; set one up with `memstile init HOST`")
    told += [f"settings {shown(fault)}" for fault in found.faults]
    return [*told, f"state    {shown(found.state)}"]


def _ago(seconds: float) -> str:
    for name, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {name}"
    return f"{max(0, int(seconds))} s"
