"""Write a small file whole or not at all, and only if it still is what was looked at."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import time
from typing import NamedTuple

from memstile.core.text import shown
from memstile.disk import read_small
from memstile.errors import GuardError

_MOST_BYTES = 16 * 1024 * 1024
_TAIL = re.compile(r"\.memstile-[0-9a-f]{8}")
_LEFT_AFTER_S = 60


class Seen(NamedTuple):
    """A file before a change. path: absolute; data: its content, b"" if it does not exist; status: None then."""

    path: str
    shown: str
    data: bytes
    status: os.stat_result | None


def look(path: str, shown_as: str) -> Seen:
    """Look at a file that is to be replaced. Raises GuardError where replacing it would not be right.

    path: absolute, its folder resolved. shown_as: for messages.
    """
    name = shown(shown_as)
    try:
        _require_writable(os.path.dirname(path), os.stat(os.path.dirname(path)), f"the folder of {name}")
        status = os.lstat(path)
    except FileNotFoundError:
        return Seen(path, shown_as, b"", None)
    except OSError as error:
        raise GuardError(f"cannot look at {name}: {error.strerror}", "nothing was changed") from error
    if stat.S_ISLNK(status.st_mode):
        raise GuardError(f"{name} is a symlink, and git does not follow it", "replace it by a file of its own")
    if not stat.S_ISREG(status.st_mode):
        raise GuardError(f"{name} is not a regular file", "move it out of the way")
    if status.st_uid != os.geteuid():
        raise GuardError(f"{name} belongs to another user, and a new file would be yours", "run this as its owner")
    _require_writable(path, status, name)
    data = read_small(path, _MOST_BYTES)
    if data is None:
        raise GuardError(f"{name} cannot be read, or is larger than {_MOST_BYTES:,} bytes", "look at it by hand")
    return Seen(path, shown_as, data, status)


def _require_writable(path: str, status: os.stat_result, name: str) -> None:
    # The bits are looked at too: for root every file is writable, but a read-only one is meant to stay as it is.
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise GuardError(f"{name} is not writable", "make it writable, or edit by hand as another user")


def replace(seen: Seen, data: bytes) -> None:
    """Replace a file, or create it, by a temporary file beside it, fsync and rename; mode and group stay.

    What a killed run left beside it is removed. Raises GuardError if the file is not as it was seen; OSError if it
    cannot be written. Nothing is changed then.
    """
    folder, name = os.path.split(seen.path)
    temporary = os.path.join(folder, f"{name}.memstile-{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if seen.status:
                _keep(descriptor, seen.status)
            os.fsync(descriptor)
        _require_unchanged(seen)
        os.rename(temporary, seen.path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    _clear(folder, name, data)
    _sync_folder(folder)


def _clear(folder: str, name: str, data: bytes) -> None:
    """Remove the temporary files of earlier runs that were killed, which a `git add --all` would take along.

    data: what the file holds now. A leftover of the same step is that, or its beginning: whoever's a file of that
    name was, its content is kept.
    """
    with contextlib.suppress(OSError):
        for row in os.listdir(folder):
            path = os.path.join(folder, row)
            if _is_temporary(row, name) and _is_left(os.lstat(path)):
                content = read_small(path, len(data))
                if content is not None and data.startswith(content):
                    os.unlink(path)


def _is_left(status: os.stat_result) -> bool:
    is_plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == os.geteuid()
    return is_plain and status.st_mtime < time.time() - _LEFT_AFTER_S  # who writes a younger one may be at work


def _is_temporary(row: str, name: str) -> bool:
    return row.startswith(name) and bool(_TAIL.fullmatch(row, len(name)))


def _keep(descriptor: int, status: os.stat_result) -> None:
    with contextlib.suppress(OSError):  # a group that is not ours to give
        os.fchown(descriptor, -1, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _require_unchanged(seen: Seen) -> None:
    now = look(seen.path, seen.shown)
    if (now.data, _identity(now)) != (seen.data, _identity(seen)):
        raise GuardError(f"{shown(seen.shown)} was changed by somebody else after it was shown", "run it again")


def _identity(seen: Seen) -> tuple[int, int, int] | None:
    return (seen.status.st_dev, seen.status.st_ino, seen.status.st_mode) if seen.status else None


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # not every file system knows how
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
