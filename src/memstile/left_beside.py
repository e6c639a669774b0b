"""Files beside an index while it is put back: their names, and what becomes of those that a killed process left.

    MEMORY.md.memstile-new-RANDOM            the accepted content, perhaps not whole yet: never was the index
    MEMORY.md.memstile-back-DIGEST-RANDOM    before the exchange the accepted content, which DIGEST is of; after it
                                             what was on disk
    MEMORY.md.memstile-aside-DIGEST-RANDOM   what was on disk, where files cannot be exchanged; until the index is back
                                             there is none

What has the content that its name tells is a copy. Everything else was the index once, and goes to quarantine whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator

from memstile.durable import held, make_private, sync_folder, write_new
from memstile.open_writers import is_open_for_writing
from memstile.quarantine import clear_unfinished, put_aside

MAX_BYTES = 256 * 1024 * 1024
"""A larger index is not put back, and a larger file is not compared: it goes to quarantine as it is."""

_LEFT = re.compile(
    r"(?P<name>.+)\.memstile-(?P<kind>new|back|aside)(?:-(?P<digest>[0-9a-f]{16}))?-(?P<token>[0-9a-f]{8})", re.S
)


def beside(real: str, kind: str, accepted: bytes) -> str:
    """Give a fresh name beside an index. real: its path, resolved; kind: "new", "back" or "aside"."""
    digest = "" if kind == "new" else f"-{_digest(accepted)}"
    return f"{real}.memstile-{kind}{digest}-{secrets.token_hex(4)}"


def content(path: str) -> bytes | None:
    """Read a file, None where it is none, is a link, cannot be read, or is larger than MAX_BYTES."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
                return None
            return file.read(MAX_BYTES + 1)
    except OSError:
        return None


def make_copy(real: str, accepted: bytes, like: os.stat_result) -> str:
    """Write the accepted content beside an index, with its mode and owner. Result: its path. Raises OSError."""
    unfinished, finished = beside(real, "new", accepted), beside(real, "back", accepted)
    write_new(unfinished, accepted, like)
    os.rename(unfinished, finished)
    return finished


def settle(path: str, quarantine: str, now: float) -> str:
    """Remove a copy of the accepted content, else move the file to quarantine. Result: where it is; "" if removed.

    A copy may have been the index for a moment: one that somebody has open for writing since then is not removed.
    A file that cannot be moved stays, for the next start to find.
    """
    folder, name = os.path.split(path)
    match = _LEFT.fullmatch(name)
    if not match or not os.path.lexists(path):
        return ""
    data = content(path)
    try:
        if data is not None and _digest(data) == match["digest"] and not is_open_for_writing(path):
            os.unlink(path)
            return ""
        return put_aside(path, os.path.join(folder, match["name"]), quarantine, now, match["token"])
    except OSError:
        return path


def recover(quarantine: str, folder: str) -> tuple[str, ...]:
    """Clear up what killed processes left in a vault: nothing that was the index once is lost.

    folder: of the vault; where a symlink in it leads to is looked at too. An index that is missing since its file was
    aside is put back. Result: where contents are now that went to quarantine, or could not. Raises nothing.
    """
    left = [path for place in _places(folder) for path in _left(place)]
    if not left:
        return ()
    try:
        make_private(quarantine)
        with held(quarantine):
            clear_unfinished(quarantine)
            found = [_recovered(path, quarantine) for path in left]
        for place in {os.path.dirname(path) for path in left}:
            sync_folder(place)
    except OSError:
        return tuple(path for path in left if os.path.lexists(path))
    return tuple(path for path in found if path)


def _places(folder: str) -> Iterator[str]:
    """Give the folder of a vault, and those that symlinks to files lead to: there their temporary files are."""
    top = os.path.realpath(folder)
    places = {top}
    with contextlib.suppress(OSError), os.scandir(top) as rows:
        places.update(os.path.dirname(os.path.realpath(row.path)) for row in rows if row.is_symlink())
    return iter(sorted(places))


def _left(folder: str) -> list[str]:
    """List what is left in a folder, what was aside first: it may be the index."""
    try:
        matches = [match for name in os.listdir(folder) if (match := _LEFT.fullmatch(name))]
    except OSError:
        return []
    whole = [match for match in matches if (match["kind"] == "new") != bool(match["digest"])]
    return [os.path.join(folder, match[0]) for match in sorted(whole, key=lambda match: (match["kind"], match[0]))]


def _recovered(path: str, quarantine: str) -> str:
    folder, name = os.path.split(path)
    match = _LEFT.fullmatch(name)
    if not match:
        return ""
    try:
        status = os.lstat(path)
        if match["kind"] == "aside":
            return_aside(path, os.path.join(folder, match["name"]))
        elif match["kind"] == "new":
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
                os.unlink(path)
            return ""
    except OSError:
        return ""  # gone meanwhile, or not to be removed
    return settle(path, quarantine, status.st_ctime)


def return_aside(path: str, real: str) -> bool:
    """Make a file that was aside the index again, unless there is a newer one: False, and it stays. Raises OSError."""
    try:
        os.link(path, real, follow_symlinks=False)
    except FileExistsError:
        if not os.path.samefile(path, real):
            return False
    except OSError:  # a folder that took the place of the index
        if os.path.lexists(real):
            return False
        os.rename(path, real)
        return True
    os.unlink(path)
    return True


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
