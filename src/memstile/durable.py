"""Write to folders of our own so that a power cut leaves all or nothing, one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator


def make_private(folder: str) -> None:
    """Make a folder and those above it that are missing, each 0700. Raises OSError."""
    if os.path.isdir(folder):
        return
    make_private(os.path.dirname(folder))
    with contextlib.suppress(FileExistsError):  # somebody else was first
        os.mkdir(folder, 0o700)


@contextlib.contextmanager
def held(folder: str) -> Iterator[None]:
    """Wait until nobody else holds a folder of ours, and hold it. A process that is killed lets go.

    Where a file system knows no locks, nobody waits. Raises OSError where the folder cannot be opened.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_new(path: str, data: bytes, like: os.stat_result | None = None) -> None:
    """Write a file that was not there, to the disk. Raises OSError, and leaves nothing then.

    like: whose mode, owner and group it gets; 0600 and our own without one. The owner is kept where we may give files
    away, the group where it is ours.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if like:
                _resemble(descriptor, like)
            os.fsync(descriptor)
    except BaseException:
        os.unlink(path)
        raise


def _resemble(descriptor: int, like: os.stat_result) -> None:
    owner = like.st_uid if os.geteuid() == 0 else -1
    with contextlib.suppress(OSError):  # a group that is not ours to give
        os.fchown(descriptor, owner, like.st_gid)
    os.fchmod(descriptor, like.st_mode & 0o7777)  # after the owner: a change of that takes bits away


def sync_folder(folder: str) -> None:
    """Bring what was made, renamed and removed in a folder to the disk, where its file system and our rights allow."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
