"""What `memstile init` wrote, kept in the state folder, so that `uninstall` leaves files as they were, to the byte."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memstile.disk import read_small
from memstile.errors import GuardError
from memstile.hook_state import write_quietly

_NAME = "installed.json"
_FORMAT = 1


class Written(NamedTuple):
    """One file that was written.

    before: digest of its content before, "" where there was no file; after: digest of what was written; backup: the
    path of a copy of the content before, "" where there is none.
    """

    before: str
    after: str
    backup: str = ""


class Install(NamedTuple):
    """One setup of a host. files: by path as the host has it. folders: those that were made, outermost first."""

    files: Mapping[str, Written]
    folders: tuple[str, ...] = ()


NOTHING = Install({})


class Record:
    """The record in a state folder. It is read at once, and before each change, which is written with what it is."""

    def __init__(self, state: str) -> None:
        """Read it; one that cannot be read counts as empty, and uninstalling then goes by what files hold."""
        self.path = os.path.join(state, _NAME)
        self.installs = _read(self.path)

    def of(self, key: str) -> Install:
        """Give what was written under a key."""
        return self.installs.get(key, NOTHING)

    def note_file(self, key: str, path: str, written: Written) -> None:
        """Add a file that was written."""
        install = self._anew().of(key)
        self._put(key, install._replace(files={**install.files, path: written}))

    def note_folder(self, key: str, folder: str) -> None:
        """Add a folder that was made."""
        install = self._anew().of(key)
        self._put(key, install._replace(folders=(*install.folders, folder)))

    def forget(self, key: str, left: Sequence[str] = ()) -> None:
        """Leave out all that was written under a key but files that are left; the record goes with the last one."""
        install = self._anew().installs.pop(key, NOTHING)
        files = {path: install.files[path] for path in left if path in install.files}
        if files:
            self.installs[key] = install._replace(files=files)
        if self.installs:
            self._save()
        else:
            with contextlib.suppress(OSError):  # not there, or the state folder holds more
                os.unlink(self.path)
                os.rmdir(os.path.dirname(self.path))

    def _anew(self) -> Record:
        self.installs = _read(self.path)
        return self

    def _put(self, key: str, install: Install) -> None:
        self.installs[key] = install
        self._save()

    def _save(self) -> None:
        rows = {
            key: {"files": {path: list(written) for path, written in row.files.items()}, "folders": list(row.folders)}
            for key, row in self.installs.items()
        }
        text = json.dumps({"format": _FORMAT, "installs": rows}, indent=1)
        if not write_quietly(self.path, text.encode()):
            raise GuardError("the state folder cannot be written", "set XDG_STATE_HOME to a folder that can be")


@contextlib.contextmanager
def alone(environment: Mapping[str, str]) -> Iterator[None]:
    """Wait until no other `memstile init` or `uninstall` of this person is at work, and keep others waiting.

    The lock is on the home folder: the state folder comes and goes. Where that cannot be locked, nobody waits.
    """
    descriptor = -1
    with contextlib.suppress(OSError):
        descriptor = os.open(environment.get("HOME") or os.path.expanduser("~"), os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def digest(data: bytes | None) -> str:
    """Sum up content, "" for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _read(path: str) -> dict[str, Install]:
    data = read_small(path)
    try:
        document = json.loads(data) if data else {}
        rows: dict[str, Any] = document["installs"] if document.get("format") == _FORMAT else {}
        return {key: _install(row) for key, row in rows.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _install(row: Any) -> Install:
    files = {str(path): Written(*map(str, written)) for path, written in row["files"].items()}
    return Install(files, tuple(map(str, row["folders"])))
