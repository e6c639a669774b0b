"""Setting up and taking out again, with real files: what is written, what stays, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstile.doctor_found import Hook, look
from memstile.errors import GuardError
from memstile.installing import Plan, Request, plan_install, plan_removal
from memstile.installing_record import Install, Record, Written
from memstile.installing_repository import plan_repository, plan_repository_removal
from memstile.launcher import opening
from memstile.setups import SETUPS
from memstile.standing import Standing
from tests.git_tools import environment, init
from tests.run_tools import digest
from tests.vault_tools import vault


class Person:
    """Somebody with a home and a project, and the host's program on PATH."""

    def __init__(self, root: Path, *, version: str = "2.1.332") -> None:
        self.home = root / "home"
        self.project = init(root / "project", environment(self.home)).path
        program = root / "bin" / "claude"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
        program.chmod(0o755)
        outside = environment(self.home)
        self.standing = Standing(str(self.project), {**outside, "PATH": f"{program.parent}:{outside['PATH']}"})
        self.settings = self.home / ".claude" / "settings.json"
        self.record = self.home / ".local/state/memstile/installed.json"

    def init(self, **fields: object) -> Plan:
        request = Request("claude-code", is_forced=True)._replace(**fields)  # type: ignore[arg-type]
        return done(plan_install(request, self.standing))

    def uninstall(self, **fields: object) -> Plan:
        return done(plan_removal(Request("claude-code")._replace(**fields), self.standing))  # type: ignore[arg-type]

    def write(self, data: bytes) -> None:
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        self.settings.write_bytes(data)


def done(plan: Plan) -> Plan:
    for step in plan.steps:
        step.do()
    plan.finish()
    return plan


@pytest.fixture
def me(tmp_path: Path) -> Person:
    return Person(tmp_path)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_from_nothing_to_nothing(me: Person) -> None:
    before = files(me.home)
    me.init()
    assert [path for path in files(me.home) if path not in before] == [
        ".claude.json",
        ".claude/settings.json",
        ".claude/skills/memstile/SKILL.md",
        ".local/state/memstile/installed.json",
        ".local/state/memstile/launcher/memstile_hook.py",
    ]
    me.uninstall()
    assert files(me.home) == before
    assert not (me.home / ".claude").exists()
    assert not (me.home / ".local").exists()


def test_a_second_run_has_nothing_to_do(me: Person) -> None:
    me.write(b'{"model": "opus"}')
    me.init()
    before = digest(me.home)
    assert me.init().steps == ()
    assert digest(me.home) == before


def test_a_plan_changes_nothing(me: Person) -> None:
    me.write(b"{}")
    before = digest(me.home)
    plan_install(Request("claude-code", is_forced=True), me.standing)
    assert digest(me.home) == before


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.sampled_from(["hooks", "a", "b"]), st.just({}) | st.just({"PreToolUse": [], "X": [{}]})),
    st.sampled_from([None, 2, "\t"]),
    st.sampled_from([b"", b"\n", b" \r\n"]),
)
def test_any_settings_come_back_byte_for_byte(me: Person, value: object, indent: object, end: bytes) -> None:
    data = json.dumps(value, indent=indent).encode() + end  # type: ignore[arg-type]
    me.write(data)
    me.init()
    assert me.settings.read_bytes() != data
    assert me.settings.with_name("settings.json.memstile-backup").read_bytes() == data
    me.uninstall()
    assert me.settings.read_bytes() == data
    assert sorted(path.name for path in me.settings.parent.iterdir()) == ["settings.json"]


def test_what_was_changed_since_stays(me: Person) -> None:
    me.write(b'{"hooks": {}}')
    me.init()
    me.settings.write_bytes(me.settings.read_bytes().replace(b"{", b'{"model": "opus", ', 1))
    me.uninstall()
    assert json.loads(me.settings.read_bytes()) == {"model": "opus"}


def test_without_its_record_it_still_finds_what_is_ours(me: Person) -> None:
    me.write(b'{"a": 1}')
    me.init()
    (me.home / ".local/state/memstile/installed.json").write_bytes(b"broken")
    me.uninstall()
    assert (me.settings.read_bytes(), (me.home / ".claude/skills/memstile/SKILL.md").exists()) == (b'{"a": 1}', False)


def test_the_backup_stays_that_of_the_persons_own_file(me: Person) -> None:
    me.write(b'{"a": 1}')
    me.init()
    me.init(on_error="closed")
    assert b'"onFailure": "block"' in me.settings.read_bytes()
    me.uninstall()
    assert me.settings.read_bytes() == b'{"a": 1}'


def edited(me: Person) -> None:
    text = me.settings.read_bytes()
    me.settings.write_bytes(text.replace(b"{", b'{"model": "opus", ', 1))


def without_an_event(me: Person) -> None:
    document = json.loads(me.settings.read_bytes())
    del document["hooks"]["PreToolUse"]
    me.settings.write_text(json.dumps(document, indent=2))


BETWEEN = [
    pytest.param(edited, {}, {"model": "opus", "a": 1}, id="changed"),
    pytest.param(edited, {"on_error": "closed"}, {"model": "opus", "a": 1}, id="changed, then closed"),
    pytest.param(without_an_event, {}, {"a": 1}, id="an event taken out"),
]


@pytest.mark.parametrize("has_record", [True, False])
@pytest.mark.parametrize(("change", "fields", "expected"), BETWEEN)
def test_no_hook_stays_after_an_init_that_mended_another(
    change: Callable[[Person], None], fields: dict[str, object], expected: object, has_record: bool, me: Person
) -> None:
    me.write(b'{"a": 1}')
    me.init()
    change(me)
    if not has_record:
        me.record.unlink()
    me.init(**fields)
    me.uninstall()
    assert json.loads(me.settings.read_bytes()) == expected
    assert b"memstile" not in me.settings.read_bytes()


def test_what_an_init_mended_in_a_file_of_its_own_making_goes_as_a_whole(me: Person) -> None:
    me.init()
    without_an_event(me)
    me.init()
    me.uninstall()
    assert (files(me.home / ".claude"), me.record.exists()) == ([], False)


def test_a_backup_of_somebody_else_is_left_alone(me: Person) -> None:
    me.write(b'{"a": 1}')
    theirs = me.settings.with_name("settings.json.memstile-backup")
    theirs.write_bytes(b"theirs")
    plan = me.init()
    ours = me.settings.with_name("settings.json.memstile-backup-2")
    assert any(ours.name in step.title for step in plan.steps)
    assert (theirs.read_bytes(), ours.read_bytes()) == (b"theirs", b'{"a": 1}')
    me.init(on_error="closed")
    me.uninstall()
    assert sorted(path.name for path in me.settings.parent.iterdir()) == ["settings.json", theirs.name]
    assert (me.settings.read_bytes(), theirs.read_bytes()) == (b'{"a": 1}', b"theirs")


def test_after_a_lost_state_folder_nothing_is_left_either(me: Person) -> None:
    me.write(b'{"a": 1}')
    before = set(me.home.rglob("*"))
    me.init()
    shutil.rmtree(me.record.parent)
    me.uninstall()
    assert me.settings.read_bytes() == b'{"a": 1}'
    assert {path for path in set(me.home.rglob("*")) - before if ".local" not in path.parts} == set()


def test_a_copy_that_holds_something_else_stays_when_the_record_is_lost(me: Person) -> None:
    me.write(b'{"a": 1}')
    me.init()
    me.record.unlink()
    copy = me.settings.with_name("settings.json.memstile-backup")
    copy.write_bytes(b'{"a": 2}')
    me.uninstall()
    assert (me.settings.read_bytes(), copy.read_bytes()) == (b'{"a": 1}', b'{"a": 2}')


def test_what_another_run_has_noted_meanwhile_stays_noted(me: Person) -> None:
    state = str(me.record.parent)
    first, second = Record(state), Record(state)
    row = Written("", "a")
    first.note_file("claude-code", "/a", row)
    second.note_file("gemini", "/b", row)
    second.note_folder("gemini", "/c")
    first.note_file("claude-code", "/d", row)
    first.forget("none")
    assert Record(state).installs == {
        "claude-code": Install({"/a": row, "/d": row}),
        "gemini": Install({"/b": row}, ("/c",)),
    }


def test_the_launcher_stays_while_hooks_that_no_record_knows_need_it(me: Person) -> None:
    done(plan_install(Request("gemini", is_forced=True), me.standing))
    me.record.unlink()
    me.init()
    launcher = me.home / ".local/state/memstile/launcher/memstile_hook.py"
    assert me.uninstall().notes == ("still set up with the same launcher: gemini",)
    assert launcher.exists()
    done(plan_removal(Request("gemini"), me.standing))
    assert b"memstile" not in (me.home / ".gemini/settings.json").read_bytes()


def answer(hook: Hook, folder: Path) -> tuple[int, bool]:
    """Start a hook as its host does. Result: its exit code, and whether its output cancels the call."""
    script = folder / "script"
    script.write_text(hook.script)
    script.chmod(0o755)
    words = [str(script)] if hook.script else ["sh", "-c", hook.line] if hook.line else list(hook.words)
    ran = subprocess.run(words, input=b"{}", capture_output=True, check=False)
    assert b"run memstile init again" in ran.stderr
    return ran.returncode, b'"cancel": true' in ran.stdout


@pytest.mark.parametrize("is_closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("host", SETUPS)
def test_without_the_state_folder_hooks_do_as_the_failure_policy_says(
    host: str, is_closed: bool, me: Person, tmp_path: Path
) -> None:
    request = Request(host, is_forced=True, on_error="closed" if is_closed else "open")
    done(plan_install(request, me.standing))
    shutil.rmtree(me.record.parent)
    hooks = [hook for path in me.home.rglob("*") if path.is_file() for hook in look(str(path)).hooks]
    answers = {answer(hook, tmp_path) for hook in hooks}
    # A script of Cline's that exits with 2 is a fault of the hook, and no refusal.
    refused = {(0, True), (2, False)} if host == "cline" else {(2, False)}
    assert answers == (refused if is_closed else {(0, False)})


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_mode_and_links_stay(mode: int, me: Person) -> None:
    real = me.home / "dotfiles.json"
    real.write_bytes(b"{}")
    real.chmod(mode)
    me.settings.parent.mkdir()
    me.settings.symlink_to(real)
    me.init()
    assert (me.settings.is_symlink(), stat.S_IMODE(real.stat().st_mode), b"hooks" in real.read_bytes()) == (
        True,
        mode,
        True,
    )
    assert stat.S_IMODE((me.home / "dotfiles.json.memstile-backup").stat().st_mode) == mode
    me.uninstall()
    assert (real.read_bytes(), me.settings.is_symlink()) == (b"{}", True)


BROKEN = [
    pytest.param(b"{", "it is no JSON", id="cut off"),
    pytest.param(b"\xff{}", "is not UTF-8 from byte 0 on", id="no UTF-8"),
    pytest.param(b'{"hooks": 1}', 'its "hooks" is no object', id="another shape"),
]


@pytest.mark.parametrize(("data", "message"), BROKEN)
def test_settings_that_cannot_be_read_are_left_alone(data: bytes, message: str, me: Person) -> None:
    me.write(data)
    before = digest(me.home)
    with pytest.raises(GuardError) as caught:
        me.init()
    assert message in caught.value.message
    assert caught.value.hint
    assert digest(me.home) == before


VERSIONS = [
    ("2.1.332", "Claude Code 2.1.332: a version that memstile was tried with"),
    ("2.1.333", "Claude Code 2.1.333: in the supported range"),
    ("none", "Claude Code: its version could not be found out"),
]


@pytest.mark.parametrize(("version", "line"), VERSIONS)
def test_the_version_is_told(version: str, line: str, tmp_path: Path) -> None:
    assert Person(tmp_path, version=version).init().heading[0].startswith(line)


def test_a_version_outside_the_range_is_refused_unless_forced(tmp_path: Path) -> None:
    me = Person(tmp_path, version="9.0.0")
    with pytest.raises(GuardError, match=r"Claude Code 9\.0\.0 is outside the supported range"):
        me.init(is_forced=False)
    assert files(me.home / ".claude") == []
    assert me.init().heading[0].startswith("Claude Code 9.0.0 is outside")


def test_the_command_line_is_absolute_and_holds_the_policy(me: Person) -> None:
    config = me.home / ".config" / "memstile" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[gate]\non_error = "closed"\n')
    me.init()
    hook = json.loads(me.settings.read_bytes())["hooks"]["PreToolUse"][0]["hooks"][0]
    state = str(me.home / ".local/state/memstile")
    words = [*opening(f"{state}/launcher/memstile_hook.py"), "claude-code", "--config", str(config), "--state", state]
    assert hook["args"] == [*words, "--on-error", "closed"]
    assert (hook["type"], os.path.isabs(hook["command"]), hook["onFailure"]) == ("command", True, "block")


def test_a_projects_vault_is_ignored_and_named(me: Person) -> None:
    vault(me.project / ".notes")
    me.init(is_project=True)
    assert (me.project / ".gitignore").read_text() == "/.notes/\n"
    assert (me.project / "memstile.toml").read_text().endswith('\n[[vault]]\npath = ".notes"\n')
    me.uninstall(is_project=True)
    assert [path for path in files(me.project) if not path.startswith((".git/", ".notes/"))] == [
        ".gitignore",
        "memstile.toml",
    ]
    assert (me.project / ".notes" / "MEMORY.md").exists()


def test_the_launcher_stays_while_another_host_needs_it(me: Person) -> None:
    me.init()
    me.init(is_project=True)
    launcher = me.home / ".local/state/memstile/launcher/memstile_hook.py"
    me.uninstall()
    assert launcher.exists()
    me.uninstall(is_project=True)
    assert not launcher.exists()


def test_a_git_hook_runs_after_the_one_that_was_there(me: Person) -> None:
    hooks = me.project / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    theirs = b"#!/bin/sh\necho theirs >> ran\n"
    (hooks / "pre-commit").write_bytes(theirs)
    (hooks / "pre-commit").chmod(0o700)
    done(plan_repository("git", me.standing))
    assert plan_repository("git", me.standing).steps == ()
    assert sorted(path.name for path in hooks.iterdir() if "sample" not in path.name) == [
        "pre-commit",
        "pre-commit.before-memstile",
        "pre-merge-commit",
    ]
    done(plan_repository_removal("git", me.standing))
    assert [path.name for path in hooks.iterdir() if "sample" not in path.name] == ["pre-commit"]
    assert ((hooks / "pre-commit").read_bytes(), (hooks / "pre-commit").stat().st_mode & 0o777) == (theirs, 0o700)


HOOK_PATHS = [("/elsewhere", "not this repository's alone"), (".husky/_", "husky writes anew")]


@pytest.mark.parametrize(("value", "message"), HOOK_PATHS)
def test_hooks_that_belong_to_others_are_left_to_them(value: str, message: str, me: Person) -> None:
    repo = init(me.project, environment(me.home))
    repo.git("config", "core.hooksPath", value)
    with pytest.raises(GuardError, match=message):
        plan_repository("git", me.standing)
    repo.git("config", "core.hooksPath", ".hooks")
    done(plan_repository("git", me.standing))
    assert (me.project / ".hooks" / "pre-commit").exists()


@pytest.mark.parametrize("host", ["pre-commit", "github-actions"])
def test_what_guards_a_repository_comes_and_goes(host: str, me: Person) -> None:
    config = me.project / ".pre-commit-config.yaml"
    config.write_bytes(b"repos: []   # none yet\n")
    before = files(me.project)
    done(plan_repository(host, me.standing))
    assert plan_repository(host, me.standing).steps == ()
    assert files(me.project) != before
    done(plan_repository_removal(host, me.standing))
    (me.project / "memstile.toml").unlink()
    assert (files(me.project), config.read_bytes()) == (before, b"repos: []   # none yet\n")


DSH = Request("dsh")
BRIDGE = "@deepseek-ai/dsh-hooks-claude-code"


class DshPerson(Person):
    """Somebody who has dsh, and maybe the bridge to Claude Code's hooks beside it."""

    def __init__(self, root: Path, *, has_bridge: bool = True) -> None:
        super().__init__(root)
        program = root / "bin" / "dsh"
        program.write_text("#!/bin/sh\necho 0.1.0-rc.8\n")
        program.chmod(0o755)
        self.main = root / "bin" / "node_modules" / BRIDGE / "index.js"
        if has_bridge:
            self.main.parent.mkdir(parents=True)
            self.main.write_text("export {}\n")
            self.main.with_name("package.json").write_text("{}")
        self.folder = self.home / ".dsh"
        self.patch = self.folder / "cordis.patch.yml"

    def set_up(self, *, is_forced: bool = True) -> Plan:
        return done(plan_install(DSH._replace(is_forced=is_forced), self.standing))


def test_dsh_gets_the_bridge_that_lies_beside_it(tmp_path: Path) -> None:
    me = DshPerson(tmp_path)
    assert [note for note in me.set_up().notes if BRIDGE in note] == []
    assert f"name: {json.dumps(me.main.as_uri())}" in me.patch.read_text()
    assert files(me.folder) == [
        "cordis.patch.yml",
        "memstile/hooks-claude-code.json",
        "skills/memstile/SKILL.md",
    ]


def test_dsh_without_its_bridge_is_refused_unless_forced(tmp_path: Path) -> None:
    me = DshPerson(tmp_path, has_bridge=False)
    with pytest.raises(GuardError) as caught:
        me.set_up(is_forced=False)
    assert caught.value.message == f"{BRIDGE} is not beside dsh, which does not start with a row that it cannot load"
    assert caught.value.hint == (
        f"install the npm package {BRIDGE} where dsh's own package is; or add --force, and dsh does not start until it "
        "finds it"
    )
    assert not me.folder.exists()
    assert f"{BRIDGE} was not found: dsh does not start without it" in me.set_up().notes
    assert f'name: "{BRIDGE}"' in me.patch.read_text()


OLD_ROW = """\
    - id: memstile-codex
      name: "@deepseek-ai/dsh-hooks-codex"
      config:
        configPath: "/h/.dsh/memstile/hooks-codex.json"
"""


def with_codex_bridge(me: DshPerson) -> None:
    """Leave what an earlier `memstile init dsh` wrote for the Codex bridge."""
    me.patch.write_text(me.patch.read_text() + OLD_ROW)
    (me.folder / "memstile" / "hooks-codex.json").write_text('{"hooks": {"a": "memstile_hook.py"}}\n')


def test_what_an_earlier_version_wrote_for_dsh_goes_with_a_new_init(tmp_path: Path) -> None:
    me = DshPerson(tmp_path)
    me.set_up()
    before = me.patch.read_text()
    with_codex_bridge(me)
    me.set_up()
    assert (files(me.folder / "memstile"), me.patch.read_text()) == (["hooks-claude-code.json"], before)
    assert me.set_up().steps == ()


@pytest.mark.parametrize("has_record", [True, False])
def test_what_an_earlier_version_wrote_for_dsh_goes_with_uninstall(has_record: bool, tmp_path: Path) -> None:
    me = DshPerson(tmp_path)
    me.folder.mkdir()
    me.patch.write_text("- a: 1\n")
    me.set_up()
    with_codex_bridge(me)
    if not has_record:
        (me.home / ".local/state/memstile/installed.json").unlink()
    done(plan_removal(DSH, me.standing))
    assert (files(me.folder / "memstile"), me.patch.read_text()) == ([], "- a: 1\n")
