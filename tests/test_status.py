"""status.py and its command: what is on here, which hosts are set up, and the exit codes."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memstile.doctor_subject import SETUPS
from memstile.hook_state import note_call
from memstile.installing import Request, plan_removal
from memstile.pausing import pause
from memstile.status import status
from tests.doctor_tools import Person
from tests.run_tools import memstile as run
from tests.test_hook_gate import gated
from tests.vault_tools import index, vault

Do = Callable[[Person], object]


@pytest.fixture
def me(tmp_path: Path) -> Person:
    """Give somebody who has set nothing up; the launcher's package is not there, and no hook is started here."""
    return Person(tmp_path, tmp_path)


def settings_of(me: Person) -> Path:
    return me.home / ".claude" / "settings.json"


def said(me: Person) -> tuple[int, list[str]]:
    """Give the code, and the lines on hooks, hosts and settings."""
    ran = run("status", cwd=me.project, environment=me.environment)
    lines = [line for line in ran.out.decode().splitlines() if line.split(" ")[0] in ("hooks", "host", "settings")]
    return ran.code, [" ".join(line.split()) for line in lines]


def take_out(me: Person) -> None:
    plan = plan_removal(Request("claude-code"), me.standing)
    for step in plan.steps:
        step.do()
    plan.finish()


def called(host: str, ago: float, *, before: float = 0.0) -> Do:
    """Let a host have called. before: how long ago its settings were changed."""

    def do(me: Person) -> None:
        now = time.time()
        note_call(str(me.state), host, now - ago)
        if settings_of(me).exists():
            os.utime(settings_of(me), (now - before, now - before))

    return do


def several(*rows: Do) -> Do:
    return lambda me: [row(me) for row in rows]


CLAUDE: Do = lambda me: me.set_up("claude-code")  # noqa: E731 - a row of a table
NONE = (1, ["hooks no host is set up here", "host none; set one up with `memstile init HOST`"])
GONE = "its hooks are not in ~/.claude/settings.json; `memstile init claude-code` puts them there"
TYPO = "settings ~/.config/memstile/config.toml: index.hard_line: index.hard_line is not a setting"

ROWS: list[Any] = [
    pytest.param(lambda me: None, NONE, id="nothing"),
    pytest.param(CLAUDE, (0, ["hooks on", "host claude-code: set up; no call seen yet"]), id="set up"),
    pytest.param(
        several(CLAUDE, called("claude-code", 35, before=50)),
        (0, ["hooks on", "host claude-code: last call within the last minute"]),
        id="a call just now",
    ),
    pytest.param(
        several(CLAUDE, called("claude-code", 90.5, before=500)),
        (0, ["hooks on", "host claude-code: last call 1 min ago"]),
        id="a call",
    ),
    pytest.param(
        several(CLAUDE, called("claude-code", 200_000, before=500_000)),
        (0, ["hooks on", "host claude-code: last call 2 d ago"]),
        id="an old call",
    ),
    pytest.param(
        several(CLAUDE, called("claude-code", 7_300, before=500)),
        (
            0,
            [
                "hooks on",
                "host claude-code: set up; no call seen yet since ~/.claude/settings.json was last changed; "
                "the last before: 2 h ago",
            ],
        ),
        id="a call of hooks from before",
    ),
    pytest.param(
        several(CLAUDE, lambda me: settings_of(me).write_text("{}")),
        (1, ["hooks gone from claude-code", f"host claude-code: {GONE}"]),
        id="taken out by hand",
    ),
    pytest.param(
        several(CLAUDE, lambda me: shutil.rmtree(me.home / ".claude")),
        (1, ["hooks gone from claude-code", f"host claude-code: {GONE}"]),
        id="the host's folder is gone",
    ),
    pytest.param(several(CLAUDE, called("claude-code", 10), take_out), NONE, id="uninstalled"),
    pytest.param(
        several(CLAUDE, lambda me: me.set_up("gemini", is_project=True), lambda me: settings_of(me).unlink()),
        (
            1,
            [
                "hooks gone from claude-code",
                f"host claude-code: {GONE}",
                "host gemini, this project: set up; no call seen yet",
            ],
        ),
        id="gone from one of two",
    ),
    pytest.param(
        several(CLAUDE, lambda me: me.config('[index]\nmode = "audit"\n')),
        (1, ["hooks on", "host claude-code: set up; no call seen yet"]),
        id="index.mode audit",
    ),
    pytest.param(
        several(CLAUDE, lambda me: me.config('[gate]\nmode = "off"\n')),
        (1, ["hooks on", "host claude-code: set up; no call seen yet"]),
        id="gate.mode off",
    ),
    pytest.param(
        several(CLAUDE, lambda me: me.config('[gate]\nmode = "enforce"\n')),
        (0, ["hooks on", "host claude-code: set up; no call seen yet"]),
        id="gate.mode enforce",
    ),
    pytest.param(
        several(CLAUDE, lambda me: me.config("[index]\nhard_line = 3\n")),
        (2, ["hooks on", "host claude-code: set up; no call seen yet", TYPO]),
        id="a setting that is none",
    ),
    pytest.param(
        several(called("generic", 10)),
        (1, ["hooks no host is set up here", "host generic: last call within the last minute"]),
        id="a program of one's own",
    ),
]


@pytest.mark.parametrize(("do", "expected"), ROWS)
def test_hosts_are_told_with_a_code(do: Do, expected: tuple[int, list[str]], me: Person) -> None:
    do(me)
    code, lines = said(me)
    assert (code, [line.split(" (did you")[0] for line in lines]) == expected


def test_settings_that_cannot_be_read_are_told_without_an_empty_key(me: Person) -> None:
    CLAUDE(me)
    me.config("[index\n")
    code, lines = said(me)
    assert (code, [line.partition("config.toml: ")[2][:12] for line in lines[2:]]) == (2, ["the file is "])


def test_a_pause_is_off(me: Person) -> None:
    CLAUDE(me)
    pause(str(me.state), 60, time.time())
    code, lines = said(me)
    assert (code, lines[0][:18]) == (1, "hooks paused until")


def test_an_index_over_its_hard_cap_is_told(me: Person) -> None:
    folder = vault(me.project / ".memory", index(215))
    me.config(f"[[vault]]\npath = {json.dumps(str(folder))}\n")
    ran = run("status", cwd=me.project, environment=me.environment)
    assert "215 lines" in ran.out.decode()
    assert "over its hard cap by 15 lines" in ran.out.decode()


def test_the_gate_is_told_with_what_it_decided_today(me: Person, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    session = gated(tmp_path / "elsewhere", mode="audit")
    me.config('[gate]\nmode = "audit"\nprofile = "strict"\n')
    for now, number in ((time.time() - 3 * 86_400, "old"), (time.time(), "new")):
        session._replace(now=now).write(number)
    shutil.copytree(session.home / "state", me.state)
    ran = run("status", cwd=me.project, environment=me.environment).out.decode()
    told = [" ".join(line.split()) for line in ran.splitlines() if line.startswith(("gate", "log"))]
    assert told == [
        "gate audit, profile strict, servers basic-memory",
        "log today: CLASSIFICATION_REQUIRED 1",
        "log enforce would have refused today: CLASSIFICATION_REQUIRED 1",
    ]


@pytest.mark.parametrize(("servers", "told"), [("[]", "none"), ('["kb", "team\\u001b"]', "kb, team\\x1b")])
def test_the_servers_that_the_gate_judges_are_told(servers: str, told: str, me: Person) -> None:
    me.config(f"[gate]\nservers = {servers}\n")
    ran = run("status", cwd=me.project, environment=me.environment).out.decode()
    assert f"\ngate     audit, profile compat, servers {told}\n" in ran


def test_a_log_that_cannot_be_read_is_told(me: Person) -> None:
    me.state.mkdir(parents=True)
    (me.state / "gate.db").write_bytes(b"no database" * 100)
    ran = run("status", cwd=me.project, environment=me.environment).out.decode()
    assert "the store is corrupt" in ran


@pytest.mark.parametrize("host", SETUPS)
def test_every_host_is_seen_once_it_is_set_up(host: str, me: Person) -> None:
    me.bridge()
    me.set_up(host)
    found = status(me.standing, time.time())
    assert [(row.host, row.scope, row.is_there, row.last_call) for row in found.hosts] == [(host, "user", True, 0)]
    assert found.hooks == "on"


def test_dsh_is_off_without_the_row_that_mounts_its_hooks(me: Person) -> None:
    me.bridge()
    me.set_up("dsh")
    (me.home / ".dsh" / "cordis.patch.yml").write_text("[]\n")
    assert status(me.standing, time.time()).hooks == "gone from dsh"


def test_a_project_that_is_the_home_is_told_once(me: Person) -> None:
    me.set_up("claude-code")
    found = status(me.standing._replace(cwd=str(me.home)), time.time())
    assert [(row.host, row.scope) for row in found.hosts] == [("claude-code", "user")]


def test_modes_and_vaults_are_told(me: Person) -> None:
    vault(me.project / "vault", index(120))
    me.repo.write("memstile.toml", '[[vault]]\npath = "vault"\n[[vault]]\npath = "none"\n')
    found = status(me.standing, time.time())
    assert found.modes == {"index": "enforce", "git": "enforce", "gate": "audit", "watch": "audit"}
    assert [row["path"] for row in found.vaults] == ["vault/MEMORY.md", "none/MEMORY.md"]
    assert (found.vaults[0]["size"].split(",")[0], found.vaults[1]["size"]) == ("120 lines", "no index yet")


def test_json_is_one_object(me: Person) -> None:
    CLAUDE(me)
    ran = run("status", "--json", cwd=me.project, environment=me.environment)
    assert json.loads(ran.out) == {
        "hooks": "on",
        "modes": {"index": "enforce", "git": "enforce", "gate": "audit", "watch": "audit"},
        "profile": "compat",
        "servers": ["basic-memory"],
        "today": {"by_reason": {}, "would_deny": {}, "fault": ""},
        "watchers": [],
        "vaults": [],
        "hosts": [
            {
                "host": "claude-code",
                "scope": "user",
                "place": "~/.claude/settings.json",
                "is_there": True,
                "mend": "memstile init claude-code",
                "last_call": 0,
                "is_proof": False,
            }
        ],
        "faults": [],
        "state": str(me.state),
    }
