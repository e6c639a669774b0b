"""The service managers that can run the watcher for a person: where each has its file, and how it is spoken to."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memstile.core.text import shell_quoted, shown
from memstile.errors import GuardError
from memstile.setups.services import LABEL, NAME, Service, agent, unit

INSTEAD = "run `memstile watch` in a terminal, or `memstile watch --once` from cron"
_TIMEOUT_S, _PAUSE_S = 30.0, 0.2
_UNIT = f"{NAME}.service"


class Order(NamedTuple):
    """A command for a manager.

    may_fail: it has nothing to do at times, and says so by failing. patience_s: for how long it is tried again.
    """

    words: tuple[str, ...]
    may_fail: bool = False
    patience_s: float = 0.0


class Manager(NamedTuple):
    """One service manager. program: that it is spoken to by; probe: an order that succeeds where it can be reached.

    place: of its file, absolute; text: what is written there. start: makes it run, or run anew; stop: ends it for good;
    forget: after its file is gone; running: succeeds while it runs. output: a file for what it says, "" where the
    manager keeps that; log: how a person reads it. note: what a person has to know.
    """

    name: str
    program: str
    probe: Order
    place: str
    text: Callable[[Service], str]
    start: tuple[Order, ...]
    stop: tuple[Order, ...]
    forget: tuple[Order, ...]
    running: Order
    output: str
    log: str
    note: str


def systemd(environment: Mapping[str, str]) -> Manager:
    """Give the manager of Linux, as far as it is this person's own."""
    named = environment.get("XDG_CONFIG_HOME", "")
    above = named if os.path.isabs(named) else os.path.join(_home(environment), ".config")
    renew = Order(("--user", "daemon-reload"))
    return Manager(
        name="systemd",
        program="systemctl",
        probe=Order(("--user", "show-environment")),
        place=os.path.join(above, "systemd", "user", _UNIT),
        text=unit,
        start=(renew, Order(("--user", "enable", _UNIT)), Order(("--user", "restart", _UNIT))),
        stop=(Order(("--user", "disable", "--now", _UNIT)),),
        forget=(renew,),
        running=Order(("--user", "is-active", "--quiet", _UNIT)),
        output="",
        log=f"journalctl --user -u {NAME}",
        note="it runs while you are logged in; `loginctl enable-linger` lets it run after that",
    )


def launchd(environment: Mapping[str, str]) -> Manager:
    """Give the manager of macOS."""
    library = os.path.join(_home(environment), "Library")
    domain = f"gui/{os.getuid()}"
    place, output = (os.path.join(library, *parts) for parts in (("LaunchAgents", f"{LABEL}.plist"), ("Logs", _LOG)))
    out = Order(("bootout", f"{domain}/{LABEL}"), may_fail=True)  # may return while it is on its way out
    return Manager(
        name="launchd",
        program="launchctl",
        probe=Order(("print", domain)),
        place=place,
        text=agent,
        start=(out, Order(("enable", f"{domain}/{LABEL}")), Order(("bootstrap", domain, place), patience_s=10.0)),
        stop=(out,),
        forget=(),
        running=Order(("print", f"{domain}/{LABEL}")),
        output=output,
        log=f"~/Library/Logs/{_LOG}",
        note="it runs while you are logged in",
    )


_LOG = f"{NAME}.log"
_MANAGERS = {"linux": systemd, "darwin": launchd}


def manager_of(platform: str, environment: Mapping[str, str]) -> Manager:
    """Give the service manager of a platform, as sys.platform names it. Raises GuardError where memstile knows none."""
    if platform not in _MANAGERS:
        raise GuardError(f"memstile knows no service manager of {shown(platform)}", INSTEAD)
    return _MANAGERS[platform](environment)


def _home(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or os.path.expanduser("~")


def require_reachable(manager: Manager, environment: Mapping[str, str]) -> None:
    """Raise GuardError where the manager is not there or has no session for this person, as in a container."""
    why = _failure(manager, manager.probe, environment)
    if why:
        raise GuardError(f"there is no {manager.name} for you here: {why}", INSTEAD)


def is_running(manager: Manager, environment: Mapping[str, str]) -> bool:
    """Ask whether the watcher runs as a service."""
    return not _failure(manager, manager.running, environment)


def carry_out(manager: Manager, orders: Sequence[Order], environment: Mapping[str, str]) -> None:
    """Give orders to a manager, one after the other. Raises GuardError at the first that fails and may not."""
    for order in orders:
        until = time.monotonic() + order.patience_s
        while (why := _failure(manager, order, environment)) and time.monotonic() < until:
            time.sleep(_PAUSE_S)
        if why and not order.may_fail:
            line = f"{manager.program} {' '.join(map(shell_quoted, order.words))}"
            raise GuardError(f"`{shown(line)}` failed: {why}", "try it by hand; then run this again")


def _failure(manager: Manager, order: Order, environment: Mapping[str, str]) -> str:
    """Give an order, and say why it failed, "" if it did not."""
    program = shutil.which(manager.program, path=environment.get("PATH", os.defpath))
    if program is None:
        return f"{manager.program} is not on PATH"
    try:
        done = subprocess.run(
            [program, *order.words],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return shown(str(error))
    said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
    return shown(said[-300:]) or f"exit code {done.returncode}" if done.returncode else ""
