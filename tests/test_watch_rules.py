"""Git rules while a vault is watched: told once when they change, and mended in this clone in enforce mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.vault_tools import index, vault
from tests.watch_tools import Scene


def project(tmp_path: Path, ignore: str = "/.memory/\n") -> Repo:
    repo = init(tmp_path / "p", environment(tmp_path / "home"))
    repo.write(".gitignore", ignore)
    repo.write("README.md", "a project\n")
    repo.commit()
    vault(repo.path / ".memory", index(100))
    return repo


def test_a_rule_that_is_taken_away_and_put_back_is_told_once_each(tmp_path: Path) -> None:
    repo = project(tmp_path)
    made = Scene(tmp_path, "p")
    assert made.said() == ["started p/.memory"]
    repo.write(".gitignore", "")
    assert made.settle() == ["found MS201 p/.memory"]
    made.wait(40.0)
    assert made.said() == []
    repo.write(".gitignore", "/.memory/\n")
    assert made.settle() == ["cleared MS201 p/.memory"]


def test_what_was_told_is_not_told_again_after_a_restart(tmp_path: Path) -> None:
    project(tmp_path, ignore="")
    made = Scene(tmp_path, "p")
    assert made.said() == ["started p/.memory", "found MS201 p/.memory"]
    made.end()
    assert Scene(tmp_path, "p").said() == ["started p/.memory"]


def test_a_vault_that_is_staged_is_told(tmp_path: Path) -> None:
    repo = project(tmp_path)
    made = Scene(tmp_path, "p")
    made.said()
    repo.git("add", "--force", ".memory")
    assert made.settle() == ["found MS203 p/.memory"]
    repo.commit()
    assert made.settle() == ["found MS202 p/.memory", "cleared MS203 p/.memory"]


def test_a_new_file_that_no_rule_ignores_is_told(tmp_path: Path) -> None:
    repo = project(tmp_path, ignore="/.memory/*.md\n")
    made = Scene(tmp_path, "p")
    assert made.said() == ["started p/.memory"]
    repo.write(".memory/draft.txt", "x")
    made.hands.put(others=1)
    assert made.settle() == ["found MS201 p/.memory"]


def test_a_rule_of_this_clone_alone_is_seen_in_the_exclude_file(tmp_path: Path) -> None:
    repo = project(tmp_path, ignore="")
    made = Scene(tmp_path, "p")
    made.said()
    repo.write(".git/info/exclude", "/.memory/\n")
    assert made.settle() == ["cleared MS201 p/.memory"]


def test_in_enforce_mode_the_rule_is_added_to_the_exclude_file(tmp_path: Path) -> None:
    repo = project(tmp_path, ignore="")
    repo.write(".git/info/exclude", "*.bak")
    made = Scene(tmp_path, "p", mode="enforce")
    assert made.said() == ["started p/.memory", "cleared MS201 p/.memory"]
    assert (repo.path / ".git" / "info" / "exclude").read_text() == "*.bak\n/.memory/\n"
    assert repo.git("status", "--porcelain") == ""
    assert made.settle() == []


def test_a_rule_that_lets_the_vault_in_is_told_and_nothing_is_added(tmp_path: Path) -> None:
    repo = project(tmp_path, ignore="/.memory/\n!/.memory/\n")
    made = Scene(tmp_path, "p", mode="enforce")
    assert made.said() == ["started p/.memory", "found MS201 p/.memory"]
    made.wait(40.0)
    assert made.said() == []
    exclude = repo.path / ".git" / "info" / "exclude"
    assert not exclude.exists() or exclude.read_text() == ""


def test_a_linked_work_tree_has_its_rule_added_where_git_reads_it(tmp_path: Path) -> None:
    repo = project(tmp_path, ignore="")
    repo.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "tree"))
    vault(tmp_path / "tree" / ".memory", index(100))
    made = Scene(tmp_path, "tree", mode="enforce")
    assert made.said() == ["started tree/.memory", "cleared MS201 tree/.memory"]
    assert (repo.path / ".git" / "info" / "exclude").read_text() == "/.memory/\n"


@pytest.mark.parametrize("mode", ["audit", "enforce"])
def test_nothing_is_asked_where_the_git_rules_are_off(mode: str, tmp_path: Path) -> None:
    project(tmp_path, ignore="")
    (tmp_path / "p" / "memstile.toml").write_text('[git]\nmode = "off"\n')
    user = tmp_path / "home" / ".config" / "memstile"
    user.mkdir(parents=True)
    (user / "config.toml").write_text('[git]\nmode = "off"\n')
    assert Scene(tmp_path, "p", mode=mode).said() == ["started p/.memory"]
