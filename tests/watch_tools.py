"""Run a watcher in a test: with a source and a clock that are set by hand, or with the real ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from memstile.core.watch_report import Event, Report
from memstile.standing import Standing
from memstile.watch_setup import Clock
from memstile.watch_source import Batch
from memstile.watch_start import Started, prepare
from memstile.watcher import SystemSource

NOW = 1_800_000_000.0


class Hands:
    """A source that tells of what a test puts in, and a clock that goes on as the test says."""

    def __init__(self) -> None:
        self.now, self.steady = NOW, 100.0
        self.armed: dict[str, bool] = {}
        self.refusal = ""
        self.revived = 0
        self.dead: set[str] = set()
        self._next = Batch()

    def clock(self) -> Clock:
        return Clock(lambda: self.now, lambda: self.steady)

    def put(self, *paths: Path, folders: tuple[Path, ...] = (), others: int = 0, is_lost: bool = False) -> None:
        """Tell of changes at the next step."""
        self._next = Batch(frozenset(map(str, paths)), frozenset(map(str, folders)), others, is_lost)

    def arm(self, folder: str, is_recursive: bool) -> str:
        self.armed[folder] = is_recursive
        return self.refusal

    def disarm(self, folder: str) -> None:
        self.armed.pop(folder, None)

    def take(self, timeout_s: float) -> Batch:
        batch, self._next = self._next, Batch()
        passed_s = timeout_s if batch.is_empty else 0.0
        self.now, self.steady = self.now + passed_s, self.steady + passed_s
        return batch

    def threads(self) -> dict[str, bool]:
        return {name: name not in self.dead for name in ("dispatch", *self.armed)}

    def revive(self) -> None:
        self.revived += 1
        self.dead.clear()

    def close(self) -> None:
        self.armed.clear()


class Scene:
    """A watcher that does a step at a time. told: what it has said so far, but for the size of each state."""

    def __init__(
        self, folder: Path, *paths: str, mode: str = "audit", is_once: bool = False, refusal: str = ""
    ) -> None:
        self.hands, self.reports = Hands(), list[Report]()
        self.hands.refusal = refusal
        self.state = folder / "state" / "memstile"
        self.started = started(folder, paths, mode, self.reports.extend, self.hands, is_once=is_once)
        self.watcher = self.started.watcher
        self.watcher.start()

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        end = self.hands.steady + seconds
        while self.hands.steady < end:
            self.watcher.step(min(1.0, end - self.hands.steady))

    def settle(self) -> list[str]:
        """Let the time go by that a change needs at most, told or not; give what was said of it."""
        self.wait(1.4)
        return self.said()

    def said(self) -> list[str]:
        """Take what was said since the last time."""
        told = brief(self.reports)
        self.reports.clear()
        return told

    def end(self) -> list[str]:
        """End it, and give what was said at the end."""
        self.watcher.stop()
        self.started.end()
        return self.said()


def brief(reports: list[Report]) -> list[str]:
    """Write reports in short: the event, the code, the vault; sizes that were seen are left out."""
    return [
        " ".join(filter(None, (row.event.value, row.code, row.vault))) for row in reports if row.event is not Event.SEEN
    ]


def started(
    folder: Path,
    paths: tuple[str, ...],
    mode: str,
    tell: Callable[[list[Report]], None],
    hands: Hands | None = None,
    *,
    is_once: bool = False,
    **settings: object,
) -> Started:
    """Prepare a watcher that stands in a folder, with a home and a state folder of its own there."""
    environment = {"HOME": str(folder / "home"), "XDG_STATE_HOME": str(folder / "state"), "PATH": "/usr/bin:/bin"}
    given = {"watch.mode": mode, **{name.replace("_", ".", 1): value for name, value in settings.items()}}
    standing = Standing(str(folder), environment)
    if hands:
        return prepare(paths, standing, given, tell, lambda wanted: hands, hands.clock(), is_once=is_once)
    return prepare(paths, standing, given, tell, SystemSource)


class Live:
    """A real watcher in a thread of this process."""

    def __init__(self, folder: Path, *paths: str, mode: str = "audit") -> None:
        self._heard = threading.Condition()
        self._reports: list[Report] = []
        self.started = started(folder, paths, mode, self._hear, watch_quiet_s=0.1)
        self.started.watcher.start()
        self._is_asked = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _hear(self, reports: list[Report]) -> None:
        with self._heard:
            self._reports += reports
            self._heard.notify_all()

    def _run(self) -> None:
        while not self._is_asked:
            self.started.watcher.step(0.05)

    def until(self, what: str, seconds: float = 15.0) -> None:
        """Wait until something was said, as `brief` writes it."""
        end = time.monotonic() + seconds
        with self._heard:
            while not any(what in row for row in brief(self._reports)):
                left = end - time.monotonic()
                assert left > 0, f"not heard: {what}; heard: {brief(self._reports)}"
                self._heard.wait(left)

    def until_seen(self, size: int, seconds: float = 15.0) -> None:
        """Wait until a state of so many lines was judged last."""
        end = time.monotonic() + seconds
        with self._heard:
            while not any(row.event is Event.SEEN and row.after and row.after.lines == size for row in self._reports):
                left = end - time.monotonic()
                assert left > 0, f"not seen: {size} lines"
                self._heard.wait(left)

    def end(self) -> list[str]:
        """End it, and give all that was said."""
        self._is_asked = True
        self._thread.join(10.0)
        assert not self._thread.is_alive()
        self.started.watcher.stop()
        self.started.end()
        return brief(self._reports)
