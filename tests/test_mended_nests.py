"""Vaults inside vaults: git is asked about the outermost, and each gets what it would get by itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.carriers import Carrier, Surroundings, carriers, is_below, outermost, relative
from memstile.core.facts import RepositoryFacts
from memstile.git import Git
from memstile.git import environment as for_git
from memstile.git_facts import Question, ask_repository
from memstile.repository import Repository, last_commits_with, open_repository
from tests.git_tools import Repo, environment, init
from tests.run_tools import check
from tests.vault_tools import vault


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init(tmp_path / "proj", environment(tmp_path / "home"))


def opened(repo: Repo) -> Repository:
    return open_repository(Git(str(repo.path), for_git(repo.outside, str(repo.path), is_current=False)))


def nest(repo: Repo, *folders: str) -> None:
    for folder in folders:
        vault(repo.path / folder, notes=1)


def plain(repo: Repo) -> None:
    nest(repo, "a", "a/b", "a/b/c", "a/b-c", "a/b.c")


def negated_inside(repo: Repo) -> None:
    nest(repo, "a", "a/b", "a/b/c", "a/d")
    repo.write("a/.gitignore", "*.md\n")
    repo.write("a/b/.gitignore", "!note-1.md\n")
    repo.write("a/b/c/.gitignore", "*\n")


def let_in_again(repo: Repo) -> None:
    nest(repo, "a", "a/b", "a/b/c")
    repo.write(".gitignore", "/a/*\n!/a/b/\n")


def around_a_repository(repo: Repo) -> None:
    nest(repo, "a", "a/r", "a/r/b", "a/r/b/c", "a/d")
    init(repo.path / "a/r", repo.outside).commit()


def repository_of_which_the_outer_one_has_files(repo: Repo) -> None:
    repo.write("a/r/x", "x")
    repo.commit()
    around_a_repository(repo)


def around_empty_folders_and_links(repo: Repo) -> None:
    nest(repo, "a", "a/b/c")
    (repo.path / "a/e/e").mkdir(parents=True)
    (repo.path / "a/b/link").symlink_to("../e")
    (repo.path / "a/b/loop").symlink_to("..")


def tracked_in_part(repo: Repo) -> None:
    plain(repo)
    repo.git("add", "a/b")
    repo.git("commit", "--quiet", "--message", "x")
    repo.git("rm", "--quiet", "-r", "--cached", "a/b/c")
    repo.git("add", "a/note-1.md")


def untracked_after_a_while(repo: Repo) -> None:
    plain(repo)
    repo.commit()
    repo.write("a/b/note-1.md", "y")
    repo.commit()
    repo.git("rm", "--quiet", "-r", "--cached", "a")
    repo.git("commit", "--quiet", "--message", "x")
    repo.write(".gitignore", "/a/\n")


NESTS = [
    pytest.param(build, id=build.__name__.replace("_", " "))
    for build in (
        plain,
        negated_inside,
        let_in_again,
        around_a_repository,
        repository_of_which_the_outer_one_has_files,
        around_empty_folders_and_links,
        tracked_in_part,
        untracked_after_a_while,
    )
]


def questions(repo: Repo) -> list[Question]:
    """Give a question for every folder of a work tree, whether a vault or not, and for one that is not there."""
    tops = [folder for folder, _, _ in os.walk(repo.path) if "/.git" not in folder and folder != str(repo.path)]
    return [
        Question(carrier, folder, "MEMORY.md")
        for folder in (*tops, str(repo.path / "a/none"))
        for carrier in carriers(folder)
        if carrier.top == str(repo.path)
    ]


@pytest.mark.parametrize("build", NESTS)
def test_a_vault_in_a_nest_gets_the_answer_it_gets_alone(build: Callable[[Repo], None], repo: Repo) -> None:
    build(repo)
    every = questions(repo)
    repository = opened(repo)
    alone: list[RepositoryFacts] = [row for question in every for row in ask_repository(repository, [question], "")]
    assert ask_repository(repository, every, "") == alone
    assert ask_repository(repository, every[::-1], "") == alone[::-1]


def test_the_files_of_an_inner_vault_are_those_below_it(repo: Repo) -> None:
    negated_inside(repo)
    rows = ask_repository(opened(repo), questions(repo), "")
    asked = {row.unit: [(answer.path, answer.is_ignored) for answer in row.asked] for row in rows}
    assert asked["a/b"] == [
        ("a/b/.gitignore", False),
        ("a/b/MEMORY.md", True),
        ("a/b/c/.gitignore", True),
        ("a/b/c/MEMORY.md", True),
        ("a/b/c/note-1.md", True),
        ("a/b/note-1.md", False),
    ]
    assert asked["a/d"] == [("a/d/MEMORY.md", True), ("a/d/note-1.md", True)]


def test_a_folder_is_looked_at_once_however_many_vaults_ask(tmp_path: Path) -> None:
    """Seen from outside: what was put there after the first look does not count in the same run."""
    outside = environment(tmp_path / "home")
    top, inner = init(tmp_path / "p", outside).path, tmp_path / "p/a/b"
    inner.mkdir(parents=True)
    around = Surroundings()
    assert carriers(str(inner), around=around) == [Carrier(str(top), "a/b")]
    init(top / "a", outside)
    assert carriers(str(inner / "c"), around=around) == [Carrier(str(top), "a/b/c")]
    assert carriers(str(inner / "c"))[0] == Carrier(str(top / "a"), "b/c")


def test_what_was_seen_before_changes_no_answer(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    around_a_repository(repo)
    (tmp_path / "link").symlink_to("proj/a")
    (repo.path / "out").symlink_to("../link/r")
    (repo.path / "loop").symlink_to("loop")
    tails = ("", "/", "/b", "/b/../d", "/./b", "/none/x")
    paths = [f"{start}{tail}" for start in (tmp_path / "link", repo.path / "out", repo.path / "a/r") for tail in tails]
    paths += [f"/{repo.path}/a", f"{repo.path}/loop", f"{repo.path}/loop/x", "/"]
    around = Surroundings()
    for path in (*paths, *reversed(paths)):
        assert around.resolved(path) == os.path.realpath(path)
        assert carriers(path, around=around) == carriers(path)


def test_the_latest_commit_of_each_vault_of_a_nest_is_found(repo: Repo) -> None:
    repo.write("a/b/c/x", "1")
    repo.write("a/b-c/x", "1")
    first = repo.commit()
    repo.write("a/b/x", "2")
    second = repo.commit()
    repo.write("a/x", "3")
    third = repo.commit()
    repository = opened(repo)
    found = {"a": third, "a/b": second, "a/b/c": first, "a/b-c": first}
    assert last_commits_with(repository, [*found, "a/none"]) == found
    assert last_commits_with(repository, ["a/b/c", "a/b", "a"]) == {key: found[key] for key in ("a/b/c", "a/b", "a")}
    assert last_commits_with(repository, ["", "a/b/c"]) == {"": third, "a/b/c": first}


OUTERMOST = [
    pytest.param([], [], id="none"),
    pytest.param(["a"], ["a"], id="one"),
    pytest.param(["a/b", "a", "a/b/c"], ["a"], id="a nest"),
    pytest.param(["a", "a-b", "a.b", "a/b"], ["a-b", "a.b", "a"], id="names that begin alike"),
    pytest.param(["a", "", "b"], [""], id="the whole"),
    pytest.param(["b/c", "a/b", "a/b"], ["a/b", "b/c"], id="twice"),
]


@pytest.mark.parametrize(("paths", "kept"), OUTERMOST)
def test_what_lies_below_another_path_is_left_out(paths: list[str], kept: list[str]) -> None:
    assert outermost(paths) == kept


@given(st.lists(st.lists(st.sampled_from(["a", "a-", "a0", "b"]), max_size=3).map("/".join)))
def test_every_path_lies_below_one_of_the_outermost_and_these_below_none(paths: list[str]) -> None:
    kept = outermost(paths)
    assert all(any(not top or is_below(path, top) for top in kept) for path in paths)
    assert not any(not top or is_below(path, top) for path in kept for top in kept if path != top)


def levels(top: Path, count: int) -> Iterator[str]:
    """Make vaults in each other, and give their paths from the top, the outermost first."""
    folder = top
    for _ in range(count):
        folder /= "a"
        vault(folder, notes=1)
        yield relative(str(folder), str(top))


@pytest.mark.parametrize("is_tracked", [False, True])
def test_each_level_of_a_deep_nest_gets_its_finding(is_tracked: bool, repo: Repo) -> None:
    folders = list(levels(repo.path, 60))
    if is_tracked:
        repo.commit()
    code, kept = ("MS202", "git tracks") if is_tracked else ("MS201", "vault is not ignored by git")
    rows = check("--select", code, cwd=repo.path, environment=repo.outside).findings
    starts = [f"error {code} {folder}: {kept}" for folder in folders]
    assert [start for start, row in zip(starts, sorted(rows, key=len), strict=True) if not row.startswith(start)] == []


def test_a_work_tree_is_asked_about_by_one_name_of_a_nest(repo: Repo, tmp_path: Path) -> None:
    """The names of 1,500 vaults in each other do not fit on a command line."""
    folders = list(levels(repo.path, 20))
    log = tmp_path / "log"
    place = tmp_path / "bin/git"
    place.parent.mkdir()
    path = repo.outside["PATH"]
    place.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{log}\nPATH={path} exec git "$@"\n')
    place.chmod(0o755)
    check(cwd=repo.path, environment={**repo.outside, "PATH": f"{place.parent}:{path}"})
    said = log.read_text().splitlines()
    assert [row for row in said if folders[1] in row.split()] == []
    assert any(row.endswith("-- a") for row in said)
