"""installing_elsewhere.py: what was written when a variable named another folder of the host goes as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memstile.installing import Plan, Request, plan_install, plan_removal
from memstile.installing_record import Record
from memstile.setups import SETUPS
from memstile.standing import Standing
from tests.git_tools import environment, init

VARIABLES = {
    "claude-code": "CLAUDE_CONFIG_DIR",
    "codex": "CODEX_HOME",
    "copilot": "COPILOT_HOME",
    "dsh": "DSH_HOME",
    "opencode": "XDG_CONFIG_HOME",
}
"""By host: a variable that names its folder."""


class Person:
    """Somebody with a home, a project, and a folder of a host that a variable names."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.other = root / "other"
        self.project = init(root / "project", environment(self.home)).path
        self.state = self.home / ".local/state/memstile"
        self.launcher = self.state / "launcher/memstile_hook.py"

    def standing(self, **more: str) -> Standing:
        return Standing(str(self.project), {**environment(self.home), **more})

    def init(self, host: str = "claude-code", **more: str) -> Plan:
        return done(plan_install(Request(host, is_forced=True), self.standing(**more)))

    def uninstall(self, host: str = "claude-code", **more: str) -> Plan:
        return done(plan_removal(Request(host), self.standing(**more)))


def done(plan: Plan) -> Plan:
    for step in plan.steps:
        step.do()
    plan.finish()
    return plan


@pytest.fixture
def me(tmp_path: Path) -> Person:
    return Person(tmp_path)


def ours(folder: Path) -> list[str]:
    """Name the files below a folder that speak of memstile."""
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and b"memstile" in path.read_bytes()
    )


def edit(path: Path) -> None:
    """Change a file as a person would, somewhere that is theirs."""
    text = path.read_text()
    if path.suffix == ".json":
        path.write_text(text.replace("{", '{"theirs": 1, ', 1))
    else:
        path.write_text(f"{text}# theirs\n" if path.suffix in (".yml", ".toml") else text + "\n")


@pytest.mark.parametrize("is_edited", [False, True], ids=["as written", "edited"])
@pytest.mark.parametrize("is_moved_back", [False, True], ids=["named at init", "named at uninstall"])
@pytest.mark.parametrize("host", VARIABLES)
def test_nothing_stays_in_a_folder_that_a_variable_named(
    host: str, me: Person, *, is_moved_back: bool, is_edited: bool
) -> None:
    named = {VARIABLES[host]: str(me.other)}
    me.init(host, **({} if is_moved_back else named))
    written = [path for path in Record(str(me.state)).of(host).files if not path.startswith(str(me.state))]
    assert written
    for path in written if is_edited else ():
        edit(Path(path))
    me.uninstall(host, **(named if is_moved_back else {}))
    assert (ours(me.other) if me.other.exists() else [], ours(me.home), me.launcher.exists()) == ([], [], False)


def test_the_rest_of_an_edited_file_stays(me: Person) -> None:
    me.other.mkdir()
    settings = me.other / "settings.json"
    settings.write_text('{"a": 1}\n')
    me.init(CLAUDE_CONFIG_DIR=str(me.other))
    settings.write_text(settings.read_text().replace('"a": 1', '"a": 2'))
    plan = me.uninstall()
    assert any("take memstile's entries out of" in step.title for step in plan.steps)
    assert (json.loads(settings.read_text()), plan.notes, me.state.exists()) == ({"a": 2}, (), False)


def broken(path: Path) -> None:
    path.write_text(path.read_text()[:-9])


def renamed(path: Path) -> None:
    """Turn the record's file into one that no setup writes, as one of an older version would be."""
    other = path.with_name("hooks-of-old.json")
    path.rename(other)
    record = next(path.parent.parent.glob("home/.local/state/memstile/installed.json"))
    record.write_text(record.read_text().replace(str(path), str(other)))


LEFT = [
    pytest.param(broken, "settings.json was left alone: it is no JSON", id="no JSON"),
    pytest.param(renamed, "hooks-of-old.json was left alone: memstile writes no such file any more", id="unknown"),
]


@pytest.mark.parametrize(("change", "told"), LEFT)
def test_what_cannot_be_taken_out_keeps_its_launcher_and_its_record_and_is_told(
    change: object, told: str, me: Person
) -> None:
    me.init(CLAUDE_CONFIG_DIR=str(me.other))
    settings = me.other / "settings.json"
    edit(settings)
    assert callable(change)
    change(settings)
    plan = me.uninstall()
    (note,) = plan.notes
    assert told in note
    assert note.endswith("; memstile's entries stay in it, and the launcher for them")
    kept = [path for path in Record(str(me.state)).of("claude-code").files if path.startswith(str(me.other))]
    assert (len(kept), me.launcher.exists(), ours(me.home / ".claude")) == (1, True, [])
    Path(kept[0]).unlink()
    me.uninstall()
    assert (me.state.exists(), ours(me.other)) == (False, [])


def test_a_file_that_was_deleted_or_emptied_of_ours_by_hand_keeps_nothing(me: Person) -> None:
    me.init(CLAUDE_CONFIG_DIR=str(me.other))
    (me.other / "settings.json").write_text("{")
    (me.other / "skills/memstile/SKILL.md").unlink()
    assert (me.uninstall().notes, me.state.exists()) == ((), False)


@pytest.mark.parametrize("spelling", ["{home}/.claude/", "{home}//.claude", "{home}/.claude/../.claude"])
def test_a_folder_that_is_spelled_in_two_ways_is_one(spelling: str, me: Person) -> None:
    (me.home / ".claude").mkdir(parents=True)
    settings = me.home / ".claude/settings.json"
    settings.write_text('{"a": 1}')
    me.init(CLAUDE_CONFIG_DIR=spelling.format(home=me.home))
    me.uninstall()
    assert (settings.read_text(), ours(me.home), me.state.exists()) == ('{"a": 1}', [], False)


def test_two_folders_of_one_host_go_at_once(me: Person) -> None:
    me.init()
    me.init(CLAUDE_CONFIG_DIR=str(me.other))
    edit(me.other / "settings.json")
    me.uninstall()
    assert (ours(me.home), ours(me.other), me.launcher.exists()) == ([], [], False)


def test_another_hosts_entries_keep_the_launcher_wherever_they_are(me: Person) -> None:
    me.init("codex", CODEX_HOME=str(me.other))
    me.init()
    assert me.uninstall().notes == ("still set up with the same launcher: codex",)
    assert me.launcher.exists()
    assert set(VARIABLES) <= set(SETUPS)
