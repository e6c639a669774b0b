"""The box between the thread that hears and the one that looks; and what the real source tells."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from memstile.watch_source import MOST_PATHS, Batch, Box
from memstile.watcher import SystemSource


def wanted(path: str) -> bool:
    return path.endswith("MEMORY.md")


def test_each_path_is_told_once() -> None:
    box = Box(wanted)
    for _ in range(3):
        box.put("/v/MEMORY.md")
        box.put("/v/note.md")
        box.put("/v/sub", is_folder=True)
    assert box.take(0.0) == Batch(frozenset(["/v/MEMORY.md"]), frozenset(["/v/sub"]), 3)
    assert box.take(0.0).is_empty


def test_too_many_paths_are_lost_and_said_so() -> None:
    box = Box(wanted)
    for number in range(MOST_PATHS + 5):
        box.put(f"/{number}/MEMORY.md")
    batch = box.take(0.0)
    assert (len(batch.paths), batch.is_lost) == (MOST_PATHS, True)
    box.lose()
    assert box.take(0.0).is_lost


def test_a_note_wakes_nobody() -> None:
    box = Box(wanted)
    box.put("/v/note.md")
    begun = time.monotonic()
    assert box.take(0.05).others == 1
    assert time.monotonic() - begun >= 0.04


def test_who_waits_is_woken() -> None:
    box, heard = Box(wanted), list[Batch]()
    thread = threading.Thread(target=lambda: heard.append(box.take(30.0)))
    thread.start()
    box.put("/v/MEMORY.md")
    thread.join(10.0)
    assert heard == [Batch(frozenset(["/v/MEMORY.md"]))]


def heard(source: SystemSource, what: Path, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        batch = source.take(0.2)
        if str(what) in (*batch.paths, *batch.folders):
            return True
    return False


@pytest.fixture(name="source")
def open_source() -> SystemSource:
    return SystemSource(wanted)


def test_the_system_tells_of_changes_and_not_of_reads(source: SystemSource, tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_text("x")
    assert (source.arm(str(tmp_path), True), all(source.threads().values())) == ("", True)
    for _ in range(20):
        index.read_text()
    index.with_name("end-MEMORY.md").touch()
    assert heard(source, index.with_name("end-MEMORY.md"))
    assert source.take(0.0).paths == frozenset()
    index.write_text("y")
    assert heard(source, index)
    (tmp_path / "sub").mkdir()
    assert heard(source, tmp_path / "sub")
    source.close()
    assert source.threads() == {}


def test_a_folder_that_is_not_there_is_told_and_raises_nothing(source: SystemSource, tmp_path: Path) -> None:
    assert source.arm(str(tmp_path / "nowhere"), True) != ""
    source.disarm(str(tmp_path / "nowhere"))
    source.close()


def test_a_folder_made_again_is_heard_once_it_is_armed_again(source: SystemSource, tmp_path: Path) -> None:
    folder = tmp_path / "v"
    folder.mkdir()
    source.arm(str(folder), True)
    folder.rmdir()
    folder.mkdir()
    assert source.arm(str(folder), True) == ""
    (folder / "MEMORY.md").touch()
    assert heard(source, folder / "MEMORY.md")
    source.close()


def test_a_part_that_is_dead_is_seen_and_comes_back(source: SystemSource, tmp_path: Path) -> None:
    source.arm(str(tmp_path), True)
    observer = source._observer
    assert observer
    observer.stop()
    observer.join(5.0)
    assert not all(source.threads().values())
    source.revive()
    assert source.take(0.0).is_lost
    source.arm(str(tmp_path), True)
    assert all(source.threads().values())
    (tmp_path / "MEMORY.md").touch()
    assert heard(source, tmp_path / "MEMORY.md")
    source.close()
