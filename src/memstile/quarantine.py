"""Hold contents that were taken off an index: each whole, 0600, until the person removes it."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat

from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.disk import read_small
from memstile.durable import sync_folder
from memstile.kept import Kept, name_of
from memstile.open_writers import is_open_for_writing

_UNFINISHED = ".new-"
_TRIES = 8


def quarantine_place(state: str) -> str:
    """Say where the quarantine of a state folder is, for all indexes; name_of tells them apart."""
    return os.path.join(state, "quarantine")


def put_aside(path: str, index: str, quarantine: str, now: float, token: str) -> str:
    """Move a file into quarantine, 0600. Result: where it is now. Raises OSError, and the file stays then.

    token: 8 signs of its own, so that a copy a killed process made of it is not made twice. The file itself is moved
    where that can be: who has it open and goes on writing then writes in quarantine, and nothing is lost. A file with
    a second name is copied, as its mode is the other name's too, and so is one of another file system. There, one that
    somebody has open for writing stays where it is besides, for the next start to look at again.
    """
    name, ending = name_of(index), f"-{token}.md"
    before = (row for row in os.listdir(quarantine) if row.startswith(name) and row.endswith(ending))
    fresh = f"{name}-{max(0, round(now * 1e6)):016d}{ending}"
    place = os.path.join(quarantine, next(before, fresh))
    status = os.lstat(path)
    if not (stat.S_ISREG(status.st_mode) and status.st_nlink > 1) and _moved(path, place, status):
        return place
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EXDEV, "is no file, and quarantine is on another file system", path)
    _copy(path, os.path.join(quarantine, _UNFINISHED + secrets.token_hex(4)), place)
    if status.st_nlink == 1 and is_open_for_writing(path):
        return path
    os.unlink(path)
    return place


def _moved(path: str, place: str, status: os.stat_result) -> bool:
    if stat.S_ISREG(status.st_mode):
        os.chmod(path, 0o600)  # before it is there: nobody would do it after a kill between the two
    try:
        os.rename(path, place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return False
    sync_folder(os.path.dirname(place))
    return True


def _copy(path: str, unfinished: str, place: str) -> None:
    """Copy a file, again if it was written to meanwhile."""
    source = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    target = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(source, "rb") as read, open(target, "wb") as written:
            for _ in range(_TRIES):
                before = _stamp(source)
                read.seek(0)
                written.seek(0)
                written.truncate()
                shutil.copyfileobj(read, written)
                written.flush()
                os.fsync(target)
                if _stamp(source) == before:
                    break
        os.rename(unfinished, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
    sync_folder(os.path.dirname(place))


def _stamp(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_size, status.st_mtime_ns


def clear_unfinished(quarantine: str) -> None:
    """Remove copies that a killed process did not finish; what they are of is still beside the index.

    The caller holds the folder (durable.held): nobody writes there.
    """
    for name in os.listdir(quarantine):
        if name.startswith(_UNFINISHED):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(quarantine, name))


def quarantined(quarantine: str, index: str) -> tuple[Kept, ...]:
    """List what was taken off an index, newest first. Lines are None where a file is too large to be read."""
    try:
        names = os.listdir(quarantine)
    except OSError:
        return ()
    rows = [row for name in names if (row := _row(quarantine, name, name_of(index)))]
    return tuple(sorted(rows, key=lambda row: (row.time, row.place), reverse=True))


def _row(folder: str, name: str, wanted: str) -> Kept | None:
    of, _, rest = name.partition("-")
    micros = rest.partition("-")[0]
    if of != wanted or not (micros.isascii() and micros.isdigit()):
        return None
    place = os.path.join(folder, name)
    data = read_small(place, MAX_READ_BYTES)
    try:
        size = measure(data) if data is not None else Size(None, os.lstat(place).st_size)
    except OSError:
        return None
    return Kept(int(micros) / 1e6, place, size)
