"""settings_places.py: where settings files are looked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.settings_places import find_project_file, home_file, project_candidates, shown_path, user_file

# files below the folder, the file found from "p/a/b" (None: none)
FOUND: list[tuple[str, dict[str, bytes], str | None]] = [
    ("nothing there", {}, None),
    ("beside", {"p/a/b/memstile.toml": b""}, "p/a/b/memstile.toml"),
    ("above", {"p/memstile.toml": b""}, "p/memstile.toml"),
    ("the nearest", {"p/memstile.toml": b"", "p/a/memstile.toml": b""}, "p/a/memstile.toml"),
    ("a pyproject with our table", {"p/pyproject.toml": b"[tool.memstile]\n"}, "p/pyproject.toml"),
    ("a pyproject without it is passed over", {"p/a/pyproject.toml": b"", "p/memstile.toml": b""}, "p/memstile.toml"),
    (
        "memstile.toml wins in one folder",
        {"p/pyproject.toml": b"[tool.memstile]\n", "p/memstile.toml": b""},
        "p/memstile.toml",
    ),
    (
        "a nearer pyproject wins over a farther memstile.toml",
        {"p/a/pyproject.toml": b"[tool.memstile]\n", "p/memstile.toml": b""},
        "p/a/pyproject.toml",
    ),
    ("a broken file counts", {"p/a/memstile.toml": b"[", "p/memstile.toml": b""}, "p/a/memstile.toml"),
    ("a file below does not count", {"p/a/b/c/memstile.toml": b""}, None),
]


@pytest.mark.parametrize(("files", "found"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_the_nearest_settings_file_upwards_is_found(files: dict[str, bytes], found: str | None, tmp_path: Path) -> None:
    (tmp_path / "p/a/b").mkdir(parents=True)
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    # A stray file above the test's folder is not what is asked here.
    wanted = found and str(tmp_path / found)
    above = find_project_file(str(tmp_path))
    assert find_project_file(str(tmp_path / "p/a/b")) == (wanted or above)


def test_a_fifo_of_the_name_is_found_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memstile.toml")
    assert find_project_file(str(tmp_path)) == str(tmp_path / "memstile.toml")


def test_files_may_come_from_elsewhere_than_the_disk() -> None:
    staged = {"/p/pyproject.toml": b"[tool.memstile]", "/p/a/pyproject.toml": b"[project]"}
    assert find_project_file("/p/a/b", staged.get) == "/p/pyproject.toml"
    assert find_project_file("/q", staged.get) is None


def test_what_cannot_be_read_counts_since_it_has_to_be_told() -> None:
    def read(path: str) -> bytes | None:
        if path == "/p/memstile.toml":
            raise GuardError("no")
        return None

    assert find_project_file("/p/a", read) == "/p/memstile.toml"


def test_every_folder_up_to_the_root_is_looked_at() -> None:
    assert list(project_candidates("/p/a/..")) == [
        "/p/memstile.toml",
        "/p/pyproject.toml",
        "/memstile.toml",
        "/pyproject.toml",
    ]


def test_a_relative_folder_starts_where_the_person_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert next(project_candidates("a")) == str(Path.cwd() / "a/memstile.toml")


USER = [
    ({"HOME": "/h"}, "/h/.config/memstile/config.toml"),
    ({"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "/x/memstile/config.toml"),
    ({"HOME": "/h", "XDG_CONFIG_HOME": ""}, "/h/.config/memstile/config.toml"),
    ({"HOME": "/h", "XDG_CONFIG_HOME": "relative"}, "/h/.config/memstile/config.toml"),
    ({"HOME": "/h", "XDG_CONFIG_HOME": "/x", "MEMSTILE_CONFIG": "/c.toml"}, "/c.toml"),
    ({"HOME": "/h", "MEMSTILE_CONFIG": ""}, "/h/.config/memstile/config.toml"),
]


@pytest.mark.parametrize(("environment", "path"), USER)
def test_the_users_file_is_where_the_environment_says(environment: dict[str, str], path: str) -> None:
    assert user_file(environment) == path


def test_without_a_variable_the_users_file_is_below_the_home() -> None:
    assert home_file({"HOME": "/h", "XDG_CONFIG_HOME": "/x"}) == "/h/.config/memstile/config.toml"
    assert home_file({}) == os.path.expanduser("~/.config/memstile/config.toml")


def test_a_path_is_shown_as_the_person_would_type_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here = os.getcwd()
    environment = {"HOME": "/h"}
    assert shown_path(f"{here}/a/memstile.toml", environment) == "a/memstile.toml"
    assert shown_path(f"{here}x/memstile.toml", environment) == f"{here}x/memstile.toml"
    assert shown_path("/h/.config/memstile/config.toml", environment) == "~/.config/memstile/config.toml"
    assert shown_path("/elsewhere/memstile.toml", environment) == "/elsewhere/memstile.toml"


def test_a_path_is_shown_from_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert shown_path("/p/memstile.toml", {"HOME": "/h"}) == "/p/memstile.toml"
