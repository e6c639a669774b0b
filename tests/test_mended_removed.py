"""An index that a change takes out: told alike at the commit, and with --since once it is committed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.case_tools import project
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import Checked, check, document_of, finding_line, vault_line
from tests.vault_tools import index, vault

SHARED = '[[vault]]\npath = "v"\nmode = "shared"\n'
SINCE = ("--since", "base")


def own(folder: Path) -> Repo:
    """Build a vault with a repository of its own."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(210))
    repo.commit()
    return repo


def shared(folder: Path) -> Repo:
    """Build a project that shares its vault."""
    repo = project(folder)
    repo.write("memstile.toml", SHARED)
    vault(repo.path / "v", index(210))
    repo.commit()
    return repo


def tracked(folder: Path) -> Repo:
    """Build a project that tracks the vault it should ignore."""
    repo = project(folder)
    vault(repo.path / "v", index(210))
    repo.commit()
    return repo


def remove(*paths: str) -> Callable[[Repo], None]:
    """Make a change that deletes."""

    def change(repo: Repo) -> None:
        repo.git("rm", "-r", "--quiet", *paths)

    return change


def untrack(repo: Repo) -> None:
    repo.write(".gitignore", "/v/\n")
    repo.git("rm", "-r", "--quiet", "--cached", "v")
    repo.git("add", ".gitignore")


def untrack_and_delete_the_index(repo: Repo) -> None:
    untrack(repo)
    (repo.path / "v/MEMORY.md").unlink()


def move(repo: Repo) -> None:
    repo.git("mv", "v", "w")
    repo.write("memstile.toml", SHARED.replace('"v"', '"*"'))
    repo.git("add", "--all")


def rename(repo: Repo) -> None:
    repo.git("mv", "MEMORY.md", "INDEX.md")


def take_pointers_and_notes_out(repo: Repo) -> None:
    for number in range(1, 6):
        repo.git("rm", "--quiet", f"v/note-{number}.md")
    repo.write("v/MEMORY.md", "x\n" * 205)
    repo.git("add", "--all")


def not_a_vault(folder: Path) -> Repo:
    """Build a project with a file that only has the name of an index."""
    repo = project(folder)
    repo.write("chips/MEMORY.md", "of a chip\n" * 200)
    repo.write("chips/timing.md", "a note\n")
    repo.commit()
    return repo


CHANGES = [
    pytest.param(own, remove("MEMORY.md"), ["MS105 MEMORY.md"], id="a vault of its own"),
    pytest.param(own, rename, ["MS105 MEMORY.md"], id="renamed to what no host loads"),
    pytest.param(shared, remove("v/MEMORY.md"), ["MS105 v/MEMORY.md"], id="a shared vault"),
    pytest.param(shared, remove("v"), ["MS105 v/MEMORY.md"], id="the whole of a shared vault"),
    pytest.param(shared, move, ["MS101 w/MEMORY.md"], id="moved"),
    pytest.param(tracked, remove("v/MEMORY.md"), [], id="a vault that is to be ignored"),
    pytest.param(tracked, remove("v"), [], id="the whole of a vault that is to be ignored"),
    pytest.param(tracked, untrack, [], id="untracked"),
    pytest.param(tracked, untrack_and_delete_the_index, [], id="untracked, and its index deleted"),
    pytest.param(tracked, take_pointers_and_notes_out, ["MS105 v/MEMORY.md"], id="what made it a vault"),
    pytest.param(not_a_vault, remove("chips/MEMORY.md"), [], id="no index"),
]


def grown_or_gone(told: Checked) -> list[str]:
    """Give what is said of a change to an index; whether git carries the vault is told in words of each place."""
    rows = [row.partition(":")[0].split(" ", 1)[1] for row in told.findings]
    return [row for row in rows if row.startswith(("MS101", "MS105", "MS106"))]


@pytest.mark.parametrize(("build", "change", "expected"), CHANGES)
def test_a_change_is_told_alike_at_the_commit_and_after_it(
    build: Callable[[Path], Repo], change: Callable[[Repo], None], expected: list[str], tmp_path: Path
) -> None:
    repo = build(tmp_path)
    repo.git("branch", "base")
    change(repo)
    at_the_commit = check("--staged", cwd=repo.path, environment=repo.outside)
    before_it = check(*SINCE, cwd=repo.path, environment=repo.outside)
    repo.git("commit", "--quiet", "--no-verify", "--message", "change")
    repo.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", "another")
    after_it = check(*SINCE, cwd=repo.path, environment=repo.outside)
    by_pre_commit = check("--staged", *SINCE, cwd=repo.path, environment=repo.outside)
    fresh = clone(repo.path, tmp_path / "fresh", repo.outside)
    in_a_clone = check("--since", "origin/base", cwd=fresh.path, environment=repo.outside)
    every = (at_the_commit, before_it, after_it, by_pre_commit, in_a_clone)
    assert [*map(grown_or_gone, every)] == [expected] * 5


def test_an_index_that_is_gone_is_told_with_what_brings_it_back(tmp_path: Path) -> None:
    repo = own(tmp_path)
    base = repo.git("rev-parse", "HEAD")
    repo.git("branch", "base")
    repo.git("rm", "--quiet", "MEMORY.md")
    repo.commit()
    document, ran = document_of(*SINCE, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    rows = [(finding_line(row), row["commands"]) for row in document["findings"]]
    assert (ran.code, rows, [*map(vault_line, document["vaults"])]) == (
        0,
        [
            (
                "warning MS105 MEMORY.md: index on disk is gone; "
                "the merge base with base had 210 lines and 2,266 bytes",
                [f"git -C {repo.path} cat-file -p {base}:MEMORY.md > MEMORY.md.before"],
            )
        ],
        [". (dedicated): MEMORY.md is gone since the merge base with base"],
    )


def test_untracking_a_vault_passes(tmp_path: Path) -> None:
    repo = tracked(tmp_path)
    repo.git("branch", "base")
    untrack(repo)
    commit = check("--staged", cwd=repo.path, environment=repo.outside)
    repo.git("commit", "--quiet", "--no-verify", "--message", "untrack")
    after = [check(*words, *SINCE, cwd=repo.path, environment=repo.outside) for words in ((), ("--staged",))]
    assert [told.code for told in (commit, *after)] == [0, 0, 0]


def test_a_shared_index_that_is_untracked_and_still_on_disk_is_not_gone_from_there(tmp_path: Path) -> None:
    repo = shared(tmp_path)
    repo.git("branch", "base")
    untrack(repo)
    assert grown_or_gone(check("--staged", cwd=repo.path, environment=repo.outside)) == ["MS105 v/MEMORY.md"]
    assert grown_or_gone(check(*SINCE, cwd=repo.path, environment=repo.outside)) == []


def test_an_index_that_a_sparse_checkout_hides_is_not_gone(tmp_path: Path) -> None:
    repo = shared(tmp_path)
    repo.write("other/file", "x")
    repo.commit()
    repo.git("branch", "base")
    repo.git("sparse-checkout", "set", "other")
    told = check(*SINCE, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    size = f"staged 210 lines {len(index(210))} bytes"
    assert told == Checked(0, told.findings, [f"v (shared): {size}; not in this checkout; git index checked"])
    assert [row.split()[:2] for row in told.findings] == [["warning", "MS102"], ["warning", "MS104"]]


def test_only_what_lies_below_the_given_folder_is_told(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", SHARED.replace('"v"', '"*/v"'))
    for name in ("a", "b"):
        vault(repo.path / name / "v", index(210))
    repo.commit()
    repo.git("branch", "base")
    repo.git("rm", "--quiet", "a/v/MEMORY.md", "b/v/MEMORY.md")
    assert grown_or_gone(check(*SINCE, "b", cwd=repo.path, environment=repo.outside)) == ["MS105 b/v/MEMORY.md"]


def test_of_several_merge_bases_what_one_has_taken_out_already_is_not_told(tmp_path: Path) -> None:
    repo = own(tmp_path)
    repo.git("switch", "--quiet", "--create", "a")
    repo.git("rm", "--quiet", "MEMORY.md")
    a = repo.commit()
    repo.git("switch", "--quiet", "--create", "b", "main")
    repo.write("b", "b")
    b = repo.commit()
    repo.git("switch", "--quiet", "a")
    repo.git("merge", "--quiet", "--message", "ab", b)
    repo.git("switch", "--quiet", "b")
    repo.git("merge", "--quiet", "--message", "ba", a)
    assert grown_or_gone(check("--since", "a", cwd=repo.path, environment=repo.outside)) == []


def test_where_part_of_the_base_is_not_in_this_clone_that_is_said(tmp_path: Path) -> None:
    repo = own(tmp_path)
    repo.write("src/file", "x")
    repo.commit()
    repo.git("branch", "base")
    tree = repo.git("rev-parse", "HEAD:src")
    repo.write("src/file", "y")
    repo.commit()
    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    for words in (SINCE, ("--staged", *SINCE)):
        told = check(*words, cwd=repo.path, environment=repo.outside)
        assert (told.code, [row.partition(": git diff-index")[0] for row in told.remarks]) == (
            0,
            ["git does not say what was taken out since the merge base with base"],
        )
