"""What a change is compared with, where history is odd: merges, shallow clones, leaked variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import check
from tests.vault_tools import index, vault

LOOSER = "error MS902 memstile.toml: this change loosens index.hard_lines from 200 to 300"


@pytest.fixture(name="repo")
def a_vault_of_its_own(tmp_path: Path) -> Repo:
    repo = init(tmp_path / "repo", environment(tmp_path / "home"))
    vault(repo.path, index(10))
    repo.write("memstile.toml", "[index]\nhard_lines = 200\n")
    repo.commit()
    return repo


def findings(repo: Repo, *words: str, **variables: str) -> list[str]:
    return check(*words, cwd=repo.path, environment={**repo.outside, **variables}, unchanged=repo.path).findings


@pytest.mark.parametrize("more", ["", "# and a longer file\n"])
def test_a_merge_may_bring_settings_that_the_other_side_has_already(repo: Repo, more: str) -> None:
    repo.git("switch", "-qc", "feature")
    repo.write("f", "f")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.write("memstile.toml", f"[index]\nhard_lines = 300\n{more}")
    repo.commit()
    repo.git("switch", "-q", "feature")
    repo.git("merge", "-q", "--no-commit", "main")
    assert findings(repo, "--staged") == []
    repo.write("memstile.toml", "[index]\nhard_lines = 301\n")
    repo.git("add", "memstile.toml")
    assert [row.partition(":")[0] for row in findings(repo, "--staged")] == ["error MS902 memstile.toml"]


def test_a_commit_that_loosens_is_told(repo: Repo) -> None:
    repo.write("memstile.toml", "[index]\nhard_lines = 300\n")
    repo.git("add", "memstile.toml")
    assert findings(repo, "--staged", CI="1") == [LOOSER]


@pytest.mark.parametrize("first", ["a", "b"])
def test_of_several_merge_bases_the_largest_counts_whatever_their_dates(repo: Repo, first: str) -> None:
    days = {"a": "02" if first == "a" else "03", "b": "02" if first == "b" else "03"}
    repo.git("switch", "-qc", "a")
    vault(repo.path, index(230))
    commit_at(repo, days["a"])
    a = repo.git("rev-parse", "HEAD")
    repo.git("switch", "-qc", "b", "main")
    repo.write("b", "b")
    commit_at(repo, days["b"])
    b = repo.git("rev-parse", "HEAD")
    repo.git("switch", "-q", "a")
    repo.git("merge", "-q", "-m", "ab", b)
    repo.git("switch", "-q", "b")
    repo.git("merge", "-q", "-s", "ours", "-m", "ba", a)
    vault(repo.path, index(215))
    repo.commit()
    told = findings(repo, "--since", "a")[0]
    assert told == (
        "warning MS102 MEMORY.md: index on disk is 215 lines, hard cap 200; not larger than the merge base with a"
    )


def commit_at(repo: Repo, day: str) -> None:
    date = f"2026-02-{day}T12:00:00"
    repo.git("add", "--all")
    repo.git("commit", "-qm", "x", GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)


def test_a_shallow_clone_that_may_hide_a_nearer_base_is_not_compared_with_an_older_one(
    repo: Repo, tmp_path: Path
) -> None:
    repo.git("branch", "old")
    for name in ("m1", "m2", "m3"):
        repo.write(name, name)
        repo.commit()
    repo.git("switch", "-qc", "feature")
    for name in ("f1", "f2", "f3", "f4", "f5"):
        repo.write(name, name)
        repo.commit()
    repo.git("switch", "-q", "old")
    repo.write("o", "o")
    repo.commit()
    repo.git("switch", "-q", "feature")
    repo.git("merge", "-q", "-m", "old", "old")
    shallow = clone(repo.path, tmp_path / "shallow", repo.outside, "--depth", "4", "--no-single-branch")
    told = check("--since", "origin/main", cwd=shallow.path, environment=shallow.outside)
    assert (told.code, told.err.splitlines()[:1]) == (
        2,
        ["memstile: the merge base of 'origin/main' and HEAD may lie outside this shallow clone"],
    )


def test_a_merge_name_that_leaks_from_another_repository_is_no_parent(repo: Repo) -> None:
    vault(repo.path, index(9))
    repo.git("add", "MEMORY.md")
    assert findings(repo, "--staged", **{f"GITHEAD_{'1' * 40}": "other"}) == []


def test_a_merge_name_that_outlives_its_merge_is_no_parent(repo: Repo) -> None:
    vault(repo.path, index(230))
    large = repo.commit()
    vault(repo.path, index(205))
    repo.commit()
    vault(repo.path, index(225))
    repo.git("add", "MEMORY.md")
    told = findings(repo, "--staged", **{f"GITHEAD_{large}": "main"})[0]
    assert told == "error MS101 MEMORY.md: staged index grew from 205 to 225 lines, hard cap 200 (base: HEAD)"


def test_settings_that_the_commit_does_not_hold_excuse_nothing_and_are_named(tmp_path: Path) -> None:
    repo = init(tmp_path / "project", environment(tmp_path / "home"))
    vault(repo.path / ".memory")
    repo.git("add", "--all")
    repo.write("memstile.toml", '[[vault]]\npath = ".memory"\nmode = "shared"\n')
    told = check("--staged", cwd=repo.path, environment={**repo.outside, "CI": "1"})
    assert [row.split(":")[0] for row in told.findings] == ["error MS201 .memory", "error MS203 .memory"]
    assert told.remarks == [
        "memstile.toml is not in this commit, so it does not count; stage it: git add memstile.toml"
    ]


def test_settings_taken_out_of_the_git_index_are_told_though_they_lie_on_disk(repo: Repo) -> None:
    repo.write("memstile.toml", "[index]\nhard_lines = 100\n")
    repo.commit()
    repo.git("rm", "-q", "--cached", "memstile.toml")
    told = findings(repo, "--staged")
    assert told[0] == "error MS902 memstile.toml: this change loosens index.hard_lines from 100 to 200"


def test_behind_a_filter_an_unchanged_index_did_not_grow(repo: Repo) -> None:
    """The filter is not run: what git holds says whether it changed."""
    repo.write(".gitattributes", "MEMORY.md filter=stub\n")
    repo.git("config", "filter.stub.clean", "head -n 3")
    vault(repo.path, index(210))
    repo.commit()
    told = findings(repo, "--since", "HEAD")[0]
    assert told == (
        "warning MS102 MEMORY.md: index on disk is 210 lines, hard cap 200; not larger than the merge base with HEAD"
    )


def test_behind_a_filter_growth_of_a_changed_index_is_not_verified(repo: Repo) -> None:
    repo.write(".gitattributes", "MEMORY.md filter=stub\n")
    repo.git("config", "filter.stub.clean", "tail -n 3")
    vault(repo.path, index(210))
    repo.commit()
    repo.git("branch", "before")
    vault(repo.path, index(211))
    repo.commit()
    told = findings(repo, "--since", "before")[0]
    assert told.startswith("error MS102 MEMORY.md: index on disk is 211 lines, hard cap 200; growth not verified")
