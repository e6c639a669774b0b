"""A file that is called like an index and is not taken for one is named: nobody looks for their vault in vain."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check, memstile
from tests.vault_tools import vault

NONE = "seen and not taken for a vault (no pointers to notes beside it)"
MANY = "memstile check FOLDER, or a [[vault]] table, makes a folder one"
EMPTY = "no vault found below ."


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project with one commit."""
    made = init(tmp_path / "proj", environment(tmp_path / "home"))
    made.write("main.py", "")
    made.commit()
    return made


def run(repo: Repo, *words: str) -> Checked:
    return check(*words, cwd=repo.path, environment=repo.outside)


def one(folder: str, quoted: str = "") -> str:
    name = "MEMORY.md" if folder == "." else f"{folder}/MEMORY.md"
    return f"{name} was {NONE}: memstile check {quoted or folder}, or a [[vault]] table, makes it one"


SEEN = [
    pytest.param(["docs"], [one("docs")], id="one"),
    pytest.param(["."], [one(".")], id="where the person stands"),
    pytest.param([".hidden/x"], [one(".hidden/x")], id="in a folder with a dot"),
    pytest.param(["a b"], [one("a b", "'a b'")], id="a name with a space"),
    pytest.param(["a\x1b[1m"], [one("a\\x1b[1m", "$'a\\033[1m'")], id="a name that acts on a terminal"),
    pytest.param(["b", "a"], [f"a/MEMORY.md, b/MEMORY.md were {NONE}: {MANY}"], id="two"),
    pytest.param(
        list("abcde"), [f"a/MEMORY.md, b/MEMORY.md, c/MEMORY.md and 2 more were {NONE}: {MANY}"], id="three and a count"
    ),
    pytest.param(["node_modules/x", ".git/x"], [], id="where nobody looks"),
]


@pytest.mark.parametrize(("folders", "remarks"), SEEN)
@pytest.mark.parametrize("words", [(), (".",), ("--since", "HEAD")])
def test_an_index_that_is_none_is_named(
    words: tuple[str, ...], folders: list[str], remarks: list[str], repo: Repo
) -> None:
    for folder in folders:
        repo.write(f"{folder}/MEMORY.md", "# Memory\n\nHow this program uses memory.\n")
    done = run(repo, *words)
    if words == (".",) and folders == ["."]:  # a given folder with an index is a vault
        assert (len(done.vaults), done.remarks) == (1, [])
    else:
        assert done == Checked(0, [], [], [EMPTY, *remarks])


def test_it_is_told_beside_vaults_and_to_people(repo: Repo) -> None:
    vault(repo.path / "v")
    repo.write(".gitignore", "/v/\n")
    repo.git("add", ".gitignore")
    repo.write("docs/MEMORY.md", "# Memory\n")
    assert run(repo, "--strict") == Checked(0, [], ["v (ignored): on disk 6 lines 118 bytes"], [one("docs")])
    assert one("docs").encode() in memstile("check", cwd=repo.path, environment=repo.outside).out


def configured(repo: Repo) -> tuple[str, ...]:
    repo.write("memstile.toml", '[[vault]]\npath = "docs"\n')
    return ()


def given(_repo: Repo) -> tuple[str, ...]:
    return ("docs",)


def given_by_its_index(_repo: Repo) -> tuple[str, ...]:
    return ("docs/MEMORY.md",)


def given_beside_all(_repo: Repo) -> tuple[str, ...]:
    return (".", "docs")


def with_notes_in_git(repo: Repo) -> tuple[str, ...]:
    repo.write("docs/one.md", "---\nname: one\ndescription: d\n---\n")
    repo.git("add", "docs")
    (repo.path / "docs/one.md").unlink()
    return ()


@pytest.mark.parametrize("name_it", [configured, given, given_by_its_index, given_beside_all, with_notes_in_git])
def test_what_is_a_vault_after_all_is_not_named(name_it: Callable[[Repo], tuple[str, ...]], repo: Repo) -> None:
    repo.write("docs/MEMORY.md", "# Memory\n")
    done = run(repo, *name_it(repo))
    assert (len(done.vaults), done.remarks) == (1, [])


def test_at_a_commit_only_what_it_brings_is_named(repo: Repo) -> None:
    repo.write("old/MEMORY.md", "# Memory\n")
    repo.commit()
    nothing = "nothing of a vault in this commit"
    repo.write("new/MEMORY.md", "# Memory\n")
    assert run(repo, "--staged") == Checked(0, [], [], [nothing])
    repo.git("add", "new")
    assert run(repo, "--staged") == Checked(0, [], [], [nothing, one("new")])
    repo.git("rm", "-q", "old/MEMORY.md")
    assert run(repo, "--staged").remarks == [nothing, one("new")]
    repo.commit()
    assert run(repo, "--staged") == Checked(0, [], [], [nothing])
