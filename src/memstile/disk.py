"""Look at files: an index without opening what is no file, and the files of a vault without following links."""

from __future__ import annotations

import os
import stat

from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.core.reading import MAX_HEAD_BYTES, MISSING, Kind, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_index(path: str) -> Reading:
    """Read an index. Its size is decided from stat first; only a regular file of at most MAX_READ_BYTES is opened.

    A symlink is followed, as hosts do. Raises nothing.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        if os.path.lexists(path):
            return Reading(Kind.UNREADABLE, why="a symlink to nothing")
        return MISSING
    except (OSError, ValueError) as error:
        return Reading(Kind.UNREADABLE, why=_reason(error))
    if not stat.S_ISREG(status.st_mode):
        what = next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), "no file")
        return Reading(Kind.NOT_REGULAR, why=what)
    if status.st_size > MAX_READ_BYTES:
        return _too_large(status.st_size)
    try:
        data = _read(path, MAX_READ_BYTES + 1)
    except OSError as error:
        return Reading(Kind.UNREADABLE, Size(None, status.st_size), why=_reason(error))
    return Reading(Kind.FILE, measure(data), data) if len(data) <= MAX_READ_BYTES else _too_large(len(data))


def _too_large(size: int) -> Reading:
    return Reading(Kind.TOO_LARGE, Size(None, size), why=f"{size:,} bytes, only {MAX_READ_BYTES:,} are read")


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def _read(path: str, most: int) -> bytes:
    # O_NONBLOCK: a FIFO put in the place between stat and open must not hang us; it has no effect on a regular file.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "replaced by something that is no file")
        parts = []
        while most > 0 and (part := file.read(most)) != b"":
            if part is None:  # a file of /proc that has nothing to give now, and would have made us wait
                raise OSError(0, "gives no data")
            parts.append(part)
            most -= len(part)
        return b"".join(parts)


def read_small(path: str, most: int = 1024 * 1024) -> bytes | None:
    """Read a small regular file, None where there is none, it cannot be read, or it is larger than `most` bytes."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        data = _read(path, most + 1)
    except (OSError, ValueError):
        return None
    return data if len(data) <= most else None


def is_regular(path: str) -> bool:
    """Tell whether there is a file, and no link to one: git follows no link to an ignore file, gitignore(5)."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def note_heads(folder: str, names: Iterator[str]) -> Iterator[bytes]:
    """Read the openings of notes, one by one; what cannot be read is passed over."""
    for name in names:
        try:
            if stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode):
                yield _read(os.path.join(folder, name), MAX_HEAD_BYTES)
        except (OSError, ValueError):
            continue


def notes_below(folders: Iterable[str]) -> dict[str, int]:
    """Count the markdown files of vaults: by folder, what files_below lists. A nest of vaults is walked once.

    folders: absolute and resolved, each there.
    """
    counts = dict.fromkeys(sorted(folders), 0)
    walked: set[str] = set()
    for top in counts:
        if top in walked:
            continue
        inside: dict[str, list[str]] = {}
        for name in files_below(top):
            folder, _, note = name.rpartition("/")
            inside.setdefault(folder, []).append(note)
        for folder, names in inside.items():
            notes = sum(name.lower().endswith(".md") for name in names)
            place = os.path.join(top, folder) if folder else top
            for above in _up_to(top, place):
                walked.add(above)
                if above in counts:
                    counts[above] += notes
    return counts


def _up_to(top: str, place: str) -> Iterator[str]:
    """Give a folder and those above it, the last one is `top`."""
    while place != top:
        yield place
        place = os.path.dirname(place)
    yield top


def files_below(folder: str) -> list[str]:
    """List what a repository would carry of a folder, relative to it, sorted.

    Files and symlinks, whatever their names; a nested repository as one path; `.git` never. Links are not followed.
    A folder that cannot be listed appears as a path of its own, so that it is asked about too.
    """
    found = []
    todo = [""]
    while todo:
        below = todo.pop()
        try:
            with os.scandir(os.path.join(folder, below) if below else folder) as rows:
                listed = [(row.name, row.is_dir(follow_symlinks=False)) for row in rows]
        except OSError:
            found += [below] if below else []
            continue
        if below and any(name == ".git" for name, _ in listed):
            found.append(below)
            continue
        prefix = f"{below}/" if below else ""
        for name, is_folder in listed:
            if is_folder and name != ".git":
                todo.append(prefix + name)
            elif name != ".git":
                found.append(prefix + name)
    return sorted(found)
