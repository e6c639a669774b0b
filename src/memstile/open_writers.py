"""Tell whether somebody has a file open for writing, who may still write to it after its name is gone."""

from __future__ import annotations

import errno
import fcntl
import os
import signal


def is_open_for_writing(path: str) -> bool:
    """Ask the kernel for a lease on a file that nobody may have open for writing; False where it cannot tell.

    path: a file of ours, else only root is told. Linux alone has leases. Raises nothing.
    Source: fcntl(2), F_SETLEASE.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Who opens the file while we hold the lease has us sent a signal; SIGIO, the usual one, would end us.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    finally:
        os.close(descriptor)
    return False
