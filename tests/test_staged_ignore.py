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


def user_wide_rule_that_an_empty_setting_turns_off(repo: Repo) -> None:
    repo.write("../home/.config/git/ignore", "/.memory/\n")
    repo.git("config", "core.excludesFile", "")


LONG = "# filler\n" * 130_000  # past what is read


def rules_of_the_vault_past_a_limit(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/*\n")
    repo.git("add", ".gitignore")
    repo.write(".memory/.gitignore", f"{LONG}!*.md\n")


def staged_rules_of_the_vault_past_a_limit(repo: Repo) -> None:
    repo.write(".memory/.gitignore", f"{LONG * 8}!*.md\n")
    repo.git("add", "--force", ".memory/.gitignore")
    repo.git("commit", "--quiet", "--message", "x")
    repo.write(".memory/.gitignore", "")
    repo.write(".gitignore", "/.memory/*\n")
    repo.git("add", ".gitignore")


def conflict(repo: Repo) -> None:
    """Two versions of the rules, of which one lets the vault back in."""
    repo.write(".gitignore", "/.memory/*\n")
    repo.git("add", ".gitignore")
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"!*.md\n")
    rows = "".join(f"100644 {blob} {stage}\t.memory/.gitignore\n" for stage in (2, 3))
    repo.git("update-index", "--index-info", stdin=rows.encode())


def info_exclude_that_leads_to_dev_null(repo: Repo) -> None:
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/exclude").unlink(missing_ok=True)
    (repo.path / ".git/info/exclude").symlink_to("/dev/null")
    staged_rule(repo)


def a_folder_for_an_ignore_file(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/*\n")
    repo.git("add", ".gitignore")
    (repo.path / ".memory/.gitignore").mkdir()


def other_case_lets_it_back_in(repo: Repo) -> None:
    repo.write(".gitignore", "/.memory/*\n!/.MEMORY/Note-[0-9].md\n")
    repo.git("add", ".gitignore")
    repo.git("config", "core.ignoreCase", "yes")


def other_case_without_a_value(repo: Repo) -> None:
    other_case_lets_it_back_in(repo)
    repo.git("config", "--unset", "core.ignoreCase")
    with open(repo.path / ".git/config", "a", encoding="ascii") as file:
        file.write("[core]\n\tignoreCase\n")


def other_case_where_case_counts(repo: Repo) -> None:
    other_case_lets_it_back_in(repo)
    repo.git("config", "core.ignoreCase", "false")


def deeper_rule_lets_it_back_in(repo: Repo) -> None:
    staged_rule(repo)
    repo.write(".gitignore", "/.memory/*\n!/.memory/*.md\n")
    repo.git("add", ".gitignore")


BACK_IN = ["error MS205 .memory: 5 paths of the vault let back in by .gitignore:2: !/.MEMORY/Note-[0-9].md"]
ONLY_HERE = "info MS204 .memory: vault is ignored by {} alone; other clones do not have that rule"

TABLE: list[tuple[Callable[[Repo], None], list[str]]] = [
    (staged_rule, []),
    (rule_on_disk_only, NOT_IGNORED),
    (rule_staged_only, []),
    (
        untracked_rule,
        [ONLY_HERE.format(".gitignore").replace("; ", ", which is not in the git index; ").replace("that rule", "it")],
    ),
    (rule_of_the_vault, []),
    (rule_behind_a_staged_symlink, NOT_IGNORED),
    (rule_behind_an_untracked_symlink, NOT_IGNORED),
    (user_wide_rule_that_an_empty_setting_turns_off, NOT_IGNORED),
    (
        rules_of_the_vault_past_a_limit,
        ["error MS205 .memory: 6 paths of the vault let back in by .memory/.gitignore:130001: !*.md"],
    ),
    (conflict, [*NOT_IGNORED, "error MS203 .memory: 1 file of the vault would be committed"]),
    (info_exclude_that_leads_to_dev_null, []),
    (a_folder_for_an_ignore_file, []),
    (other_case_lets_it_back_in, BACK_IN),
    (other_case_without_a_value, BACK_IN),
    (other_case_where_case_counts, []),
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


def test_staged_rules_past_a_limit_exclude_nothing(tmp_path: Path) -> None:
    repo = project(tmp_path)
    staged_rules_of_the_vault_past_a_limit(repo)
    codes = [row.split()[1] for row in check("--staged", cwd=repo.path, environment=repo.outside).findings]
    assert codes == ["MS201", "MS202"]


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


@pytest.mark.parametrize("more", ["#" + "x" * 5_000 + "\n", "# x\n" * 25_000], ids=["a long line", "many lines"])
def test_a_large_file_that_is_staged_as_it_lies_on_disk_is_git_s_to_read(more: str, tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", f"/.memory/\n{more}")
    repo.git("add", ".gitignore")
    assert check("--staged", cwd=repo.path, environment=repo.outside).findings == []
