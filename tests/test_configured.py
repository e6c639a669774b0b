"""configured.py: the folders that a [[vault]] table names."""

from __future__ import annotations

from pathlib import Path

import pytest

from memstile.configured import MAX_FOLDERS, configured_folders
from memstile.core.settings import VaultSetting
from memstile.errors import GuardError

CONFIGURED = [
    pytest.param("v", ["v"], id="a folder, there or not"),
    pytest.param("./a/../v/", ["v"], id="tidied"),
    pytest.param("*", [".dot", "a", "b", "m[1]"], id="any name, but no tool's"),
    pytest.param("*/memory", ["a/memory", "b/memory"], id="any name on the way"),
    pytest.param("m[1]", ["m[1]"], id="brackets are a name"),
    pytest.param("m[1]*", ["m[1]"], id="brackets beside a star are a name"),
    pytest.param("?", ["?"], id="a question mark is a name"),
    pytest.param("**", [".dot", "a", "b", "m[1]"], id="two stars are one"),
    pytest.param("x*", [], id="no match"),
    pytest.param("fil*", [], id="a file is no folder"),
    pytest.param(".git*", [], id="a repository's inner folder is no vault"),
    pytest.param(".git/v", [".git/v"], id="what is written out is meant"),
]


@pytest.mark.parametrize(("path", "expected"), CONFIGURED)
def test_a_configured_path_names_folders(path: str, expected: list[str], tmp_path: Path) -> None:
    for name in ("a/memory", "b/memory", "m[1]", ".dot", ".git", "node_modules", "c\udcff.md"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "c\udcff.md").rmdir()
    (tmp_path / "file").touch()
    setting = VaultSetting(path, base=str(tmp_path))
    assert configured_folders(setting) == [str(tmp_path / name) for name in expected]


def test_a_configured_path_may_start_at_home_or_be_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert configured_folders(VaultSetting("~/v", base="/elsewhere")) == [str(tmp_path / "v")]
    assert configured_folders(VaultSetting("/a/v", base="/elsewhere")) == ["/a/v"]


LINKED = [
    pytest.param("*", ["far", "real", "self"], id="a link in the last place is a folder"),
    pytest.param("*/v", ["real/v"], id="a link on the way is not walked"),
    pytest.param("*/*/v", [], id="nor one that leads back"),
    pytest.param("self/*/v", ["self/real/v"], id="a link that is written out is"),
    pytest.param("/".join("*" * 8), [], id="as many as a table may have"),
]


@pytest.mark.parametrize(("path", "expected"), LINKED)
def test_a_star_follows_links_in_the_last_place_only(path: str, expected: list[str], tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "real/v").mkdir(parents=True)
    (tmp_path / "elsewhere/v").mkdir(parents=True)
    (top / "self").symlink_to(".")
    (top / "far").symlink_to("../elsewhere")
    (top / "loop").symlink_to("loop")
    assert configured_folders(VaultSetting(path, base=str(top))) == [str(top / name) for name in expected]


def test_a_path_with_many_stars_among_links_ends(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / name).symlink_to(".")
    path = "*/" * 30 + "x"
    assert configured_folders(VaultSetting(path, base=str(tmp_path))) == []


def test_a_name_with_many_stars_is_compared_in_time(tmp_path: Path) -> None:
    (tmp_path / ("a" * 250)).mkdir()
    assert configured_folders(VaultSetting("*a" * 100 + "b*", base=str(tmp_path))) == []


def test_more_folders_than_can_be_looked_at_are_told(tmp_path: Path) -> None:
    """Ten folders that hold each other by name: 10 ** 5 ways, by links that are written out."""
    for name in "abcdefghij":
        (tmp_path / name).mkdir()
        (tmp_path / name / "up").symlink_to("..")
    with pytest.raises(GuardError) as told:
        configured_folders(VaultSetting("*/up/" * 5, base=str(tmp_path)))
    assert told.value.message == f'"{"*/up/" * 5}" of a [[vault]] table leads through more than {MAX_FOLDERS:,} folders'
    assert told.value.hint == 'name the vaults with fewer "*"'
