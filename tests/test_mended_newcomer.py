"""What a newcomer met between `memstile fix`, the commit, a clone and the settings, seen through the whole program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fix_tools import Project, project
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import check, memstile
from tests.vault_tools import vault

ONLY_HERE = (
    "info MS204 .memory: vault is ignored by {} alone, which is not in the git index; other clones do not have it"
)
PLACES = pytest.mark.parametrize("words", [(), ("--staged",)], ids=["work tree", "commit"])


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project with one commit, without a .gitignore, and with a vault that is configured."""
    made = init(tmp_path / "proj", environment(tmp_path / "home"))
    made.write("memstile.toml", '[[vault]]\npath = ".memory"\n')
    made.commit()
    vault(made.path / ".memory")
    return made


def text(repo: Repo, *words: str) -> str:
    return memstile(*words, cwd=repo.path, environment=repo.outside).out.decode()


def commands(repo: Repo, *words: str) -> list[str]:
    return [line.strip(" $") for line in text(repo, *words).split("\n") if line.startswith("    $ ")]


def findings(repo: Repo, *words: str) -> list[str]:
    return check(*words, cwd=repo.path, environment=repo.outside).findings


@PLACES
def test_a_rule_that_the_commit_does_not_carry_protects_no_clone_and_that_is_told(
    words: tuple[str, ...], repo: Repo, tmp_path: Path
) -> None:
    repo.git("add", ".memory")
    repo.git("commit", "--quiet", "--message", "with the vault")
    assert text(repo, "fix", "--yes").count("git add -- .gitignore") == 1
    assert findings(repo, *words, "--select", "MS201,MS202,MS203,MS204") == [ONLY_HERE.format(".gitignore")]
    assert commands(repo, "check", *words, "--select", "MS204") == ["git add -- .gitignore"]
    repo.git("commit", "--quiet", "--message", "without the rule")
    other = clone(repo.path, tmp_path / "clone", repo.outside)
    vault(other.path / ".memory")
    assert findings(other, *words, "--select", "MS201,MS204") == ["error MS201 .memory: vault is not ignored by git"]
    repo.git("add", "--", ".gitignore")
    assert findings(repo, *words, "--select", "MS204") == []


def beside_a_tracked_rule(repo: Repo) -> None:
    """Git names the file further down, but the one above would do by itself."""
    repo.write(".gitignore", "/docs/.memory/\n")
    repo.git("add", ".gitignore")
    repo.write("docs/.gitignore", ".memory/\n")


def of_the_vault_itself(repo: Repo) -> None:
    repo.write("docs/.memory/.gitignore", "*\n")


def meant_to_be_added(repo: Repo) -> None:
    repo.write("docs/.gitignore", ".memory/\n")
    repo.git("add", "docs/.gitignore")


def deeper(repo: Repo) -> None:
    repo.write("docs/.gitignore", ".memory/\n")


def ignoring_itself(repo: Repo) -> None:
    repo.write("docs/.gitignore", "*\n")


SITUATIONS = [
    (beside_a_tracked_rule, []),
    (of_the_vault_itself, []),
    (meant_to_be_added, []),
    (deeper, ["git add -- docs/.gitignore"]),
    (ignoring_itself, ["git add -f -- docs/.gitignore"]),
]


@PLACES
@pytest.mark.parametrize(("arrange", "mends"), SITUATIONS, ids=[row[0].__name__ for row in SITUATIONS])
def test_only_a_rule_that_does_not_travel_is_told_and_the_command_makes_it_travel(
    arrange: Callable[[Repo], None], mends: list[str], words: tuple[str, ...], repo: Repo
) -> None:
    repo.write("memstile.toml", '[[vault]]\npath = "docs/.memory"\n')
    repo.git("add", "memstile.toml")
    vault(repo.path / "docs" / ".memory")
    arrange(repo)
    only = ("check", *words, *(("docs/.memory",) if words else ("docs",)), "--select", "MS2")
    assert commands(repo, *only) == mends
    for command in mends:
        repo.git(*command.split()[1:])
    assert commands(repo, *only) == []


def rule_on_disk_alone(repo: Repo) -> None:
    repo.write(".gitignore", "# nothing yet\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "# nothing yet\n/.memory/\n")


def intent_to_add(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/\n")
    repo.git("add", "--intent-to-add", ".gitignore")


def negation_taken_out_on_disk_alone(repo: Repo) -> None:
    repo.write(".gitignore", ".memory/*\n!.memory/*.md\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", ".memory/*\n")


@pytest.mark.parametrize(
    ("arrange", "code"),
    [(rule_on_disk_alone, "MS201"), (intent_to_add, "MS201"), (negation_taken_out_on_disk_alone, "MS205")],
)
def test_a_rule_on_disk_that_is_not_staged_has_to_be_staged_and_no_more(
    arrange: Callable[[Repo], None], code: str, repo: Repo
) -> None:
    arrange(repo)
    assert commands(repo, "check", "--staged", "--select", "MS2") == ["git add -- .gitignore"]
    words = " ".join(text(repo, "check", "--staged", "--select", "MS2").split())
    assert f"error {code}: " in words
    assert (
        "hint: the rule is in .gitignore on disk, and its staged version is what the commit goes by: stage it" in words
    )
    repo.git("add", "--", ".gitignore")
    assert findings(repo, "--staged", "--select", "MS2") == []


def test_a_rule_that_is_nowhere_is_still_to_be_written(repo: Repo) -> None:
    repo.write(".gitignore", "# nothing\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "# still nothing\n")
    assert commands(repo, "check", "--staged", "--select", "MS2") == [
        "printf '\\n%s\\n' /.memory/ >> .gitignore",
        "git add -- .gitignore",
    ]


def test_fix_says_what_is_to_be_staged_and_writes_no_second_rule(repo: Repo) -> None:
    rule_on_disk_alone(repo)
    before = (repo.path / ".gitignore").read_bytes()
    told = """\
.gitignore: the rule is on disk, and the next commit would be without it
  hint: stage it
    $ git add -- .gitignore
nothing to do
"""
    assert (text(repo, "fix", "--yes"), (repo.path / ".gitignore").read_bytes()) == (told, before)
    repo.git("add", "--", ".gitignore")
    assert text(repo, "fix", "--yes") == "nothing to do\n"


def test_fix_leaves_a_file_alone_whose_other_changes_are_not_staged(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "/.memory/\n*.log\n")
    assert text(repo, "fix", "--yes") == "nothing to do\n"


def tracked_without_a_rule(tmp_path: Path) -> Project:
    made = project(tmp_path)
    vault(made.repo.path / ".memory")
    made.repo.commit()
    return made


@pytest.mark.parametrize("first", [b"", b"1"], ids=["nothing", "one byte"])
def test_what_was_agreed_to_is_finished_though_nobody_reads_on(first: bytes, tmp_path: Path) -> None:
    made = tracked_without_a_rule(tmp_path)
    reader, writer = os.pipe()
    if not first:
        os.close(reader)
    process = subprocess.Popen(
        [sys.executable, "-m", "memstile", "fix", "--yes"],
        cwd=made.repo.path,
        env={**made.repo.outside, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    if first:
        assert os.read(reader, len(first)) == first
        os.close(reader)
    _, err = process.communicate()
    assert (process.returncode, err) == (2, b"")
    assert made.ignore_files() == {".gitignore": b"*.log\n/.memory/\n"}
    assert made.repo.git("ls-files", ".memory") == ""


@PLACES
@pytest.mark.parametrize(
    ("typed", "note"),
    [
        (".agent-memry", "not in this checkout; git index checked; did you mean .agent-memory?"),
        ("docs/.agent-memory", "not in this checkout; git index checked"),
        ("notes", "not in this checkout; git index checked"),
    ],
)
def test_a_configured_path_that_is_near_a_vault_is_taken_for_a_typo(
    typed: str, note: str, words: tuple[str, ...], repo: Repo
) -> None:
    repo.write("memstile.toml", f'[[vault]]\npath = "{typed}"\n')
    repo.git("add", "memstile.toml")
    (repo.path / ".memory").rename(repo.path / ".agent-memory")
    lines = text(repo, "check", *words).split("\n")
    assert lines[lines.index(f"{typed}  (inside a project)") + 1] == f"  {note}"


def test_a_number_in_quotes_in_a_settings_file_is_told(repo: Repo) -> None:
    repo.write(
        "memstile.toml",
        "index.hard_lines = \"300\"\nindex.soft_lines = \" 300 \"\ngate.vault_files = 'true'\ngit.mode = 'enforce '\n",
    )
    told = [row.partition("memstile.toml: ")[2] for row in findings(repo, "--select", "MS901")]
    assert told == [
        'index.hard_lines is "300", not a whole number from 1 to 1,000,000,000',
        'index.soft_lines is " 300 ", not a whole number from 1 to 1,000,000,000',
        'gate.vault_files is "true", not true or false',
        'git.mode is "enforce ", not one of off, audit, enforce',
    ]


def test_a_variable_of_the_environment_is_text_and_is_read_as_such(repo: Repo) -> None:
    outside = {**repo.outside, "MEMSTILE_INDEX_HARD_LINES": " 3 ", "MEMSTILE_INDEX_MODE": "audit "}
    assert check("--select", "MS102", cwd=repo.path, environment=outside).findings == [
        "warning MS102 .memory/MEMORY.md: index on disk is 6 lines, hard cap 3"
    ]
