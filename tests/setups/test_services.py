"""setups/services.py: the unit is one that systemd itself takes, the agent one that plistlib reads back."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from memstile.setups.services import Service, agent, unit

SERVICE = Service(
    ("/opt/a b/memstile", "watch", "--", '/v/"50%" $HOME \\x'), "/home/me/a %h", {"XDG_STATE_HOME": "/s t/%n"}, "/l.log"
)

UNIT = r"""# Written by `memstile service install`, and again by each one after it.
[Unit]
Description=memstile: watches memory vaults
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart="/opt/a b/memstile" "watch" "--" "/v/\"50%%\" $$HOME \\x"
WorkingDirectory=/home/me/a %%h
Environment="XDG_STATE_HOME=/s t/%%n"
Restart=always
RestartSec=10
NoNewPrivileges=true
Nice=5

[Install]
WantedBy=default.target
"""


def test_a_unit_has_what_is_to_run_and_nothing_in_it_is_expanded() -> None:
    assert unit(SERVICE) == UNIT


def verify(unit_file: Path) -> str:
    """Let systemd say what it thinks of a unit; "" if nothing is wrong."""
    command = ("systemd-analyze", "verify", "--user", "--man=no", str(unit_file))
    variables = {"XDG_RUNTIME_DIR": str(unit_file.parent), "HOME": str(unit_file.parent), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False)
    return done.stderr.strip() or (f"exit code {done.returncode}" if done.returncode else "")


NAMES = ["plain", "with space", "100%", "a%h", "dollar$HOME", "semi;colon", "日本", "-x"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
@pytest.mark.parametrize("name", NAMES)
def test_systemd_takes_the_unit_and_finds_the_program(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    program = folder / "memstile"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    service = Service((str(program), "watch", "--", str(folder)), str(folder), {"XDG_STATE_HOME": str(folder)})
    file = tmp_path / "memstile-watch.service"
    file.write_text(unit(service))
    assert verify(file) == ""
    file.write_text(unit(service).replace('memstile" ', 'nothing" '))
    assert "nothing" in verify(file)  # it does look


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_takes_arguments_and_folders_with_quotes(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s "x" \\ y'
    folder.mkdir()
    file = tmp_path / "memstile-watch.service"
    file.write_text(unit(Service(("/bin/true", "watch", str(folder)), str(folder), {"XDG_STATE_HOME": str(folder)})))
    assert verify(file) == ""


def test_an_agent_is_read_back_as_it_was_meant() -> None:
    assert plistlib.loads(agent(SERVICE).encode()) == {
        "Label": "io.memstile.watch",
        "ProgramArguments": list(SERVICE.words),
        "WorkingDirectory": "/home/me/a %h",
        "EnvironmentVariables": {"XDG_STATE_HOME": "/s t/%n"},
        "RunAtLoad": True,
        "KeepAlive": True,
        "ThrottleInterval": 10,
        "ProcessType": "Background",
        "StandardOutPath": "/l.log",
        "StandardErrorPath": "/l.log",
    }
