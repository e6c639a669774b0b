"""service.py and service_manager.py: the watcher as a service, with stand-ins for systemctl and launchctl."""

from __future__ import annotations

import os
import plistlib
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.installing import Plan
from memstile.service import KEY, ServiceStatus, plan_install, plan_removal, program, status
from memstile.service_manager import INSTEAD
from tests.doctor_tools import Person
from tests.hook_tools import install

# Writes down what it was asked, and does what systemctl or launchctl would: a service runs while the file `runs` is
# there. The file `broken` holds what it says before it fails at every order.
_MANAGER = """\
#!/bin/sh
echo "$*" >> {folder}/asked
if [ -e {folder}/broken ]; then cat {folder}/broken >&2; exit 1; fi
case "$*" in
  *show-environment|"print gui/"*[0-9]) exit 0;;
  *is-active*|print*) [ -e {folder}/runs ];;
  *restart*) touch {folder}/runs;;
  bootstrap*)
    if [ -e {folder}/leaving ]; then rm {folder}/leaving; echo "Bootstrap failed: 5" >&2; exit 5; fi
    touch {folder}/runs;;
  *disable*|bootout*) [ -e {folder}/runs ] && rm {folder}/runs;;
esac
"""


class Machine(Person):
    """Somebody with a service manager."""

    @property
    def unit(self) -> Path:
        return self.home / ".config" / "systemd" / "user" / "memstile-watch.service"

    @property
    def agent(self) -> Path:
        return self.home / "Library" / "LaunchAgents" / "io.memstile.watch.plist"

    def manage(self, name: str) -> None:
        install(self.bin, _MANAGER.format(folder=self.root), [name])

    def mark(self, name: str, text: str = "") -> None:
        (self.root / name).write_text(text)

    def asked(self) -> list[str]:
        """Give what the manager was asked since the last time."""
        file = self.root / "asked"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture
def me(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path, tmp_path)
    machine.manage("systemctl")
    machine.manage("launchctl")
    return machine


def do(plan: Plan) -> list[str]:
    """Carry out a plan; give the titles of its steps."""
    for step in plan.steps:
        step.do()
    plan.finish()
    return [step.title for step in plan.steps]


def installed(me: Machine, *paths: str, platform: str = "linux") -> list[str]:
    return do(plan_install(paths, me.standing, platform, is_forced=True))


def removed(me: Machine, platform: str = "linux") -> list[str]:
    return do(plan_removal(me.standing, platform))


def files(me: Machine) -> set[str]:
    """Name what is in the home, folders too."""
    return {str(path.relative_to(me.home)) for path in me.home.rglob("*")}


PROBE, RUNS = "--user show-environment", "--user is-active --quiet memstile-watch.service"
RENEW = "--user daemon-reload"
STARTED = [RENEW, "--user enable memstile-watch.service", "--user restart memstile-watch.service"]
WRITE = "write ~/.config/systemd/user/memstile-watch.service"


def test_it_is_installed_once_and_taken_out_again(me: Machine) -> None:
    before = files(me)
    assert installed(me) == [WRITE, "start it"]
    assert me.asked() == [PROBE, *STARTED]
    assert installed(me) == []
    assert me.asked() == [PROBE, RUNS]
    assert removed(me) == [
        "stop it: systemctl --user disable --now memstile-watch.service",
        "remove ~/.config/systemd/user/memstile-watch.service",
        "let systemd know",
    ]
    assert me.asked() == [PROBE, "--user disable --now memstile-watch.service", RENEW]
    assert files(me) == before
    assert removed(me) == []


def test_the_unit_starts_the_watcher_where_the_person_stands(me: Machine) -> None:
    me.environment["XDG_STATE_HOME"] = str(me.home / "state")
    me.environment["MEMSTILE_CONFIG"] = "my.toml"
    me.environment["XDG_CONFIG_HOME"] = "not/absolute"
    installed(me)
    lines = me.unit.read_text().splitlines()
    [start] = [line for line in lines if line.startswith("ExecStart=")]
    assert start == "ExecStart=" + " ".join(f'"{word}"' for word in (*program(), "watch"))
    assert f"WorkingDirectory={me.project}" in lines
    assert [line for line in lines if line.startswith("Environment=")] == [
        f'Environment="MEMSTILE_CONFIG={me.project}/my.toml"',
        f'Environment="XDG_STATE_HOME={me.home}/state"',
    ]
    assert os.path.isabs(program()[0])


def test_other_vaults_take_the_place_of_those_before(me: Machine) -> None:
    (me.project / "a").mkdir()
    installed(me, "a")
    assert f'"watch" "{me.project}/a"\n' in me.unit.read_text()
    assert installed(me, ".", str(me.home))[0] == WRITE.replace("write", "change")
    assert f'"watch" "{me.project}" "{me.home}"\n' in me.unit.read_text()
    assert me.asked()[-3:] == STARTED


def test_a_service_that_was_stopped_is_started(me: Machine) -> None:
    installed(me)
    (me.root / "runs").unlink()
    assert installed(me) == ["start it"]


def test_steps_say_what_is_run(me: Machine) -> None:
    plan = plan_install((), me.standing, "linux", is_forced=True)
    assert plan.steps[0].lines[1:] == (f"in {me.project}", "again 10 seconds after it has ended, however it did")
    assert plan.steps[1].lines == tuple(f"systemctl {line}" for line in STARTED)
    assert not me.unit.exists()


def test_an_agent_of_macos_is_installed_and_taken_out(me: Machine) -> None:
    before = files(me)
    assert installed(me, platform="darwin") == ["write ~/Library/LaunchAgents/io.memstile.watch.plist", "start it"]
    domain = f"gui/{os.getuid()}"
    target = f"{domain}/io.memstile.watch"
    assert me.asked() == [f"print {domain}", f"bootout {target}", f"enable {target}", f"bootstrap {domain} {me.agent}"]
    log = str(me.home / "Library" / "Logs" / "memstile-watch.log")
    assert plistlib.loads(me.agent.read_bytes())["StandardErrorPath"] == log
    assert os.path.isdir(os.path.dirname(log))
    assert status(me.standing, "darwin").is_running
    assert len(removed(me, "darwin")) == 2
    assert files(me) == before


def test_launchd_is_asked_again_while_the_agent_before_is_on_its_way_out(me: Machine) -> None:
    me.mark("leaving")
    installed(me, platform="darwin")
    assert [line.split()[0] for line in me.asked()] == ["print", "bootout", "enable", "bootstrap", "bootstrap"]


def test_the_status_is_told(me: Machine) -> None:
    told = ServiceStatus(
        "systemd", "~/.config/systemd/user/memstile-watch.service", False, False, "journalctl --user -u memstile-watch"
    )
    assert status(me.standing, "linux") == told
    assert me.asked() == []
    installed(me)
    assert status(me.standing, "linux") == told._replace(is_installed=True, is_running=True)
    (me.root / "runs").unlink()
    assert status(me.standing, "linux") == told._replace(is_installed=True)


def refused(me: Machine, *paths: str, platform: str = "linux", is_forced: bool = True) -> tuple[str, str]:
    with pytest.raises(GuardError) as caught:
        plan_install(paths, me.standing, platform, is_forced=is_forced)
    assert not me.unit.exists()
    return caught.value.message, caught.value.hint


def test_where_there_is_no_manager_the_hint_is_the_command(me: Machine) -> None:
    me.mark("broken", "Failed to connect to bus: No medium found\n")
    assert refused(me) == ("there is no systemd for you here: Failed to connect to bus: No medium found", INSTEAD)
    assert refused(me, platform="win32") == ("memstile knows no service manager of win32", INSTEAD)
    (me.bin / "systemctl").unlink()
    me.environment["PATH"] = str(me.bin)
    assert refused(me) == ("there is no systemd for you here: systemctl is not on PATH", INSTEAD)


def test_what_cannot_be_watched_is_refused(me: Machine) -> None:
    assert refused(me, "none")[0] == "no such folder: none"
    for name in ("line\nbreak", "end\\", " blank "):
        (me.project / name).mkdir()
        assert "cannot be written into a file of systemd" in refused(me, name)[0]


def test_a_program_that_systemd_would_not_start_is_refused(me: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(me.root / "it's" / "python"))
    assert "cannot be written into a file of systemd" in refused(me)[0]


def test_a_program_that_will_not_last_is_refused(me: Machine) -> None:
    me.environment["UV_CACHE_DIR"] = os.path.dirname(program()[0])
    assert "will not last: it is in " in refused(me, is_forced=False)[0]


def test_somebody_elses_file_stays(me: Machine) -> None:
    me.write(me.unit, "[Service]\nExecStart=/bin/true\n")
    with pytest.raises(GuardError, match="there is a file of somebody else in its place"):
        installed(me)
    assert removed(me) == []
    assert me.unit.read_text() == "[Service]\nExecStart=/bin/true\n"


def test_an_order_that_fails_is_told_with_what_was_said(me: Machine) -> None:
    plan = plan_install((), me.standing, "linux", is_forced=True)
    me.mark("broken", "no\x1b way\n")
    with pytest.raises(GuardError) as caught:
        do(plan)
    assert caught.value.message == "`systemctl --user daemon-reload` failed: no\\x1b way"


def test_a_removal_that_cannot_stop_it_removes_nothing(me: Machine) -> None:
    installed(me)
    me.mark("broken", "no\n")
    with pytest.raises(GuardError, match="there is no systemd for you here: no"):
        removed(me)
    assert me.unit.exists()


def test_the_record_of_a_host_is_left_alone(me: Machine) -> None:
    me.set_up("claude-code")
    before = files(me)
    installed(me)
    removed(me)
    assert files(me) == before
    assert KEY not in (me.state / "installed.json").read_text()
