"""Run `memstile watch` as a service of this person: plan to set it up and to take it out, and tell how it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from memstile.core.text import shell_quoted, shown
from memstile.disk import read_small
from memstile.errors import GuardError
from memstile.installing import Plan
from memstile.installing_desk import Desk, Step
from memstile.installing_files import make_folders, putting, remove_folders, taking
from memstile.installing_record import Record
from memstile.launcher import package_folder, require_lasting
from memstile.paths import state_folder
from memstile.service_manager import Manager, carry_out, is_running, manager_of, require_reachable
from memstile.setups.services import AGAIN_S, Service
from memstile.setups.setup import own_file
from memstile.standing import Standing

KEY = "service"
"""What the record of `memstile init` calls it."""

_VARIABLES = ("MEMSTILE_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
"""Where a person may have said that settings and state are: a service starts without what their shell sets."""

_NO_PROGRAM = frozenset("\"'\\")
"""Characters that systemd takes in no path of a program, however they are quoted: systemd 252, path-util.c."""


class ServiceStatus(NamedTuple):
    """How the service is. place: its file, as a person would write it; log: how to read what it says."""

    manager: str
    place: str
    is_installed: bool
    is_running: bool
    log: str


def plan_install(
    paths: Sequence[str], standing: Standing, platform: str = sys.platform, *, is_forced: bool = False
) -> Plan:
    """Plan to run the watcher as a service. paths: as typed, none for the folder the person stands in.

    Raises GuardError where there is no service manager, or memstile will not be there tomorrow.
    """
    manager = manager_of(platform, standing.environment)
    words = program()
    if not is_forced:
        require_lasting((words[0], sys.executable, package_folder()), standing.environment)
    service = _service(words, paths, manager, standing)
    require_reachable(manager, standing.environment)
    desk = _desk(standing)
    writing = putting(desk, own_file(manager.place, manager.text(service), _told(service)))
    steps = [writing._replace(do=lambda: _write(writing, desk))] if writing else []
    if writing or not is_running(manager, standing.environment):
        steps.append(_starting(manager, desk))
    return Plan((), tuple(steps), (manager.note, f"what it says: {manager.log}"))


def plan_removal(standing: Standing, platform: str = sys.platform) -> Plan:
    """Plan to take the service out. Raises GuardError where there is no service manager."""
    manager = manager_of(platform, standing.environment)
    desk = _desk(standing)
    taken = taking(desk, own_file(manager.place, ""))
    if not taken:
        return Plan((), (), ())
    require_reachable(manager, standing.environment)
    title = f"stop it: {manager.program} {' '.join(manager.stop[0].words)}"
    stop = Step(title, lambda: carry_out(manager, manager.stop, standing.environment))
    forget = Step(f"let {manager.name} know", lambda: carry_out(manager, manager.forget, standing.environment))
    return Plan((), (stop, taken, *([forget] if manager.forget else [])), (), lambda: _forget(desk))


def status(standing: Standing, platform: str = sys.platform) -> ServiceStatus:
    """Tell how the service is. Raises GuardError where it cannot be asked."""
    manager = manager_of(platform, standing.environment)
    is_installed = b"memstile" in (read_small(manager.place) or b"")
    if is_installed:
        require_reachable(manager, standing.environment)
    runs = is_installed and is_running(manager, standing.environment)
    return ServiceStatus(manager.name, _desk(standing).name(manager.place), is_installed, runs, manager.log)


def _write(writing: Step, desk: Desk) -> None:
    make_folders(desk, state_folder(desk.environment))  # the record goes there, and it should know of these too
    writing.do()


def program() -> tuple[str, ...]:
    """Give what starts `memstile`: the program beside this Python, else this Python itself; absolute."""
    python = os.path.abspath(sys.executable)
    beside = os.path.join(os.path.dirname(python), "memstile")
    return (beside,) if os.access(beside, os.X_OK) else (python, "-P", "-m", "memstile")


def _service(words: tuple[str, ...], paths: Sequence[str], manager: Manager, standing: Standing) -> Service:
    folders = [standing.absolute(path) for path in paths]
    for typed, folder in zip(paths, folders, strict=True):
        if not os.path.exists(folder):
            raise GuardError(f"no such folder: {shown(typed)}", "give a vault, or a folder with vaults below it")
    variables = {name: value for name in _VARIABLES if (value := _named(name, standing))}
    whole = (*words, "watch", *folders)
    for text in (*whole, standing.cwd, *variables.values()):
        has_odd_signs = not text.isprintable() or text != text.strip() or text.endswith("\\")
        if has_odd_signs or (text == words[0] and _NO_PROGRAM.intersection(text)):
            raise GuardError(f"{shown(text)} cannot be written into a file of {manager.name}", "give it another name")
    return Service(whole, standing.cwd, variables, manager.output)


def _named(variable: str, standing: Standing) -> str:
    """Give the place a variable names, absolute; "" where it is not heard."""
    value = standing.environment.get(variable, "")
    return standing.absolute(value) if value and (os.path.isabs(value) or variable == "MEMSTILE_CONFIG") else ""


def _told(service: Service) -> tuple[str, ...]:
    return (
        f"starts {' '.join(map(shell_quoted, service.words))}",
        f"in {service.folder}",
        *(f"with {name}={value}" for name, value in service.variables.items()),
        f"again {AGAIN_S} seconds after it has ended, however it did",
    )


def _starting(manager: Manager, desk: Desk) -> Step:
    def start() -> None:
        if manager.output:
            make_folders(desk, os.path.dirname(manager.output))
        carry_out(manager, manager.start, desk.environment)

    orders = tuple(f"{manager.program} {' '.join(map(shell_quoted, order.words))}" for order in manager.start)
    return Step("start it", start, orders)


def _desk(standing: Standing) -> Desk:
    return Desk(standing.environment, Record(state_folder(standing.environment)), KEY)


def _forget(desk: Desk) -> None:
    made = desk.record.of(KEY).folders
    desk.record.forget(KEY)  # first: the record lies in one of the folders
    remove_folders(made)
