"""`memstile history`."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence

import click

from memstile.cli.terminal import say, standing, write
from memstile.core.plot import drawn
from memstile.core.plot_svg import Picture, svg
from memstile.core.reading import Kind
from memstile.core.settings import Settings
from memstile.core.text import counted, shown
from memstile.errors import ExitCode, GuardError
from memstile.history import History, history, plots
from memstile.outcome import Request
from memstile.paths import state_folder
from memstile.safe_write import look, replace
from memstile.settings_source import SettingsSource
from memstile.standing import Standing
from memstile.status import size_told
from memstile.store import StoreError
from memstile.vaults import collect

_DAY_S = 86_400.0
_HEIGHT = 12
_OURS = b"<title>Size over time: "


@click.command("history", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--days", type=click.FloatRange(0, min_open=True), metavar="DAYS", help="Only the last DAYS days.")
@click.option("--svg", "picture", metavar="FILE", help="Write a picture to FILE instead, or to standard output: -.")
@click.option("--state", metavar="FOLDER", help="State folder, if not the usual one.")
def command(paths: tuple[str, ...], days: float | None, picture: str | None, state: str | None) -> int:
    """Draw the size of each vault's index over time, with its caps and the hosts' windows.

    The sizes are those of the decision log, and the one on disk now. `memstile watch` notes each change of an index,
    the hooks those they speak of. Past the hard cap the curve is drawn with "!".

    \b
    memstile history                    the vaults of this folder
    memstile history vault --days 7     one vault, the last week
    memstile history --svg sizes.svg    as a picture

    \b
    Exit codes: 0 shown, 2 no vault, or the log could not be read.
    """
    here, now = standing(), time.time()
    since = now - days * _DAY_S if days else 0.0
    folder = os.path.abspath(state) if state else state_folder(here.environment)
    found = [(name, settings, _history(folder, index, settings)) for name, index, settings in _indexes(paths, here)]
    if picture is None:
        for number, row in enumerate(found):
            say([*([""] if number else []), *_lines(*row, since, now)])
        return ExitCode.CLEAN
    drawing = svg([_picture(*row, since, now) for row in found]).encode()
    if picture == "-":
        write(drawing)
    else:
        _save(picture, drawing, here)
        say([f"wrote {shown(picture)}"])
    return ExitCode.CLEAN


def _indexes(paths: Sequence[str], here: Standing) -> list[tuple[str, str, Settings]]:
    """Find the indexes as `memstile check` does: as they are shown, their places, and the settings for each."""
    collected = collect(Request(tuple(paths)), here, SettingsSource(here, {}))
    if collected.missing:
        raise next(iter(collected.missing.values()))
    rows = [
        (os.path.normpath(os.path.join(vault.shown, vault.settings.index_name)), vault.paths[0], vault.settings)
        for vault in collected.vaults.values()
    ]
    if not rows:
        raise GuardError("no vault was given, configured or found", "name it: `memstile history PATH`, or [[vault]]")
    return [(name, os.path.join(folder, settings.index_name), settings) for name, folder, settings in rows]


def _history(state: str, index: str, settings: Settings) -> History:
    try:
        return history(state, index, settings)
    except StoreError as error:
        raise GuardError(f"the decision log cannot be read: {error}", "`memstile status` names its folder") from error


def _lines(name: str, settings: Settings, found: History, since: float, now: float) -> Iterator[str]:
    yield f"{shown(name)}: {_now(found, settings)}"
    yield f"  {_counts(found, since)}"
    yield from (f"  note: {note}" for note in found.notes)
    if not found.moments and (found.now.kind is Kind.MISSING or not found.now.size):
        return
    columns = shutil.get_terminal_size().columns - 3
    yield from (f"  {line}".rstrip() for line in drawn(plots(found, settings, since, now), columns, _HEIGHT))
    if settings.index_windows:
        yield "  a window counts UTF-16 units, of which a text never has more than bytes"


def _now(found: History, settings: Settings) -> str:
    return f"now {size_told(found.now, settings.caps)}"


def _counts(found: History, since: float) -> str:
    """Say how much the log tells."""
    moments = [moment for moment in found.moments if moment.time >= since]
    refused = sum(at >= since for at in found.refused)
    told = f"; {counted(refused, 'refused write')}" if refused else ""
    if moments:
        first = time.strftime("%Y-%m-%d %H:%M", time.localtime(moments[0].time))
        return f"{counted(len(moments), 'size')} in the log since {first}{told}"
    where = " within that time" if found.moments else "; `memstile watch` notes them"
    return f"no size of it in the log{where}{told}"


def _picture(name: str, settings: Settings, found: History, since: float, now: float) -> Picture:
    said = f"{_now(found, settings)}; {_counts(found, since)}"
    return Picture(name, said, plots(found, settings, since, now))


def _save(typed: str, drawing: bytes, here: Standing) -> None:
    """Write a picture whole or not at all, over nothing but a picture of ours: a wrong name could be that of a note."""
    seen = look(here.absolute(typed), typed)
    if seen.data and _OURS not in seen.data[:500]:
        raise GuardError(f"{shown(typed)} is there already, and is no picture of memstile's", "give another name")
    try:
        replace(seen, drawing)
    except OSError as error:
        raise GuardError(f"cannot write {shown(typed)}: {error.strerror}", "make room, or write elsewhere") from error
