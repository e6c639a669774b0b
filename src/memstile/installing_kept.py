"""What a changed file goes back to: what the person had in it, in a copy beside it, without anything of ours."""

from __future__ import annotations

import itertools
import os
from typing import NamedTuple

from memstile.installing_desk import Desk
from memstile.installing_record import Written, digest
from memstile.safe_write import Seen, look
from memstile.setups.setup import File

_BACKUP = ".memstile-backup"


class Kept(NamedTuple):
    """What there is to go back to.

    before: its digest, "" for no file; backup: the path of the copy, "" for none; data: what is to be written there,
    None where nothing is; copy: that file before it; told: of it, for a title.
    """

    before: str
    backup: str = ""
    data: bytes | None = None
    copy: Seen | None = None
    told: str = ""


def kept(desk: Desk, file: File, seen: Seen, text: str | None) -> Kept:
    """Work out what a file is to go back to. text: of it, None where there is no file. Raises GuardError."""
    noted = desk.record.of(desk.key).files.get(file.path)
    # Our own writing, with nothing of others since: what the person had before it stays the one to go back to.
    if noted and seen.status and noted.after == digest(seen.data):
        return Kept(noted.before, noted.backup)
    if text is None or file.is_own:
        return Kept(digest(None if text is None else seen.data))
    # Entries of an earlier run may stand in it, and must not come back.
    theirs = desk.merged(seen, lambda: file.take(text))
    if theirs is None or (noted and not noted.before and theirs.strip() == (file.take(file.put(None)) or "").strip()):
        return Kept("")
    data = theirs.encode()
    copy = _free(desk, noted, seen, data)
    what = "as it is" if data == seen.data else "without memstile's entries"
    told = f"; the file {what} stays beside it as {os.path.basename(copy.path)}"
    return Kept(digest(data), copy.path, data, copy, told)


def _free(desk: Desk, noted: Written | None, seen: Seen, data: bytes) -> Seen:
    """Find a place for the copy: that of our last one, or one where no file of somebody else is."""
    copies = (_look(desk, f"{seen.path}{_BACKUP}{end}") for end in _ends())
    return next(copy for copy in copies if copy.status is None or copy.data == data or _is_noted(noted, copy))


def _ends() -> itertools.chain[str]:
    return itertools.chain([""], (f"-{number}" for number in itertools.count(2)))


def _look(desk: Desk, path: str) -> Seen:
    return look(path, desk.name(path))


def _is_noted(noted: Written | None, copy: Seen) -> bool:
    return noted is not None and noted.backup == copy.path and digest(copy.data) == noted.before


def as_it_was(desk: Desk, noted: Written | None, seen: Seen) -> bytes | None:
    """Give the content before, where the file is as it was written and the copy is what it was."""
    if noted is None or not noted.backup or noted.after != digest(seen.data):
        return None
    copy = _look(desk, noted.backup)
    return copy.data if copy.status and _is_noted(noted, copy) else None


def remove_copy(desk: Desk, noted: Written | None, path: str, data: bytes) -> None:
    """Remove the copy of a file that was given back. data: what it holds now; a copy that no record names is that."""
    if noted and not noted.backup:
        return
    copy = _look(desk, noted.backup if noted else path + _BACKUP)
    if copy.status and (_is_noted(noted, copy) if noted else copy.data == data):
        os.unlink(copy.path)
