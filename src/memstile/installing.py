"""Plan and carry out `memstile init HOST` and `memstile uninstall HOST` for agent hosts."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files as package_files
from typing import NamedTuple

from memstile.config import load
from memstile.core.text import shown
from memstile.doctor_found import look
from memstile.errors import GuardError
from memstile.hosts import HOSTS
from memstile.hosts.host import Host
from memstile.installing_control import control_of, server_command, taken_out
from memstile.installing_desk import Desk, Step
from memstile.installing_elsewhere import elsewhere, respelled
from memstile.installing_files import putting, remove_folders, taking
from memstile.installing_project import project_of, rule_steps, settings_step
from memstile.installing_record import Record
from memstile.installing_version import modules_beside, version_of
from memstile.launcher import (
    compile_package,
    interpreter,
    is_compiled,
    opening,
    package_folder,
    place,
    require_answer,
    require_lasting,
    script,
)
from memstile.paths import state_folder
from memstile.settings_places import user_file
from memstile.setups import SETUPS
from memstile.setups.envelope import Fit, fit, told
from memstile.setups.joined import joined
from memstile.setups.setup import Command, File, Setup, Where, own_file
from memstile.setups.skill import SKILL
from memstile.standing import Standing

LAUNCHER_KEY = "launcher"


class Request(NamedTuple):
    """What was asked for.

    on_error: "open", "closed", or "" for what the person's settings say. has_control: with memstile's MCP server.
    """

    host: str
    is_project: bool = False
    is_forced: bool = False
    on_error: str = ""
    has_control: bool = True


class Plan(NamedTuple):
    """What is to be done. heading: told before the steps; notes: told after them; finish: done last, steps or none."""

    heading: tuple[str, ...]
    steps: tuple[Step, ...]
    notes: tuple[str, ...]
    finish: Callable[[], None] = lambda: None


def plan_install(request: Request, standing: Standing) -> Plan:
    """Plan to set memstile up in a host; nothing is changed. Raises GuardError where it is not to be."""
    setup, host = _setup(request), _host(request.host)
    where = where_of(setup, standing, _texts(setup), is_project=request.is_project)
    heading = _envelope(host, setup, request, standing)
    if not request.is_forced:
        _require_modules(setup, where)
    command = _command(request, standing)
    if not request.is_forced:
        require_lasting((command.program, package_folder()), standing.environment)
    desk = _desk(request, where, standing)
    control = control_of(setup, host, where, standing, is_wanted=request.has_control)
    files = [*_files(setup, where, command), *control.files]
    beside, gone = taken_out(control.gone, {file.path for file in files})
    steps = [
        *_launcher_steps(command, desk._replace(key=LAUNCHER_KEY)),
        *(putting(desk, file) for file in joined([*files, *beside])),
        *(taking(desk, file) for file in (*setup.former(where), *gone)),
    ]
    notes = [*setup.notes(where), *control.notes]
    if not setup.skill(where):
        notes.append(f"no skill was installed: {host.title} has no folder for skills that memstile knows of")
    if request.is_project:
        steps.append(settings_step(desk, where.project, standing))
        notes.append("the hooks hold paths of this machine: do not commit them, or set each machine up by --user")
    rules, left = rule_steps(where.project, standing)
    return Plan(heading, tuple(step for step in (*steps, *rules) if step), (*left, *notes))


def plan_removal(request: Request, standing: Standing) -> Plan:
    """Plan to take memstile out of a host; nothing is changed. Raises GuardError where a file cannot be read."""
    setup = _setup(request)
    where = where_of(setup, standing, _texts(setup), is_project=request.is_project)
    desk = _desk(request, where, standing)
    command = _command(request, standing)
    control = setup.control(where, server_command(standing.environment))
    now = joined([*_files(setup, where, command), *control, *setup.former(where)])
    then = elsewhere(desk, now)
    steps = [*(step for file in respelled(desk, now) if (step := taking(desk, file))), *then.steps]
    hosts = [key for key in desk.record.installs if key.partition(" ")[0] in SETUPS]
    found = _starting(place(state_folder(standing.environment)), command, standing)
    others = [key for key in dict.fromkeys((*hosts, *found)) if key != desk.key]
    launcher = desk._replace(key=LAUNCHER_KEY)
    if not others and not then.left and desk.key in desk.record.installs:
        path = place(state_folder(standing.environment))
        last = taking(launcher, own_file(path, ""))
        steps += [last] if last else []
    notes = (f"still set up with the same launcher: {', '.join(map(shown, others))}",) if others and steps else ()
    finish = partial(_forget, desk, [] if others or then.left else [launcher], tuple(then.left))
    return Plan((), tuple(steps), (*notes, *then.notes()), finish)


def _starting(launcher: str, command: Command, standing: Standing) -> Iterator[str]:
    """Look which hosts have hooks that start the launcher, in the record or not: it may have been lost, or be old."""
    for host in SETUPS:
        setup: Setup = importlib.import_module(SETUPS[host]).SETUP
        for is_project in (False, True) if setup.has_project else (False,):
            where = where_of(setup, standing, _texts(setup), is_project=is_project)
            hooks = (hook for file in setup.files(where, command) for hook in look(file.path).hooks)
            if any(hook.launcher == launcher for hook in hooks):
                yield f"{host} {where.project}" if is_project else host


def _forget(desk: Desk, launcher: Sequence[Desk], left: Sequence[str]) -> None:
    for row in (desk, *launcher):
        made = row.record.of(row.key).folders
        row.record.forget(row.key, left)  # first: the record lies in one of the folders
        remove_folders(made)


def _setup(request: Request) -> Setup:
    setup: Setup = importlib.import_module(SETUPS[request.host]).SETUP
    if request.is_project and not setup.has_project:
        raise GuardError(f"{request.host} has no settings of a project", "leave out --project")
    return setup


def _host(name: str) -> Host:
    host: Host = importlib.import_module(HOSTS[name]).HOST
    return host


def where_of(setup: Setup, standing: Standing, texts: Mapping[str, str], *, is_project: bool) -> Where:
    """Say where a setup goes to. texts: of its files in the package, by name."""
    environment = standing.environment
    names = (*setup.modules, *setup.optional)
    found = modules_beside(setup.program, names, environment) if names else {}
    home = environment.get("HOME") or os.path.expanduser("~")
    return Where(home, project_of(standing), is_project, environment, texts, found)


def _texts(setup: Setup) -> dict[str, str]:
    return {name: package_text(name) for name in setup.texts}


def _require_modules(setup: Setup, where: Where) -> None:
    missing = ", ".join(name for name in setup.modules if name not in where.found)
    if missing:
        program = setup.program
        raise GuardError(
            f"{missing} is not beside {program}, which does not start with a row that it cannot load",
            f"install the npm package {missing} where {program}'s own package is; or add --force, and {program} does "
            "not start until it finds it",
        )


def package_text(name: str) -> str:
    """Read a file that lies among the examples of a checkout, and in the package of an installation."""
    inside = package_files("memstile").joinpath("examples", name)
    beside = os.path.join(package_folder(), "..", "..", "examples")
    for path in (str(inside), *(os.path.join(beside, folder, name) for folder in ("hosts", "github-actions"))):
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    raise GuardError(f"the package lacks its file {name}", "install memstile again")


def _command(request: Request, standing: Standing) -> Command:
    environment = standing.environment
    state, config = state_folder(environment), user_file(environment)
    settings = load(standing.cwd, environment=environment, flags={}).settings
    is_closed = (request.on_error or settings.gate_on_error) == "closed"
    program = interpreter()
    for path in (program, state, config):
        if not path.isprintable():
            raise GuardError(f"{shown(path)} cannot be written into a host's settings", "set XDG_STATE_HOME, or HOME")
    options = ("--config", config, "--state", state, *(("--on-error", "closed") if is_closed else ()))
    return Command(program, (*opening(place(state)), request.host), options, is_closed)


def _envelope(host: Host, setup: Setup, request: Request, standing: Standing) -> tuple[str, ...]:
    version = version_of(setup.program, standing.environment)
    line = told(host.title, version, host.verified, host.supported)
    if fit(version, host.verified, host.supported) is Fit.OUTSIDE and not request.is_forced:
        raise GuardError(line, "to install all the same, add --force; `memstile doctor` then shows whether it works")
    evidence = () if host.evidence == "recorded" else ("set up by its documentation; it was not run here",)
    return (line, *evidence)


def _desk(request: Request, where: Where, standing: Standing) -> Desk:
    key = f"{request.host} {where.project}" if request.is_project else request.host
    return Desk(standing.environment, Record(state_folder(standing.environment)), key)


def _files(setup: Setup, where: Where, command: Command) -> list[File]:
    path = setup.skill(where)
    skill = [own_file(path, SKILL, ("what the model is told about the vault",))] if path else []
    return [*setup.files(where, command), *skill]


def _launcher_steps(command: Command, desk: Desk) -> list[Step | None]:
    path, package = place(state_folder(desk.environment)), package_folder()
    file = own_file(path, script(os.path.dirname(package)), (f"started by {shown(command.program)} -I -S",))
    compiling = Step(f"compile the package in {desk.name(package)}", lambda: _compile(package))
    prove = partial(require_answer, (command.program, *command.words))
    writing = putting(desk, file)
    # Tried before the host is told to start it.
    proven = writing and writing._replace(do=partial(_both, writing.do, prove))
    return [proven, None if is_compiled(package) else compiling]


def _both(first: Callable[[], None], then: Callable[[], None]) -> None:
    first()
    then()


def _compile(package: str) -> None:
    compile_package(package)  # where it may not write, each call compiles anew: slower, and no less right
