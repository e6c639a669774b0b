"""Nothing that memstile says or does commits the marks of a conflict, seen through the whole program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import memstile
from tests.vault_tools import index, vault

RULE = "/v/\n"


def conflict(
    folder: Path, name: str, *, is_tracked: bool = True, ours: str = "ours\n", theirs: str = "theirs\n"
) -> Repo:
    """Make a project with a vault, in a merge that has a conflict in one file. "": that side deletes it."""
    repo = init(folder / "proj", environment(folder / "home"))
    repo.write(".gitignore", "*.log\n")
    repo.write("README", "text\n")
    repo.commit()
    if is_tracked:
        vault(repo.path / "v")
        repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    _change(repo, name, theirs)
    repo.git("switch", "--quiet", "main")
    _change(repo, name, ours)
    repo.git("merge", "--quiet", "side", accept=(1,))
    vault(repo.path / "v")
    return repo


def _change(repo: Repo, name: str, text: str) -> None:
    if text:
        repo.write(name, text)
    else:
        repo.git("rm", "--quiet", name)
    repo.git("commit", "--quiet", "--all", "--message", "change")


def run(repo: Repo, *words: str) -> tuple[int, str]:
    ran = memstile(*words, cwd=repo.path, environment=repo.outside)
    return ran.code, ran.out.decode() + ran.err


def state(repo: Repo) -> tuple[str, str, bytes | None]:
    file = repo.path / ".gitignore"
    data = file.read_bytes() if file.exists() else None
    return repo.git("status", "--porcelain"), repo.git("ls-files", "--stage"), data


SIDES = [
    pytest.param("ours\n", "theirs\n", id="both changed it"),
    pytest.param("", "theirs\n", id="we deleted it"),
    pytest.param("ours\n", "", id="they deleted it"),
]


@pytest.mark.parametrize("is_tracked", [True, False])
@pytest.mark.parametrize(("ours", "theirs"), SIDES)
@pytest.mark.parametrize("words", [(), ("--dry-run",), ("--yes",), ("--yes", "v")])
def test_fix_stops_before_its_first_step_at_an_unmerged_ignore_file(
    words: tuple[str, ...], ours: str, theirs: str, is_tracked: bool, tmp_path: Path
) -> None:
    repo = conflict(tmp_path, ".gitignore", is_tracked=is_tracked, ours=ours, theirs=theirs)
    before = state(repo)
    code, said = run(repo, "fix", *words)
    assert (code, said) == (
        2,
        "memstile: .gitignore is unmerged, and a rule would be written below the marks of the conflict\n"
        "  hint: resolve the conflict, `git add -- .gitignore`, and run this again\n",
    )
    assert state(repo) == before


@pytest.mark.parametrize(("ours", "theirs"), SIDES)
@pytest.mark.parametrize("rule", ["", RULE])
@pytest.mark.parametrize("words", [("check",), ("check", "--staged"), ("fix", "--dry-run")])
def test_no_command_stages_an_unmerged_ignore_file_or_writes_into_it(
    words: tuple[str, ...], rule: str, ours: str, theirs: str, tmp_path: Path
) -> None:
    repo = conflict(tmp_path, ".gitignore", ours=ours and ours + rule, theirs=theirs and theirs + rule)
    _, said = run(repo, *words)
    commands = [line for line in said.split("\n") if line.strip().startswith("$ ")]
    assert not [line for line in commands if ".gitignore" in line]


@pytest.mark.parametrize("words", [("check",), ("check", "--staged")])
def test_a_hint_says_what_has_to_be_resolved(words: tuple[str, ...], tmp_path: Path) -> None:
    code, said = run(conflict(tmp_path, ".gitignore"), *words)
    assert code == 1
    assert ".gitignore is unmerged: resolve the conflict, then git add" in " ".join(said.split())


def test_a_rule_that_is_on_disk_in_an_unmerged_file_is_not_staged_by_fix(tmp_path: Path) -> None:
    repo = conflict(tmp_path, ".gitignore", ours=f"ours\n{RULE}", theirs=f"theirs\n{RULE}")
    code, said = run(repo, "fix", "--yes")
    assert (code, "$ git add" in said, "$ git commit" in said) == (0, False, False)
    assert "1 path with a conflict: .gitignore\n" in said
    assert said.endswith("Nothing is committed yet.\n")
    code, said = run(repo, "fix")
    assert (code, said.split("\n")[-3:]) == (
        0,
        [".gitignore is unmerged: resolve the conflict, then git add", "nothing to do", ""],
    )


def test_with_a_conflict_elsewhere_fix_shows_no_commit_that_git_would_refuse(tmp_path: Path) -> None:
    repo = conflict(tmp_path, "README")
    code, said = run(repo, "fix", "--yes")
    assert (code, said.split("\n")[-7:]) == (
        0,
        [
            "",
            "1 path with a conflict: README",
            "Git commits nothing before they are resolved: resolve them, `git add` them, then commit.",
            "",
            "Nothing is committed yet. Next:",
            "     $ git add -- .gitignore",
            "",
        ],
    )
    repo.git("add", "--", ".gitignore")
    repo.write("README", "both\n")
    repo.git("add", "README")
    repo.git("commit", "--quiet", "--no-edit")
    assert run(repo, "check")[0] == 0
    assert repo.git("ls-files", "v") == ""


def test_patches_that_are_applied_are_no_rebase(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    repo.write("README", "text\n")
    repo.write(".gitignore", "")
    vault(repo.path / "v")
    repo.commit()
    repo.write("README", "theirs\n")
    repo.commit()
    patch = repo.git("format-patch", "-1", "--stdout").encode()
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    repo.write("README", "ours\n")
    repo.commit()
    repo.git("am", "--quiet", stdin=patch + b"\n", accept=(128,))
    said = run(repo, "fix", "--yes")[1]
    assert "The commit ends the git am that is in progress" in said
    repo.git("am", "--abort")


def test_an_unmerged_index_is_not_said_to_be_unreadable(tmp_path: Path) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    vault(repo.path)
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("MEMORY.md", index(7))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("MEMORY.md", index(8))
    repo.commit()
    repo.git("merge", "--quiet", "side", accept=(1,))
    code, said = run(repo, "check", "--staged")
    assert code == 1
    assert "MS106: staged index cannot be measured: unmerged" in " ".join(said.split())
    assert "hint: resolve the conflict, then git add\n" in said


def test_the_marks_are_in_no_commit_that_follows_what_is_printed(tmp_path: Path) -> None:
    repo = conflict(tmp_path, ".gitignore")
    for words in (("check",), ("check", "--staged"), ("fix", "--yes")):
        lines = [line.strip() for line in run(repo, *words)[1].split("\n")]
        for line in [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]:
            subprocess.run(["sh", "-c", line], cwd=repo.path, env=dict(repo.outside), capture_output=True, check=False)
    assert "<<<<<<<" not in repo.git("show", "HEAD:.gitignore")
    assert repo.git("diff", "--name-only", "--diff-filter=U") == ".gitignore"
