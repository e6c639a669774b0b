"""Follow the symlinks of a tree, or of the git index, to the file they lead to, as a checkout of it would.

A walk goes down from the top name by name: a symlink puts the names of its target in front of those still ahead, and
".." goes up from where the walk really is. Whatever is not in the tree ends it: nothing outside can be vouched for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from memstile.core.facts import SYMLINK, Kind, Reading
from memstile.repository import Entry

FOLDER = "040000"
_FILE = "100"
_MAX_HOPS = 40  # the kernel's MAXSYMLINKS: path_resolution(7)
_MAX_PATH = 4095  # PATH_MAX without its NUL: no file system makes a longer link

NOWHERE = Reading(Kind.NOT_REGULAR, why="a symlink to something that this commit does not hold")
CIRCLE = Reading(Kind.NOT_REGULAR, why=f"a symlink that leads in a circle, or through more than {_MAX_HOPS} symlinks")

Look = Callable[[Iterable[str]], Mapping[str, Entry]]
"""Give the entries at some paths, with the mode FOLDER for a folder; without those that are not there."""

Read = Callable[[Iterable[str]], Mapping[str, Reading]]
"""Read blobs by their ids."""


class _Stop(NamedTuple):
    """Where a walk stands: at a symlink, with the names that are to be looked up beyond it."""

    link: Entry
    rest: tuple[str, ...] = ()


class _Way(NamedTuple):
    """What lies ahead of a walk: a folder, from the top, and names to go down from it."""

    folder: str
    names: tuple[str, ...]


def follow(links: Iterable[Entry], look: Look, read: Read) -> dict[str, Entry | Reading]:
    """Follow symlinks, all at once: one call of `look` and one of `read` a hop, and none for what is known.

    links: their entries. Result: by path, the entry of the file it ends at, or else a reading that says why there is
    none. An unmerged entry on the way is the end of it.
    """
    ends: dict[str, Entry | Reading] = {}
    known: dict[str, Entry | None] = {}
    texts: dict[str, Reading] = {}
    walks = {link.path: _Stop(link) for link in links}
    for _ in range(_MAX_HOPS):
        if fresh := {stop.link.sha for stop in walks.values()} - texts.keys():
            texts |= read(fresh)
        ways = {path: _beyond(stop, texts[stop.link.sha]) for path, stop in walks.items()}
        if places := {place for way in ways.values() for place in _places(way)} - known.keys():
            known |= {**dict.fromkeys(places), **look(places)}
        stops = {path: _walked(way, known) if isinstance(way, _Way) else way for path, way in ways.items()}
        ends |= {path: stop for path, stop in stops.items() if not isinstance(stop, _Stop)}
        walks = {path: stop for path, stop in stops.items() if isinstance(stop, _Stop)}
        if not walks:
            break
    return ends | dict.fromkeys(walks, CIRCLE)


def _beyond(stop: _Stop, text: Reading) -> _Way | Reading:
    """Give what lies behind a symlink. An absolute target is outside, even if this checkout happens to lie there."""
    if text.kind is Kind.UNREADABLE:
        return text
    target = os.fsdecode(text.data or b"")
    if not target or target.startswith("/") or "\0" in target or len("/".join((target, *stop.rest))) > _MAX_PATH:
        return NOWHERE
    names = [name for name in target.split("/") if name]
    below = ["."] if target.endswith("/") else []  # only a folder may be meant: a file has nothing below it
    return _Way(os.path.dirname(stop.link.path), (*names, *below, *stop.rest))


def _places(way: _Way | Reading) -> list[str]:
    """List every path that a walk may come through if none of them is a symlink."""
    places: list[str] = []
    at, names = way if isinstance(way, _Way) else ("", ())
    for name in names:
        at = _next(at, name)
        if name not in (".", ".."):
            places.append(at)
    return places


def _next(at: str, name: str) -> str:
    if name == ".":
        return at
    if name == "..":
        return os.path.dirname(at)
    return f"{at}/{name}" if at else name


def _walked(way: _Way, known: Mapping[str, Entry | None]) -> _Stop | Entry | Reading:
    """Walk to the next symlink or to the end. known: what is at each of the places."""
    at = way.folder
    entry: Entry | None = None
    for number, name in enumerate(way.names, start=1):
        if name == ".." and not at:
            return NOWHERE
        at = _next(at, name)
        if name in (".", ".."):
            entry = None
            continue
        entry = known[at]
        if entry is None:
            return NOWHERE
        if entry.stage:
            return entry
        rest = way.names[number:]
        if entry.mode == SYMLINK:
            return _Stop(entry, rest)
        if rest and entry.mode != FOLDER:
            return NOWHERE
    return entry if entry and entry.mode.startswith(_FILE) else NOWHERE
