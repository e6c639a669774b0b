"""Notes that the watcher leaves about an index, for the next hook to tell the model once."""

from __future__ import annotations

import os
from binascii import crc32

from memstile.hook_state import read_quietly, write_quietly

_MOST_BYTES = 4 * 1024


def put_told(state: str, index: str, text: str) -> bool:
    """Leave a note on an index, after those that wait. index: absolute, resolved. False where that cannot be done."""
    place = _place(state, index)
    before = read_quietly(place, _MOST_BYTES)
    return write_quietly(place, (before + text.encode("utf-8", "replace") + b"\n")[-_MOST_BYTES:])


def take_told(state: str, index: str) -> str:
    """Take the notes on an index, "" where there are none. They are gone then, whoever took them."""
    if not state:
        return ""
    place = _place(state, index)
    taken = f"{place}.{os.getpid()}.taken"
    try:
        os.rename(place, taken)  # of two hooks at once, one gets it
    except OSError:
        return ""
    text = read_quietly(taken, _MOST_BYTES).decode("utf-8", "replace").strip()
    try:
        os.unlink(taken)
    except OSError:
        return text
    return text


def _place(state: str, index: str) -> str:
    return os.path.join(state, "told", f"{crc32(os.fsencode(index)):08x}")
