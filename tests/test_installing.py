"""Setting up and taking out again, with real files: what is written, what stays, and what is refused."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstile.errors import GuardError
from memstile.installing import Plan, Request, plan_install, plan_removal
from memstile.installing_repository import plan_repository, plan_repository_removal
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
    words = ["-I", "-S", f"{state}/launcher/memstile_hook.py", "claude-code", "--config", str(config), "--state", state]
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
