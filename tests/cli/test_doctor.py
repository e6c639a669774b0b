"""What `memstile doctor` prints and answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memstile import __version__
from memstile.doctor import LEFT
from tests.doctor_tools import Person, compiled_package
from tests.run_tools import memstile as run


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


def said(me: Person, *words: str) -> tuple[int, str, str]:
    ran = run("doctor", *words, cwd=me.project, environment=me.environment)
    return ran.code, ran.out.decode(), ran.err


WHOLE = f"""\
memstile  (~/.config/memstile/config.toml)
  ok       pause       not paused
  ok       index.mode  enforce
  ok       gate.mode   audit: no memory write is refused, the log has what would have been
  ok       settings    every entry is used

Claude Code, user  (~/.claude/settings.json)
  ok       version     Claude Code 2.1.332: a version that memstile was tried with
  ok       hooks       7 events: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, \
PostToolBatch, ConfigChange
  ok       switch      hooks are on
  ok       control     the MCP server is registered
  ok       package     memstile {__version__}, compiled, on Python N
  ok       denial      refused in N ms
  ok       gate        let through and recorded in N ms, CLASSIFICATION_REQUIRED

11 checks: 11 ok
{LEFT}
"""


def test_a_whole_setup_is_told_line_by_line(me: Person) -> None:
    code, out, err = said(me, "claude-code")
    out = re.sub(r" in \d+ ms", " in N ms", re.sub(r"Python 3\.[\w.+]+", "Python N", out))
    assert (code, out, err) == (0, WHOLE, "")


BROKEN = """\
  bad      interpreter  /nowhere/python3 is not there, or cannot be run
                        tried: start /nowhere/python3
                        hint: memstile init claude-code
  bad      denial       not refused: /nowhere/python3 cannot be started: No such file or directory
                        tried: the command line of PreToolUse, without a shell: a write past the cap
                        hint: memstile init claude-code

10 checks: 8 ok, 2 bad
"""


def test_what_is_broken_is_told_with_what_mends_it(me: Person) -> None:
    path = me.home / ".claude" / "settings.json"
    path.write_text(re.sub(r'"command": "[^"]*"', '"command": "/nowhere/python3"', path.read_text()))
    code, out, err = said(me, "claude-code")
    assert (code, BROKEN in out, err) == (1, True, ""), out


def test_what_could_not_be_told_has_a_code_of_its_own(me: Person) -> None:
    (me.bin / "claude").unlink()
    code, out, _ = said(me, "claude-code")
    assert (code, "  unknown  version" in out, "11 checks: 10 ok, 1 unknown" in out) == (2, True, True)


def test_json_is_one_object(me: Person) -> None:
    code, out, err = said(me, "--json")
    found = json.loads(out)
    assert (code, err, found["memstile"], found["left"]) == (1, "", __version__, LEFT)
    assert found["counts"] == {"ok": 11, "bad": 0, "unknown": 0, "off": 1}
    assert [group["title"] for group in found["groups"]] == ["memstile", "Claude Code, user", "commits"]
    assert found["groups"][2] == {
        "title": "commits",
        "place": str(me.project),
        "checks": [
            {
                "name": "hook",
                "state": "off",
                "tried": f"look into {me.project}/.git/hooks",
                "seen": "no hook here checks commits",
                "hint": "memstile init git, or memstile init pre-commit",
            }
        ],
    }


def test_output_is_ascii(me: Person) -> None:
    assert said(me)[1].isascii()


def test_a_host_that_is_none_is_refused(me: Person) -> None:
    code, _, err = said(me, "emacs")
    assert (code, "Invalid value for '[HOST]...': 'emacs' is not one of" in err) == (2, True), err


def test_the_help_gives_examples_and_exit_codes(me: Person) -> None:
    code, out, _ = said(me, "--help")
    assert (code, out.count("memstile doctor "), "Exit codes: 0 all ok, 1 something is bad or off" in out) == (
        0,
        4,
        True,
    )
