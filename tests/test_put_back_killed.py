"""put_back.py, left_beside.py: whatever moment a process is killed at, no content is torn or lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.put_back_kills import Place, accepted, faults, rejected
from tests.second_disk import elsewhere as elsewhere

pytestmark = pytest.mark.slow


def killed(way: str, what: str, vault: Path, quarantine: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.put_back_kills", way, what, os.fspath(vault), os.fspath(quarantine)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])},
        capture_output=True,
        check=True,
    )
    said: dict[str, object] = json.loads(done.stdout)
    return said


def test_killed_at_a_hundred_random_moments_it_loses_nothing(tmp_path: Path) -> None:
    said = killed("times", "100", tmp_path / "project", tmp_path / "quarantine")
    assert (said["kills"], said["faults"]) == (100, [])
    assert 0 not in (said["left_beside"], said["swaps"])  # it was killed in the middle, and after whole rounds


@pytest.mark.parametrize("mode", ["exchange", "aside"])
def test_killed_at_any_line_it_loses_nothing(mode: str, tmp_path: Path) -> None:
    said = killed("lines", mode, tmp_path / "project", tmp_path / "quarantine")
    assert said["faults"] == []
    assert 0 not in (said["kills"], said["in_recovery"], said["swapped"])


@pytest.mark.parametrize("mode", ["exchange", "aside"])
def test_nor_where_quarantine_is_on_another_file_system(mode: str, tmp_path: Path, elsewhere: Path) -> None:
    said = killed("lines", mode, tmp_path / "project", elsewhere / "quarantine")
    assert said["faults"] == []
    assert 0 not in (said["kills"], said["in_recovery"], said["swapped"])


def played(folder: Path, index: bytes, held: bytes | None, mode: int = 0o600) -> Place:
    place = Place(folder / "vault", folder / "quarantine")
    place.vault.mkdir()
    place.quarantine.mkdir()
    place.file.write_bytes(index)
    if held is not None:
        (place.quarantine / "a").write_bytes(held)
        (place.quarantine / "a").chmod(mode)
    return place


# What the look at the remains has to see: one that finds nothing proves nothing.
SEEN = {
    "whole, the other is held": (accepted(0), rejected(0), 0o600, []),
    "not swapped": (rejected(0), None, 0o600, []),
    "torn": (accepted(0)[:-5], rejected(0), 0o600, ["the index holds b'accepted 0\\naccepted ', 16495 bytes"]),
    "empty": (b"", rejected(0), 0o600, ["the index holds b'', 0 bytes"]),
    "lost": (accepted(0), None, 0o600, ["[0] lost, the index is 0 or None", "[] in quarantine, [0] were taken off"]),
    "held for all to read": (accepted(0), rejected(0), 0o644, ["a is no whole content"]),
    "held in part": (
        accepted(0),
        rejected(0)[:-1],
        0o600,
        ["a is no whole content", "[0] lost, the index is 0 or None", "[] in quarantine, [0] were taken off"],
    ),
}


@pytest.mark.parametrize(("index", "held", "mode", "said"), SEEN.values(), ids=SEEN)
def test_what_is_wrong_would_be_seen(
    index: bytes, held: bytes | None, mode: int, said: list[str], tmp_path: Path
) -> None:
    assert faults(played(tmp_path, index, held, mode), is_settled=True) == said


def test_what_is_left_beside_would_be_seen(tmp_path: Path) -> None:
    place = played(tmp_path, accepted(0), rejected(0))
    (place.vault / "b").write_bytes(accepted(0))
    assert faults(place, is_settled=True) == ["b is beside the index"]
