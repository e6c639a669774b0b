"""repository.py: what one repository says about paths. One repository for all tests that only look."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.attributes import attributes, filtered
from memstile.core.facts import Asked, Match
from memstile.git import Git, GitFault
from memstile.git import environment as for_git
from memstile.repository import (
    Entry,
    Repository,
    ask_ignored,
    entries,
    last_commits_with,
    merge_bases,
    merged_parents,
    open_repository,
    resolve_commit,
    staged,
    untracked,
)
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import digest


def opened(repo: Repo, **variables: str) -> Repository:
    return open_repository(Git(str(repo.path), for_git({**repo.outside, **variables}, str(repo.path), is_current=True)))


def blob(repo: Repo, path: str) -> str:
    return repo.git("rev-parse", f":{path}")


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with something of everything; the tests of this module only look at it."""
    folder = tmp_path_factory.mktemp("repository")
    repo = init(folder / "proj", environment(folder / "home"))
    for name in ("kept", "changed", "removed", "v/note.md", "m[1]/x", "m1/x", "typed", "*"):
        repo.write(name, name)
    repo.write(".gitignore", "/ignored/\nsome/*\n!some/back\n")
    repo.commit()
    repo.git("tag", "--annotate", "--message", "t", "tagged")
    repo.git("branch", "other")
    repo.write("later", "x")
    repo.commit()
    repo.git("switch", "--quiet", "--orphan", "unrelated")
    repo.write("root", "x")
    repo.git("add", "root")
    repo.git("commit", "--quiet", "--message", "x")
    repo.git("switch", "--quiet", "main")
    repo.write("changed", "otherwise")
    repo.write("added", "x")
    repo.git("add", "changed", "added")
    repo.git("rm", "--quiet", "removed")
    repo.write("meant", "x")
    repo.git("add", "--intent-to-add", "meant")
    (repo.path / "typed").unlink()
    (repo.path / "typed").symlink_to("kept")
    repo.git("add", "typed")
    repo.write("beside", "x")
    repo.write("below/beside", "x")
    (repo.path / "below/link").symlink_to("nowhere")
    repo.write("ignored/x", "x")
    nested = init(repo.path / "nested", repo.outside)
    nested.write("x", "x")
    nested.commit()
    return repo


@pytest.fixture(scope="module")
def repository(looked_at: Repo) -> Repository:
    return opened(looked_at)


@pytest.fixture
def fresh(tmp_path: Path) -> Repo:
    return init(tmp_path / "proj", environment(tmp_path / "home"))


def test_a_repository_opens_from_any_folder_of_it(looked_at: Repo, repository: Repository) -> None:
    top = str(looked_at.path)
    assert repository[1:] == (top, f"{top}/.git", f"{top}/.git", False)
    assert repository.git.folder == top
    below = Repo(looked_at.path / "v", looked_at.outside)
    assert opened(below)[1:] == repository[1:]


@pytest.mark.parametrize("name", ["two\nlines", "byte\udcff", " ", "m[1]", "trailing\n"])
def test_the_top_of_a_repository_may_have_any_name(name: str, tmp_path: Path) -> None:
    repo = init(tmp_path / name, environment(tmp_path / "home"))
    top = f"{tmp_path}/{name}"
    assert opened(repo)[1:] == (top, f"{top}/.git", f"{top}/.git", False)


def test_a_linked_worktree_has_a_git_folder_of_its_own(fresh: Repo, tmp_path: Path) -> None:
    fresh.commit()
    fresh.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert opened(Repo(tmp_path / "linked", fresh.outside))[1:] == (
        str(tmp_path / "linked"),
        f"{fresh.path}/.git/worktrees/linked",
        f"{fresh.path}/.git",
        False,
    )


def test_a_shallow_clone_is_known_for_one(looked_at: Repo, tmp_path: Path) -> None:
    assert opened(clone(looked_at.path, tmp_path / "shallow", looked_at.outside, "--depth", "1")).is_shallow


NO_WORK_TREE: list[object] = [
    pytest.param(lambda repo: repo.path, "fatal: not a git repository", id="no repository"),
    pytest.param(lambda repo: repo.path / "bare.git", "fatal: cannot use bare repository", id="a bare one"),
]


@pytest.mark.parametrize(("place", "said"), NO_WORK_TREE)
def test_what_has_no_work_tree_is_a_fault(place: Callable[[Repo], Path], said: str, tmp_path: Path) -> None:
    repo = Repo(tmp_path, environment(tmp_path / "home"))
    repo.git("init", "--quiet", "--bare", "bare.git")
    with pytest.raises(GitFault) as told:
        opened(Repo(place(repo), repo.outside))
    assert told.value.message.startswith(f"git rev-parse exit 128: {said}")


def test_entries_are_taken_by_name(looked_at: Repo, repository: Repository) -> None:
    assert entries(repository, "m[1]") == [Entry("100644", blob(looked_at, "m[1]/x"), 0, "m[1]/x")]
    assert entries(repository, "*") == [Entry("100644", blob(looked_at, "*"), 0, "*")]
    assert entries(repository, "typed") == [Entry("120000", blob(looked_at, "typed"), 0, "typed")]
    assert entries(repository, "v", "nowhere") == [Entry("100644", blob(looked_at, "v/note.md"), 0, "v/note.md")]


def test_an_unmerged_path_has_an_entry_for_each_version(fresh: Repo) -> None:
    fresh.write("x", "base\n")
    fresh.commit()
    fresh.git("switch", "--quiet", "--create", "side")
    fresh.write("x", "side\n")
    fresh.commit()
    fresh.git("switch", "--quiet", "main")
    fresh.write("x", "main\n")
    fresh.commit()
    fresh.git("merge", "side", accept=(1,))
    assert [(row.stage, row.path) for row in entries(opened(fresh), ".")] == [(1, "x"), (2, "x"), (3, "x")]
    assert staged(opened(fresh), ["."]) == {"x": "U"}


def test_staged_is_what_differs_from_head(repository: Repository) -> None:
    assert staged(repository, ["."]) == {"added": "A", "changed": "M", "meant": "A", "removed": "D", "typed": "T"}
    assert staged(repository, ["changed", "v"]) == {"changed": "M"}


def test_without_a_commit_everything_is_staged(fresh: Repo) -> None:
    fresh.write("x", "x")
    fresh.git("add", "x")
    assert staged(opened(fresh), ["."]) == {"x": "A"}


def test_a_renamed_file_is_one_that_goes_and_one_that_comes(fresh: Repo) -> None:
    fresh.write("x", "x" * 100)
    fresh.commit()
    fresh.git("mv", "x", "y")
    assert staged(opened(fresh), ["."]) == {"x": "D", "y": "A"}


def test_untracked_is_what_git_add_would_bring(repository: Repository) -> None:
    assert untracked(repository) == ["below/beside", "below/link", "beside", "nested/"]


@pytest.mark.parametrize("value", ["no", "false", "NO"])
def test_nothing_is_untracked_where_the_person_wants_none_shown(value: str, looked_at: Repo) -> None:
    variables = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "status.showUntrackedFiles", "GIT_CONFIG_VALUE_0": value}
    assert untracked(opened(looked_at, **variables)) == []


def test_ignored_is_asked_whether_tracked_or_not(repository: Repository) -> None:
    rule = Match(".gitignore", 1, "/ignored/")
    paths = ["v/note.md", "ignored/deep/x", "some/x", "some/back", "ignored", "nowhere"]
    assert ask_ignored(repository, paths) == (
        [
            Asked("v/note.md", None),
            Asked("ignored/deep/x", rule),
            Asked("some/x", Match(".gitignore", 2, "some/*")),
            Asked("some/back", Match(".gitignore", 3, "!some/back")),
            Asked("ignored", rule),
            Asked("nowhere", None),
        ],
        [],
    )
    assert ask_ignored(repository, []) == ([], [])


@pytest.mark.parametrize("name", [":(top)", ":!x", ":x", ":", "*", "m[1]", "-rf", "!x", "#x", "two\nlines", "\udcff"])
def test_a_path_is_a_name_and_never_a_pathspec(name: str, fresh: Repo) -> None:
    fresh.write(".gitignore", "/v/\n")
    assert ask_ignored(opened(fresh), [f"{name}/x", "v/x"]) == (
        [Asked(f"{name}/x", None), Asked("v/x", Match(".gitignore", 1, "/v/"))],
        [],
    )


def test_one_path_without_an_answer_does_not_take_the_others_along(fresh: Repo) -> None:
    fresh.write(".gitignore", "/v/\n")
    (fresh.path / "link").symlink_to("elsewhere")
    paths = [f"v/{number}" for number in range(10)] + ["link/x"] + [f"w/{number}" for number in range(10)]
    answers, faults = ask_ignored(opened(fresh), paths)
    rule = Match(".gitignore", 1, "/v/")
    assert sorted(answers) == sorted(
        [Asked(f"v/{n}", rule) for n in range(10)] + [Asked(f"w/{n}", None) for n in range(10)],
    )
    assert [(path, fault.message) for path, fault in faults] == [
        ("link/x", "git check-ignore exit 128: fatal: pathspec 'link/x' is beyond a symbolic link")
    ]


def test_many_paths_without_an_answer_end_in_a_bounded_number_of_tries(fresh: Repo) -> None:
    (fresh.path / "link").symlink_to("elsewhere")
    paths = [f"link/{number}" for number in range(500)]
    answers, faults = ask_ignored(opened(fresh), paths)
    assert answers == []
    assert sorted(path for path, _ in faults) == sorted(paths)


def test_an_ignore_file_that_git_would_wait_for_is_a_fault_at_once(fresh: Repo) -> None:
    fresh.write(".gitignore", "/w/\n")
    for name in ("v", "v/x", "ok"):
        (fresh.path / name).mkdir()
    os.mkfifo(fresh.path / "v/.gitignore")
    (fresh.path / "ok/.gitignore").mkdir()
    answers, faults = ask_ignored(opened(fresh), ["v", "v/1", "ok/1", "w/1", "v/x/1", "v/2"])
    rule = Match(".gitignore", 1, "/w/")
    assert answers == [Asked("v", None), Asked("ok/1", None), Asked("w/1", rule)]
    assert [(path, fault.message, fault.hint) for path, fault in faults] == [
        (path, "v/.gitignore is no regular file", "put an ordinary file in its place")
        for path in ("v/1", "v/x/1", "v/2")
    ]


def test_a_git_whose_time_is_up_is_not_tried_again(fresh: Repo, tmp_path: Path) -> None:
    place = tmp_path / "bin/git"
    place.parent.mkdir()
    place.write_text(f"#!/bin/sh\necho >>{tmp_path}/runs\nkill -KILL $$\n")
    place.chmod(0o755)
    repository = opened(fresh)
    slow = repository._replace(git=Git(str(fresh.path), {"PATH": f"{place.parent}:{os.environ['PATH']}"}))
    answers, faults = ask_ignored(slow, ["a", "b", "c"])
    assert (answers, [path for path, _ in faults]) == ([], ["a", "b", "c"])
    assert (tmp_path / "runs").read_text() == "\n"


def test_the_latest_commit_of_each_path_is_found_on_any_ref(fresh: Repo) -> None:
    fresh.write("v/x", "1")
    fresh.write("w/x", "1")
    first = fresh.commit()
    fresh.write("v/x", "2")
    second = fresh.commit()
    fresh.git("switch", "--quiet", "--create", "side")
    fresh.write("vv/x", "3")
    fresh.git("add", "--all")
    fresh.git("commit", "--quiet", "--message", "later", GIT_COMMITTER_DATE="2026-01-16T12:00:00 +0000")
    third = fresh.git("rev-parse", "HEAD")
    fresh.git("switch", "--quiet", "main")
    repository = opened(fresh)
    assert last_commits_with(repository, []) == {}
    assert last_commits_with(repository, ["nowhere"]) == {}
    assert last_commits_with(repository, ["nowhere", "either"]) == {}
    assert last_commits_with(repository, ["v"]) == {"v": second}
    assert last_commits_with(repository, ["vv", "v", "w", "nowhere"]) == {"vv": third, "v": second, "w": first}
    assert last_commits_with(repository, ["", "w"]) == {"": third, "w": first}


def test_a_repository_without_a_commit_has_no_history(fresh: Repo) -> None:
    assert last_commits_with(opened(fresh), ["v", "w"]) == {}


NAMES = [
    pytest.param("HEAD", "HEAD", id="HEAD"),
    pytest.param("other", "HEAD~1", id="a branch"),
    pytest.param("tagged", "HEAD~1", id="an annotated tag"),
    pytest.param("refs/heads/other", "HEAD~1", id="a whole ref"),
    pytest.param("nowhere", None, id="unknown"),
    pytest.param("", None, id="nothing"),
    pytest.param("-n", None, id="an option"),
    pytest.param("--all", None, id="a long option"),
    pytest.param("HEAD:kept", None, id="a blob"),
    pytest.param("HEAD^{tree}", None, id="a tree"),
    pytest.param("HEAD~99", None, id="beyond the root"),
    pytest.param("0000000000000000000000000000000000000000", None, id="the null id"),
]


@pytest.mark.parametrize(("name", "same"), NAMES)
def test_a_name_stands_for_a_commit_or_for_none(
    name: str, same: str | None, looked_at: Repo, repository: Repository
) -> None:
    assert resolve_commit(repository, name) == (looked_at.git("rev-parse", same) if same else None)


def test_the_merge_base_is_the_best_common_commit(looked_at: Repo, repository: Repository) -> None:
    other, unrelated = (looked_at.git("rev-parse", name) for name in ("other", "unrelated"))
    assert merge_bases(repository, other) == (other,)
    assert merge_bases(repository, unrelated) == ()


def test_paths_behind_a_filter_are_known_by_their_attributes(fresh: Repo) -> None:
    fresh.write(".gitattributes", "*.md filter=lfs\nb.md -filter\nc.md !filter\nd text\n")
    fresh.git("add", "--all")
    assert filtered(opened(fresh), ["a.md", "b.md", "c.md", "d", "v/\udcff.md", "v/-x.md"]) == {
        "a.md",
        "v/\udcff.md",
        "v/-x.md",
    }
    assert filtered(opened(fresh), []) == set()
    fresh.write(".gitattributes", "a working-tree-encoding=UTF-16\nb working-tree-encoding=utf-8\nc ident\nd -ident\n")
    fresh.git("add", "--all")
    assert filtered(opened(fresh), ["a", "b", "c", "d"]) == {"a"}
    assert attributes(opened(fresh), ["a", "b", "c", "d"]) == {
        "a": {"working-tree-encoding": "UTF-16"},
        "b": {},
        "c": {"ident": "set"},
        "d": {},
    }


A, B = "a" * 40, "b" * 64

MERGED = [
    pytest.param(None, {}, [], id="no merge"),
    pytest.param(f"{A}\n{B}\n", {}, [A, B], id="MERGE_HEAD"),
    pytest.param(f"{A}\n", {f"GITHEAD_{B}": "side"}, [A], id="MERGE_HEAD wins"),
    pytest.param(None, {f"GITHEAD_{A}": "side", f"GITHEAD_{B}": "other"}, [A, B], id="before git has written it"),
    pytest.param(None, {"GITHEAD_main": "x", "GITHEAD_": "", f"GITHEAD_{A[1:]}": ""}, [], id="no commit ids"),
    pytest.param("--all\n\udcff\n", {}, [], id="garbage in MERGE_HEAD"),
]


@pytest.mark.parametrize(("written", "variables", "commits"), MERGED)
def test_what_is_being_merged_is_known(
    written: str | None, variables: dict[str, str], commits: list[str], fresh: Repo
) -> None:
    if written is not None:
        (fresh.path / ".git/MERGE_HEAD").write_bytes(written.encode("utf-8", "surrogateescape"))
    assert merged_parents(opened(fresh), variables) == commits


@pytest.mark.timeout(20)
def test_a_fifo_for_merge_head_is_not_waited_for(fresh: Repo) -> None:
    os.mkfifo(fresh.path / ".git/MERGE_HEAD")
    assert merged_parents(opened(fresh), {f"GITHEAD_{A}": "side"}) == [A]


def test_looking_changes_nothing(looked_at: Repo, repository: Repository) -> None:
    before = digest(looked_at.path)
    # Newer on disk than in the git index: a git that refreshes it would write.
    (looked_at.path / "kept").write_bytes(b"kept")
    before[str(looked_at.path / "kept")] = digest(looked_at.path)[str(looked_at.path / "kept")]
    entries(repository, ".")
    staged(repository, ["."])
    untracked(repository)
    ask_ignored(repository, ["kept"])
    last_commits_with(repository, ["kept", "v"])
    filtered(repository, ["kept"])
    assert digest(looked_at.path) == before
