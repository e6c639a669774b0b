"""The git index as a set of files: what the next commit will hold.

One process lists it; of its rows only those that matter are taken apart, by one pass of a pattern over the bytes
(100,000 rows: 20 ms, against 150 ms for a split of every row). Blobs are read in batches, once each.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from memstile.blobs import read_blobs
from memstile.carriers import is_below, relative
from memstile.core.facts import GITLINK, MISSING, SYMLINK, Kind, Reading
from memstile.errors import GuardError
from memstile.links import FOLDER, follow
from memstile.repository import LITERAL, Entry, Repository
from memstile.settings_file import UNUSED, read_file

IGNORE_NAME = ".gitignore"
_NOTE = rb"\.[mM][dD]"
SETTINGS_NAMES = ("memstile.toml", "pyproject.toml")


class Snapshot:
    """Rows and blobs of the git index, by path from the top."""

    def __init__(self, repository: Repository, index_name: str) -> None:
        """List the whole git index."""
        self.repository = repository
        self._raw = b"\0" + repository.git.ask(LITERAL, "ls-files", "-z", "--stage")
        self._entries: dict[str, Entry] = {}
        self._conflicts: set[str] = set()
        self._blobs: dict[str, Reading] = {}
        self._ends: dict[str, Entry | Reading] = {}
        self._notes: dict[str, list[Entry]] | None = None
        self._folders: set[bytes] | None = None
        names = b"|".join(re.escape(os.fsencode(name)) for name in (index_name, IGNORE_NAME, *SETTINGS_NAMES))
        self._know(self._rows(rb"(?:[^\0]*/)?(?:" + names + rb")"))

    def _rows(self, path: bytes, mode: bytes = rb"\d+") -> list[Entry]:
        found = re.findall(rb"\0(" + mode + rb") ([0-9a-f]+) (\d)\t(" + path + rb")(?=\0)", self._raw)
        return [Entry(mode.decode(), sha.decode(), int(stage), os.fsdecode(name)) for mode, sha, stage, name in found]

    def _know(self, rows: Iterable[Entry]) -> list[Entry]:
        known = list(rows)
        self._entries |= {row.path: row for row in known}
        self._conflicts |= {row.path for row in known if row.stage}
        return known

    def named(self, name: str) -> list[str]:
        """List the paths that have one of the file names known from the start."""
        return [path for path in self._entries if path.rpartition("/")[2] == name]

    def notes_in(self, folder: str) -> list[str]:
        """List the markdown files directly in a folder, "" for the top. One pass for every folder of a run."""
        if self._notes is None:
            self._notes = {}
            for row in self._rows(rb"[^\0]*" + _NOTE):
                self._notes.setdefault(os.path.dirname(row.path), []).append(row)
        return [row.path for row in self._know(self._notes.get(folder, ()))]

    def note_folders(self) -> set[str]:
        """List the folders that hold markdown files, "" for the top."""
        found = re.findall(rb"\t((?:[^\0]*/)?)[^\0/]*" + _NOTE + rb"(?=\0)", self._raw)
        return {os.fsdecode(folder).rstrip("/") for folder in set(found)}

    def other_files(self, folder: str) -> Iterator[str]:
        """Give what is in a folder or below, "" for the top, and is no markdown, but for dot-files; looked for late."""
        start = re.escape(os.fsencode(folder) + b"/") if folder else b""
        plain = rb"[^.\0/][^\0/]*"
        other = rb"\t" + start + rb"(?:" + plain + rb"/)*(?!" + rb"[^\0/]*" + _NOTE + rb"\0)" + plain + rb"\0"
        yield from (os.fsdecode(found[0][1:-1]) for found in re.finditer(other, self._raw))

    def links(self) -> list[str]:
        """List the symlinks and gitlinks."""
        return [row.path for row in self._rows(rb"[^\0]*", f"{SYMLINK}|{GITLINK}".encode())]

    def gitlinks(self) -> list[str]:
        """List the gitlinks."""
        return [row.path for row in self._rows(rb"[^\0]*", GITLINK.encode())]

    def folders(self) -> set[str]:
        """List the folders that hold anything, "" for the top."""
        return {"", *map(os.fsdecode, self._every_folder())}

    def __contains__(self, path: str) -> bool:
        """Tell whether a path that was looked up before is in the git index."""
        return path in self._entries

    def is_symlink(self, path: str) -> bool:
        """Tell whether a known path is a symlink."""
        return path in self._entries and self._entries[path].mode == SYMLINK

    def fetch(self, paths: Iterable[str]) -> None:
        """Read the blobs of several paths at once, and those that symlinks among them lead to."""
        rows = [self._entries[path] for path in dict.fromkeys(paths) if path in self._entries]
        fresh = [row for row in rows if row.mode == SYMLINK and not row.stage and row.path not in self._ends]
        self._ends |= follow(fresh, self._look, self._read)
        ends = [self._ends.get(row.path, row) for row in rows]
        self._read(end.sha for end in ends if isinstance(end, Entry) and end.mode != GITLINK)

    def _read(self, shas: Iterable[str]) -> dict[str, Reading]:
        self._blobs |= read_blobs(self.repository, sorted(set(shas) - self._blobs.keys()))
        return self._blobs

    def _look(self, paths: Iterable[str]) -> dict[str, Entry]:
        raw = {path: os.fsencode(path) for path in paths}
        rows = self._know(self._rows(b"|".join(map(re.escape, raw.values()))))
        found = {row.path: row for row in rows}
        return found | {path: Entry(FOLDER, "", 0, path) for path, name in raw.items() if name in self._every_folder()}

    def _every_folder(self) -> set[bytes]:
        if self._folders is None:
            direct = set(re.findall(rb"\0\d+ [0-9a-f]+ \d\t([^\0]*)/", self._raw))
            parts = [folder.split(b"/") for folder in direct]
            self._folders = {b"/".join(names[: size + 1]) for names in parts for size in range(len(names))}
        return self._folders

    def reading(self, path: str) -> Reading:
        """Read what the next commit holds at a path; a symlink is followed, inside the git index."""
        entry = self._entries.get(path)
        if entry is None:
            return MISSING
        if path in self._conflicts:
            return Reading(Kind.UNREADABLE, why="unmerged: the git index holds several versions")
        self.fetch([path])
        if entry.mode == SYMLINK:
            end = self._ends[path]
            return self.reading(end.path) if isinstance(end, Entry) else end
        return self._blobs.get(entry.sha, Reading(Kind.NOT_REGULAR, why=f"git mode {entry.mode}"))

    def read_absolute(self, path: str) -> bytes | None:
        """Read a settings file: in the work tree its staged version, None where this commit has none; else the disk.

        Raises GuardError as read_file does.
        """
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if not is_below(real, self.repository.top):
            return read_file(path)
        inside = relative(real, self.repository.top)
        staged = self.reading(inside)
        if staged.kind not in (Kind.FILE, Kind.MISSING):  # as no settings it would loosen what it asks for
            raise GuardError(f"the staged settings file cannot be read: {staged.why}", UNUSED)
        return staged.data
