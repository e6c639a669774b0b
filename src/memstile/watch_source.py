"""Where the watcher hears of changes from: what a source of events is, and the box they wait in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple, Protocol

MOST_PATHS = 10_000
"""More paths than this at once are not kept apart: everything is looked at again."""


class Batch(NamedTuple):
    """What was heard since the last time. paths: of interest by their name. folders: that came, went or moved.
    others: how many events there were of other files. is_lost: there were more, and nobody knows of what."""

    paths: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    others: int = 0
    is_lost: bool = False

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was heard."""
        return not (self.paths or self.folders or self.others or self.is_lost)


class Source(Protocol):
    """Something that tells of changes below folders. Its methods are called from one thread and raise nothing."""

    def arm(self, folder: str, is_recursive: bool) -> str:
        """Begin to listen, anew if it did before; "" or why that is not possible, safe to show. folder: resolved."""

    def disarm(self, folder: str) -> None:
        """Listen no more."""

    def take(self, timeout_s: float) -> Batch:
        """Wait for changes, at most so long, and take what was heard."""

    def threads(self) -> dict[str, bool]:
        """Tell of each part by itself whether it is alive."""

    def revive(self) -> None:
        """Begin anew after a part died; what was armed has to be armed again."""

    def close(self) -> None:
        """End."""


class Box:
    """Events between the thread that hears them and the one that takes them, each path once however often it comes."""

    def __init__(self, is_of_interest: Callable[[str], bool]) -> None:
        """Hold nothing. is_of_interest: tells by a path whether its file is to be looked at; called for every event."""
        self._is_of_interest = is_of_interest
        self._lock = threading.Lock()
        self._heard = threading.Event()
        self._paths: set[str] = set()
        self._folders: set[str] = set()
        self._others, self._is_lost = 0, False

    def put(self, path: str, *, is_folder: bool = False) -> None:
        """Note an event of a file or a folder."""
        wanted = is_folder or self._is_of_interest(path)
        with self._lock:
            if not wanted:
                self._others += 1
            elif len(self._paths) + len(self._folders) >= MOST_PATHS:
                self._is_lost = True
            else:
                (self._folders if is_folder else self._paths).add(path)
        if wanted:
            self._heard.set()

    def lose(self) -> None:
        """Note that events were lost."""
        with self._lock:
            self._is_lost = True
        self._heard.set()

    def wake(self) -> None:
        """End the wait of `take`."""
        self._heard.set()

    def take(self, timeout_s: float) -> Batch:
        """Wait for an event of interest, and take all that is there."""
        self._heard.wait(max(timeout_s, 0.0))
        with self._lock:
            self._heard.clear()
            batch = Batch(frozenset(self._paths), frozenset(self._folders), self._others, self._is_lost)
            self._paths, self._folders = set(), set()
            self._others, self._is_lost = 0, False
        return batch
