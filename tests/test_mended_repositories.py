"""Which repository is asked, and with whose environment: what hooks, symlinks and nested repositories get wrong."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from memstile import git
from tests.git_tools import Repo, environment, init
from tests.run_tools import check
from tests.vault_tools import vault


class Two(NamedTuple):
    """A project that tracks a vault, and another repository whose hook comes by."""

    project: Repo
    other: Repo


@pytest.fixture
def two(tmp_path: Path) -> Two:
    outside = environment(tmp_path / "home")
    project, other = init(tmp_path / "project", outside), init(tmp_path / "other", outside)
    vault(project.path / ".mem")
    project.write("src/x", "x")
    project.commit()
    project.write(".gitignore", "/.mem/\n")
    other.write("x", "x")
    other.commit()
    return Two(project, other)


def linked(two: Two) -> str:
    two.other.git("worktree", "add", "--quiet", "--detach", str(two.other.path.parent / "linked"))
    return str(two.other.path / ".git/worktrees/linked")


def submodule(two: Two) -> str:
    """Give the git folder of a submodule that lies inside the project's own."""
    two.project.git("submodule", "--quiet", "add", str(two.other.path), "sub")
    return str(two.project.path / ".git/modules/sub")


TRACKED = "error MS202 .mem: 6 files of the vault are tracked by git"

# A row's variables are those that a hook of the other repository would hand on.
FOREIGN: list[object] = [
    pytest.param(lambda two: {"GIT_INDEX_FILE": f"{two.other.path}/.git/index.lock"}, id="commit --all"),
    pytest.param(lambda two: {"GIT_INDEX_FILE": f"{two.other.path}/.git/index"}, id="commit"),
    pytest.param(lambda two: {"GIT_INDEX_FILE": "../other/.git/index"}, id="a relative git index"),
    pytest.param(lambda two: {"GIT_DIR": f"{two.other.path}/.git"}, id="GIT_DIR"),
    pytest.param(lambda two: {"GIT_DIR": "../other/.git"}, id="a relative GIT_DIR"),
    pytest.param(
        lambda two: {"GIT_DIR": f"{two.other.path}/.git", "GIT_INDEX_FILE": f"{two.other.path}/.git/index"},
        id="GIT_DIR and the git index",
    ),
    pytest.param(
        lambda two: {"GIT_DIR": f"{two.other.path}/.git", "GIT_WORK_TREE": f"{two.other.path}"},
        id="GIT_DIR and GIT_WORK_TREE",
    ),
    pytest.param(lambda two: {"GIT_WORK_TREE": f"{two.other.path}"}, id="GIT_WORK_TREE"),
    pytest.param(
        lambda two: {"GIT_DIR": linked(two), "GIT_INDEX_FILE": f"{two.other.path}/x"},
        id="a linked worktree, a git index anywhere",
    ),
    pytest.param(lambda two: {"GIT_INDEX_FILE": f"{submodule(two)}/index"}, id="a submodule's"),
]


@pytest.mark.parametrize("below", ["", "src"])
@pytest.mark.parametrize("variables", FOREIGN)
def test_the_environment_of_another_repository_is_not_believed(
    variables: Callable[[Two], dict[str, str]], below: str, two: Two
) -> None:
    project = two.project
    handed = variables(two)
    told = check(str(project.path), cwd=project.path / below, environment={**project.outside, **handed})
    assert tracked(told.findings) == ["git tracks 6 files of the vault"]


def tracked(findings: list[str]) -> list[str]:
    return [row.partition(": ")[2] for row in findings if " MS202 " in row]


def test_a_hook_of_another_repository_may_check_what_is_staged_here(two: Two) -> None:
    project, other = two
    project.write(".mem/new.md", "x")
    project.git("add", "--force", ".mem/new.md")
    variables = {"GIT_INDEX_FILE": f"{other.path}/.git/index.lock"}
    told = check("--staged", cwd=project.path, environment={**project.outside, **variables})
    assert [row for row in told.findings if " MS203 " in row] == [
        "error MS203 .mem: 1 file of the vault would be committed"
    ]


OWN: list[object] = [
    pytest.param("", ".git/index", id="at the top"),
    pytest.param("src", ".git/index", id="a hook that goes to a folder of its own"),
    pytest.param("src", "../.git/index", id="relative to the folder"),
]


@pytest.mark.parametrize(("below", "index"), OWN)
def test_a_relative_git_index_is_found_from_any_folder(below: str, index: str, two: Two) -> None:
    project = two.project
    variables = {**project.outside, "GIT_INDEX_FILE": index}
    told = check(str(project.path), cwd=project.path / below, environment=variables)
    assert tracked(told.findings) == ["git tracks 6 files of the vault"]


def test_a_git_index_of_nobody_is_the_one_that_is_committed(two: Two) -> None:
    project = two.project
    variables = {**project.outside, "GIT_INDEX_FILE": str(project.path.parent / "partial")}
    project.git("read-tree", "HEAD", GIT_INDEX_FILE=variables["GIT_INDEX_FILE"])
    project.git("rm", "--quiet", "--cached", "-r", ".mem")
    assert tracked(check(cwd=project.path, environment=variables).findings) == ["git tracks 6 files of the vault"]


def dotfiles(tmp_path: Path) -> Repo:
    """Make a bare repository whose work tree, the home folder, has no `.git`."""
    home = tmp_path / "home"
    repo = init(home, environment(home), "--bare", ".dot")
    return Repo(home, {**repo.outside, "GIT_DIR": str(home / ".dot"), "GIT_WORK_TREE": str(home)})


@pytest.mark.parametrize("words", [(), ("--staged",)])
def test_a_symlink_in_a_bare_dotfiles_repository_is_carried_by_it(words: tuple[str, ...], tmp_path: Path) -> None:
    home = dotfiles(tmp_path)
    vault(tmp_path / "elsewhere")
    (home.path / ".mem").symlink_to(tmp_path / "elsewhere")
    home.git("add", ".mem")
    codes = [row.split()[1] for row in check(*words, cwd=home.path, environment=home.outside).findings]
    assert codes == ["MS203", "MS207"]


def around(tmp_path: Path) -> Two:
    """Make a repository that has files of an inner folder, in which a project is then made."""
    outside = environment(tmp_path / "home")
    outer = init(tmp_path / "outer", outside)
    outer.write("inner/x", "x")
    outer.commit()
    inner = init(outer.path / "inner", outside)
    inner.write(".git/info/exclude", "/.mem/\n")
    vault(inner.path / ".mem")
    return Two(inner, outer)


def test_an_outer_repository_that_has_files_of_the_inner_one_would_carry_its_vaults(tmp_path: Path) -> None:
    _, outer = around(tmp_path)
    told = check(cwd=outer.path, environment=outer.outside)
    outer.git("add", "--all")
    assert outer.git("diff", "--cached", "--name-only", "--", "inner/.mem").count("\n") == 5
    assert [row for row in told.findings if row.startswith("error")] == [
        "error MS201 inner/.mem: vault is not ignored by git"
    ]


def test_an_outer_repository_that_sees_a_gitlink_need_not_ignore_the_vault(tmp_path: Path) -> None:
    inner, outer = around(tmp_path)
    outer.git("rm", "--quiet", "--cached", "-r", "inner")
    inner.commit()
    outer.git("add", "inner")
    assert outer.git("ls-files", "--stage", "inner").startswith("160000 ")
    told = check(cwd=outer.path, environment=outer.outside)
    assert [row for row in told.findings if row.startswith("error")] == []


def test_an_outer_repository_that_would_carry_a_nested_vault_repository_is_asked(tmp_path: Path) -> None:
    inner, outer = around(tmp_path)
    init(inner.path / ".mem", outer.outside).commit()
    told = check(cwd=outer.path, environment=outer.outside)
    assert [row.split(":")[0] for row in told.findings if row.startswith("error")] == ["error MS201 inner/.mem"]


def test_an_ignore_file_of_a_vault_that_is_a_fifo_is_told_at_once(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path / ".mem", notes=70)
    os.mkfifo(repo.path / ".mem/.gitignore")
    assert check(cwd=repo.path, environment=repo.outside).findings == [
        "error MS208 .mem: could not verify what git does with the vault: .mem/.gitignore is no regular file"
    ]


def test_a_git_that_hangs_is_waited_for_once_in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "TIMEOUT_S", 0.5)
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path / "a")
    vault(repo.path / "b")
    (repo.path / ".git/info").mkdir()
    os.mkfifo(repo.path / ".git/info/exclude")
    start = time.monotonic()
    told = check(cwd=repo.path, environment=repo.outside)
    assert [row.split(":")[0] for row in told.findings] == ["error MS208 a", "error MS208 b"]
    assert time.monotonic() - start < 2 * 0.5 + 0.4


def many(tmp_path: Path, count: int) -> Repo:
    """Make a project with many vaults, of which every other one is tracked, and some namesakes."""
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    for number in range(count):
        vault(repo.path / f"v{number}", notes=1)
    repo.write("v0.md", "x")
    repo.write("v0-more/x", "x")
    repo.git("add", "v0.md", "v0-more", *(f"v{number}" for number in range(0, count, 2)))
    repo.git("commit", "--quiet", "--message", "x")
    return repo


@pytest.mark.parametrize("count", [100, 101])
def test_each_of_many_vaults_gets_what_git_tracks_of_it(count: int, tmp_path: Path) -> None:
    repo = many(tmp_path, count)
    findings = check("--select", "MS202", cwd=repo.path, environment=repo.outside).findings
    assert sorted(findings) == sorted(
        f"error MS202 v{number}: git tracks 2 files of the vault" for number in range(0, count, 2)
    )


def test_git_is_asked_as_often_for_many_vaults_as_for_three(tmp_path: Path) -> None:
    runs = []
    for count in (3, 120):
        repo = many(tmp_path / str(count), count)
        log = tmp_path / f"{count}.log"
        place = tmp_path / str(count) / "bin/git"
        place.parent.mkdir()
        real = shutil.which("git", path=repo.outside["PATH"])
        place.write_text(f'#!/bin/sh\necho >>{log}\nexec {real} "$@"\n')
        place.chmod(0o755)
        check(cwd=repo.path, environment={**repo.outside, "PATH": f"{place.parent}:{repo.outside['PATH']}"})
        runs.append(len(log.read_text()))
    assert runs[0] == runs[1]
