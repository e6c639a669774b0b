"""Find the vaults to watch, take the right to watch each, and put a watcher together."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from memstile.core.settings import UNUSABLE, Fault, Settings
from memstile.core.text import shown
from memstile.core.watch_report import Report
from memstile.discover import vaults_below
from memstile.errors import GuardError
from memstile.left_beside import recover
from memstile.outcome import Request
from memstile.paths import state_folder
from memstile.quarantine import quarantine_place
from memstile.repositories import Repositories
from memstile.settings_source import SettingsSource
from memstile.standing import Standing
from memstile.vaults import Collected, collect
from memstile.watch_beat import beat
from memstile.watch_files import Lock, end_beat, known_of, take_over, write_beat
from memstile.watch_rules import surround
from memstile.watch_run import Watcher
from memstile.watch_setup import Clock, Setup
from memstile.watch_source import Source
from memstile.watch_vault import Watched, target

Tell = Callable[[list[Report]], None]
MakeSource = Callable[[Callable[[str], bool]], Source]

CLOCK = Clock(time.time, time.monotonic)
_NAMES = frozenset((".gitignore",))


class Started(NamedTuple):
    """A watcher that can be started. held: by whom the vaults are watched that this one leaves alone, by vault.
    remarks: lines for the person, safe to show."""

    watcher: Watcher
    held: dict[str, str]
    remarks: tuple[str, ...]
    locks: list[Lock]

    def end(self) -> None:
        """Give the vaults back."""
        if self.watcher.vaults:
            end_beat(self.watcher.setup.state, self.watcher.vaults[0].index)
        for lock in self.locks:
            lock.release()


def prepare(
    paths: tuple[str, ...],
    standing: Standing,
    flags: dict[str, object],
    tell: Tell,
    make_source: MakeSource,
    clock: Clock = CLOCK,
    *,
    is_once: bool = False,
) -> Started:
    """Find the vaults and lock them. flags: settings given on the command line. Raises GuardError.

    A setting that cannot be used ends it, with all faults at once: a watcher runs for weeks.
    """
    state = state_folder(standing.environment)
    source = SettingsSource(standing, flags)
    collected = collect(Request(paths, flags=flags), standing, source)
    _require_usable(source)
    if collected.missing:
        raise next(iter(collected.missing.values()))
    if not collected.vaults:
        raise GuardError("no vault was given, configured or found", "name it: `memstile watch PATH`, or [[vault]]")
    finder = _Finder(standing, state, collected, flags)
    vaults = list(finder.locked(list(collected.vaults)))
    if not vaults:
        first, holder = next(iter(finder.held.items()))
        raise GuardError(f"{shown(first)} is watched already, by {shown(holder)}", "`memstile status` shows it")
    settings = source.of(standing.cwd).settings
    if not is_once:
        take_over(state, [watched.index for watched in vaults])
    setup = Setup(
        standing,
        state,
        settings,
        finder.below,
        finder.renewed,
        tell,
        (lambda watcher: None) if is_once else _sign,
        0.0 if is_once else settings.watch_max_wait_s,
    )
    names = frozenset((*_NAMES, *(watched.vault.settings.index_name for watched in vaults)))
    source_of_events = make_source(_interest(names, vaults))
    remarks = (*(f"{shown(fault.name)}: {fault.message}" for fault in _faults(source)), *map(shown, collected.remarks))
    return Started(Watcher(setup, vaults, source_of_events, clock), finder.held, remarks, finder.locks)


def _faults(source: SettingsSource) -> list[Fault]:
    return [fault for facts in source.facts() for fault in facts.faults]


def _require_usable(source: SettingsSource) -> None:
    faults = [fault for fault in _faults(source) if fault.kind == UNUSABLE]
    if faults:
        told = "; ".join(f"{shown(fault.name)}: {fault.message}" for fault in faults)
        raise GuardError(f"a setting is not usable: {told}", "correct it: `memstile check` shows each with its line")


def _interest(names: frozenset[str], vaults: list[Watched]) -> Callable[[str], bool]:
    targets = frozenset(map(target, vaults))
    return lambda path: os.path.basename(path) in names or path in targets


def _sign(watcher: Watcher) -> None:
    write_beat(watcher.setup.state, watcher.vaults[0].index, beat(watcher))


class _Finder:
    """Finds vaults, at the start and in what is moved into a vault later, and keeps the locks."""

    def __init__(self, standing: Standing, state: str, collected: Collected, flags: dict[str, object]) -> None:
        self._standing, self._state, self._collected, self._flags = standing, state, collected, flags
        self.held: dict[str, str] = {}
        self.locks: list[Lock] = []

    def locked(self, folders: Iterable[str]) -> Iterator[Watched]:
        """Give those of the vaults that nobody else watches. folders: resolved."""
        repositories = Repositories(self._standing)
        for folder in folders:
            watched = Watched(self._collected.vaults[folder])
            lock = Lock(self._state, watched.index, _who(watched))
            if not lock.is_held:
                self.held[watched.vault.shown] = lock.holder
                continue
            self.locks.append(lock)
            surround(watched, repositories)
            watched.known = known_of(self._state, watched.index)
            recover(quarantine_place(self._state), os.path.dirname(target(watched)))
            yield watched

    def below(self, watched: Watched) -> list[Watched]:
        """Give the vaults that were not there before, below one that is watched or where links lead that led to it."""
        known = set(self._collected.vaults)
        ways = [path for path in watched.vault.paths if os.path.isdir(path)]
        for folder in (*ways, *vaults_below(watched.folder, watched.vault.settings.index_name)):
            self._collected.add(folder)
        return list(self.locked(folder for folder in self._collected.vaults if folder not in known))

    def renewed(self, watched: Watched) -> str:
        """Read a vault's settings again; why they are left as they were, "" where they are in force."""
        source = SettingsSource(self._standing, self._flags)
        settings: Settings = source.of(watched.vault.governed_from).settings
        if not source.is_usable:
            return "its settings were changed and cannot be used; those from before stay in force"
        if settings.index_name == watched.vault.settings.index_name:
            watched.vault = watched.vault._replace(settings=settings)
        return ""


def _who(watched: Watched) -> str:
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    return f"process {os.getpid()}, since {since}"
