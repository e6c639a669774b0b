"""A merge that brings notes of an untracked vault back is seen by the index that one side has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import check, memstile
from tests.vault_tools import note, vault

BROUGHT = ["v/note-7.md", "v/note-8.md"]


def two_sides(folder: Path) -> Repo:
    """Make a project whose main branch has untracked a vault, while a branch adds notes to it; main is checked out."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path / "v")
    repo.write("README", "text\n")
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    for path in BROUGHT:
        repo.write(path, note("new"))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.git("rm", "--quiet", "-r", "v")
    repo.write(".gitignore", "/v/\n")
    repo.commit()
    return repo


def told(repo: Repo, *words: str) -> list[str]:
    done = check(*words, cwd=repo.path, environment=repo.outside, unchanged=repo.path)
    return [row.partition(":")[0] for row in done.findings if row.startswith("error")]


def with_hooks(repo: Repo) -> Repo:
    source = ":".join(sys.path)
    for name in ("pre-commit", "pre-merge-commit"):
        repo.hook(name, f"PYTHONPATH='{source}' exec '{sys.executable}' -m memstile check --staged >&2")
    return repo


@pytest.mark.parametrize(("here", "there", "code"), [("main", "side", "MS203"), ("side", "main", "MS202")])
def test_a_merge_is_refused_whichever_side_it_is_made_on(here: str, there: str, code: str, tmp_path: Path) -> None:
    repo = with_hooks(two_sides(tmp_path))
    repo.git("switch", "--quiet", here)
    before = repo.git("rev-parse", "HEAD")
    repo.git("merge", "--quiet", "--no-edit", there, accept=(1,))
    assert repo.git("rev-parse", "HEAD") == before
    assert repo.git("ls-files", "v").split() == BROUGHT
    assert told(repo, "--staged") == [f"error {code} v"]
    assert told(repo) == [f"error {code} v"]


@pytest.mark.parametrize(("here", "there"), [("main", "side"), ("side", "main")])
@pytest.mark.parametrize("words", [(), ("--since", "HEAD^1"), ("--since", "HEAD^2")])
def test_a_merge_that_was_made_is_told(words: tuple[str, ...], here: str, there: str, tmp_path: Path) -> None:
    repo = two_sides(tmp_path)
    repo.git("switch", "--quiet", here)
    repo.git("merge", "--quiet", "--no-edit", there)
    assert told(repo, *words) == ["error MS202 v"]


def test_a_conflict_resolved_with_theirs_is_refused(tmp_path: Path) -> None:
    repo = two_sides(tmp_path)
    repo.git("switch", "--quiet", "side")
    repo.write("v/note-1.md", note("changed"))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-edit", "side", accept=(1,))
    repo.git("add", "--force", "v/note-1.md")
    assert told(repo, "--staged") == ["error MS203 v"]


@pytest.mark.parametrize("is_made", [True, False])
def test_fix_takes_out_what_a_merge_brought(is_made: bool, tmp_path: Path) -> None:
    repo = two_sides(tmp_path)
    repo.git("merge", "--quiet", "--no-edit", *([] if is_made else ["--no-commit"]), "side")
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files", "v")) == (0, "")
    repo.git("commit", "--quiet", "--message", "out")
    assert told(repo) == []
    assert sorted(path.name for path in (repo.path / "v").iterdir()) == ["note-7.md", "note-8.md"]


def test_a_merge_that_brings_nothing_of_the_vault_passes(tmp_path: Path) -> None:
    repo = with_hooks(two_sides(tmp_path))
    repo.git("switch", "--quiet", "-c", "other", "side~1")
    repo.write("src/a", "a")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    vault(repo.path / "v")  # ignored, and still on disk
    repo.git("merge", "--quiet", "--no-edit", "other")
    assert (told(repo), told(repo, "--since", "HEAD^1"), told(repo, "--staged")) == ([], [], [])
    assert repo.git("ls-files", "v") == ""


def test_an_index_that_was_no_vaults_makes_none_of_its_folder(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    repo.write("docs/MEMORY.md", "of a chip\n")
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("docs/pages.md", "plain\n")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.git("rm", "--quiet", "-r", "docs")
    repo.write("README", "x")
    repo.commit()
    repo.git("merge", "--quiet", "--no-commit", "side")
    assert repo.git("ls-files", "docs") == "docs/pages.md"
    assert (told(repo, "--staged"), told(repo)) == ([], [])


@pytest.mark.parametrize("name", ["M{E}M (1)!.md", "INDEX.md"])
def test_an_index_of_another_name_is_looked_for_by_it(name: str, tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    (tmp_path / "home/.config/memstile").mkdir(parents=True)
    (tmp_path / "home/.config/memstile/config.toml").write_text(f'index_name = "{name}"\n')
    vault(repo.path / "v")
    repo.git("add", "--all")
    repo.git("mv", "v/MEMORY.md", f"v/{name}")
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    for path in BROUGHT:
        repo.write(path, note("new"))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.git("rm", "--quiet", "-r", "v")
    repo.write("README", "x")
    repo.commit()
    repo.git("merge", "--quiet", "--no-commit", "side")
    assert "error MS203 v" in told(repo, "--staged")


@pytest.mark.parametrize("mode", ["dedicated", "shared"])
def test_a_vault_that_is_committed_is_not_said_to_lose_an_index_that_head_has_not(mode: str, tmp_path: Path) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    vault(repo.path)
    if mode == "shared":
        repo.write("memstile.toml", '[[vault]]\npath = "."\nmode = "shared"\n')
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("note-7.md", note("new"))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.git("rm", "--quiet", "MEMORY.md")
    repo.commit()
    repo.git("merge", "--quiet", "--no-commit", "side")
    for words in (("--staged",), ()):
        assert check(*words, cwd=repo.path, environment=repo.outside, unchanged=repo.path).findings == []
