"""The gate's memory between processes: turns and the decision log in one SQLite file of the state folder.

One call is one transaction: the state of a turn is read, changed and written with the rows that tell of it, while all
other processes wait. `_sqlite3` is what the package `sqlite3` is made of, and 1.5 ms quicker to load (1.5 against 1.8
times a bare `python -I -S` on 3.11, 1.5 against 1.7 on 3.13), as it needs no datetime. On Python 3.11 a process that
ends by os._exit with its store still open saves the wait for the disk at the close (_NO_CHECKPOINT).
"""

from __future__ import annotations

import os
import sys
import time
from _sqlite3 import Connection, Error, connect

from memstile.audit_log import Head, anchor_place, anchored, append, read_anchor, write_anchor
from memstile.core.json_text import dumps
from memstile.core.record import NamedTuple
from memstile.hook_state import write_quietly
from memstile.store_fault import StoreError as StoreError
from memstile.store_fault import fault_of as fault_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Generic, TypeVar

    from memstile.core.log_row import Row

    T = TypeVar("T")

    class Changed(NamedTuple, Generic[T]):
        """What becomes of a turn: its state (None: forget it), rows for the log, and what the caller gets."""

        state: str | None
        rows: Sequence[Row]
        result: T
else:

    class Changed(NamedTuple):
        """What becomes of a turn: its state (None: forget it), rows for the log, and what the caller gets."""

        state: str | None
        rows: Sequence[Row]
        result: object


STEPS = (
    (
        "CREATE TABLE turns (key TEXT PRIMARY KEY, state BLOB NOT NULL, time REAL NOT NULL) WITHOUT ROWID",
        "CREATE INDEX turns_by_time ON turns (time)",
        "CREATE TABLE log (id INTEGER PRIMARY KEY, time REAL NOT NULL, uid BLOB, text TEXT NOT NULL,"
        " digest BLOB NOT NULL)",
        "CREATE UNIQUE INDEX log_by_uid ON log (uid) WHERE uid IS NOT NULL",
    ),
)
"""Statements from one schema version to the next; the version of a store is how many of them it has been through."""

_AHEAD_S = 60.0
"""A record from so far in the future was written before the clock jumped back; processes differ by less."""

_WAIT_S = 0.005
_BUSY, _CANTOPEN = 5, 14
_NO_CHECKPOINT = 1006
"""SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE: the last one to close would wait for the disk, 2 to 20 ms where an event takes 0.3;
the log of writes is worked off at every 1,000 pages anyway. Python 3.11 has no way to say so."""

_REGULAR, _TYPE = 0o100000, 0o170000


def store_place(folder: str) -> str:
    """Say where the store of a state folder is."""
    return os.path.join(folder, "gate.db")


class Store:
    """An open store. For one thread, and not to be used after a fork."""

    def __init__(self, folder: str, connection: Connection, schema: int = len(STEPS)) -> None:
        self._folder, self._connection, self._schema = folder, connection, schema

    def with_turn(
        self, key: tuple[str, str, str], now: float, ttl_s: float, change: Change[T], *, is_for_all: bool = False
    ) -> T:
        """Change the turn of one (host, session, agent) and log it, in one transaction.

        change: gets the state, None where there is none or its last event was more than ttl_s before now; what it
        raises goes through, and nothing is changed. is_for_all: the turns of the session's other agents are forgotten.
        Raises StoreError.
        """

        def work(connection: Connection) -> tuple[T, Sequence[Row], float]:
            if is_for_all:
                session = dumps(key[:2])[:-1] + ","
                others = "DELETE FROM turns WHERE substr(key, 1, ?) = ? AND key != ?"
                connection.execute(others, (len(session), session, dumps(key)))
            return self._changed(connection, dumps(key), now, ttl_s, change)

        return self.transact(work)

    def _changed(
        self, connection: Connection, key: str, now: float, ttl_s: float, change: Change[T]
    ) -> tuple[T, Sequence[Row], float]:
        # What has expired goes now, not when it is asked for: a clock that jumps back would bring it back.
        connection.execute("DELETE FROM turns WHERE time < ?", (now - ttl_s,))
        connection.execute("UPDATE turns SET time = ? WHERE time > ?", (now, now + _AHEAD_S))
        found = connection.execute("SELECT state FROM turns WHERE key = ?", (key,)).fetchone()
        state, rows, result = change(_text(found[0]) if found else None)
        if state is not None:
            data = state.encode("utf-8", "surrogatepass")
            connection.execute("INSERT OR REPLACE INTO turns (key, state, time) VALUES (?, ?, ?)", (key, data, now))
        elif found:
            connection.execute("DELETE FROM turns WHERE key = ?", (key,))
        return result, rows, now

    def transact(self, work: Callable[[Connection], tuple[T, Sequence[Row], float]]) -> T:
        """Do some work in a transaction of its own. work: gives a result, rows to append, and the time for a note."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            version_of(connection, self._schema)  # a newer memstile may have changed it since this was opened
            result, rows, now = work(connection)
            seen = read_anchor(self._folder) if rows else None
            head = append(connection, rows, now, seen) if rows else None
            connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back()
            if isinstance(error, Error):
                raise fault_of(error) from error
            raise
        if head:
            write_anchor(self._folder, head, seen)
        return result

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except Error:
            pass  # the error that led here is told

    def close(self) -> None:
        """Close the file; on Python 3.11 SQLite then puts what is in the write-ahead log into it."""
        try:
            self._connection.close()
        except Error as error:
            raise fault_of(error) from error


def with_turn(
    folder: str, key: tuple[str, str, str], now: float, ttl_s: float, change: Change[T], timeout_s: float = 2.0
) -> T:
    """Do `Store.with_turn` on a store that is opened for it. timeout_s: how long to wait for other processes."""
    store = open_store(folder, timeout_s)
    try:
        return store.with_turn(key, now, ttl_s, change)
    finally:
        store.close()


def open_store(folder: str, timeout_s: float = 2.0, steps: Sequence[Sequence[str]] = STEPS) -> Store:
    """Open the store of a state folder, made or brought to this version if need be. Raises StoreError."""
    until = time.monotonic() + timeout_s
    try:
        _make(folder)
        connection = connect(store_place(folder), timeout=timeout_s, isolation_level=None)
        if sys.version_info >= (3, 12):
            connection.setconfig(_NO_CHECKPOINT, True)
    except (OSError, Error) as error:
        raise fault_of(error) from error
    try:
        _prepare(connection, steps, until)
    except BaseException as error:
        connection.close()
        if isinstance(error, Error):
            is_shut = getattr(error, "sqlite_errorcode", 0) & 0xFF == _CANTOPEN and not os.access(folder, os.W_OK)
            raise (StoreError("read-only", str(error)) if is_shut else fault_of(error)) from error
        raise
    return Store(folder, connection, len(steps))


def _make(folder: str) -> None:
    """Make folder and file with our modes; SQLite gives those of the file to the ones beside it."""
    if not os.path.lexists(anchor_place(folder)) and not os.path.lexists(store_place(folder)):
        write_quietly(anchor_place(folder), anchored(Head()))
    os.makedirs(folder, 0o700, exist_ok=True)  # where the line above could not, this says why
    if os.stat(folder).st_mode & 0o077:
        os.chmod(folder, 0o700)
    try:
        mode = os.lstat(store_place(folder)).st_mode
    except FileNotFoundError:
        # Another process may have made it since; this one has no locks on it yet.
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        os.close(os.open(store_place(folder), flags, 0o600))
        return
    # Never opened where it is there: closing it would take away this process's locks on it (POSIX).
    if mode & _TYPE != _REGULAR:
        raise StoreError("unusable", "a link, or no file")
    if mode & 0o077:
        os.chmod(store_place(folder), 0o600)


def _prepare(connection: Connection, steps: Sequence[Sequence[str]], until: float) -> None:
    while True:
        try:
            connection.execute("PRAGMA synchronous = NORMAL")
            if version_of(connection, len(steps)) < len(steps):
                connection.execute("PRAGMA journal_mode = WAL")
                _migrate(connection, steps)
            return
        except Error as error:
            # The change to WAL is refused at once while another process is at it, whatever the timeout is.
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != _BUSY or time.monotonic() >= until:
                raise
            time.sleep(_WAIT_S)


def version_of(connection: Connection, most: int = len(STEPS)) -> int:
    """Give the schema version of a store. Raises StoreError for one later than `most`, and sqlite's errors."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > most:
        raise StoreError("newer", f"schema {version}, this memstile knows {most}")
    return version


def _migrate(connection: Connection, steps: Sequence[Sequence[str]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in steps[version_of(connection, len(steps)) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _text(data: object) -> str | None:
    """Read a state; None for bytes that are no text, which is stricter than any state."""
    try:
        return data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else None
    except UnicodeDecodeError:
        return None


if TYPE_CHECKING:
    Change = Callable[[str | None], Changed[T]]
