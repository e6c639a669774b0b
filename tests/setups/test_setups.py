"""Every row of SETUPS: what it writes starts the launcher, waits long enough, and asks for events its host reads."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import shlex
from collections.abc import Mapping

import pytest

from memstile.core.gate_calls import classify_call
from memstile.core.gate_words import Classification
from memstile.hosts import HOSTS
from memstile.setups import SETUPS
from memstile.setups.opencode import SHIM
from memstile.setups.setup import Command, File, Setup, Unmergeable, Where, own_file
from memstile.setups.skill import SKILL

OPTIONS = ("--config", "/home/a b/config.toml", "--state", "/state")


def command(host: str, *, is_closed: bool = False) -> Command:
    closed = ("--on-error", "closed") if is_closed else ()
    words = ("-I", "-S", "/state/launcher/memstile_hook.py", host)
    return Command("/usr/bin/python3", words, (*OPTIONS, *closed), is_closed)


def where(environment: Mapping[str, str] | None = None, *, is_project: bool = False) -> Where:
    return Where("/home/me", "/project", is_project, environment or {}, {SHIM: "x\nconst COMMAND = []\ny\n"})


def setup(host: str) -> Setup:
    found: Setup = importlib.import_module(SETUPS[host]).SETUP
    return found


def written(host: str, *, is_closed: bool = False) -> dict[str, str]:
    files = setup(host).files(where(), command(host, is_closed=is_closed))
    return {file.path: file.put(None) for file in files}


EACH_HOST = pytest.mark.parametrize("host", SETUPS)


@EACH_HOST
def test_a_setup_is_that_of_a_host(host: str) -> None:
    assert (setup(host).host, host in HOSTS) == (host, True)


@EACH_HOST
@pytest.mark.parametrize("is_closed", [False, True], ids=["open", "closed"])
def test_what_is_written_starts_the_launcher_with_absolute_paths(host: str, is_closed: bool) -> None:
    texts = "\n".join(written(host, is_closed=is_closed).values()).replace('", "', " ").replace('",\n', " ")
    assert "/state/launcher/memstile_hook.py" in texts
    assert "/home/a b/config.toml" in texts
    assert ("--on-error" in texts) is is_closed


PLACES = [
    ("claude-code", {}, "/home/me/.claude/settings.json", "/project/.claude/settings.json"),
    ("claude-code", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/settings.json", "/project/.claude/settings.json"),
    ("codex", {"CODEX_HOME": "/c"}, "/c/hooks.json", "/project/.codex/hooks.json"),
    ("gemini", {}, "/home/me/.gemini/settings.json", "/project/.gemini/settings.json"),
    ("copilot", {}, "/home/me/.copilot/hooks/memstile.json", "/project/.github/hooks/memstile.json"),
    ("cursor", {}, "/home/me/.cursor/hooks.json", "/project/.cursor/hooks.json"),
    ("windsurf", {}, "/home/me/.codeium/windsurf/hooks.json", "/project/.windsurf/hooks.json"),
    ("cline", {}, "/home/me/.cline/hooks/TaskStart", "/project/.clinerules/hooks/TaskStart"),
    (
        "opencode",
        {"XDG_CONFIG_HOME": "/c"},
        "/c/opencode/plugins/memstile.js",
        "/project/.opencode/plugins/memstile.js",
    ),
]


@pytest.mark.parametrize(("host", "environment", "user", "project"), PLACES)
def test_a_host_keeps_its_hooks_there(host: str, environment: dict[str, str], user: str, project: str) -> None:
    rows = [where(environment), where(environment, is_project=True)]
    assert [setup(host).files(row, command(host))[0].path for row in rows] == [user, project]


TOOLS = {
    "claude-code": (["Write", "Edit", "Bash", "mcp__a__b", "mcp__plugin_p_s__t"], ["Read", "TodoWrite"]),
    "codex": (["apply_patch", "Bash", "mcp__a__b"], ["read_file"]),
    "gemini": (["write_file", "replace", "run_shell_command", "mcp_a_b"], ["read_file"]),
    "cursor": (["Write", "StrReplace", "ApplyPatch", "Delete", "Shell", "MCP:x"], ["Read"]),
    "dsh": (["write", "edit", "str_replace_editor", "bash", "mcp__a__b"], ["read", "Write"]),
}


@pytest.mark.parametrize("host", TOOLS)
def test_a_matcher_is_about_tools_that_write(host: str) -> None:
    hits, misses = TOOLS[host]
    found = re.search(r'"matcher": ("[^"]*")', "\n".join(written(host).values()))
    assert found
    matcher = re.compile(json.loads(found.group(1)))
    assert [bool(matcher.search(tool)) for tool in (*hits, *misses)] == [True] * len(hits) + [False] * len(misses)


LIMITS = {"claude-code": 30, "codex": 30, "gemini": 30_000, "copilot": 30, "cursor": 30, "dsh": 30}


@pytest.mark.parametrize("host", LIMITS)
def test_a_host_waits_far_longer_than_the_hook_takes(host: str) -> None:
    texts = "\n".join(written(host).values())
    assert set(re.findall(r'"timeout(?:Sec)?": (\d+)', texts)) == {str(LIMITS[host])}


SWITCHES = {
    "claude-code": '"onFailure": "block"',
    "codex": "|| exit 2",
    "gemini": "|| exit 2",
    "cursor": '"failClosed": true',
    "windsurf": "|| exit 2",
    "cline": '"cancel": true',
    "dsh": "|| exit 2",
}


@pytest.mark.parametrize("host", SWITCHES)
def test_the_hosts_own_switch_closes_if_on_error_is_closed(host: str) -> None:
    found = [SWITCHES[host] in "\n".join(written(host, is_closed=row).values()) for row in (False, True)]
    assert found == [False, True]


def test_a_line_for_a_shell_gives_the_words_back() -> None:
    made = command("codex")
    assert shlex.split(made.line("X")) == [made.program, *made.words, "X", *made.options]


@EACH_HOST
def test_events_are_those_that_the_host_module_reads(host: str) -> None:
    if importlib.util.find_spec(HOSTS[host]) is None:
        pytest.skip("the host's module is not written yet")
    events = getattr(importlib.import_module(HOSTS[host]), "EVENTS", None)
    if events is None or host == "opencode":
        pytest.skip("its events are those of its shim")
    lines = [line for file in setup(host).files(where(), command(host)) for line in file.lines if ": " in line]
    assert {line.partition(": ")[0] for line in lines} - set(events) == set()


def test_the_shim_gets_the_command_line() -> None:
    text = written("opencode")["/home/me/.config/opencode/plugins/memstile.js"]
    made = command("opencode")
    assert text == f"x\nconst COMMAND = {json.dumps([made.program, *made.arguments()])}\ny\n"


def test_a_file_of_somebody_else_is_left_alone() -> None:
    file: File = own_file("x", "memstile\n")
    with pytest.raises(Unmergeable, match="somebody else"):
        file.put("theirs")
    assert (file.put(None), file.put("old memstile"), file.take("theirs")) == ("memstile\n", "memstile\n", "theirs")
    assert file.take("memstile\n") is None


def test_the_skill_is_short_and_has_its_head() -> None:
    assert SKILL.startswith("---\nname: memstile\ndescription: ")
    assert SKILL.count("\n") < 56
    assert max(map(len, SKILL.split("---\n")[2].splitlines())) <= 120


@pytest.mark.parametrize("task", ["simple", "complex"])
def test_the_skill_names_the_controls_as_the_gate_reads_them(task: str) -> None:
    assert f'{{"task": "{task}"}}' in SKILL
    assert f"`memstile classify {task}`" in SKILL
    for tool, arguments in (
        ("mcp__memstile__classify", {"task": task}),
        ("Bash", {"command": f"memstile classify {task}"}),
    ):
        assert classify_call(tool, arguments, ()).task is Classification(task)


@pytest.mark.parametrize("is_project", [False, True], ids=["user", "project"])
def test_gemini_says_what_hooks_and_reads_wait_for(is_project: bool) -> None:
    assert setup("gemini").notes(where(is_project=is_project)) == (
        "Gemini CLI takes up no hook, not even yours, in a folder that is not trusted: start `gemini` there, trust it",
        "its read_file reads nothing that git ignores, so no vault either that is ignored, unless settings.json has "
        '"context": {"fileFiltering": {"respectGitIgnore": false}}',
    )
