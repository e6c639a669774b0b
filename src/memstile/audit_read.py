"""Read the decision log without changing it: its rows as they are kept, the last ones, counts, and an export."""

from __future__ import annotations

import os
import stat
from _sqlite3 import Connection, Error, connect
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import quote

from memstile.audit_log import digest_in
from memstile.core.json_text import dumps
from memstile.core.log_row import Row, read
from memstile.store import StoreError, fault_of, store_place, version_of

TIMEOUT_S = 5.0


class Stored(NamedTuple):
    """A row as it is kept. uid, time: what it is found by, made from the text. row: None where the text is no row."""

    id: int
    time: float
    uid: bytes | None
    text: str
    digest: bytes
    row: Row | None


@contextmanager
def reading(folder: str) -> Iterator[Connection | None]:
    """Open the log of a state folder for reading; None where there is none yet. Raises StoreError, also for the block.

    All that is read in the block is of one moment.
    """
    place = store_place(folder)
    if not os.path.lexists(place):
        yield None
        return
    if not stat.S_ISREG(os.stat(place).st_mode):  # to open a pipe would take for ever
        raise StoreError("unusable", "no file")
    connection = None
    try:
        connection = _opened(place)
        connection.execute("BEGIN")
        yield connection if version_of(connection) else None
    except Error as error:
        raise fault_of(error) from error
    finally:
        if connection is not None:
            connection.close()


def _opened(place: str) -> Connection:
    """Open a file to read; where no other file may be made beside it, as it stands."""
    address = f"file:{quote(os.fsencode(place))}?mode=ro"
    connection = connect(address, uri=True, timeout=TIMEOUT_S, isolation_level=None)
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except Error:
        if os.access(os.path.dirname(place), os.W_OK) or os.path.lexists(f"{place}-wal"):
            connection.close()
            raise
        connection.close()
        connection = connect(f"{address}&immutable=1", uri=True, isolation_level=None)
    return connection


def stored(connection: Connection, after: int = 0) -> Iterator[Stored]:
    """Give the rows in order, from the one after `after` on. Raises sqlite's errors."""
    for id_, time, uid, text, digest in connection.execute(
        "SELECT id, time, uid, text, digest FROM log WHERE id > ? ORDER BY id", (after,)
    ):
        told = text if isinstance(text, str) else ""
        yield Stored(id_, time, uid, told, digest_in(digest), read(told))


def rows(connection: Connection, most: int | None = None) -> Iterator[Row]:
    """Give the rows that can be read, the last `most` of them where that is not None."""
    after = 0
    if most is not None:
        query = "SELECT id FROM log ORDER BY id DESC LIMIT 1 OFFSET ?"
        found = connection.execute(query, (most,)).fetchone()
        after = found[0] if found else 0
    return (row.row for row in stored(connection, after) if row.row is not None)


def exported(row: Row) -> str:
    """Write a row as one line of JSON, its fields by name."""
    return dumps(row._asdict())


class Stats(NamedTuple):
    """Counts of a log. by_*: how many decisions. overrides: those that enforce would not have let through.

    by_observation: rows in which something was remarked; a guard's code is what `strict` would refuse.
    """

    rows: int
    decisions: int
    overrides: int
    by_action: dict[str, int]
    by_reason: dict[str, int]
    by_host: dict[str, int]
    overrides_by_reason: dict[str, int]
    by_observation: dict[str, int]


def stats(log: Iterable[Row], since: float = 0.0) -> Stats:
    """Count the rows from a time on, in seconds since 1970; the most frequent come first."""
    count = 0
    by: tuple[Counter[str], ...] = (Counter(), Counter(), Counter(), Counter(), Counter())
    for row in log:
        if row.time < since:
            continue
        count += 1
        by[4].update(row.observations)
        if row.action:
            for counter, value in zip(by, (row.action, row.reason_code, row.host), strict=False):
                counter[value] += 1
            if row.audit_override:
                by[3][row.reason_code] += 1
    action, reason, host, overrides, seen = (dict(counter.most_common()) for counter in by)
    return Stats(count, sum(action.values()), sum(overrides.values()), action, reason, host, overrides, seen)
