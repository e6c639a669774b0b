"""Tell which watchers run, by the signs of life that they leave, and what is wrong with one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memstile.core.text import counted, shown
from memstile.watch_files import beats

_LATE = 2
"""A sign of life is missed after this many of its periods."""

_EVERY_S = 5.0


class WatchedVault(NamedTuple):
    """One vault of a watcher.

    place: of its index, absolute, not escaped. size: in words, "" where not known. codes: of findings that stand.
    polled: why its changes are looked for, "" where the system announces them.
    """

    place: str
    size: str
    codes: tuple[str, ...] = ()
    polled: str = ""


class Watching(NamedTuple):
    """One watcher. faults: what keeps it from seeing or doing its work, a line each, safe to show; () if it is well.

    last_event: seconds since 1970, 0.0 for none. restarts: of its dead parts.
    """

    pid: int
    mode: str
    last_event: float
    restarts: int
    vaults: tuple[WatchedVault, ...]
    faults: tuple[str, ...]


def watching(state: str, now: float) -> tuple[Watching, ...]:
    """Read the signs of life in a state folder. now: seconds since 1970. Raises nothing over what files hold.

    A watcher that was stopped has taken its sign away; one that was killed has not, and stays red.
    """
    return tuple(_watching(name, beat, now) for name, beat in beats(state).items())


def is_red(found: Sequence[Watching]) -> bool:
    """Tell whether any watcher does not do its work."""
    return any(row.faults for row in found)


def _watching(name: str, beat: Mapping[str, object], now: float) -> Watching:
    rows = beat.get("vaults")
    vaults = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    faults = [*_life(name, beat, now), *_parts(beat), *(fault for row in vaults for fault in _reach(row))]
    return Watching(
        int(_number(beat, "pid")),
        _text(beat, "mode"),
        _number(beat, "last_event"),
        int(_number(beat, "restarts")),
        tuple(map(_vault, vaults)),
        tuple(faults),
    )


def _life(name: str, beat: Mapping[str, object], now: float) -> Iterator[str]:
    pid, at = int(_number(beat, "pid")), _number(beat, "time")
    every = _number(beat, "every_s") or _EVERY_S
    if not pid or not at:
        yield f"watch/{shown(name)} in the state folder is no sign of life; a watcher that is started writes it anew"
    elif not _is_alive(pid):
        yield f"process {pid} is gone, and did not end by itself: start it again"
    elif not -_LATE * every <= now - at <= _LATE * every:
        ago = f"for {int(now - at):,} s" if now > at else "since the clock was set back"
        yield f"process {pid} gave no sign of life {ago}, and one is due every {every:g} s: end it and start it again"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True  # of another user, who has the number now: its sign will be missed soon
    return True


def _parts(beat: Mapping[str, object]) -> Iterator[str]:
    threads = beat.get("threads")
    for thread, is_alive in threads.items() if isinstance(threads, dict) else ():
        if is_alive is not True:
            yield f"its thread {shown(str(thread))} is dead"


def _reach(row: Mapping[str, object]) -> Iterator[str]:
    folder = shown(_text(row, "path"))
    if row.get("is_reached") is not True:
        yield f"{folder} cannot be reached"
    if row.get("is_fight") is True:
        yield f"{folder}: its index is not put back any more, somebody wrote it again and again"


def _vault(row: Mapping[str, object]) -> WatchedVault:
    lines, size, codes = row.get("lines"), row.get("bytes"), row.get("codes")
    told = [counted(value, noun) for value, noun in ((lines, "line"), (size, "byte")) if type(value) is int]
    names = [code for code in codes if isinstance(code, str)] if isinstance(codes, list) else []
    return WatchedVault(_text(row, "index"), ", ".join(told), tuple(dict.fromkeys(names)), _text(row, "polled"))


def _number(row: Mapping[str, object], name: str) -> float:
    value = row.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return 0
    return value if 0 < value < 1e15 else 0  # NaN: 0


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def told(found: Sequence[Watching], now: float, show: Callable[[str], str] = str) -> list[str]:
    """Lay watchers out for a person, as `memstile status` does. show: writes a path as the person would type it."""
    if not found:
        return ["watch    nobody watches; `memstile watch` does, `memstile service install` in the background"]
    return [line for row in found for line in _told(row, now, show)]


def _told(row: Watching, now: float, show: Callable[[str], str]) -> Iterator[str]:
    event = f"last event {_ago(now - row.last_event)}" if row.last_event else "no event yet"
    restarts = f"; {counted(row.restarts, 'restart')} of a part" if row.restarts else ""
    yield f"watch    {'RED' if row.faults else 'on'}, {shown(row.mode)}, process {row.pid}; {event}{restarts}"
    yield from (f"         {fault}" for fault in row.faults)
    for vault in row.vaults:
        codes = f"; {', '.join(map(shown, vault.codes))}" if vault.codes else ""
        polled = f"; polled: {shown(vault.polled)}" if vault.polled else ""
        yield f"         {shown(show(vault.place))}: {vault.size or 'no size'}{codes}{polled}"


def _ago(seconds: float) -> str:
    for name, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {name} ago"
    return f"{max(int(seconds), 0)} s ago"
