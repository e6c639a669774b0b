"""Read blobs and trees: a fixed number of git processes for any number of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.repository import LITERAL, Entry, Repository


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
    """Read files of a commit; a path that its tree does not hold is MISSING, one that is no file NOT_REGULAR."""
    found = tree_entries(repository, commit, paths) if paths else {}
    blobs = read_blobs(repository, (entry.sha for entry in found.values() if entry.mode.startswith("100")))
    return {path: _reading(found.get(path), blobs) for path in paths}


def _reading(entry: Entry | None, blobs: Mapping[str, Reading]) -> Reading:
    if entry is None:
        return MISSING
    return blobs.get(entry.sha, Reading(Kind.NOT_REGULAR, why=f"git mode {entry.mode}"))
