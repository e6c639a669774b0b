"""Change the files of a setup: shown before, each written whole, with a backup beside it, and back again."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.installing_record import Record, Written, digest
from memstile.safe_write import Seen, look, replace
from memstile.settings_places import shown_path
from memstile.setups.setup import File, Unmergeable

BACKUP = ".memstile-backup"


class Step(NamedTuple):
    """One step of a plan. title: what it does, safe to show; lines: what is in it; do: carry it out."""

    title: str
    do: Callable[[], None]
    lines: tuple[str, ...] = ()


class Desk(NamedTuple):
    """Where files are changed. key: of the setup, in the record."""

    environment: Mapping[str, str]
    record: Record
    key: str

    def name(self, path: str) -> str:
        """Write a path as the person would."""
        return shown(shown_path(path, self.environment))

    def seen(self, path: str) -> Seen:
        """Look at a file that is to be changed; a symlink is followed. Raises GuardError."""
        return look(os.path.realpath(path), shown_path(path, self.environment))

    def text(self, seen: Seen) -> str | None:
        """Give a file's text, None where there is no file. Raises GuardError."""
        try:
            return seen.data.decode() if seen.status else None
        except UnicodeDecodeError as error:
            raise GuardError(
                f"{shown(seen.shown)} is not UTF-8 from byte {error.start:,} on; it was left alone", "correct it"
            ) from error

    def merged(self, seen: Seen, change: Callable[[], str | None]) -> str | None:
        """Work out a change. Raises GuardError where it cannot be made without guessing."""
        try:
            return change()
        except Unmergeable as error:
            raise GuardError(f"{shown(seen.shown)} was left alone: {error.message}", error.hint) from error


def putting(desk: Desk, file: File) -> Step | None:
    """Plan to write a file; None where it holds all of it. Raises GuardError."""
    seen = desk.seen(file.path)
    before = desk.text(seen)
    after = desk.merged(seen, lambda: file.put(before)) or ""
    if after == before and (seen.status is None or not file.is_executable or seen.status.st_mode & 0o111):
        return None
    verb = "change" if seen.status else "write"
    kept = f"; the file as it is stays beside it as {os.path.basename(seen.path)}{BACKUP}" if _keeps(file, seen) else ""
    title = f"{verb} {desk.name(file.path)}{shown(kept)}"
    return Step(title, lambda: _put(desk, file, seen, after.encode()), tuple(map(shown, file.lines)))


def _keeps(file: File, seen: Seen) -> bool:
    return seen.status is not None and not file.is_own


def _put(desk: Desk, file: File, seen: Seen, data: bytes) -> None:
    noted = desk.record.of(desk.key).files.get(file.path)
    made = make_folders(desk, os.path.dirname(seen.path))
    # Our own writing, with nothing of others since: what the person had before it stays the one to go back to.
    if noted and seen.status and noted.after == digest(seen.data):
        before, backup = noted.before, noted.backup
    else:
        before, backup = digest(seen.data if seen.status else None), ""
        if _keeps(file, seen):
            backup = seen.path + BACKUP
            _write(look(backup, desk.name(backup)), seen.data, like=seen)
    if made or seen.status is None:
        seen = desk.seen(file.path)
    _write(seen, data, is_executable=file.is_executable)
    desk.record.note_file(desk.key, file.path, Written(before, digest(data), backup))


def _write(seen: Seen, data: bytes, *, like: Seen | None = None, is_executable: bool = False) -> None:
    replace(seen, data)
    if like and like.status:
        os.chmod(seen.path, like.status.st_mode & 0o7777)
    if is_executable:
        mode = os.stat(seen.path).st_mode
        os.chmod(seen.path, (mode | (mode & 0o444) >> 2) & 0o7777)


def make_folders(desk: Desk, folder: str) -> bool:
    """Make the folders that are missing, and note them; tell whether any were."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        try:
            os.mkdir(path, 0o700 if _is_state(desk, path) else 0o777)
        except OSError as error:
            raise GuardError(f"cannot make {desk.name(path)}: {error.strerror}", "make it by hand") from error
    for path in reversed(missing):  # afterwards: the record lies in one of them when the launcher is written
        desk.record.note_folder(desk.key, path)
    return bool(missing)


def _is_state(desk: Desk, path: str) -> bool:
    return (path + os.sep).startswith(os.path.dirname(desk.record.path) + os.sep)


def taking(desk: Desk, file: File) -> Step | None:
    """Plan to take out of a file what was put in; None where there is nothing of it. Raises GuardError."""
    seen = desk.seen(file.path)
    if seen.status is None:
        return None
    noted = desk.record.of(desk.key).files.get(file.path)
    before = _as_it_was(desk, noted, seen)
    if before is not None:
        return Step(f"put {desk.name(file.path)} back as it was", lambda: _give_back(desk, seen, noted, before))
    is_untouched = noted is not None and noted.after == digest(seen.data)
    if is_untouched and noted and not noted.before:
        return Step(f"remove {desk.name(file.path)}", lambda: _remove(seen))
    text = desk.text(seen) or ""
    after = desk.merged(seen, lambda: file.take(text))
    if after is None:
        return Step(f"remove {desk.name(file.path)}", lambda: _remove(seen))
    if after == text:
        return None
    title = f"take memstile's entries out of {desk.name(file.path)}; it was changed since, and the rest stays"
    return Step(title, lambda: _give_back(desk, seen, noted, after.encode()))


def _as_it_was(desk: Desk, noted: Written | None, seen: Seen) -> bytes | None:
    """Give the content before, where the file is as it was written and the copy is what it was."""
    if noted is None or not noted.backup or noted.after != digest(seen.data):
        return None
    copy = look(noted.backup, desk.name(noted.backup))
    return copy.data if copy.status and digest(copy.data) == noted.before else None


def _give_back(desk: Desk, seen: Seen, noted: Written | None, data: bytes) -> None:
    replace(seen, data)
    if noted and noted.backup:
        copy = look(noted.backup, desk.name(noted.backup))
        if copy.status and digest(copy.data) == noted.before:
            os.unlink(copy.path)


def _remove(seen: Seen) -> None:
    now = look(seen.path, seen.shown)
    if now.data != seen.data:
        raise GuardError(f"{shown(seen.shown)} was changed by somebody else after it was shown", "run it again")
    os.unlink(seen.path)


def remove_folders(made: Sequence[str]) -> None:
    """Remove folders that were made, if they are empty by now. made: outermost first."""
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
