"""Write the file that makes an operating system run the watcher: a systemd user unit, a launchd agent."""

from __future__ import annotations

import plistlib
from collections.abc import Mapping

from memstile.core.record import NamedTuple

NAME = "memstile-watch"
LABEL = "io.memstile.watch"
AGAIN_S = 10
"""Seconds before it is started anew. It is, for ever: a watcher that gave up would be silent."""


class Service(NamedTuple):
    """What is to run. words: program, absolute, and arguments. folder: where. variables: of the environment.

    log: a file for what it says, where the system keeps no log of its own. All without unprintable characters.
    """

    words: tuple[str, ...]
    folder: str
    variables: Mapping[str, str]
    log: str = ""


def unit(service: Service) -> str:
    """Write a unit of systemd. Source: systemd.service(5), systemd.exec(5), systemd.syntax(7)."""
    program, *arguments = service.words
    # A "$" begins a variable in the arguments, and is a letter in the program's path.
    start = " ".join((_quoted(program), *(_quoted(word).replace("$", "$$") for word in arguments)))
    variables = [f"Environment={_quoted(f'{name}={value}')}" for name, value in service.variables.items()]
    return "\n".join((
        "# Written by `memstile service install`, and again by each one after it.",
        "[Unit]",
        "Description=memstile: watches memory vaults",
        "StartLimitIntervalSec=0",
        "",
        "[Service]",
        "Type=exec",
        f"ExecStart={start}",
        f"WorkingDirectory={_doubled(service.folder)}",
        *variables,
        "Restart=always",
        f"RestartSec={AGAIN_S}",
        "NoNewPrivileges=true",
        "Nice=5",
        "",
        "[Install]",
        "WantedBy=default.target",
        "",
    ))  # fmt: skip


def _doubled(text: str) -> str:
    return text.replace("%", "%%")


def _quoted(text: str) -> str:
    escaped = _doubled(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def agent(service: Service) -> str:
    """Write an agent of launchd. Source: launchd.plist(5)."""
    keys = {
        "Label": LABEL,
        "ProgramArguments": list(service.words),
        "WorkingDirectory": service.folder,
        "EnvironmentVariables": dict(service.variables),
        "RunAtLoad": True,
        "KeepAlive": True,
        "ThrottleInterval": AGAIN_S,
        "ProcessType": "Background",
        "StandardOutPath": service.log,
        "StandardErrorPath": service.log,
    }
    return plistlib.dumps(keys, sort_keys=False).decode()
