"""`memstile restore`."""

from __future__ import annotations

import os
import sys
import time
from typing import NamedTuple

import click

from memstile.cli.progress import Progress
from memstile.cli.terminal import say, standing
from memstile.core.caps import Caps
from memstile.core.reading import Kind, Reading
from memstile.core.text import counted, shown
from memstile.disk import read_index
from memstile.errors import ExitCode, GuardError
from memstile.outcome import Request
from memstile.paths import state_folder
from memstile.restoring import Past, bring_back, chosen, difference, moment, past, previous, read, time_told
from memstile.settings_source import SettingsSource
from memstile.standing import Standing
from memstile.status import size_told
from memstile.vaults import collect

_KEPT_BY = "contents are kept while `memstile watch` runs"


class _Index(NamedTuple):
    path: str
    shown: str
    caps: Caps
    rows: tuple[Past, ...]


@click.command("restore", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("path", required=False)
@click.option("--list", "is_list", is_flag=True, help="List what is kept, the newest first, and stop.")
@click.option("--at", metavar="TIME", help="The content that was accepted by then: a time as listed, or 30m, 2h, 3d.")
@click.option("--yes", "is_agreed", is_flag=True, help="Restore without asking.")
def command(path: str | None, is_list: bool, at: str | None, is_agreed: bool) -> int:
    """Give an index back what it held before: the last accepted content that is another than now.

    PATH is a vault or its index; without one, the vault below this folder of which something is kept. The difference
    is shown first, then you are asked. What is replaced goes to quarantine, and nothing is deleted.

    \b
    memstile restore --list           what is kept, with times and sizes
    memstile restore                  show the difference, ask, restore
    memstile restore --at 2h          as it was two hours ago
    memstile restore --at "2026-12-07 12:00:40.123"
                                      a time as listed; one that was put aside
                                      in quarantine comes back by its exact time

    The newest 50 contents of an index are kept while `memstile watch` runs.

    \b
    Exit codes: 0 restored, or nothing to restore; 1 not agreed; 2 nothing is
                kept, could not restore, or nobody to ask; 130 interrupted.
    """
    here, now = standing(), time.time()
    indexes = _indexes(path, here)
    if is_list:
        say([line for index in indexes for line in _listed(index)] or ["no vault found"])
        return ExitCode.CLEAN
    index = _only(indexes)
    reading = read_index(index.path)
    if reading.kind not in (Kind.FILE, Kind.MISSING):
        raise GuardError(f"{shown(index.shown)} cannot be looked at: {reading.why}", "move it out of the way")
    row = _chosen(index, reading, at, now)
    data = read(row) if row else reading.data
    if row is None or data is None or data == reading.data:
        say([f"nothing to restore: {shown(index.shown)} holds that content"])
        return ExitCode.CLEAN
    then = time_told(row.kept.time)
    say([*difference(reading.data or b"", data, index.shown, then), *_sizes(index, reading, row, then)])
    if not is_agreed and not _agrees(index):
        say(["nothing was changed"])
        return ExitCode.FINDINGS
    done = bring_back(state_folder(here.environment), index.path, reading.data, data, now)
    say([f"{shown(index.shown)} is restored", *([f"  {done.why}"] if done.why else [])])
    say([f"  what it held is in {shown(done.quarantined)}"] if done.quarantined else [])
    return ExitCode.CLEAN


def _indexes(path: str | None, here: Standing) -> list[_Index]:
    """Find the indexes that are meant: the given one, or those of the vaults below this folder."""
    source = SettingsSource(here, {})
    state = state_folder(here.environment)
    if path is not None:
        given = here.absolute(path)
        settings = source.of(given if os.path.isdir(given) else os.path.dirname(given)).settings
        is_index = os.path.basename(given) == settings.index_name and not os.path.isdir(given)
        index = given if is_index else os.path.join(given, settings.index_name)
        rows = past(state, index)
        if rows or os.path.lexists(index):
            return [_Index(index, here.shown(index), settings.caps, rows)]
    progress = Progress("folders")
    try:
        collected = collect(Request((path,) if path is not None else (), tick=progress.tick), here, source)
    finally:
        progress.clear()
    if collected.missing:
        raise next(iter(collected.missing.values()))
    found = []
    for vault in collected.vaults.values():
        place = os.path.join(vault.real, vault.settings.index_name)
        name = here.shown(os.path.join(vault.paths[0], vault.settings.index_name))
        found.append(_Index(place, name, vault.settings.caps, past(state, place)))
    return found


def _only(indexes: list[_Index]) -> _Index:
    rows = [index for index in indexes if any(row.is_accepted for row in index.rows)]
    rows = rows or [index for index in indexes if index.rows]
    if not rows:
        names = ", ".join(shown(index.shown) for index in indexes[:3])
        raise GuardError(f"nothing is kept of {names}" if names else "no vault found", _KEPT_BY)
    if len(rows) > 1:
        names = ", ".join(shown(index.shown) for index in rows[:3])
        raise GuardError(f"contents are kept of {len(rows):,} indexes: {names}", "name one")
    return rows[0]


def _chosen(index: _Index, reading: Reading, at: str | None, now: float) -> Past | None:
    if at is None:
        row = previous(index.rows, reading.data)
        if row is None and not any(row.is_accepted for row in index.rows):
            raise GuardError(
                f"no accepted content of {shown(index.shown)} is kept", "see --list for what was put aside"
            )
        return row
    row = chosen(index.rows, moment(at, now))
    if row is None:
        raise GuardError(f"nothing of {shown(index.shown)} was accepted by then", "see --list for what is kept")
    return row


def _sizes(index: _Index, reading: Reading, row: Past, then: str) -> list[str]:
    told = size_told(Reading(Kind.FILE, row.kept.size, b""), index.caps)
    return ["", f"{shown(index.shown)}: {size_told(reading, index.caps)}", f"as of {then}: {told}"]


def _listed(index: _Index) -> list[str]:
    reading = read_index(index.path)
    lines = [f"{shown(index.shown)}: {size_told(reading, index.caps)} now"]
    for row in sorted(index.rows, key=lambda row: -row.kept.time):
        what = "accepted " if row.is_accepted else "put aside"
        size = row.kept.size
        line = f"  {time_told(row.kept.time)}  {what}  {_lines(size.lines)}  {counted(size.bytes, 'byte'):>15}"
        lines.append(line if row.is_accepted else f"{line}  {shown(row.kept.place)}")
    return lines if index.rows else [*lines, f"  nothing is kept; {_KEPT_BY}"]


def _lines(lines: int | None) -> str:
    return f"{'' if lines is None else counted(lines, 'line'):>12}"


def _agrees(index: _Index) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():  # None: Python was started with it closed, as by `<&-`
        raise GuardError("nothing was changed: there is no terminal to ask on", "add --yes to restore what was shown")
    return click.confirm(f"Restore {shown(index.shown)}?")
