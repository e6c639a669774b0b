"""The ignore rules of a commit are the staged ones, not those that lie on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.git_tools import Repo, environment
from tests.run_tools import check
from tests.vault_tools import vault

NOT_IGNORED = ["error MS201 .memory: vault is not ignored by git"]


def staged_rule(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/\n")
    repo.git("add", ".gitignore")


def rule_on_disk_only(repo: Repo) -> None:
    repo.write(".gitignore", "# nothing\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "/.memory/\n")


def rule_staged_only(repo: Repo) -> None:
    staged_rule(repo)
    repo.write(".gitignore", "# nothing\n")


def untracked_rule(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/\n")


def rule_of_the_vault(repo: Repo) -> None:
    repo.write(".memory/.gitignore", "*\n")


def rule_behind_a_staged_symlink(repo: Repo) -> None:
    repo.write("rules", "/.memory/\n")
    (repo.path / ".gitignore").symlink_to("rules")
    repo.git("add", ".gitignore", "rules")


def rule_behind_an_untracked_symlink(repo: Repo) -> None:
    repo.write("rules", "/.memory/\n")
    (repo.path / ".gitignore").symlink_to("rules")


def rule_in_info_exclude(repo: Repo) -> None:
    repo.write(".git/info/exclude", "/.memory/\n")


def user_wide_rule(repo: Repo) -> None:
    repo.write("../everywhere", ".memory\n")
    repo.git("config", "core.excludesFile", str(repo.path.parent / "everywhere"))


def deeper_rule_lets_it_back_in(repo: Repo) -> None:
    staged_rule(repo)
    repo.write(".gitignore", "/.memory/*\n!/.memory/*.md\n")
    repo.git("add", ".gitignore")


ONLY_HERE = "info MS204 .memory: vault is ignored by {} alone; other clones do not have that rule"

TABLE: list[tuple[Callable[[Repo], None], list[str]]] = [
    (staged_rule, []),
    (rule_on_disk_only, NOT_IGNORED),
    (rule_staged_only, []),
    (untracked_rule, []),
    (rule_of_the_vault, []),
    (rule_behind_a_staged_symlink, NOT_IGNORED),
    (rule_behind_an_untracked_symlink, NOT_IGNORED),
    (rule_in_info_exclude, [ONLY_HERE.format(".git/info/exclude")]),
    (
        deeper_rule_lets_it_back_in,
        ["error MS205 .memory: 6 paths of the vault let back in by .gitignore:2: !/.memory/*.md"],
    ),
]


@pytest.mark.parametrize(("arrange", "findings"), TABLE, ids=[row[0].__name__ for row in TABLE])
def test_the_staged_rules_decide(arrange: Callable[[Repo], None], findings: list[str], tmp_path: Path) -> None:
    repo = project(tmp_path)
    arrange(repo)
    assert check("--staged", cwd=repo.path, environment=repo.outside).findings == findings


def test_a_user_wide_rule_counts_and_is_named(tmp_path: Path) -> None:
    repo = project(tmp_path)
    user_wide_rule(repo)
    told = check("--staged", cwd=repo.path, environment=repo.outside).findings
    assert told == [ONLY_HERE.format(tmp_path / "everywhere")]


def project(tmp_path: Path) -> Repo:
    """Make a project whose configured vault is not in the git index."""
    repo = Repo(tmp_path / "proj", environment(tmp_path / "home"))
    repo.path.mkdir()
    repo.git("init", "--quiet")
    vault(repo.path / ".memory")
    repo.write("memstile.toml", '[[vault]]\npath = ".memory"\n')
    repo.git("add", "memstile.toml")
    return repo
