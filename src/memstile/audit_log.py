"""Append rows to the decision log inside a transaction, and keep its head in a second file, the anchor.

The anchor is written after the commit, so it is never ahead of a log that nobody cut. A log that is behind its anchor
when a row is appended was cut, or lost its end with the power: that is noted as a row of its own, as the anchor will
be overwritten.
"""

from __future__ import annotations

import os
from binascii import crc32

from memstile.core.log_row import BEHIND, START, Row, chained, identity, plain, written
from memstile.core.record import NamedTuple
from memstile.hook_state import read_quietly, write_quietly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

_ANCHOR_BYTES = 20 + 1 + 64 + 1 + 8 + 1
_TRIES = 10
_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_REGULAR, _TYPE = 0o100000, 0o170000
KEY_BYTES = 32


class Head(NamedTuple):
    """The last row of a log. id: 0 for none."""

    id: int = 0
    digest: bytes = START


def head_of(connection: Connection) -> Head:
    """Give the last row. Raises sqlite's errors."""
    found = connection.execute("SELECT id, digest FROM log ORDER BY id DESC LIMIT 1").fetchone()
    return Head(found[0], digest_in(found[1])) if found else Head()


def digest_in(value: object) -> bytes:
    """Give a digest as it is kept; b"" for any other value that somebody may have put there."""
    return value if isinstance(value, bytes) and len(value) == len(START) else b""


def append(connection: Connection, rows: Iterable[Row], now: float, anchor: Head | None) -> Head | None:
    """Append rows that are not there yet; give the new head, None if there was nothing to append.

    Within a transaction that may write. anchor: as it was read within the same transaction, None where it is gone.
    A row is there already if one of its host, session, agent, call and event is. Raises sqlite's errors.
    """
    pending = [row for row in map(plain, rows) if not _is_there(connection, row)]
    if not pending:
        return None
    head = head_of(connection)
    if is_behind(connection, head, anchor):
        lost = anchor or Head()
        note = Row(time=now, event=BEHIND, pruned_to=lost.id, pruned_digest=lost.digest.hex())
        head = _appended(connection, plain(note), head)
    for row in pending:
        if not _is_there(connection, row):  # twice in one batch
            head = _appended(connection, row, head)
    return head


def _is_there(connection: Connection, row: Row) -> bool:
    uid = identity(row)
    found = None if uid is None else connection.execute("SELECT 1 FROM log WHERE uid = ?", (uid,)).fetchone()
    return found is not None


def _appended(connection: Connection, row: Row, head: Head) -> Head:
    text = written(row._replace(id=head.id + 1))
    after = Head(head.id + 1, chained(head.digest, text))
    connection.execute(
        "INSERT INTO log (id, time, uid, text, digest) VALUES (?, ?, ?, ?, ?)",
        (after.id, row.time, identity(row), text, after.digest),
    )
    return after


def is_behind(connection: Connection, head: Head, anchor: Head | None) -> bool:
    """Tell whether the anchor knows of rows that are not there, or is not there although rows are."""
    if anchor is None:
        return head.id > 0
    if anchor.id >= head.id:
        return anchor != head
    found = connection.execute("SELECT digest FROM log WHERE id = ?", (anchor.id,)).fetchone()
    return found is not None and digest_in(found[0]) != anchor.digest  # None: pruned since


def anchor_place(folder: str) -> str:
    """Say where the anchor of a store is."""
    return os.path.join(folder, "gate.anchor")


def read_anchor(folder: str) -> Head | None:
    """Read the anchor; None where there is none, or what is there is none."""
    for _ in range(_TRIES):  # one that is just being written can be read half
        data = _content(anchor_place(folder))
        words = data.split()
        if len(data) == _ANCHOR_BYTES and len(words) == 3 and words[0].isdigit():
            head = Head(int(words[0]), _digest(words[1]))
            if anchored(head) == data:
                return head
        if not data:
            break
    return None


def anchored(head: Head) -> bytes:
    """Write a head as it is anchored: always of one length, with a checksum."""
    line = b"%020d %s" % (head.id, head.digest.hex().encode())
    return b"%s %08x\n" % (line, crc32(line))


def _digest(word: bytes) -> bytes:
    try:
        return bytes.fromhex(word.decode("ascii", "replace"))
    except ValueError:
        return b""


def _content(place: str) -> bytes:
    """Read a file that others may replace meanwhile: then it has no name left, where `read_quietly` wants one."""
    try:
        with open(os.open(place, os.O_RDONLY | _FLAGS), "rb", 0) as file:
            status = os.fstat(file.fileno())
            is_plain = status.st_mode & _TYPE == _REGULAR and status.st_nlink <= 1
            return file.read(_ANCHOR_BYTES + 1) if is_plain else b""
    except OSError:
        return b""


def write_anchor(folder: str, head: Head, seen: Head | None) -> None:
    """Move the anchor to a head that was committed; another process may be further. A failure is no trouble.

    seen: the anchor within the transaction: where it was wrong, it is ahead, and has to go all the same.
    """
    there = read_anchor(folder)
    if there is None or there.id < head.id or there == seen:
        _put(anchor_place(folder), anchored(head))


def _put(place: str, data: bytes) -> None:
    """Write over a file in place, in one call: a rename makes ext4 wait for the disk, 1.4 ms where this takes 0.02."""
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | _FLAGS, 0o600)
        try:
            status = os.fstat(descriptor)
            if status.st_mode & _TYPE == _REGULAR and status.st_nlink <= 1:
                os.pwrite(descriptor, data, 0)
                if status.st_size > len(data):
                    os.ftruncate(descriptor, len(data))
        finally:
            os.close(descriptor)
    except OSError:
        return


def path_key(folder: str) -> bytes:
    """Give the key that paths are hashed with; made at the first use. b"" where it cannot be kept."""
    place = os.path.join(folder, "gate.key")
    key = read_quietly(place, KEY_BYTES)
    if len(key) < KEY_BYTES:
        write_quietly(place, os.urandom(KEY_BYTES))
        key = read_quietly(place, KEY_BYTES)  # another process may have been later
    return key if len(key) == KEY_BYTES else b""
