"""Commands that fit what was seen: all of what `fix` did is committed, and no vault is untracked on a guess."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import memstile
from tests.vault_tools import note, vault


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project that has a vault committed, beside a source folder."""
    made = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(made.path / "v")
    made.write("src/a", "a")
    made.commit()
    return made


# --- the last commands of fix


def without_index(repo: Repo) -> None:
    (repo.path / "v/MEMORY.md").unlink()


def without_folder(repo: Repo) -> None:
    shutil.rmtree(repo.path / "v")


def sparse(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "src")


def as_it_is(_repo: Repo) -> None:
    pass


@pytest.mark.parametrize("ignored", [None, "*.log\n"])
@pytest.mark.parametrize("take_away", [without_index, without_folder, sparse, as_it_is])
def test_the_commands_of_fix_commit_the_rule_too(
    take_away: Callable[[Repo], None], ignored: str | None, repo: Repo
) -> None:
    if ignored:
        repo.write(".gitignore", ignored)
        repo.commit()
    take_away(repo)
    ran = memstile("fix", "--yes", "v", cwd=repo.path, environment=repo.outside)
    commands = ran.out.decode().partition("Nothing is committed yet. Next:\n")[2].split("\n")[:-1]
    assert (ran.code, commands) == (
        0,
        ["     $ git add -- .gitignore", "     $ git commit -m 'keep the memory vault out of git'"],
    )
    repo.git("add", "--", ".gitignore")
    repo.git("commit", "--quiet", "--message", "out")
    assert repo.git("show", "HEAD:.gitignore") == (ignored or "") + "/v/"
    assert repo.git("ls-files", "v") == ""


# --- settings that could not be used

BROKEN = {
    "no TOML": '[[vault]]\npath = "v"\nmode = "shared\n',
    "no such mode": '[[vault]]\npath = "v"\nmode = "sharde"\n',
    "a key too many": '[[vault]]\npath = "v"\nmood = "shared"\n',
}


def findings(repo: Repo, *words: str) -> list[dict[str, object]]:
    ran = memstile("check", "--format", "json", *words, cwd=repo.path, environment=repo.outside)
    assert ran.code == 2
    rows: list[dict[str, object]] = json.loads(ran.out)["findings"]
    return rows


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("words", [(), ("--staged",), ("--since", "HEAD"), ("--select", "MS2"), ("v",)])
def test_no_command_untracks_a_vault_that_may_be_meant_to_be_committed(
    words: tuple[str, ...], name: str, repo: Repo
) -> None:
    repo.write("memstile.toml", BROKEN[name])
    repo.write("v/note-9.md", note("new"))
    repo.git("add", "--all")
    rows = [row for row in findings(repo, *words) if str(row["code"]).startswith("MS2")]
    assert {str(row["code"]) for row in rows} == {"MS201", "MS202", "MS203"}
    assert [(row["severity"], row["commands"]) for row in rows] == [("error", [])] * 3
    assert all("correct the settings first (MS901)" in str(row["hint"]) for row in rows)


def test_a_rule_for_a_link_or_a_nested_repository_is_held_back_as_well(repo: Repo, tmp_path: Path) -> None:
    vault(tmp_path / "away")
    (repo.path / "link").symlink_to(tmp_path / "away")
    inner = init(repo.path / "inner", repo.outside)
    vault(inner.path)
    inner.commit()
    repo.git("add", "inner")
    repo.write("memstile.toml", "[[vault]\n")
    rows = findings(repo, "--select", "MS206,MS207", ".", "link")
    assert {str(row["code"]) for row in rows} >= {"MS206", "MS207", "MS901"}
    assert all(row["commands"] == [] for row in rows)


def test_settings_that_can_be_used_leave_the_commands(repo: Repo) -> None:
    ran = memstile("check", "--format", "json", cwd=repo.path, environment=repo.outside)
    rows = {row["code"]: row["commands"] for row in json.loads(ran.out)["findings"]}
    assert (ran.code, sorted(rows), all(rows.values())) == (1, ["MS201", "MS202"], True)
