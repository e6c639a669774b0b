"""What one hook call leaves for a later one: texts that wait, sizes last seen, a pause. No verdict may change by it.

A folder of small files, each replaced whole. Where it cannot be written, as in a sandbox, texts that wait and sizes go
to a spare folder in /tmp, which is made for the first of them: hook_spare. Reading looks into both. All else is in the
state folder alone: settings, the launcher and a pause, since any command may write in /tmp; and when a host last
called, since `memstile doctor` takes that for a proof.
"""

from __future__ import annotations

import os
from binascii import crc32

from memstile.core.measure import Size
from memstile.hook_spare import MAX_TEXT, made_place, make_folder, marked, spare_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_WAITING_BYTES = 16 * 1024
_MAX_LOOK_BYTES = 64
_REGULAR, _TYPE = 0o100000, 0o170000


def write_quietly(path: str, data: bytes) -> bool:
    """Replace a file of the state folder; False where that cannot be done. Every folder it makes 0700, files 0600."""
    temporary = f"{path}.{os.getpid()}"
    try:
        _make_folders(os.path.dirname(path))
        with open(_created(temporary), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        return False
    return True


def _created(path: str) -> int:
    """Make a file that was not there: one that is could be a pipe, or another name of a file elsewhere."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileExistsError:  # of a hook that was ended, and had the same number
        os.unlink(path)
        return os.open(path, flags, 0o600)


def _make_folders(folder: str) -> None:
    """Make the folders that are missing, each 0700: os.makedirs gives its mode to the last one alone."""
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        make_folder(path)


def read_quietly(path: str, most: int = _MAX_WAITING_BYTES) -> bytes:
    """Read a file of the state folder; b"" where there is none, and for a link, a second name or what is no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            return file.read(most) if status.st_mode & _TYPE == _REGULAR and status.st_nlink == 1 else b""
    except OSError:
        return b""


def _keep(state: str, name: str, content: Callable[[str], bytes]) -> None:
    """Write a file to the state folder, else to the spare one. content: gives it for the place it goes to."""
    usual = os.path.join(state, name)
    if not write_quietly(usual, content(usual)):
        spare = made_place(state, name)
        if spare:
            write_quietly(spare, content(spare))


def put_waiting(state: str, session: str, text: str) -> None:
    """Keep a text until an event comes that can carry it to the model."""
    if state and text:
        told = text.encode("utf-8", "replace") + b"\n\n"
        _keep(state, _waiting(session), lambda place: (read_quietly(place) + told)[:_MAX_WAITING_BYTES])


def take_waiting(state: str, session: str) -> str:
    """Give the texts that wait for a session in either place, and keep them no longer; the spare one's are marked."""
    if not state:
        return ""
    name = _waiting(session)
    spare = spare_place(state, name)
    texts = (_taken(os.path.join(state, name), _MAX_WAITING_BYTES), marked(_taken(spare, MAX_TEXT) if spare else ""))
    return "\n\n".join(text for text in texts if text)


def _taken(place: str, most: int) -> str:
    if not os.path.lexists(place):
        return ""
    text = read_quietly(place, most).decode("utf-8", "replace").strip()
    try:
        os.unlink(place)
    except OSError:
        return ""  # else it would be said at every event
    return text


def _waiting(session: str) -> str:
    return f"waiting/{crc32(session.encode('utf-8', 'replace')):08x}"


def last_look(state: str, index: str) -> Size | None:
    """Give the size an index had when a hook last looked at it, None where that is not known."""
    numbers = read_quietly(_newest(state, _look(index)), _MAX_LOOK_BYTES).split() if state else []
    return Size(int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(map(bytes.isdigit, numbers)) else None


def _newest(state: str, name: str) -> str:
    """Give the place of a file that was written last, the usual one where they are of one age."""
    usual, spare = os.path.join(state, name), spare_place(state, name)
    return spare if spare and _written(spare) > _written(usual) else usual


def _written(place: str) -> int:
    try:
        return os.lstat(place).st_mtime_ns
    except OSError:
        return -1


def note_look(state: str, index: str, size: Size) -> None:
    """Keep the size of an index for the next look; lines that were not counted are not kept."""
    if state and size.lines is not None and last_look(state, index) != size:
        numbers = b"%d %d" % (size.lines, size.bytes)
        _keep(state, _look(index), lambda place: numbers)


def _look(index: str) -> str:
    return f"looks/{crc32(os.fsencode(index)):08x}"


MAX_PAUSE_S = 24 * 3600


def paused_until(state: str, now: float) -> float:
    """Give the time until which the person has paused the guard, 0.0 where it is on. Seconds since 1970.

    One that would last longer than a day was not written by `memstile pause`, and is none.
    """
    words = read_quietly(os.path.join(state, "pause"), 64).split() if state else []
    until = int(words[0]) if words and words[0].isdigit() else 0
    return float(until) if now < until <= now + MAX_PAUSE_S else 0.0


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
