"""What `memstile fix` says about its commit holds when the commands are run; and a killed run is cleaned up after."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.safe_write import look, replace
from tests.fix_situations import gitlink, not_ignored, staged, submodule, tracked, tracked_and_not_ignored, unborn
from tests.fix_tools import Project
from tests.vault_tools import vault

LIMITED = "The commit is limited to what was changed here, and leaves the rest staged.\n"
ALONG = "The commit would take that along. To leave it out, unstage it first;"


def person(made: Project) -> Project:
    made.repo.git("config", "user.name", "test")
    made.repo.git("config", "user.email", "test@example.invalid")
    return made


def stage_others(made: Project, count: int = 2) -> list[str]:
    """Stage a change, if there is a commit, and new files; give their names."""
    names = ["main.py", *(f"new [{number}].py" for number in range(1, count))]
    for name in names:
        made.repo.write(name, f"{name}\n")
    made.repo.git("--literal-pathspecs", "add", "--", *names)
    return sorted(names)


def fixed(made: Project, *words: str) -> tuple[str, list[str], list[str]]:
    """Carry the steps out; give what is said, and the commands before and after "Next:"."""
    ran = made.memstile("fix", "--yes", *words)
    assert ran.code == 0, ran.err
    last = ran.out.decode().partition("Checked again:")[2]
    before, _, after = last.partition("Next:\n")
    return last, commands_in(before), commands_in(after)


def commands_in(text: str) -> list[str]:
    return [line.removeprefix("     $ ") for line in text.split("\n") if line.startswith("     $ ")]


def carried_out(made: Project, commands: list[str]) -> list[str]:
    """Run the commands as a person would paste them; give the paths that the last commit changed."""
    for command in commands:
        made.bash(command)
    return made.repo.git("show", "--format=", "--name-only", "-z", "HEAD").strip("\0").split("\0")


def staged_now(made: Project) -> list[str]:
    return [name for name in made.repo.git("diff", "--cached", "--name-only", "-z").split("\0") if name]


@pytest.mark.parametrize("build", [not_ignored, unborn])
def test_a_commit_of_a_rule_alone_leaves_what_else_is_staged(build: Callable[[Path], Project], tmp_path: Path) -> None:
    made = person(build(tmp_path))
    others = stage_others(made)
    out, before, after = fixed(made)
    assert ("2 other paths are staged: main.py, new [1].py\n" + LIMITED in out, before) == (True, [])
    assert carried_out(made, after) == [".gitignore"]
    assert staged_now(made) == others


def has_staged(made: Project, count: int) -> None:
    """Unstage as told, commit as told: the rest is in nobody's commit, and on disk as it was."""
    others = stage_others(made, count)
    contents = [(made.repo.path / name).read_bytes() for name in others]
    out, before, after = fixed(made)
    assert (f"{count} other paths are staged: main.py" in out, ALONG in out, len(before)) == (True, True, 1)
    changed = carried_out(made, [*before, *after])
    assert (set(changed) & set(others), staged_now(made)) == (set(), [])
    assert [name for name in made.repo.git("ls-files").split("\n") if name.startswith(".memory")] == []
    assert [(made.repo.path / name).read_bytes() for name in others] == contents
    made.repo.git("--literal-pathspecs", "add", "--", *others)
    assert staged_now(made) == others


@pytest.mark.parametrize("count", [2, 10, 11], ids=["few", "as many as are named", "many"])
@pytest.mark.parametrize("build", [tracked, tracked_and_not_ignored, gitlink, submodule])
def test_a_commit_that_takes_a_vault_out_takes_what_is_staged_along_unless_it_is_unstaged(
    build: Callable[[Path], Project], count: int, tmp_path: Path
) -> None:
    has_staged(person(build(tmp_path)), count)


def test_it_does_go_along_where_it_is_not_unstaged(tmp_path: Path) -> None:
    made = person(tracked(tmp_path))
    others = stage_others(made)
    _, _, after = fixed(made)
    assert set(others) <= set(carried_out(made, after))


def test_git_would_add_again_what_left_the_git_index_if_the_commit_were_limited(tmp_path: Path) -> None:
    """Why the commit that takes a vault out is not limited to its path."""
    made = person(tracked(tmp_path))
    stage_others(made)
    fixed(made)
    made.repo.git("add", ".gitignore")
    made.repo.git("commit", "--quiet", "-m", "x", "--", ".gitignore", ".memory")
    assert ".memory/MEMORY.md" in made.repo.git("ls-files")


def test_two_vaults_are_kept_out_of_the_command_that_unstages_many(tmp_path: Path) -> None:
    made = person(tracked_and_not_ignored(tmp_path))
    vault(made.repo.path / "docs" / "[m]")
    made.repo.commit(force=True)
    has_staged(made, 12)


def test_in_a_merge_the_commit_is_said_to_end_it(tmp_path: Path) -> None:
    made = person(not_ignored(tmp_path))
    made.repo.git("switch", "--quiet", "-c", "side")
    made.repo.write("side.py", "1\n")
    made.repo.git("add", "side.py")
    made.repo.git("commit", "--quiet", "-m", "side")
    made.repo.git("switch", "--quiet", "main")
    made.repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    out, before, after = fixed(made)
    told = (
        "\n1 other path is staged: side.py\n"
        "The commit ends the merge that is in progress, and takes all of it along; to keep them apart, end it first.\n"
    )
    assert (told in out, before) == (True, [])
    carried_out(made, after)
    assert (made.repo.git("rev-list", "--count", "--merges", "HEAD"), staged_now(made)) == ("1", [])


def test_another_repository_is_named(tmp_path: Path) -> None:
    made = person(tracked(tmp_path))
    stage_others(made)
    (made.repo.path / "sub").mkdir()
    inside = made._replace(repo=made.repo._replace(path=made.repo.path / "sub"))
    out, before, after = fixed(inside, "../.memory")
    assert ("2 other paths are staged in ..: main.py, new [1].py\n" in out, len(before)) == (True, 1)
    carried_out(inside, [*before, *after])
    assert staged_now(made) == []


def test_where_no_commit_has_any_of_it_there_is_nothing_to_commit(tmp_path: Path) -> None:
    made = staged(tmp_path)
    made.repo.write("main.py", "2\n")
    made.repo.git("add", "main.py")
    out, *commands = fixed(made)
    assert (out.rpartition("\n\n")[2], commands) == (
        "There is nothing to commit: HEAD carries nothing of it.\n",
        [[], []],
    )


OLD_S = 120


def leftover(folder: Path, data: bytes, *, name: str = ".gitignore.memstile-0123abcd", age_s: int = OLD_S) -> Path:
    file = folder / name
    file.write_bytes(data)
    os.utime(file, (time.time() - age_s,) * 2)
    return file


def test_what_a_killed_run_left_is_gone_after_the_next(tmp_path: Path) -> None:
    """Killed for real, between the temporary file and the rename."""
    made = not_ignored(tmp_path)
    killed = "import os, sys; os.rename = lambda *names: os.kill(os.getpid(), 9)"
    script = f"{killed}; from memstile.cli.main import run; run(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", script, "fix", "--yes"],
        cwd=made.repo.path,
        env={**made.repo.outside, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    (left,) = made.repo.path.glob(".gitignore.memstile-*")
    assert (done.returncode, left.read_bytes()) == (-9, b"*.log\n/.memory/\n")
    leftover(made.repo.path, left.read_bytes(), name=left.name)
    assert made.memstile("fix", "--yes").code == 0
    assert [path.name for path in made.repo.path.glob(".gitignore*")] == [".gitignore"]


NEW = b"*.log\n/.memory/\n"

# id: (content, name, age in s)
KEPT = {
    "young: its writer may still be at work": (NEW, ".gitignore.memstile-0123abcd", 30),
    "of tomorrow": (NEW, ".gitignore.memstile-0123abcd", -86_400),
    "it holds what the new file does not": (b"mine\n", ".gitignore.memstile-0123abcd", OLD_S),
    "it holds more": (NEW + b"mine\n", ".gitignore.memstile-0123abcd", OLD_S),
    "of another file": (NEW, ".gitmodules.memstile-0123abcd", OLD_S),
    "a longer name": (NEW, ".gitignore.memstile-0123abcd.txt", OLD_S),
    "no hex digits": (NEW, ".gitignore.memstile-0123abcx", OLD_S),
    "a line break after it": (NEW, ".gitignore.memstile-0123abcd\n", OLD_S),
}


@pytest.mark.parametrize(("data", "name", "age_s"), KEPT.values(), ids=KEPT)
def test_a_file_that_may_be_somebodys_is_kept(data: bytes, name: str, age_s: int, tmp_path: Path) -> None:
    file = leftover(tmp_path, data, name=name, age_s=age_s)
    replace(look(str(tmp_path / ".gitignore"), "x"), NEW)
    assert file.read_bytes() == data


@pytest.mark.parametrize("data", [b"", NEW[:7], NEW], ids=["empty", "cut off", "whole"])
def test_a_leftover_that_the_new_file_holds_goes(data: bytes, tmp_path: Path) -> None:
    leftover(tmp_path, data)
    replace(look(str(tmp_path / ".gitignore"), "x"), NEW)
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]


def link(file: Path) -> None:
    file.with_name("target").write_bytes(NEW)
    file.symlink_to("target")


def second_name(file: Path) -> None:
    file.with_name("target").write_bytes(NEW)
    file.hardlink_to(file.with_name("target"))


def folder(file: Path) -> None:
    file.mkdir()


def fifo(file: Path) -> None:
    os.mkfifo(file)


@pytest.mark.parametrize("make", [link, second_name, folder, fifo], ids=lambda make: make.__name__)
def test_what_is_no_file_of_its_own_is_kept(make: Callable[[Path], None], tmp_path: Path) -> None:
    file = tmp_path / ".gitignore.memstile-0123abcd"
    make(file)
    os.utime(file, (time.time() - OLD_S,) * 2)
    replace(look(str(tmp_path / ".gitignore"), "x"), NEW)
    assert os.path.lexists(file)


def test_a_step_that_stops_clears_nothing(tmp_path: Path) -> None:
    file = leftover(tmp_path, NEW)
    seen = look(str(tmp_path / ".gitignore"), "x")
    (tmp_path / ".gitignore").write_bytes(b"theirs\n")
    with pytest.raises(GuardError):
        replace(seen, NEW)
    assert file.exists()
