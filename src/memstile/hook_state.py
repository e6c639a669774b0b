"""What one hook call leaves for a later one: texts that wait, sizes last seen, a pause. No verdict may change by it.

A folder of small files, each replaced whole. Where the folder cannot be written, as in a sandbox, nothing is kept.
"""

from __future__ import annotations

import os
from binascii import crc32

from memstile.core.measure import Size

_MAX_WAITING_BYTES = 16 * 1024


def write_quietly(path: str, data: bytes) -> bool:
    """Replace a file of the state folder; False where that cannot be done. Folders 0700, files 0600."""
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        return False
    return True


def read_quietly(path: str, most: int = _MAX_WAITING_BYTES) -> bytes:
    """Read a file of the state folder, b"" where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return b""


def put_waiting(state: str, session: str, text: str) -> None:
    """Keep a text until an event comes that can carry it to the model."""
    if state and text:
        place = _waiting(state, session)
        write_quietly(place, (read_quietly(place) + text.encode("utf-8", "replace") + b"\n\n")[:_MAX_WAITING_BYTES])


def take_waiting(state: str, session: str) -> str:
    """Give the texts that wait for a session, and keep them no longer."""
    place = _waiting(state, session)
    if not state or not os.path.lexists(place):
        return ""
    text = read_quietly(place).decode("utf-8", "replace").strip()
    try:
        os.unlink(place)
    except OSError:
        return ""  # else it would be said at every event
    return text


def _waiting(state: str, session: str) -> str:
    return os.path.join(state, "waiting", f"{crc32(session.encode('utf-8', 'replace')):08x}")


def last_look(state: str, index: str) -> Size | None:
    """Give the size an index had when a hook last looked at it, None where that is not known."""
    numbers = read_quietly(_look(state, index)).split() if state else []
    return Size(int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(map(bytes.isdigit, numbers)) else None


def note_look(state: str, index: str, size: Size) -> None:
    """Keep the size of an index for the next look; lines that were not counted are not kept."""
    if state and size.lines is not None and last_look(state, index) != size:
        write_quietly(_look(state, index), b"%d %d" % (size.lines, size.bytes))


def _look(state: str, index: str) -> str:
    return os.path.join(state, "looks", f"{crc32(os.fsencode(index)):08x}")


def paused_until(state: str, now: float) -> float:
    """Give the time until which the person has paused the guard, 0.0 where it is on. Seconds since 1970."""
    words = read_quietly(os.path.join(state, "pause")).split() if state else []
    until = int(words[0]) if words and words[0].isdigit() else 0
    return float(until) if until > now else 0.0


_SEEN_EVERY_S = 60


def note_call(state: str, host: str, now: float) -> None:
    """Keep when a host last called, to the minute: what is installed is not yet what runs."""
    place = os.path.join(state, "seen", host)
    if state and now - _number(place) > _SEEN_EVERY_S:
        write_quietly(place, b"%d" % now)


def calls_seen(state: str) -> dict[str, int]:
    """Give the time of each host's last call, in seconds since 1970."""
    folder = os.path.join(state, "seen")
    try:
        return {host: _number(os.path.join(folder, host)) for host in sorted(os.listdir(folder)) if "." not in host}
    except OSError:
        return {}


def _number(place: str) -> int:
    text = read_quietly(place, 32)
    return int(text) if text.isdigit() else 0
