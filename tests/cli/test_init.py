"""What `memstile init` and `memstile uninstall` print and answer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import memstile
from memstile.setups import SETUPS
from tests.git_tools import environment, init
from tests.run_tools import digest
from tests.run_tools import memstile as run

SOURCE = str(Path(memstile.__file__).parent.parent)


def said(root: Path, *words: str) -> tuple[int, list[str], str]:
    ran = run(*words, cwd=root / "project", environment=environment(root / "home"))
    return ran.code, ran.out.decode().splitlines(), ran.err


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(tmp_path / "project", environment(tmp_path / "home"))
    return tmp_path


def titles(lines: list[str]) -> list[str]:
    """Pick the steps; whether the package has to be compiled depends on who ran before."""
    rows = [line.partition(". ")[2] for line in lines if line[:1].isdigit()]
    return [row for row in rows if not row.startswith("compile")]


STEPS = [
    "write ~/.local/state/memstile/launcher/memstile_hook.py",
    "write ~/.claude/settings.json",
    "write ~/.claude/skills/memstile/SKILL.md",
    "write ~/.claude.json",
]


def test_a_dry_run_shows_the_steps_and_changes_nothing(root: Path) -> None:
    before = digest(root / "project"), sorted(root.rglob("*"))
    code, out, err = said(root, "init", "claude-code", "--force", "--dry-run")
    assert (code, titles(out), err) == (0, STEPS, "")
    assert "     PreToolUse: ^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$" in out
    assert (digest(root / "project"), sorted(root.rglob("*"))) == before


def test_steps_are_shown_before_they_are_done(root: Path) -> None:
    code, out, err = said(root, "init", "claude-code", "--force")
    assert (code, titles(out), err) == (0, STEPS, "")
    assert out.index("step 1 of 5 done" if "step 1 of 5 done" in out else "step 1 of 4 done") > out.index(
        next(line for line in out if line.endswith("~/.claude.json"))
    )
    assert "nothing to do: it is set up" in said(root, "init", "claude-code", "--force")[1]
    code, out, err = said(root, "uninstall", "claude-code")
    assert (code, len(titles(out)), err) == (0, 4, "")
    assert said(root, "uninstall", "claude-code") == (0, ["nothing to do: nothing of memstile is there"], "")


def test_the_control_can_be_left_out(root: Path) -> None:
    code, out, err = said(root, "init", "claude-code", "--force", "--no-control")
    assert (code, titles(out), err) == (0, STEPS[:-1], "")
    assert [line for line in out if "permission" in line or "MCP" in line] == []


def test_a_gate_that_enforces_without_a_control_is_refused(root: Path) -> None:
    config = root / "home/.config/memstile/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[gate]\nmode = "enforce"\n')
    code, out, err = said(root, "init", "cline", "--force")
    assert (code, out, err.startswith("memstile: gate.mode is enforce, and Cline cannot carry")) == (2, [], True), err


def test_two_at_once_do_not_lose_what_the_other_noted(root: Path) -> None:
    hosts = ["claude-code", "gemini", "cline"]
    command = [sys.executable, "-m", "memstile"]
    folder, outside = root / "project", {**environment(root / "home"), "PYTHONPATH": SOURCE}

    def at_once(*rows: list[str]) -> list[int]:
        running = [
            subprocess.Popen([*command, *row], cwd=folder, env=outside, stdout=subprocess.DEVNULL) for row in rows
        ]
        return [process.wait(60) for process in running]

    before = sorted((root / "home").rglob("*"))
    assert at_once(*(["init", host, "--force"] for host in hosts)) == [0, 0, 0]
    record = json.loads((root / "home/.local/state/memstile/installed.json").read_bytes())
    assert sorted(record["installs"]) == sorted([*hosts, "launcher"])
    assert at_once(*(["uninstall", host] for host in hosts)) == [0, 0, 0]
    assert sorted((root / "home").rglob("*")) == before


REFUSED = [
    (("init", "emacs"), "Invalid value for 'HOST'"),
    (("init",), "Missing argument 'HOST'. Choose from: claude-code, dsh, codex, "),
    (("uninstall",), "Missing argument 'HOST'. Choose from: claude-code, dsh, codex, "),
    (("init", "dsh", "--project"), "dsh has no settings of a project\n  hint: leave out --project"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_what_cannot_be_set_up_is_refused(words: tuple[str, ...], message: str, root: Path) -> None:
    code, _, err = said(root, *words)
    assert (code, message in err) == (2, True), err


def test_outside_a_repository_there_is_nothing_to_hook_into(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    assert said(tmp_path, "init", "git") == (
        2,
        [],
        "memstile: there is no repository here\n  hint: change to one, or make one: git init\n",
    )


def test_what_is_left_to_the_person_is_told(root: Path) -> None:
    job = said(root, "init", "github-actions")[1][-1]
    assert job.startswith("note: the job installs memstile from https://example.org/memstile: put the address")
    config = root / "project" / ".pre-commit-config.yaml"
    assert said(root, "init", "pre-commit")[0] == 0
    assert said(root, "uninstall", "pre-commit")[1][-1] == (
        "note: if `pre-commit install` was run here, git's hooks stay, and refuse every commit without "
        ".pre-commit-config.yaml: pre-commit uninstall --hook-type pre-commit --hook-type pre-merge-commit"
    )
    assert not config.exists()
    config.write_text("repos: []\n")
    said(root, "init", "pre-commit")
    assert [line for line in said(root, "uninstall", "pre-commit")[1] if line.startswith("note")] == []
    assert [line for line in said(root, "uninstall", "pre-commit")[1] if line.startswith("note")] == []


@pytest.mark.parametrize("name", ["init", "uninstall"])
def test_the_help_names_every_host_and_gives_examples(name: str, root: Path) -> None:
    code, out, _ = said(root, name, "--help")
    text = "\n".join(out)
    assert code == 0
    assert [
        host for host in (*SETUPS, "pre-commit", "git", "github-actions") if host not in text and name == "init"
    ] == []
    assert text.count(f"memstile {name} ") >= 3
