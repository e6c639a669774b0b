"""Tell on what kind of file system a folder lies: on some, nobody tells of a change that was made elsewhere."""

from __future__ import annotations

import os
import re

from memstile.carriers import is_below

_POLLED = frozenset(
    (
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "fakeowner", "fhgfs", "fuse", "fuseblk",
        "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "proc", "smb2",
        "smb3", "smbfs", "sysfs", "vboxsf", "virtiofs", "vmhgfs", "webdav",
    )
)  # fmt: skip
"""Types as Linux names them in mountinfo, and macOS in mount; of "fuse.sshfs" the first part counts."""

_MOUNTS = "/proc/self/mountinfo"
_OCTAL = re.compile(r"\\([0-7]{3})")


def polled_type(folder: str) -> str:
    """Give the type of a folder's file system if its changes have to be looked for, "" where they are announced.

    folder: absolute, resolved. Where the system does not tell (no /proc), "": the look of each second finds a change
    all the same.
    """
    kind = type_of(folder, _mounts())
    return kind if kind.partition(".")[0] in _POLLED else ""


def type_of(folder: str, mounts: str) -> str:
    """Give the type of the innermost mount that holds a folder. mounts: as proc_pid_mountinfo(5) describes it."""
    best, found = "", ""
    for line in mounts.splitlines():
        head, _, tail = line.partition(" - ")
        words, rest = head.split(" "), tail.split(" ")
        if len(words) < 5 or not rest[0]:
            continue
        place = _OCTAL.sub(lambda match: chr(int(match[1], 8)), words[4])
        if is_below(folder, place) and len(place) >= len(best):
            best, found = place, rest[0]
    return found


def _mounts() -> str:
    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(4 * 1024 * 1024)
    except OSError:
        return ""


def identity(folder: str) -> tuple[int, int] | None:
    """Tell a folder from another one of its name: device and inode; None where there is none, or it is no folder."""
    try:
        status = os.stat(os.path.join(folder, ""))
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino)


Signature = tuple[int, ...]
"""What a look without reading tells of a file; () where there is none."""


def signature(path: str) -> Signature:
    """Tell a file's state from another one without reading it; links are followed, and a link's own change counts."""
    try:
        link, status = os.lstat(path), os.stat(path)
    except (OSError, ValueError):
        try:
            link = status = os.lstat(path)
        except (OSError, ValueError):
            return ()
    own = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode)
    return own if link.st_ino == status.st_ino else (*own, link.st_ino, link.st_ctime_ns)
