"""hook_settings.py: a snapshot of the settings that holds as long as no file has changed, and never longer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memstile.core.settings import DEFAULTS
from memstile.hook_settings import Source, settings_of

PROJECT = '[[vault]]\npath = "v"\n[index]\nhard_lines = 100\nsoft_lines = 90\n'


def source(tmp_path: Path, **variables: str) -> Source:
    return Source({"HOME": str(tmp_path), **variables}, str(tmp_path / "config.toml"), str(tmp_path / "state"))


def project(tmp_path: Path) -> str:
    (tmp_path / "p" / "v").mkdir(parents=True)
    (tmp_path / "p" / "memstile.toml").write_text(PROJECT)
    return str(tmp_path / "p" / "v")


def test_a_snapshot_gives_what_the_files_give(tmp_path: Path) -> None:
    folder = project(tmp_path)
    first = settings_of(folder, source(tmp_path))
    assert len(os.listdir(tmp_path / "state" / "settings")) == 1
    assert settings_of(folder, source(tmp_path)) == first
    assert (first.settings.index_hard_lines, first.settings.vaults[0].path) == (100, "v")
    assert first.faults == ()


def test_without_files_the_defaults_hold(tmp_path: Path) -> None:
    assert settings_of(str(tmp_path), source(tmp_path)).settings == DEFAULTS


CHANGES = {
    "the project's file is written": lambda at: (at / "p" / "memstile.toml").write_text(PROJECT.replace("100", "110")),
    "the project's file goes": lambda at: (at / "p" / "memstile.toml").unlink(),
    "a nearer file comes": lambda at: (at / "p" / "v" / "memstile.toml").write_text("[index]\nhard_lines = 110\n"),
    "the user's file comes": lambda at: (at / "config.toml").write_text("[watch]\nquiet_s = 1\n"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_any_file_is_seen(name: str, tmp_path: Path) -> None:
    folder = project(tmp_path)
    before = settings_of(folder, source(tmp_path)).settings
    CHANGES[name](tmp_path)
    after = settings_of(folder, source(tmp_path)).settings
    assert after != before
    assert after == settings_of(folder, source(tmp_path)._replace(state="")).settings


def test_a_change_of_the_environment_is_seen(tmp_path: Path) -> None:
    folder = project(tmp_path)
    settings_of(folder, source(tmp_path))
    tightened = settings_of(folder, source(tmp_path, MEMSTILE_GATE_MODE="enforce"))
    assert tightened.settings.gate_mode == "enforce"


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"[1,2,3,4,5]", b"\xff", b"[" * 9999])
def test_a_broken_snapshot_is_made_anew(data: bytes, tmp_path: Path) -> None:
    folder = project(tmp_path)
    first = settings_of(folder, source(tmp_path))
    (place,) = (tmp_path / "state" / "settings").iterdir()
    place.write_bytes(data)
    assert settings_of(folder, source(tmp_path)) == first
    assert place.read_bytes() != data


def test_faults_are_told_and_the_rest_holds(tmp_path: Path) -> None:
    folder = project(tmp_path)
    (tmp_path / "p" / "memstile.toml").write_text(PROJECT + 'mode = "off"\nhard_linez = 3\n')
    found = [settings_of(folder, source(tmp_path)) for _ in range(2)]
    assert found[0] == found[1]
    assert len(found[0].faults) == 2
    assert (found[0].settings.index_mode, found[0].settings.index_hard_lines) == ("enforce", 100)


def test_a_state_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    folder = project(tmp_path)
    (tmp_path / "state").write_text("a file")
    assert settings_of(folder, source(tmp_path)).settings.index_hard_lines == 100


def test_a_home_that_a_project_sets_does_not_stand_in_for_the_named_file(tmp_path: Path) -> None:
    place = tmp_path / "fake" / ".config" / "memstile"
    place.mkdir(parents=True)
    (place / "config.toml").write_text('[index]\nmode = "off"\n')
    source = Source({"HOME": str(tmp_path / "fake")}, str(tmp_path / "none.toml"), str(tmp_path / "state"))
    found = settings_of(str(tmp_path), source)
    assert (found.settings.index_mode, found.faults) == ("enforce", ())


def test_a_fifo_in_the_place_of_a_snapshot_is_not_opened(tmp_path: Path) -> None:
    folder = project(tmp_path)
    first = settings_of(folder, source(tmp_path))
    (place,) = (tmp_path / "state" / "settings").iterdir()
    place.unlink()
    os.mkfifo(place)
    assert settings_of(folder, source(tmp_path)) == first
