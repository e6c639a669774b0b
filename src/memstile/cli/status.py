"""`memstile status`."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import click

from memstile.cli.terminal import say, standing
from memstile.core.text import shown
from memstile.status import Hooked, Status, status
from memstile.status_watch import told as told_of_watchers


@click.command("status", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "is_json", is_flag=True, help="Write one JSON object.")
def command(is_json: bool) -> int:
    """Show whether the guards are on here: modes, a pause, the vaults with their sizes, and which hosts are set up.

    It reads what is set up; `memstile doctor` proves that it works.

    \b
    Exit codes: 0 a host is set up, and its hooks are on;
                1 a guard is off or paused, no host is set up, or the hooks
                  are gone from one that was, or a watcher does not watch;
                2 an entry of the settings is not used, or could not tell.
    """
    now = time.time()
    found = status(standing(), now)
    say([json.dumps(document(found), indent=2)] if is_json else lines(found, now))
    return found.code


def document(found: Status) -> dict[str, object]:
    """Give a status as one object."""
    watchers = [{**row._asdict(), "vaults": [vault._asdict() for vault in row.vaults]} for row in found.watchers]
    hosts = [row._asdict() for row in found.hosts]
    return {**found._asdict(), "hosts": hosts, "today": found.today._asdict(), "watchers": watchers}


def lines(found: Status, now: float) -> list[str]:
    """Lay a status out for a person."""
    told = [f"hooks    {found.hooks}"]
    told += [f"{name:<8} {mode}" for name, mode in found.modes.items() if name not in ("gate", "watch")]
    servers = ", ".join(map(shown, found.servers)) or "none"
    told += [f"gate     {found.modes['gate']}, profile {found.profile}, servers {servers}", *_today(found)]
    for vault in found.vaults:
        told.append(f"vault    {shown(vault['path'])}: {vault['size']}")
    if not found.vaults:
        told.append("vault    none is configured here; a vault that is recognised is guarded all the same")
    told += [f"host     {_host(row, now)}" for row in found.hosts]
    if not found.hosts:
        told.append("host     none; set one up with `memstile init HOST`")
    told += told_of_watchers(found.watchers, now, standing().shown)
    told += [f"settings {shown(fault)}" for fault in found.faults]
    return [*told, f"state    {shown(found.state)}"]


def _today(found: Status) -> list[str]:
    """Say what was decided today, a line for each kind; nothing where nothing was."""
    if found.today.fault:
        return [f"log      {found.today.fault}; `memstile audit verify` says more"]
    counts = ((found.today.by_reason, "today"), (found.today.would_deny, "enforce would have refused today"))
    return [f"log      {told}: {_counted(rows)}" for rows, told in counts if rows]


def _counted(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{shown(code)} {count:,}" for code, count in rows.items())


def _host(row: Hooked, now: float) -> str:
    name = f"{row.host}, this project" if row.scope == "project" else row.host
    if not row.is_there:
        return f"{name}: its hooks are not in {row.place}; `{row.mend}` puts them there"
    if not row.last_call:
        return f"{name}: set up; no call seen yet"
    ago = _ago(now - row.last_call)
    if not row.is_proof:
        return f"{name}: set up; no call seen yet since {row.place} was last changed; the last before: {ago}"
    return f"{name}: last call {ago}"


def _ago(seconds: float) -> str:
    """Say how long ago it was; a call is noted to the minute."""
    if seconds <= 60:
        return "within the last minute"
    for name, size in (("d", 86_400), ("h", 3_600)):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {name} ago"
    return f"{int(seconds // 60)} min ago"
