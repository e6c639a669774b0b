"""Hear of changes from the system, through watchdog: inotify on Linux, FSEvents on macOS.

Its handler only puts paths into a box: one that raises would end the thread that hands out events, while the process
goes on and looks healthy. That of each part is asked for by itself, since `is_alive` of an observer says nothing about
its emitters, nor the other way round (watchdog 7.1.0).
"""

from __future__ import annotations

import os
from collections.abc import Callable

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from memstile.core.text import shown
from memstile.watch_source import Batch, Box

_READS = frozenset(("opened", "closed_no_write"))
"""Events of who only reads, the watcher itself among them."""


class _Handler(FileSystemEventHandler):
    def __init__(self, box: Box) -> None:
        self._box = box

    def dispatch(self, event: FileSystemEvent) -> None:
        if event.event_type in _READS:
            return
        if type(event).__name__ == "EventsLostEvent":  # since watchdog 7.1
            self._box.lose()
            return
        # That something in a folder changed is told of the thing itself.
        if event.is_directory and event.event_type == "modified":
            return
        for path in (event.src_path, event.dest_path):
            if path:
                self._box.put(os.fsdecode(path), is_folder=event.is_directory)


class SystemSource:
    """A source of events that asks the system."""

    def __init__(self, is_of_interest: Callable[[str], bool]) -> None:
        """Listen to nothing yet. is_of_interest: see Box."""
        self._box = Box(is_of_interest)
        self._observer: BaseObserver | None = None
        self._watches: dict[str, ObservedWatch] = {}

    def arm(self, folder: str, is_recursive: bool) -> str:
        """Listen to a folder, anew if it was listened to before: the one of that name may be another by now."""
        self.disarm(folder)
        try:
            if self._observer is None:
                self._observer = Observer()
                self._observer.start()
            self._watches[folder] = self._observer.schedule(_Handler(self._box), folder, recursive=is_recursive)
        except Exception as error:
            return shown(getattr(error, "strerror", None) or str(error) or type(error).__name__)
        return ""

    def disarm(self, folder: str) -> None:
        """Listen to a folder no more."""
        watch = self._watches.pop(folder, None)
        if watch and self._observer:
            try:
                self._observer.unschedule(watch)
            except Exception:
                return  # an emitter that is dead, or whose folder is gone: it tells of nothing more

    def take(self, timeout_s: float) -> Batch:
        """Wait for changes."""
        return self._box.take(timeout_s)

    def threads(self) -> dict[str, bool]:
        """Tell whether the thread that hands out events lives, and that of each folder."""
        if self._observer is None:
            return {}
        emitters = {emitter.watch.path: emitter.is_alive() for emitter in set(self._observer.emitters)}
        parts = {f"events {shown(folder)}": emitters.get(folder, False) for folder in self._watches}
        return {"dispatch": self._observer.is_alive(), **parts}

    def revive(self) -> None:
        """Throw the observer away."""
        self.close()
        self._box.lose()

    def close(self) -> None:
        """End all threads; one that hangs is left behind, it is a daemon."""
        observer, self._observer, self._watches = self._observer, None, {}
        if observer is None:
            return
        try:
            observer.unschedule_all()
            observer.stop()
            observer.join(2.0)
        except Exception:
            return
