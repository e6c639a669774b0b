"""Compare entries of the git index with the disk by their names, without having git run a filter for it."""

from __future__ import annotations

import os
import stat

from memstile.core.facts import SYMLINK
from memstile.core.measure import MAX_READ_BYTES
from memstile.disk import read_small
from memstile.repository import Entry, Repository, ask_ignored, entries


def is_staged(repository: Repository, path: str) -> bool:
    """Tell whether the next commit carries a file as it is on disk, or cannot: git ignores it and does not track it."""
    rows = entries(repository, path)
    if rows:
        return all(row.stage == 0 and is_on_disk(repository, row) for row in rows)
    return any(row.is_ignored for row in ask_ignored(repository, [path])[0])


def is_on_disk(repository: Repository, row: Entry) -> bool:
    """Tell whether the disk holds what an entry of the git index says."""
    data = _content(os.path.join(repository.top, row.path), row.mode)
    # Line ends that a checkout writes are no difference.
    return data is not None and row.sha in (blob_id(data, row.sha), blob_id(data.replace(b"\r\n", b"\n"), row.sha))


def _content(path: str, mode: str) -> bytes | None:
    try:
        if mode == SYMLINK:
            return os.fsencode(os.readlink(path))
        return read_small(path, MAX_READ_BYTES) if stat.S_ISREG(os.lstat(path).st_mode) else None
    except OSError:
        return None


def blob_id(data: bytes, like: str) -> str:
    """Name a blob as git does. like: a name from the same repository, whose length tells the hash.

    Source: gitformat-pack(5), "object name".
    """
    import hashlib

    digest = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
