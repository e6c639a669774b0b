"""Verify the decision log: rows that were edited, gaps, an end that was cut, and invariants of the gate that broke.

It is evident when somebody tampered who does not know how the log is made; it is no proof against the same user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memstile.audit_log import Head, read_anchor
from memstile.audit_read import Stored, reading, stored
from memstile.core.log_replay import INVARIANTS, broken
from memstile.core.log_row import BEHIND, PRUNED, START, Row, chained, identity
from memstile.store import StoreError


class Fault(NamedTuple):
    """What is wrong with a log. id: of its row, 0 for all of it. kind: edited, gap, cut, damaged, invariant."""

    id: int
    kind: str
    message: str


class Verified(NamedTuple):
    """A log that was looked at. rows: how many there are."""

    rows: int
    faults: tuple[Fault, ...]


def verify(folder: str) -> Verified:
    """Look at the log of a state folder, which may be in use. Raises StoreError, but not for a file that is damaged."""
    anchor = read_anchor(folder)  # before the rows: one that is read later may know of rows that came since
    try:
        with reading(folder) as connection:
            if connection is None:
                return Verified(0, tuple(_end(Head(), {}, anchor)))
            damage = [text for (text,) in connection.execute("PRAGMA integrity_check(5)") if text != "ok"]
            log = list(stored(connection))
    except StoreError as error:
        if error.kind != "corrupt":
            raise
        return Verified(0, (Fault(0, "damaged", str(error)),))
    faults = [Fault(0, "damaged", f"the file of the log is damaged: {text}") for text in damage]
    return Verified(len(log), (*faults, *examined(log, anchor)))


def examined(log: list[Stored], anchor: Head | None) -> Iterator[Fault]:
    """Find what is wrong with these rows, in three passes: chain, end, invariants."""
    start = _start(log)
    yield from _chain(log, start)
    head = Head(log[-1].id, log[-1].digest) if log else start
    yield from _end(head, {row.id: row.digest for row in log} | {start.id: start.digest}, anchor)
    rows = [row.row for row in log if row.row is not None]
    yield from _notes(rows)
    for found in broken(rows, is_pruned=start.id > 0):
        message = f"an invariant is broken: {INVARIANTS[found.invariant]} ({found.invariant})"
        yield Fault(found.id, "invariant", message)


def _start(log: Iterable[Stored]) -> Head:
    """Give what the first row has to follow: nothing, or what the last checkpoint says is gone."""
    for stored_row in reversed(list(log)):
        row = stored_row.row
        if row is not None and row.event == PRUNED:
            return Head(row.pruned_to, _bytes(row.pruned_digest))
    return Head(0, START)


def _chain(log: Iterable[Stored], before: Head) -> Iterator[Fault]:
    for row in log:
        if row.id != before.id + 1:
            gone = f"{before.id + 1}" if row.id == before.id + 2 else f"{before.id + 1} to {row.id - 1}"
            yield Fault(row.id, "gap", f"row {gone} is gone")
        elif row.digest != chained(before.digest, row.text) or not _is_itself(row):
            yield Fault(row.id, "edited", f"row {row.id} or its digest was changed")
        if row.id != before.id + 1 and not _is_itself(row):
            yield Fault(row.id, "edited", f"row {row.id} was changed")
        before = Head(row.id, row.digest)


def _is_itself(stored_row: Stored) -> bool:
    """Tell whether what a row is found by is what its text says."""
    row = stored_row.row
    return row is not None and (row.id, row.time, identity(row)) == (stored_row.id, stored_row.time, stored_row.uid)


def _end(head: Head, digests: dict[int, bytes], anchor: Head | None) -> Iterator[Fault]:
    if anchor is None:
        if head.id:
            yield Fault(0, "cut", "the anchor is gone: nothing tells where the log has to end")
    elif anchor.id > head.id:
        lost = anchor.id - head.id
        yield Fault(
            0, "cut", f"the log ends {lost} before its anchor, row {anchor.id}: it was cut, or the power failed"
        )
    elif anchor.id and digests.get(anchor.id, anchor.digest) != anchor.digest:
        yield Fault(anchor.id, "cut", f"row {anchor.id} is another than the one the anchor knows")


def _notes(rows: Iterable[Row]) -> Iterator[Fault]:
    for row in rows:
        if row.event == BEHIND:
            known = f"row {row.pruned_to}" if row.pruned_to else "no row, as it was gone"
            yield Fault(
                row.id, "cut", f"here the log was behind its anchor, which knew {known}: cut, or the power failed"
            )


def _bytes(digest: str) -> bytes:
    try:
        return bytes.fromhex(digest)
    except ValueError:
        return b""
