"""Change the files of a setup: shown before, each written whole, with a backup beside it, and back again."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.installing_desk import Desk, Step
from memstile.installing_kept import Kept, as_it_was, kept, remove_copy
from memstile.installing_record import Written, digest
from memstile.safe_write import Seen, look, replace
from memstile.setups.setup import File

_SHARED_NAMES = ("memstile", "skills", "plugins", "hooks")


def putting(desk: Desk, file: File) -> Step | None:
    """Plan to write a file; None where it holds all of it. Raises GuardError."""
    seen = desk.seen(file.path)
    before = desk.text(seen)
    after = desk.merged(seen, lambda: file.put(before)) or ""
    if after == before and (seen.status is None or not file.is_executable or seen.status.st_mode & 0o111):
        return None
    verb = "change" if seen.status else "write"
    goes_back = kept(desk, file, seen, before)
    title = f"{verb} {desk.name(file.path)}{shown(goes_back.told)}"
    return Step(title, lambda: _put(desk, file, seen, after.encode(), goes_back), tuple(map(shown, file.lines)))


def _put(desk: Desk, file: File, seen: Seen, data: bytes, goes_back: Kept) -> None:
    made = make_folders(desk, os.path.dirname(seen.path))
    if goes_back.copy and goes_back.data is not None:
        _write(goes_back.copy, goes_back.data, like=seen)
    if made or seen.status is None:
        seen = desk.seen(file.path)
    _write(seen, data, is_executable=file.is_executable)
    desk.record.note_file(desk.key, file.path, Written(goes_back.before, digest(data), goes_back.backup))


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
    before = as_it_was(desk, noted, seen)
    if before is not None:
        return Step(f"put {desk.name(file.path)} back as it was", lambda: _give_back(desk, seen, noted, before))
    is_untouched = noted is not None and noted.after == digest(seen.data)
    if is_untouched and noted and not noted.before:
        return Step(f"remove {desk.name(file.path)}", lambda: _remove(seen))
    text = desk.text(seen) or ""
    after = desk.merged(seen, lambda: file.take(text))
    if after is None:
        made = () if noted else _folders_of(seen.path)
        return Step(f"remove {desk.name(file.path)}", lambda: _remove(seen, made))
    if after == text:
        return None
    why = "it was changed since" if noted else "no `memstile init` of this account wrote them"
    title = f"take memstile's entries out of {desk.name(file.path)}; {why}, and the rest stays"
    return Step(title, lambda: _give_back(desk, seen, noted, after.encode()))


def _give_back(desk: Desk, seen: Seen, noted: Written | None, data: bytes) -> None:
    replace(seen, data)
    remove_copy(desk, noted, seen.path, data)


def _folders_of(path: str) -> list[str]:
    """Give the folders that `memstile init` makes for a file of ours as a rule, where no record tells of them."""
    inner = os.path.dirname(path)
    folders = [inner, os.path.dirname(inner)] if os.path.basename(inner) == "memstile" else [inner]
    return [folder for folder in reversed(folders) if os.path.basename(folder) in _SHARED_NAMES]


def _remove(seen: Seen, made: Sequence[str] = ()) -> None:
    now = look(seen.path, seen.shown)
    if now.data != seen.data:
        raise GuardError(f"{shown(seen.shown)} was changed by somebody else after it was shown", "run it again")
    os.unlink(seen.path)
    remove_folders(made)


def remove_folders(made: Sequence[str]) -> None:
    """Remove folders that were made, if they are empty by now. made: outermost first."""
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
