"""A vault that only the git index of a nested repository or submodule shows is looked at too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check
from tests.vault_tools import vault


def inner(folder: Path, home: Path) -> Repo:
    repo = init(folder, environment(home))
    vault(repo.path / ".mem")
    repo.commit()
    return repo


def codes(checked: Checked) -> set[str]:
    return {line.split()[1] for line in checked.findings}


@pytest.fixture(name="outer")
def repository_with_one_inside(tmp_path: Path) -> Repo:
    outer = init(tmp_path / "outer", environment(tmp_path / "home"))
    outer.write(".gitignore", "/sub/\n")
    outer.commit()
    inner(outer.path / "sub", tmp_path / "home")
    return outer


def test_a_nested_repository_with_an_index_that_was_deleted(outer: Repo, tmp_path: Path) -> None:
    home = environment(tmp_path / "home")
    before = check(cwd=outer.path, environment=home)
    (outer.path / "sub" / ".mem" / "MEMORY.md").unlink()
    after = check(cwd=outer.path, environment=home)
    assert (before.code, after.code) == (1, 1)
    assert codes(before) == codes(after) == {"MS201", "MS202"}


def test_a_folder_of_repositories(tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    for name in ("one", "two"):
        inner(tmp_path / "all" / name, tmp_path / "home")
        (tmp_path / "all" / name / ".mem" / "MEMORY.md").unlink()
    checked = check(cwd=tmp_path / "all", environment=environment(tmp_path / "home"))
    assert (checked.code, codes(checked)) == (1, {"MS201", "MS202"})


def test_a_submodule(tmp_path: Path) -> None:
    home = environment(tmp_path / "home")
    source = inner(tmp_path / "source", tmp_path / "home")
    outer = init(tmp_path / "outer", home)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source.path), "sub")
    outer.commit()
    (outer.path / "sub" / ".mem" / "MEMORY.md").unlink()
    checked = check(cwd=outer.path, environment=home)
    assert checked.code == 1
    assert "MS202" in codes(checked)


def test_a_broken_nested_repository_is_said_and_no_end(outer: Repo, tmp_path: Path) -> None:
    (outer.path / "sub" / ".git" / "config").write_text("[broken")
    vault(outer.path / "notes")
    outer.write(".gitignore", "/sub/\n/notes/\n")
    outer.commit()
    checked = check(cwd=outer.path, environment=environment(tmp_path / "home"))
    assert any("git does not say which vaults it tracks" in line for line in checked.remarks) or checked.code == 1
