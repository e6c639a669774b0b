"""Each way in which a host's hooks can be broken is found; what is whole is told so, and nothing is left behind."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memstile.doctor_check import State
from memstile.doctor_host import examine
from memstile.doctor_subject import SETUPS, scopes, set_up
from memstile.errors import GuardError
from memstile.hook_state import note_call
from memstile.hosts import HOSTS
from memstile.installing import Request, plan_removal
from memstile.launcher import script
from memstile.pausing import pause
from memstile.setups import SETUPS as ALL_SETUPS
from memstile.setups.setup import LAUNCHER
from tests.doctor_tools import Person, compiled_package, hooks_of, names, told
from tests.run_tools import digest

pytestmark = pytest.mark.slow

Break = Callable[[Person], object]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_package(tmp_path_factory.mktemp("package"))


@pytest.fixture
def me(tmp_path: Path, package: Path) -> Person:
    """Give somebody who has Claude Code, set up."""
    me = Person(tmp_path, package)
    me.program("claude", "2.1.332 (Claude Code)")
    me.set_up("claude-code")
    return me


def settings_of(me: Person) -> Path:
    return me.home / ".claude" / "settings.json"


def found(me: Person, host: str = "claude-code") -> set[str]:
    return names(examine(host, me.standing, is_asked=True))


def each_hook(change: Callable[[dict[str, Any]], object], *events: str) -> Break:
    """Change the hooks of some events, of all if none is named."""

    def plant(me: Person) -> None:
        def edit(settings: dict[str, Any]) -> None:
            for event in events or settings["hooks"]:
                for hook in hooks_of(settings, event):
                    change(hook)

        me.edit(settings_of(me), edit)

    return plant


def words(change: Callable[[list[str], int], object]) -> Break:
    """Change the arguments of each hook. change: gets them, and where the host's name stands: after the launcher."""

    def edit(hook: dict[str, Any]) -> None:
        change(hook["args"], next(at for at, word in enumerate(hook["args"]) if word.endswith(LAUNCHER)) + 1)

    return each_hook(edit)


def matcher(text: str, event: str = "PreToolUse") -> Break:
    return lambda me: me.edit(settings_of(me), lambda row: row["hooks"][event][0].__setitem__("matcher", text))


def other_package(change: Callable[[Path], object]) -> Break:
    """Change a copy of the package, which the launcher then starts."""

    def plant(me: Person) -> None:
        folder = me.root / "other"
        shutil.copytree(me.package, folder)
        change(folder / "memstile")
        me.launcher.write_text(script(str(folder)))

    return plant


def new_version(package: Path) -> None:
    (package / "__init__.py").write_text('"""Another."""\n\n__version__ = "99.0"\n')


def settings_at(place: str, text: str) -> Break:
    """Write another settings file. place: below the root of the test."""
    return lambda me: me.write(me.root / place, text)


def dead_wrapper(me: Person) -> None:
    me.write(me.root / "wrapper", "#!/bin/sh\nexit 1\n")
    (me.root / "wrapper").chmod(0o755)
    each_hook(lambda hook: hook.update(command=str(me.root / "wrapper")))(me)


BREAKS: list[Any] = [
    pytest.param(lambda me: None, set(), id="nothing"),
    pytest.param(
        each_hook(lambda hook: hook.update(command="/nowhere/python3")),
        {"bad interpreter", "bad denial"},
        id="the interpreter is gone",
    ),
    pytest.param(dead_wrapper, {"bad interpreter", "bad denial"}, id="the interpreter is dead"),
    pytest.param(
        each_hook(lambda hook: hook.update(command="/nowhere/python3"), "SessionStart"),
        {"bad interpreter"},
        id="the interpreter of another event is gone",
    ),
    pytest.param(lambda me: me.launcher.unlink(), {"bad launcher", "bad denial"}, id="the launcher is gone"),
    pytest.param(
        lambda me: me.launcher.write_text(script("/nowhere")), {"bad package", "bad denial"}, id="the package is gone"
    ),
    pytest.param(
        lambda me: me.launcher.write_text("# memstile\n"), {"bad package", "bad denial"}, id="another launcher"
    ),
    pytest.param(other_package(new_version), {"bad package"}, id="another version"),
    pytest.param(
        other_package(lambda package: shutil.rmtree(package / "core" / "__pycache__")),
        {"bad package"},
        id="not compiled",
    ),
    pytest.param(
        other_package(lambda package: (package / "hook_run.py").write_text("import nothing_of_that_name\n")),
        {"bad package", "bad denial"},
        id="a package that fails",
    ),
    pytest.param(
        settings_at("project/.claude/settings.json", '{"disableAllHooks": true}'), {"bad switch"}, id="off: project"
    ),
    pytest.param(
        settings_at("project/.claude/settings.local.json", '{"disableAllHooks": "yes"}'),
        {"bad switch"},
        id="off: local",
    ),
    pytest.param(
        settings_at("project/.claude/settings.local.json", '{"disableAllHooks": "false"}'), set(), id="not off: a text"
    ),
    pytest.param(
        lambda me: me.edit(settings_of(me), lambda row: row.update(disableAllHooks=True)),
        {"bad switch"},
        id="off: user",
    ),
    pytest.param(
        settings_at("project/.claude/settings.json", "{"), {"unknown switch"}, id="settings where a switch may be"
    ),
    pytest.param(matcher("write|edit"), {"bad matcher"}, id="matcher: small letters"),
    pytest.param(matcher("mcp__basic-memory"), {"bad matcher"}, id="matcher: a server's bare name"),
    pytest.param(matcher("^(Write|Edit"), {"bad matcher"}, id="matcher: no regex"),
    pytest.param(matcher("Write|Edit"), {"bad matcher"}, id="matcher: some tools only"),
    pytest.param(
        matcher("(?i)^(write|edit|multiedit|notebookedit|bash|powershell|mcp__.*)$"),
        {"bad matcher"},
        id="matcher: not JavaScript",
    ),
    pytest.param(each_hook(lambda hook: hook.update({"async": True})), {"bad entry"}, id="entry: nobody waits"),
    pytest.param(each_hook(lambda hook: hook.update({"async": False})), set(), id="entry: somebody waits"),
    pytest.param(
        each_hook(lambda hook: hook.update({"if": "Bash(git *)"}), "PreToolUse"),
        {"bad entry"},
        id="entry: some calls only",
    ),
    pytest.param(each_hook(lambda hook: hook.update(timeout=0)), {"bad entry", "bad denial"}, id="entry: no time"),
    pytest.param(each_hook(lambda hook: hook.update(timeout=0), "SessionStart"), {"bad entry"}, id="entry: of another"),
    pytest.param(each_hook(lambda hook: hook.update(timeout="30")), {"bad entry"}, id="entry: no number"),
    pytest.param(each_hook(lambda hook: hook.pop("timeout")), set(), id="entry: the host's own time"),
    pytest.param(each_hook(lambda hook: hook.update(newKey=1), "PreToolUse"), {"unknown entry"}, id="entry: a key"),
    pytest.param(
        lambda me: me.edit(settings_of(me), lambda row: row["hooks"]["PreToolUse"][0].update({"if": "x"})),
        {"bad entry"},
        id="entry: a key of its group",
    ),
    pytest.param(each_hook(lambda hook: hook.update(statusMessage="x")), set(), id="entry: for the eye"),
    pytest.param(matcher("*"), set(), id="matcher: everything"),
    pytest.param(matcher("Bash", "PostToolUse"), {"bad matcher"}, id="matcher: where there was none"),
    pytest.param(
        lambda me: me.edit(settings_of(me), lambda row: row["hooks"].pop("PostToolUse")), {"bad events"}, id="an event"
    ),
    pytest.param(
        lambda me: me.edit(settings_of(me), lambda row: row["hooks"].pop("PreToolUse")),
        {"bad events", "bad denial"},
        id="the event",
    ),
    pytest.param(
        each_hook(lambda hook: hook.update(type="prompt"), "PreToolUse"), {"bad events"}, id="a hook of another type"
    ),
    pytest.param(
        lambda me: settings_of(me).write_text(settings_of(me).read_text() + "}"),
        {"bad settings", "unknown switch", "bad denial"},
        id="no JSON",
    ),
    pytest.param(lambda me: settings_of(me).unlink(), {"bad settings"}, id="no settings at all"),
    pytest.param(lambda me: settings_of(me).write_text("{}"), {"bad settings"}, id="hooks taken out by hand"),
    pytest.param(lambda me: shutil.rmtree(me.home / ".claude"), {"bad settings"}, id="the host's folder is gone"),
    pytest.param(lambda me: settings_of(me).write_text("[1"), {"bad settings"}, id="no JSON, and nothing of ours"),
    pytest.param(each_hook(lambda hook: hook.update(timeout=1)), {"bad denial"}, id="a host that does not wait"),
    pytest.param(words(lambda args, host: args.__delitem__(slice(host, None))), {"bad denial"}, id="no host's name"),
    pytest.param(
        words(lambda args, host: args.__setitem__(host, "codex")), {"bad denial"}, id="the name of another host"
    ),
    pytest.param(words(lambda args, host: args.__setitem__(host, "cx")), {"bad denial"}, id="no such host"),
    pytest.param(words(lambda args, host: args.__delitem__(slice(host + 1, None))), set(), id="no options"),
    pytest.param(lambda me: pause(str(me.state), 600, time.time()), set(), id="a pause hides no layer"),
    pytest.param(lambda me: me.config('[index]\nmode = "audit"\n'), {"off denial"}, id="index.mode audit"),
    pytest.param(lambda me: me.config('[index]\nmode = "off"\n'), {"off denial"}, id="index.mode off"),
    pytest.param(lambda me: me.config('index_name = "INDEX.md"\n[[vault]]\npath = "/v"\n'), set(), id="own settings"),
    pytest.param(lambda me: me.program("claude", "9.0.0"), {"bad version"}, id="a version outside the envelope"),
    pytest.param(lambda me: me.program("claude", "none"), {"unknown version"}, id="a version that is not told"),
    pytest.param(lambda me: (me.bin / "claude").unlink(), {"unknown version"}, id="the program is not on PATH"),
]


@pytest.mark.parametrize(("plant", "expected"), BREAKS)
def test_each_break_is_found(plant: Break, expected: set[str], me: Person) -> None:
    plant(me)
    groups = examine("claude-code", me.standing, is_asked=True)
    assert names(groups) == expected, told(groups)
    assert [check for group in groups for check in group.checks if not check.tried or not check.seen] == []
    assert [check for group in groups for check in group.checks if "\n" in check.seen + check.hint] == []


SEEN = [
    (
        matcher("write|edit"),
        'PreToolUse: "write|edit" can never fire for a tool that writes: capital and small letters',
    ),
    (
        matcher("mcp__basic-memory"),
        'PreToolUse: "mcp__basic-memory" can never fire for a tool that writes: a plain name is compared whole; '
        "mcp__basic-memory__.* is a server's tools",
    ),
    (matcher("Write|Edit"), "does not fire for: MultiEdit, NotebookEdit, Bash, PowerShell, mcp__*"),
    (other_package(new_version), "hooks run memstile 99.0, and this is "),
    (each_hook(lambda hook: hook.update(command="/nowhere/py")), "/nowhere/py is not there, or cannot be run"),
    (lambda me: me.launcher.write_text(script("/nowhere")), "memstile is not in /nowhere any more"),
    (each_hook(lambda hook: hook.update({"async": True})), 'with "async" as it is, the host does not wait for its'),
    (each_hook(lambda hook: hook.update(newKey=1)), 'PreToolUse: what "newKey" does to the hook was not tried'),
    (each_hook(lambda hook: hook.update(timeout=1)), "but the host waits only 1,000 ms"),
    (words(lambda args, host: args.__setitem__(host, "cx")), "not refused: POLICY_INTERNAL_ERROR"),
]


@pytest.mark.parametrize(("plant", "seen"), SEEN)
def test_what_was_seen_is_told(plant: Break, seen: str, me: Person) -> None:
    plant(me)
    lines = told(examine("claude-code", me.standing, is_asked=True))
    assert any(seen in line for line in lines), lines


def test_a_switch_that_closes_the_host_is_missed(me: Person) -> None:
    me.set_up("claude-code", on_error="closed")
    assert found(me) == set()
    each_hook(lambda hook: hook.pop("onFailure"), "PreToolUse")(me)
    assert found(me) == {"bad closing"}


def test_a_policy_that_closes_is_no_denial_of_the_canary(me: Person) -> None:
    me.set_up("claude-code", on_error="closed")
    me.launcher.write_text(script("/nowhere"))
    assert "bad denial" in found(me)


def test_a_failure_in_the_form_of_a_denial_is_no_denial(me: Person) -> None:
    me.set_up("codex", on_error="closed")
    me.codex()
    other_package(lambda package: (package / "hook_run.py").write_text("import nothing_of_that_name\n"))(me)
    lines = told(examine("codex", me.standing, is_asked=True))
    assert any(line.startswith("bad denial: not refused: ") and "could not judge" in line for line in lines), lines


def test_a_command_line_without_a_state_folder_leaves_nothing_either(me: Person) -> None:
    words(lambda args, host: args.__delitem__(slice(host + 1, None)))(me)
    before = digest(me.root)
    assert found(me) == set()
    assert digest(me.root) == before


def test_a_project_of_its_own_is_examined_beside_the_person(me: Person) -> None:
    me.set_up("claude-code", is_project=True)
    groups = examine("claude-code", me.standing, is_asked=False)
    assert [(group.title, group.place) for group in groups] == [
        ("Claude Code, user", "~/.claude/settings.json"),
        ("Claude Code, project", f"{me.project}/.claude/settings.json"),
    ]
    assert names(groups) == set()


def test_hooks_that_were_moved_to_the_local_file_are_found(me: Person) -> None:
    me.set_up("claude-code", is_project=True)
    folder = me.project / ".claude"
    (folder / "settings.json").rename(folder / "settings.local.json")
    assert names(examine("claude-code", me.standing, is_asked=False)) == set()


def test_a_host_that_is_neither_set_up_nor_on_path_is_passed_over(me: Person) -> None:
    settings_of(me).unlink()
    shutil.rmtree(me.state)
    assert found(me) == {"off settings"}
    (me.bin / "claude").unlink()
    assert examine("claude-code", me.standing, is_asked=False) == []
    assert found(me) == {"off settings"}


def test_nothing_is_left_behind(me: Person) -> None:
    me.set_up("codex")
    me.codex()
    me.set_up("dsh")
    note_call(str(me.state), "claude-code", 1.0)
    before = digest(me.root)
    for host in ("claude-code", "codex", "dsh"):
        examine(host, me.standing, is_asked=True)
    assert digest(me.root) == before


def trusting(status: str, **fields: object) -> Break:
    return lambda me: me.codex(status, **fields)


def listing(**fields: object) -> Break:
    def plant(me: Person) -> None:
        me.codex()
        me.edit(me.listed, lambda row: row.update(fields))

    return plant


def speaking(text: str) -> Break:
    return lambda me: me.program("codex", text)


TRUST: list[Any] = [
    pytest.param(trusting("trusted"), set(), id="trusted"),
    pytest.param(trusting("managed"), set(), id="managed"),
    pytest.param(trusting("untrusted"), {"bad trust"}, id="untrusted"),
    pytest.param(trusting("modified"), {"bad trust"}, id="changed since"),
    pytest.param(trusting("trusted", enabled=False), {"bad trust"}, id="switched off"),
    pytest.param(trusting("trusted", sourcePath="/other/hooks.json"), {"bad trust"}, id="hooks of another file"),
    pytest.param(listing(hooks=[]), {"bad trust"}, id="a project that is not trusted, or the feature off"),
    pytest.param(listing(hooks=[], warnings=['invalid matcher "["']), {"bad trust"}, id="with a reason"),
    pytest.param(listing(hooks={}), {"bad trust"}, id="another shape"),
    pytest.param(speaking("codex-cli 0.171.0"), {"unknown trust"}, id="no answer to hooks/list"),
    pytest.param(speaking("[1]"), {"unknown trust", "unknown version"}, id="an answer that is none"),
    pytest.param(lambda me: None, {"unknown trust", "unknown version"}, id="no codex on PATH"),
]


@pytest.mark.parametrize(("plant", "expected"), TRUST)
def test_codex_is_asked_which_hooks_it_trusts(plant: Break, expected: set[str], me: Person) -> None:
    me.set_up("codex")
    plant(me)
    assert found(me, "codex") == expected


def test_a_codex_that_loads_some_of_the_hooks_is_not_fine(me: Person) -> None:
    me.set_up("codex")
    me.codex()
    me.edit(me.listed, lambda row: row["hooks"].pop())
    assert found(me, "codex") == {"bad trust"}


def codex_line(change: Callable[[str], str]) -> Break:
    def edit(row: dict[str, Any]) -> None:
        for groups in row["hooks"].values():
            for group in groups:
                for hook in group["hooks"]:
                    hook["command"] = change(hook["command"])

    return lambda me: me.edit(me.home / ".codex" / "hooks.json", edit)


LINES: list[Any] = [
    pytest.param(lambda line: f"{line} || exit 2", set(), id="more for the shell"),
    pytest.param(
        lambda line: f"exit 0; {line}", {"bad interpreter", "bad denial"}, id="a shell that never comes to it"
    ),
    pytest.param(lambda line: f"{line} >/dev/null", {"bad denial"}, id="a denial that nobody hears"),
    pytest.param(lambda line: f"echo hi; {line}", {"bad interpreter", "bad denial"}, id="text before the reply"),
    pytest.param(lambda line: line.replace("python", "pyth0n"), {"bad interpreter", "bad denial"}, id="no interpreter"),
    pytest.param(lambda line: line.replace(" --state ", ' --state "$HOME"'), {"unknown denial"}, id="a state unseen"),
]


@pytest.mark.parametrize(("change", "expected"), LINES)
def test_a_line_goes_through_a_shell_as_it_stands(change: Any, expected: set[str], me: Person) -> None:
    me.set_up("codex")
    codex_line(change)(me)
    me.codex()
    assert found(me, "codex") - {"bad closing"} == expected


def test_dsh_needs_its_row_its_file_and_its_bridge(me: Person) -> None:
    me.program("dsh", "0.1.0-rc.8")
    me.set_up("dsh")
    assert found(me, "dsh") == {"unknown modules"}
    folder = me.home / ".dsh"
    (folder / "memstile" / "hooks-claude-code.json").unlink()
    assert found(me, "dsh") == {"unknown modules", "bad settings", "bad denial"}
    me.set_up("dsh")
    (folder / "cordis.patch.yml").write_text("[]\n")
    assert found(me, "dsh") == {"unknown modules", "bad settings"}
    (folder / "memstile" / "hooks-claude-code.json").unlink()
    assert told(examine("dsh", me.standing, is_asked=False)) == [
        "bad settings: `memstile init` put its hooks there, and they are there no longer"
    ]
    shutil.rmtree(me.state)
    assert found(me, "dsh") == {"off settings"}


def test_dsh_with_its_bridge_beside_it_is_fine(me: Person) -> None:
    me.program("dsh", "0.1.0-rc.8")
    me.bridge()
    me.set_up("dsh")
    assert found(me, "dsh") == set()
    shutil.rmtree(me.bin / "node_modules")
    assert found(me, "dsh") == {"unknown modules", "bad settings"}


def test_gemini_is_asked_whether_it_reads_an_ignored_vault(me: Person) -> None:
    me.program("gemini", "0.61.0")
    me.set_up("gemini")
    assert found(me, "gemini") == {"unknown trust", "unknown reading"}


def test_hooks_that_are_gone_from_where_init_put_them_are_told_unasked_until_they_are_taken_out(me: Person) -> None:
    (me.bin / "claude").unlink()
    settings_of(me).write_text("{}")
    [group] = examine("claude-code", me.standing, is_asked=False)
    assert [(check.state, check.hint) for check in group.checks] == [
        (State.BAD, "memstile init claude-code; if they are to be gone: memstile uninstall claude-code")
    ]
    plan = plan_removal(Request("claude-code"), me.standing)
    for step in plan.steps:
        step.do()
    plan.finish()
    assert examine("claude-code", me.standing, is_asked=False) == []


CALLS = [
    ("claude-code", 1000, 500, [State.OK]),
    ("claude-code", 500, 500, [State.OK]),
    ("claude-code", 500, 1000, []),
    ("windsurf", 1000, 500, [State.OK]),
    ("windsurf", 500, 1000, [State.UNKNOWN]),
]


@pytest.mark.parametrize(("host", "called", "changed", "expected"), CALLS)
def test_only_a_call_after_the_settings_were_changed_is_a_proof(
    host: str, called: int, changed: int, expected: list[State], me: Person
) -> None:
    me.set_up(host)
    note_call(str(me.state), host, called)
    for row in set_up(scopes(host, me.standing)):
        for file in row.found:
            os.utime(file.path, (changed, changed))
    groups = examine(host, me.standing, is_asked=True)
    assert [check.state for group in groups for check in group.checks if check.name == "calls"] == expected


@pytest.mark.parametrize("host", ALL_SETUPS)
def test_what_init_writes_denies_the_canary(host: str, me: Person) -> None:
    if importlib.util.find_spec(HOSTS[host]) is None:
        pytest.skip("the host's module is not written yet")
    try:
        me.set_up(host)
    except GuardError as error:
        pytest.skip(f"not set up: {error.message}")
    groups = examine(host, me.standing, is_asked=True)
    assert {name for name in names(groups) if name.startswith("bad")} == set(), told(groups)
    assert "denial" in [check.name for group in groups for check in group.checks if check.state is State.OK]


def test_a_plugin_of_another_version_is_found(me: Person) -> None:
    me.program("opencode", "1.18.33")
    me.set_up("opencode")
    path = me.home / ".config" / "opencode" / "plugins" / "memstile.js"
    assert found(me, "opencode") == set()
    path.write_text(path.read_text() + "// older\n")
    assert found(me, "opencode") == {"bad settings"}


def test_a_pause_in_the_folder_of_the_command_line_is_found(me: Person) -> None:
    other = me.root / "other-state"
    each_hook(lambda hook: hook.update(args=[str(other) if word == str(me.state) else word for word in hook["args"]]))(
        me
    )
    pause(str(other), 600, time.time())
    assert found(me) == {"off pause"}


def test_every_setup_is_examined() -> None:
    assert list(SETUPS) == list(ALL_SETUPS)


def test_the_state_of_the_command_line_is_exchanged_and_nothing_else(me: Person) -> None:
    log = me.root / "log"
    me.write(me.root / "spy", f'#!/bin/sh\nprintf "%s\\t" "$@" >> {log}\necho >> {log}\nexec {_python(me)} "$@"\n')
    (me.root / "spy").chmod(0o755)
    each_hook(lambda hook: hook.update(command=str(me.root / "spy")))(me)
    assert found(me) == set()
    ran = [line.split("\t")[:-1] for line in log.read_text().splitlines() if "--state" in line]
    installed = hooks_of(json.loads(settings_of(me).read_text()), "PreToolUse")[0]["args"]
    differing = [(old, new) for old, new in zip(installed, ran[0], strict=True) if old != new]
    assert ([len(words) for words in ran], len(differing), differing[0][0]) == ([len(installed)] * 2, 1, str(me.state))


def _python(me: Person) -> str:
    return str(hooks_of(json.loads(settings_of(me).read_text()), "PreToolUse")[0]["command"])
