"""`memstile audit`."""

from __future__ import annotations

import json
import os
import time
from _sqlite3 import Connection
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from memstile.audit_read import exported, reading, rows, stats
from memstile.audit_verify import Verified, verify
from memstile.cli.terminal import say
from memstile.core.log_row import Row
from memstile.core.text import counted, shown
from memstile.errors import ExitCode, GuardError
from memstile.paths import state_folder
from memstile.store import StoreError

_NAMES = {"help_option_names": ["-h", "--help"]}
_FORMAT = click.option("--format", "layout", type=click.Choice(("text", "json")), default="text", show_default=True)
_STATE = click.option("--state", metavar="FOLDER", help="State folder, if not the usual one.")
_DAY_S = 86_400.0
_SHORT = 8  # characters of an id, its last ones: ids that are made from the time begin alike


@click.group("audit", context_settings=_NAMES)
def command() -> None:
    """The decision log: what the guards decided, and whether anybody changed the log since.

    It holds metadata only: no arguments, no note text, nothing a person said.
    """


@command.command("show", context_settings=_NAMES)
@click.option("-n", "--last", "most", type=click.IntRange(1, 1_000_000), default=20, show_default=True, metavar="N")
@_FORMAT
@_STATE
def show(most: int, layout: str, state: str | None) -> None:
    """Show the last N rows, the newest at the end: one line each, "-" for what a row does not hold.

    A decision of deny with the action allow is what audit mode let through. Of a session and a turn
    the last 8 characters are shown; --format json has all of a row.
    """
    with _log(state) as log:
        found = list(rows(log, most)) if log else []
    say([json.dumps([row._asdict() for row in found], indent=2)] if layout == "json" else _table(found))


@command.command("stats", context_settings=_NAMES)
@click.option("--days", type=click.FloatRange(0), metavar="DAYS", help="Only the last DAYS days.")
@_FORMAT
@_STATE
def stats_command(days: float | None, layout: str, state: str | None) -> None:
    """Count decisions by action, reason code and host, and what enforce would not have let through."""
    since = 0.0 if days is None else time.time() - days * _DAY_S
    with _log(state) as log:
        found = stats(rows(log) if log else (), since)
    if layout == "json":
        say([json.dumps(found._asdict(), indent=2)])
        return
    told = [f"{counted(found.rows, 'row')}, {counted(found.decisions, 'decision')}"]
    tables = (
        ("action", found.by_action),
        ("reason", found.by_reason),
        ("host", found.by_host),
        ("would have denied", found.overrides_by_reason),
        ("observed", found.by_observation),
    )
    for name, table in tables:
        told += [f"{name}: {shown(value) or '-'} {count:,}" for value, count in table.items()]
    say(told)


@command.command("verify", context_settings=_NAMES)
@_FORMAT
@_STATE
def verify_command(layout: str, state: str | None) -> int:
    """Find rows that were edited or are gone, an end that was cut, and invariants of the gate that were broken.

    A log that was changed tells so unless the same user also made its chain anew: it is evidence, not proof.

    \b
    Exit codes: 0 nothing found, 1 something is wrong,
                2 the log could not be read.
    """
    with _told():
        found = verify(_folder(state))
    say([json.dumps(_document(found), indent=2)] if layout == "json" else _lines(found))
    return ExitCode.FINDINGS if found.faults else ExitCode.CLEAN


@command.command("export", context_settings=_NAMES)
@_STATE
def export(state: str | None) -> None:
    """Write all rows to standard output as JSON Lines, the oldest first."""
    with _log(state) as log:
        for row in rows(log) if log else ():
            say([exported(row)])


def _folder(state: str | None) -> str:
    """Give the state folder. Raises GuardError for one that was named and is not there: a typo is no empty log."""
    if state and not os.path.isdir(state):
        raise GuardError(f"{shown(state)} is no folder that is there", "`memstile status` names the state folder")
    return os.path.abspath(state) if state else state_folder(os.environ)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise GuardError(f"the decision log cannot be read: {error}", "`memstile status` names its folder") from error


@contextmanager
def _log(state: str | None) -> Iterator[Connection | None]:
    with _told(), reading(_folder(state)) as log:
        yield log


def _at(row: Row) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S%z", time.localtime(row.time))


_COLUMNS: dict[str, Callable[[Row], str]] = {
    "row": lambda row: str(row.id),
    "time": _at,
    "host": lambda row: row.host,
    "session": lambda row: row.session[-_SHORT:],
    "turn": lambda row: row.turn[-_SHORT:],
    "event": lambda row: row.event,
    "tool": lambda row: row.tool,
    "decision": lambda row: row.decision,
    "action": lambda row: row.action,
    "reason": lambda row: row.reason_code,
    "class": lambda row: row.classification,
    "recall": lambda row: row.recall,
    "observed": lambda row: ",".join(row.observations),
    "path": lambda row: row.path,
}
"""What is shown of a row, by the head of its column."""


def _table(found: Sequence[Row]) -> Iterator[str]:
    """Lay rows out below a head, each column as wide as its widest cell."""
    if not found:
        return iter(("no rows",))
    cells = [tuple(_COLUMNS), *(tuple(shown(cell(row)) or "-" for cell in _COLUMNS.values()) for row in found)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)


def _document(found: Verified) -> dict[str, object]:
    return {"rows": found.rows, "faults": [fault._asdict() for fault in found.faults]}


def _lines(found: Verified) -> list[str]:
    if not found.faults:
        return [f"{counted(found.rows, 'row')}: nothing is wrong"]
    places = ((f"row {fault.id}" if fault.id else "log", fault) for fault in found.faults)
    return [f"{place}: {fault.kind}: {shown(fault.message)}" for place, fault in places]
