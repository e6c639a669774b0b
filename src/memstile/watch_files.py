"""The watcher's files in the state folder: what it knows of an index, who watches it, and that it is alive.

Below `watch/`: NAME.lock is held by the process that watches an index, and says which; NAME.known is what it knows of
it; NAME.json tells every few seconds that it is alive, under the name of its first index. NAME stands for the index's
resolved path.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterable, Mapping

from memstile.core.gate_ids import digest
from memstile.core.json_text import loads
from memstile.core.watch_known import Known, read, written
from memstile.errors import GuardError
from memstile.hook_state import read_quietly, write_quietly

BEAT_S = 5.0
"""Seconds between two signs of life."""

_MOST_BYTES = 1024 * 1024


def name_of(index: str) -> str:
    """Give the name that stands for an index. index: absolute, resolved."""
    return digest(index)[:16]


def _place(state: str, name: str) -> str:
    return os.path.join(state, "watch", name)


def known_of(state: str, index: str) -> Known:
    """Read what is known of an index."""
    return read(read_quietly(_place(state, f"{name_of(index)}.known"), _MOST_BYTES).decode("utf-8", "replace"))


def keep_known(state: str, index: str, known: Known) -> bool:
    """Keep what is known of an index; False where that cannot be done."""
    return write_quietly(_place(state, f"{name_of(index)}.known"), written(known).encode())


class Lock:
    """The right to watch an index. It ends with the process, however that ends."""

    def __init__(self, state: str, index: str, who: str) -> None:
        """Take the lock if it is free; see `holder`. who: one line on this process. Raises GuardError."""
        path = _place(state, f"{name_of(index)}.lock")
        try:
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise GuardError(
                f"the state folder cannot be written: {error.strerror}", "see who owns it: `memstile status` names it"
            ) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.holder = os.read(self._descriptor, 400).decode("utf-8", "replace").strip() or "another process"
            os.close(self._descriptor)
            self._descriptor = -1
            return
        self.holder = ""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{who}\n".encode("utf-8", "backslashreplace"), 0)

    @property
    def is_held(self) -> bool:
        """Tell whether it is ours."""
        return self._descriptor >= 0

    def release(self) -> None:
        """Give it back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def write_beat(state: str, index: str, beat: Mapping[str, object]) -> bool:
    """Give a sign of life. index: the first one that is watched. beat: what JSON can hold."""
    return write_quietly(_place(state, f"{name_of(index)}.json"), json.dumps(beat).encode())


def end_beat(state: str, index: str) -> None:
    """Take the sign of life away: an end that was meant is no failure."""
    with contextlib.suppress(OSError):
        os.unlink(_place(state, f"{name_of(index)}.json"))


def take_over(state: str, indexes: Iterable[str]) -> None:
    """Take away what others left that watched some of these before, and do so no more."""
    ours = set(indexes)
    for name, beat in beats(state).items():
        vaults = beat.get("vaults")
        rows = vaults if isinstance(vaults, list) else []
        if any(isinstance(row, dict) and row.get("index") in ours for row in rows):
            with contextlib.suppress(OSError):
                os.unlink(_place(state, name))


def beats(state: str) -> dict[str, dict[str, object]]:
    """Read every sign of life, by the name of its file."""
    try:
        names = sorted(name for name in os.listdir(os.path.join(state, "watch")) if name.endswith(".json"))
    except OSError:
        return {}
    found = {name: loads(read_quietly(_place(state, name), _MOST_BYTES).decode("utf-8", "replace")) for name in names}
    return {name: beat for name, beat in found.items() if isinstance(beat, dict)}
