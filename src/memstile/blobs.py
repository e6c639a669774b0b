"""Read blobs and trees: a fixed number of git processes for any number of files."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence

from memstile.core.facts import MISSING, SYMLINK, Kind, Reading
from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.repository import LITERAL, Entry, Repository

_FILES = ("100644", "100755", "100664")  # the last one in very old repositories


def tree_entries(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, Entry]:
    """Look paths up in the tree of a commit. Raises GitFault if the tree cannot be read."""
    rows = repository.git.names(LITERAL, "ls-tree", "-z", "--full-tree", commit, "--", *paths)
    found = {}
    for row in rows:
        head, _, path = row.partition("\t")
        mode, _, sha = head.split(" ")
        found[path] = Entry(mode, sha, 0, path)
    return found


def read_blobs(repository: Repository, shas: Iterable[str]) -> Mapping[str, Reading]:
    """Read blobs, two processes for all. A blob past MAX_READ_BYTES is measured without being read."""
    wanted = list(dict.fromkeys(shas))
    if not wanted:
        return {}
    readings = {}
    small = []
    stdin = b"".join(sha.encode() + b"\n" for sha in wanted)
    rows = repository.git.ask("cat-file", "--batch-check", stdin=stdin).split(b"\n")
    for sha, row in zip(wanted, rows, strict=False):
        words = row.split(b" ")
        if len(words) != 3 or words[1] != b"blob":
            readings[sha] = Reading(Kind.UNREADABLE, why="the object is not in this clone")
        elif int(words[2]) > MAX_READ_BYTES:
            readings[sha] = Reading(Kind.TOO_LARGE, Size(None, int(words[2])), why=f"{int(words[2]):,} bytes")
        else:
            small.append(sha)
    return readings | _read_small(repository, small)


def _read_small(repository: Repository, shas: Sequence[str]) -> dict[str, Reading]:
    if not shas:
        return {}
    out = repository.git.ask("cat-file", "--batch", stdin=b"".join(sha.encode() + b"\n" for sha in shas))
    readings = {}
    at = 0
    for sha in shas:
        end = out.index(b"\n", at)
        length = int(out[at:end].split(b" ")[2])
        data = out[end + 1 : end + 1 + length]
        readings[sha] = Reading(Kind.FILE, measure(data), data)
        at = end + 1 + length + 1
    return readings


def blob_at(repository: Repository, commit: str, paths: Sequence[str]) -> dict[str, Reading]:
    """Read files of a commit, in at most six processes.

    A symlink is followed once, inside the commit, as `Snapshot.reading` does; one that leads nowhere there is
    NOT_REGULAR. A folder or a gitlink is MISSING: no index that a host would have loaded.
    """
    found = tree_entries(repository, commit, paths) if paths else {}
    blobs = read_blobs(repository, (entry.sha for entry in found.values() if entry.mode in (*_FILES, SYMLINK)))
    links = {path: target(path, blobs[entry.sha]) for path, entry in found.items() if entry.mode == SYMLINK}
    if links:
        found = found | tree_entries(repository, commit, set(links.values()) - {""})
        ends = (found[end].sha for end in links.values() if end in found and found[end].mode in _FILES)
        blobs = {**blobs, **read_blobs(repository, ends)}
    return {path: _reading(found.get(links.get(path, path)), blobs, is_link=path in links) for path in paths}


def target(path: str, link: Reading) -> str:
    """Give where a symlink at a path of a tree leads, from the top; "" where it leads out of the tree."""
    end = posixpath.normpath(posixpath.join(posixpath.dirname(path), os.fsdecode(link.data or b"")))
    return "" if end in (path, "..") or end.startswith(("/", "../")) else end


def _reading(entry: Entry | None, blobs: Mapping[str, Reading], *, is_link: bool) -> Reading:
    if entry and entry.mode in _FILES:
        return blobs[entry.sha]
    return Reading(Kind.NOT_REGULAR, why="a symlink to something that the commit does not hold") if is_link else MISSING
