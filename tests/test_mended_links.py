"""Links above a vault, and work trees beside a bare repository, seen through the whole program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.case_tools import project
from tests.git_tools import Repo, environment
from tests.run_tools import check, memstile
from tests.vault_tools import index, vault

CONFIGURED = '[[vault]]\npath = "{path}"\nmode = "{mode}"\n'


def codes(repo: Repo, *words: str, cwd: Path | None = None) -> set[str]:
    """Give the codes of all findings, without those that only tell."""
    ran = check(*words, cwd=cwd or repo.path, environment=repo.outside, unchanged=repo.path)
    assert ran.err == "", ran
    return {row.split(" ")[1] for row in ran.findings if not row.startswith("info")}


def moved_away(repo: Repo, name: str) -> None:
    """Put a folder of the project elsewhere, and a link in its place."""
    away = repo.path.parent / "away"
    (repo.path / name).rename(away)
    (repo.path / name).symlink_to(away)


def test_what_lies_beside_a_vault_behind_a_link_is_no_part_of_it(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("pkg/app.py", "x\n")
    repo.write(".gitignore", ".mem/\n")
    repo.write("memstile.toml", CONFIGURED.format(path="pkg/.mem", mode="auto"))
    repo.commit()
    vault(repo.path / "pkg/.mem", index(1))
    moved_away(repo, "pkg")
    assert codes(repo) == set()
    before = repo.git("ls-files")
    assert memstile("fix", "--yes", cwd=repo.path, environment=repo.outside).code == 0
    assert repo.git("ls-files") == before
    assert (repo.path / ".gitignore").read_text() == ".mem/\n"


def test_what_git_has_of_a_vault_behind_a_link_is_told_and_taken_out_alone(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("pkg/app.py", "x\n")
    vault(repo.path / "pkg/.mem", index(1))
    repo.commit()
    repo.write(".gitignore", ".mem/\n")
    repo.write("memstile.toml", CONFIGURED.format(path="pkg/.mem", mode="auto"))
    repo.git("add", "--all")
    moved_away(repo, "pkg")
    assert "MS202" in codes(repo)
    memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert "pkg/app.py" in repo.git("ls-files").split("\n")
    assert "pkg/.mem/MEMORY.md" not in repo.git("ls-files").split("\n")


@pytest.mark.parametrize("words", [(), ("current/.mem",)], ids=["below the link", "by the link"])
def test_a_link_to_a_folder_around_an_ignored_vault_carries_nothing(words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", ".mem/\n")
    repo.write("releases/1/app", "x\n")
    (repo.path / "current").symlink_to("releases/1")
    repo.commit()
    vault(repo.path / "releases/1/.mem", index(1))
    assert codes(repo, *words, cwd=None if words else repo.path / "current") == set()


@pytest.mark.parametrize("name", ["docs", "docs/mem"], ids=["above the vault", "at the vault"])
def test_growth_is_judged_where_git_has_the_index_though_a_link_is_on_disk(name: str, tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", CONFIGURED.format(path="docs/mem", mode="shared"))
    vault(repo.path / "docs/mem", index(10))
    repo.commit()
    vault(repo.path / "docs/mem", index(300))
    repo.git("add", "--all")
    moved_away(repo, name)
    assert "MS101" in codes(repo, "--staged")


@pytest.mark.parametrize("as_file", [False, True], ids=[".git is bare", ".git names a bare one"])
def test_a_bare_repository_around_its_work_trees_carries_nothing(as_file: bool, tmp_path: Path) -> None:
    seed = project(tmp_path, "seed")
    seed.write(".gitignore", "/.mem/\n")
    seed.write("memstile.toml", CONFIGURED.format(path=".mem", mode="auto"))
    seed.commit()
    home = tmp_path / "around"
    home.mkdir()
    bare = ".bare" if as_file else ".git"
    outside = environment(tmp_path / "home")
    subprocess.run(("git", "clone", "-q", "--bare", str(seed.path), bare), cwd=home, env=outside, check=True)
    if as_file:
        (home / ".git").write_text("gitdir: ./.bare\n")
    subprocess.run(("git", "worktree", "add", "-q", "main", "main"), cwd=home, env=outside, check=True)
    vault(home / "main/.mem", index(1))
    work = Repo(home / "main", outside)
    assert codes(work) == codes(work, "--since", "HEAD") == codes(work, "--staged") == set()
    (home / "main/.gitignore").write_text("")
    assert codes(work) == {"MS201"}
    vault(home / ".mem", index(1))
    assert codes(work, str(home / ".mem")) == set()
