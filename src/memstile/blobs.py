"""Read blobs and trees: a fixed number of git processes for any number of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from memstile.core.facts import MISSING, SYMLINK, Kind, Reading
from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.links import follow
from memstile.repository import LITERAL, Entry, Repository

_FILES = ("100644", "100755", "100664")  # the last one in very old repositories


def tree_entries(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, Entry]:
    """Look paths up in the tree of a commit; folders on the way to them are found too.

    Raises GitFault if the tree cannot be read.
    """
    wanted = list(paths)
    # -t, or a folder is left out where something below it is asked for as well
    rows = repository.git.names(LITERAL, "ls-tree", "-t", "-z", "--full-tree", commit, "--", *wanted) if wanted else []
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
    """Read files of a commit, in three processes, and three more for each hop of the longest way over symlinks.

    A symlink is followed inside the commit, as `Snapshot.reading` does; one that leads to no file there is
    NOT_REGULAR. A folder or a gitlink is MISSING: no index that a host would have loaded.
    """
    found = tree_entries(repository, commit, paths)
    links = [found[path] for path in dict.fromkeys(paths) if path in found and found[path].mode == SYMLINK]
    ends = {
        **{path: entry for path, entry in found.items() if entry.mode in _FILES},
        **follow(links, partial(tree_entries, repository, commit), partial(read_blobs, repository)),
    }
    blobs = read_blobs(repository, (end.sha for end in ends.values() if isinstance(end, Entry)))
    return {path: _reading(ends.get(path), blobs) for path in paths}


def _reading(end: Entry | Reading | None, blobs: Mapping[str, Reading]) -> Reading:
    if end is None:
        return MISSING
    return blobs[end.sha] if isinstance(end, Entry) else end
