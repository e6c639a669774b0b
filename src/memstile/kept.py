"""Keep the accepted contents of an index in the state folder: the newest 50, whole, for the person alone."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from typing import NamedTuple

from memstile.core.measure import Size, measure
from memstile.durable import held, make_private, sync_folder, write_new

MOST_KEPT = 50
_PARTS = 5
_DIGEST = 32
_UNFINISHED = ".new-"


class Kept(NamedTuple):
    """One content that is kept. time: when, seconds since 1970; place: the file that holds it; size: of the content."""

    time: float
    place: str
    size: Size


def name_of(index: str) -> str:
    """Name an index in the state folder: by its resolved path, of which nothing can be read there."""
    return hashlib.sha256(os.fsencode(os.path.realpath(index))).hexdigest()[:16]


def keep(state: str, index: str, data: bytes, now: float) -> None:
    """Keep a content as the newest of an index, unless the newest is the same. now: seconds since 1970.

    The order is that of the calls, whatever the clock says. Raises OSError where the state folder cannot be written.
    """
    folder = _folder(state, index)
    make_private(folder)
    with held(folder):
        rows = kept(state, index)
        if rows and _digest_of(rows[0]) == _digest(data):
            return
        number = _number_of(rows[0]) + 1 if rows else 1
        size = measure(data)
        name = f"{number:08d}-{max(0, round(now * 1e6)):016d}-{size.lines}-{size.bytes}-{_digest(data)}"
        unfinished = os.path.join(folder, _UNFINISHED + secrets.token_hex(4))
        write_new(unfinished, data)
        os.rename(unfinished, os.path.join(folder, name))
        sync_folder(folder)
        _prune(folder, rows[MOST_KEPT - 1 :])


def kept(state: str, index: str) -> tuple[Kept, ...]:
    """List what is kept of an index, newest first; () where nothing is, or it cannot be read."""
    folder = _folder(state, index)
    try:
        names = os.listdir(folder)
    except OSError:
        return ()
    rows = [row for name in names if (row := _row(folder, name))]
    return tuple(sorted(rows, key=lambda row: (_number_of(row), row.place), reverse=True))


def read_kept(row: Kept) -> bytes:
    """Read a content that is kept. Raises OSError where it is gone, or is not what was kept."""
    descriptor = os.open(row.place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        data = file.read(row.size.bytes + 1)
    if _digest(data) != _digest_of(row):
        raise OSError(0, "is not what was kept", row.place)
    return data


def last_accepted(state: str, index: str) -> Kept | None:
    """Give the content that was kept last, None where none is."""
    return next(iter(kept(state, index)), None)


def _folder(state: str, index: str) -> str:
    return os.path.join(state, "kept", name_of(index))


def _row(folder: str, name: str) -> Kept | None:
    parts = name.split("-")
    if len(parts) != _PARTS or len(parts[-1]) != _DIGEST or not all(_is_number(part) for part in parts[:-1]):
        return None
    _, micros, lines, size = map(int, parts[:-1])
    return Kept(micros / 1e6, os.path.join(folder, name), Size(lines, size))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _number_of(row: Kept) -> int:
    return int(os.path.basename(row.place).partition("-")[0])


def _digest_of(row: Kept) -> str:
    return row.place.rpartition("-")[2]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_DIGEST]


def _prune(folder: str, rows: tuple[Kept, ...]) -> None:
    """Remove the oldest, and what a process left that was killed while it wrote: the folder is held, nobody writes."""
    left = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(_UNFINISHED)]
    for path in (*left, *(row.place for row in rows)):
        with contextlib.suppress(OSError):
            os.unlink(path)
