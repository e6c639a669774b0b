"""An index that git has and this checkout does not show is measured as staged, seen through the whole program."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import check, memstile
from tests.vault_tools import index, vault

HIDDEN = "not in this checkout; git index checked"


def by_cone(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "src")


def by_sparse_index(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")


def by_patterns(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/v/")


def index_alone(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!MEMORY.md")


def by_hand(repo: Repo) -> None:
    shutil.rmtree(repo.path / "v")


WAYS = [by_cone, by_sparse_index, by_patterns, index_alone, by_hand]
ASKED = [
    ("--since", "main"),
    ("--since", "main", "--strict"),
    ("v", "--since", "main"),
    ("--since", "main", "v/MEMORY.md"),
]


def grown(folder: Path, mode: str, before: int, after: int) -> Repo:
    """Make a project whose vault goes from one size to another on a branch."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path / "v", index(before))
    repo.write("src/a", "a")
    repo.write("memstile.toml", f'[[vault]]\npath = "v"\nmode = "{mode}"\n')
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("v/MEMORY.md", index(after))
    repo.commit()
    return repo


def index_codes(repo: Repo, *words: str) -> list[str]:
    told = check(*words, cwd=repo.path, environment=repo.outside, unchanged=repo.path)
    return [row.partition(" v/MEMORY.md")[0] for row in told.findings if " MS10" in row and "MS104" not in row]


@pytest.mark.parametrize("words", ASKED)
@pytest.mark.parametrize("mode", ["shared", "ignored"])
@pytest.mark.parametrize("hide", WAYS)
def test_growth_is_refused_though_the_index_is_not_on_disk(
    hide: Callable[[Repo], None], mode: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    repo = grown(tmp_path, mode, 100, 250)
    hide(repo)
    assert not (repo.path / "v/MEMORY.md").exists()
    told = check(*words, cwd=repo.path, environment=repo.outside, unchanged=repo.path / "src")  # git may store trees
    message = "staged index grew from 100 to 250 lines, hard cap 200 (base: the merge base with main)"
    assert told.code == 1
    assert f"error MS101 v/MEMORY.md: {message}" in told.findings


SIZES = [
    pytest.param(250, 250, "main", ["warning MS102"], id="as it was"),
    pytest.param(250, 210, "main", ["warning MS102"], id="smaller"),
    pytest.param(100, 120, "main", [], id="within"),
    pytest.param(100, 250, "", ["error MS102"], id="no base"),
    pytest.param(100, 20, "main", ["warning MS105"], id="most of it gone"),
]


@pytest.mark.parametrize(("before", "after", "ref", "expected"), SIZES)
def test_it_is_judged_as_at_the_commit(before: int, after: int, ref: str, expected: list[str], tmp_path: Path) -> None:
    repo = grown(tmp_path, "shared", before, after)
    words = ("--since", ref) if ref else ()
    by_cone(repo)
    assert index_codes(repo, *words) == expected
    assert index_codes(repo, *words) == index_codes(repo, "--staged", *words) or not ref


def test_an_index_that_alone_is_hidden_is_named_and_its_notes_are_counted(tmp_path: Path) -> None:
    repo = grown(tmp_path, "shared", 6, 7)
    index_alone(repo)
    ran = memstile("check", cwd=repo.path, environment=repo.outside)
    said = ran.out.decode()
    assert "v  (committed on purpose, 5 notes)\n" in said
    assert f"MEMORY.md is {HIDDEN}\n" in said


def test_an_index_deleted_in_a_folder_that_is_here_is_gone(tmp_path: Path) -> None:
    repo = grown(tmp_path, "shared", 100, 250)
    (repo.path / "v/MEMORY.md").unlink()
    assert index_codes(repo, "--since", "main") == ["warning MS105"]


def test_of_a_vault_that_is_a_repository_the_hidden_index_is_measured(tmp_path: Path) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    vault(repo.path, index(100))
    repo.write("src/a", "a")
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("MEMORY.md", index(250))
    repo.commit()
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/MEMORY.md")
    told = check("--since", "main", cwd=repo.path, environment=repo.outside, unchanged=repo.path)
    assert (told.code, told.findings[0].partition(":")[0]) == (1, "error MS101 MEMORY.md")


@pytest.mark.parametrize(("hide", "is_here"), [(by_cone, False), (by_hand, False), (None, True)])
def test_a_hint_says_that_files_stay_only_where_there_are_some(
    hide: Callable[[Repo], None] | None, is_here: bool, tmp_path: Path
) -> None:
    repo = grown(tmp_path, "ignored", 6, 7)
    if hide:
        hide(repo)
    said = " ".join(memstile("check", cwd=repo.path, environment=repo.outside).out.decode().split())
    assert ("untrack the vault, then commit; the files stay on disk" in said) is is_here
    assert ("nothing of it is on disk here" in said) is not is_here
    ran = memstile("fix", "--yes", "v", cwd=repo.path, environment=repo.outside)
    assert ("The files stay on disk here." in ran.out.decode()) is is_here
    assert ("Nothing of it is on disk here" in ran.out.decode()) is not is_here
