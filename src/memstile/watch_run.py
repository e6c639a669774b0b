"""The watcher: hears of changes, waits until they settle, has them judged, and makes sure that nothing sleeps.

Events only say where to look. What is true is what the disk says: each second every index and folder is looked at
without reading (a folder that is another one by now, a change nobody told of), and every reconcile_s all is read. One
thread does it all, `step` by step, so that a test can do the steps; only the source of events has threads of its own.
"""

from __future__ import annotations

import os

from memstile.core.debounce import Timing, Wait, due_at, is_due, is_overdue, touch
from memstile.core.text import shown
from memstile.core.watch_report import Event, Report
from memstile.watch_arming import Lives, about, arm, check_root, is_led_elsewhere
from memstile.watch_files import BEAT_S, keep_known
from memstile.watch_git import head_mark, rules_signature
from memstile.watch_index import Moment, handle, started
from memstile.watch_log import leave_notes, log
from memstile.watch_places import signature
from memstile.watch_rules import ask
from memstile.watch_setup import Clock, Setup
from memstile.watch_source import Batch, Source
from memstile.watch_vault import Watched, target

TICK_S = 1.0
"""Seconds between two looks without reading, and the most that a change without an event waits to be seen."""

_MANY = 10_000
"""After so many events some may have been lost that told of a folder: a queue of inotify holds 16,384, and watchdog
before 7.1 does not tell that it overflowed."""

INDEX, RULES, BELOW = "index", "rules", "below"
"""What of a vault changed: its index, what decides about git, the folders in it."""


class Watcher:
    """Watches vaults until it is stopped."""

    def __init__(self, setup: Setup, vaults: list[Watched], source: Source, clock: Clock) -> None:
        """Watch nothing yet."""
        self.setup, self.vaults, self.source, self.clock = setup, vaults, source, clock
        self.lives, self.last_event, self.events = Lives(source), 0.0, 0
        self._timing = Timing(setup.settings.watch_quiet_s, setup.settings.watch_max_wait_s)
        self._waits: dict[tuple[str, str], Wait] = {}
        self._later: dict[str, float] = {}
        self._tick_at = self._beat_at = self._reconcile_at = 0.0
        self._log_fault, self._events_before = "", 0

    def start(self) -> None:
        """Listen first, then look: what changes in between is heard."""
        for watched in self.vaults:
            self._told(watched, arm(watched, self.vaults, self.source))
        for watched in self.vaults:
            self._begin(watched)
        steady = self.clock.steady()
        self._tick_at, self._reconcile_at = steady + TICK_S, steady + self.setup.settings.watch_reconcile_s
        self._sign()

    def step(self, most_s: float = TICK_S) -> None:
        """Wait for what comes next, at most most_s, and do what is due."""
        ends = [self._tick_at, self._beat_at, *self._later.values()]
        ends += [due_at(wait, self._timing) for wait in self._waits.values()]
        self._hear(self.source.take(min(most_s, max(min(ends) - self.clock.steady(), 0.0))))
        steady = self.clock.steady()
        if steady >= self._tick_at:
            self._tick_at = steady + TICK_S
            self._tick(steady)
        self._settle(steady)
        if steady >= self._beat_at:
            self._sign()

    def stop(self) -> None:
        """Judge what still waits to settle, and end. A loss that may be half a save is left for the next start."""
        self._hear(self.source.take(0.0))
        waiting = [folder for kind, folder in self._waits if kind == INDEX]
        self._waits = {}
        for watched in self.vaults:
            if watched.folder in waiting:
                self._look(watched, is_last=True)
        self.source.close()

    def recover(self) -> None:
        """Go on after a step that failed: look at everything again in a while."""
        steady = self.clock.steady()
        self.lives.restarts += 1
        self._waits, self._later = {}, {}
        self._tick_at = self._beat_at = self._reconcile_at = steady + TICK_S

    def _hear(self, batch: Batch) -> None:
        if batch.is_empty:
            return
        self.events += len(batch.paths) + len(batch.folders) + batch.others
        self.last_event = self.clock.now()
        if batch.is_lost:
            self._reconcile_at = self.clock.steady()
        for watched in self.vaults:
            if batch.is_lost or not batch.paths.isdisjoint((watched.index, watched.target)):
                self._touch(INDEX, watched)
            if batch.is_lost or batch.folders or any(_is_below(path, watched) for path in batch.paths):
                self._touch(BELOW, watched)
            is_new_file = watched.is_partly_ignored and (batch.others or batch.folders)
            if batch.is_lost or is_new_file or any(os.path.basename(path) == ".gitignore" for path in batch.paths):
                self._touch(RULES, watched)

    def _touch(self, kind: str, watched: Watched) -> None:
        key = (kind, watched.folder)
        self._waits[key] = touch(self._waits.get(key), self.clock.steady())
        if kind == INDEX:
            watched.event = self.clock.now()
            watched.seen = signature(watched.index)

    def _settle(self, steady: float) -> None:
        for key, wait in list(self._waits.items()):
            if is_due(wait, self._timing, steady):
                self._judge(key, wait, steady)
        for watched in list(self.vaults):
            if steady >= self._later.get(watched.folder, float("inf")):
                del self._later[watched.folder]
                self._look(watched)

    def _judge(self, key: tuple[str, str], wait: Wait, steady: float) -> None:
        kind, folder = key
        watched = next(watched for watched in self.vaults if watched.folder == folder)
        now = signature(watched.index) if kind == INDEX else watched.seen
        if now != watched.seen and not is_overdue(wait, self._timing, steady):
            self._waits[key], watched.seen = touch(wait, steady), now  # it goes on, and nobody said so
            return
        del self._waits[key]
        if watched.root is None:
            return
        {INDEX: self._look, RULES: self._ask, BELOW: self._find}[kind](watched)

    def _begin(self, watched: Watched) -> None:
        self._told(watched, [started(watched, self._mode)])
        self._look(watched)
        self._ask(watched)

    def _look(self, watched: Watched, *, is_last: bool = False) -> None:
        if watched.root is None:
            return
        before, setup = watched.known, self.setup
        moment = Moment(self.clock.now(), self.clock.steady(), setup.state, self._mode, setup.hold_s, is_last)
        handled = handle(watched, moment)
        if handled.is_torn:
            self._touch(INDEX, watched)
        self._later.pop(watched.folder, None)
        if handled.due_s:
            self._later[watched.folder] = moment.steady + handled.due_s
        self._told(watched, handled.reports)
        self._keep(watched, before != watched.known)

    def _ask(self, watched: Watched) -> None:
        if watched.root is None:
            return
        before = watched.known
        self._told(watched, ask(watched, self.setup.standing, is_enforced=self._mode == "enforce"))
        self._keep(watched, before != watched.known)

    def _keep(self, watched: Watched, is_new: bool) -> None:
        if is_new and not keep_known(self.setup.state, watched.index, watched.known):
            self._trouble("what is known of the index could not be kept in the state folder", watched)

    def _find(self, watched: Watched) -> None:
        for fresh in self.setup.find(watched):
            self.vaults.append(fresh)
            self._told(fresh, arm(fresh, self.vaults, self.source))
            self._begin(fresh)

    def _tick(self, steady: float) -> None:
        for watched in list(self.vaults):
            self._check(watched)
        if dead := self.lives.check(self.vaults, steady):
            self._reconcile_at = steady
            self._trouble(f"a part died, or its folder was made again, and was started anew: {', '.join(dead)}")
        if steady >= self._reconcile_at:
            self._reconcile_at = steady + self.setup.settings.watch_reconcile_s
            self._reconcile()

    def _check(self, watched: Watched) -> None:
        """Look at one vault without being told to."""
        if news := check_root(watched, self.vaults, self.source):
            self._told(watched, news)
            self._sign()
            for kind in (INDEX, RULES, BELOW):
                self._touch(kind, watched)
        if is_led_elsewhere(watched):
            self._find(watched)
        if watched.root is None:
            return
        if target(watched) != watched.target:
            self._told(watched, arm(watched, self.vaults, self.source))
            self._touch(INDEX, watched)
        if signature(watched.index) != watched.seen or head_mark(watched.repositories) != watched.head:
            watched.head = head_mark(watched.repositories)
            self._touch(INDEX, watched)
        rules = rules_signature(watched.repositories, watched.folder)
        if watched.rules is not None and rules != watched.rules:
            watched.rules = rules
            self._touch(RULES, watched)

    def _reconcile(self) -> None:
        is_much, self._events_before = self.events - self._events_before >= _MANY, self.events
        for watched in list(self.vaults):
            if is_much:
                self._touch(BELOW, watched)
            if trouble := self.setup.renew(watched):
                self._trouble(trouble, watched)
            if (INDEX, watched.folder) in self._waits:
                continue
            if watched.polled and watched.root:
                self._told(watched, arm(watched, self.vaults, self.source))
            self._look(watched)

    def _told(self, watched: Watched, reports: list[Report]) -> None:
        if not reports:
            return
        fault = log(reports, self.setup.settings, self.setup.state, self._mode, self.clock.now())
        leave_notes(reports, self.setup.state)
        self.setup.tell(reports)
        if fault and fault != self._log_fault:
            self._trouble(f"the decision log could not be written: {shown(fault)}", watched)
        self._log_fault = fault

    def _trouble(self, message: str, watched: Watched | None = None) -> None:
        report = about(watched) if watched else Report(Event.TROUBLE)
        self.setup.tell([report._replace(event=Event.TROUBLE, severity="warning", message=message)])

    def _sign(self) -> None:
        self._beat_at = self.clock.steady() + BEAT_S
        self.setup.beat(self)

    @property
    def _mode(self) -> str:
        return self.setup.settings.watch_mode


def _is_below(path: str, watched: Watched) -> bool:
    """Tell whether a file may be the index of a vault below another one."""
    is_named = os.path.basename(path) == watched.vault.settings.index_name
    return is_named and path != watched.index and path.startswith(watched.folder + os.sep)
