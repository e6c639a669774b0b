"""`memstile watch`."""

from __future__ import annotations

import json
import os
import signal
import time
import traceback
from collections.abc import Callable, Container
from types import FrameType

import click

from memstile.cli.gauge import Live
from memstile.cli.telling import Telling
from memstile.cli.terminal import standing
from memstile.core.finding import Severity
from memstile.core.text import shown
from memstile.core.watch_report import Event, Report, document, lines
from memstile.errors import ExitCode, GuardError
from memstile.watch_run import Watcher
from memstile.watch_start import Started, prepare
from memstile.watcher import SystemSource

_ERROR = Severity.ERROR.name.lower()
_QUIET = (Event.SEEN,)
_QUIET_ONCE = (Event.SEEN, Event.STARTED)
"""What is no line of its own for a person: the gauge shows it, or cron would send a mail for it."""


@click.command("watch", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--once", "is_once", is_flag=True, help="Look once, tell what is new since the last time, and end.")
@click.option("--json", "is_json", is_flag=True, help="Write JSON Lines.")
@click.option("--mode", type=click.Choice(["audit", "enforce"]), help="Report only, or put back too (watch.mode).")
def command(paths: tuple[str, ...], is_once: bool, is_json: bool, mode: str | None) -> int:
    """Watch vaults on disk, whoever writes: shells, editors, sync clients, agents.

    PATH is a vault, or a folder with vaults below it; without one, the configured vaults and all below this folder.
    It tells of growth past the cap, of what hosts do not load, of sharp losses, and of what git would carry. In
    enforce mode an index that is seen growing past its cap is put back, and what was written is kept in quarantine.

    \b
    memstile watch                   all vaults here, until Ctrl-C
    memstile watch --mode enforce    put back what grows past its cap
    memstile watch --json            JSON Lines, for programs
    memstile watch --once            from cron: exit code 1 if there is a
                                     new finding of severity error
    """
    told = _Told(is_json, _QUIET_ONCE if is_once else _QUIET)
    flags: dict[str, object] = {"watch.mode": mode} if mode else {}
    started = prepare(paths, standing(), flags, told, SystemSource, is_once=is_once)
    for remark in () if is_once else started.remarks:
        told.say(remark)
    for vault, holder in started.held.items():
        told.say(f"{shown(vault)} is left alone: {shown(holder)} watches it")
    try:
        if is_once:
            started.watcher.start()
            told.out.end()
        else:
            _run(started, told)
    finally:
        told.live.clear()
        started.watcher.stop()
        started.end()
    return ExitCode.FINDINGS if is_once and told.has_error else ExitCode.CLEAN


class _Told:
    """Writes reports to standard output, and keeps the gauge below them."""

    def __init__(self, is_json: bool, quiet: Container[Event]) -> None:
        self._is_json, self._quiet = is_json, quiet
        self.has_error = False
        self._bugs: set[str] = set()
        self.live, self.out = Live(), Telling()

    def __call__(self, reports: list[Report]) -> None:
        self.has_error |= any(row.severity == _ERROR and row.event is Event.FOUND for row in reports)
        now = time.time()
        self.live.clear()
        if self._is_json:
            self.out.say([json.dumps(document(report, now)) for report in reports])
            return
        at = time.strftime("%H:%M:%S", time.localtime(now))
        for report in reports:
            if report.event not in self._quiet:
                first, *rest = lines(report)
                self.out.say([f"{at} {first}", *rest])

    def bug(self, error: Exception) -> None:
        """Tell of a bug of ours, each kind of it once."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__} at {os.path.basename(where.filename)}:{where.lineno}"
        if what not in self._bugs:
            self._bugs.add(what)
            self([Report(Event.TROUBLE, severity="error", message=f"this is a bug in memstile: {what}; it goes on")])

    def say(self, text: str) -> None:
        """Write a line that is no report."""
        if self._is_json:
            self.out.say([json.dumps({"event": Event.TROUBLE.value, "message": text})])
        else:
            self.out.say([text])


def _run(started: Started, told: _Told) -> None:
    """Watch until a signal asks to end."""
    watcher, asked = started.watcher, list[int]()
    before = {number: signal.signal(number, _asks(asked)) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    try:
        watcher.start()
        while not asked:
            _step(watcher, told)
            told.live.draw(watcher.vaults)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _step(watcher: Watcher, told: _Told) -> None:
    """Do one step; a bug in it is told, and the watcher goes on: silence would be taken for all being well."""
    try:
        watcher.step()
    except GuardError as error:
        told([Report(Event.TROUBLE, severity="warning", message=error.message, hint=error.hint)])
        watcher.recover()
    except Exception as error:
        told.bug(error)
        watcher.recover()
    told.out.end()


def _asks(asked: list[int]) -> Callable[[int, FrameType | None], None]:
    return lambda number, frame: asked.append(number)
