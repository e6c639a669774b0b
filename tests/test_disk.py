"""disk.py: looking at files without opening what is none."""

from __future__ import annotations

import mmap
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import MAX_READ_BYTES, Size
from memstile.core.reading import MAX_HEAD_BYTES
from memstile.disk import files_below, note_heads, read_index, read_small
from tests.unprivileged import public_folder, unprivileged

FULL = f"only {MAX_READ_BYTES:,} are read"


def sparse(size: int) -> Callable[[Path], None]:
    """Make a file of this size that takes no room."""

    def make(place: Path) -> None:
        with place.open("wb") as file:
            file.truncate(size)

    return make


def listening(place: Path) -> None:
    here = os.getcwd()
    os.chdir(place.parent)  # the name of a socket may have 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(place.name)
    finally:
        os.chdir(here)


def chain(place: Path) -> None:
    place.with_name("last").write_bytes(b"a\n")
    place.with_name("middle").symlink_to("last")
    place.symlink_to("middle")


READINGS: list[object] = [
    pytest.param(lambda place: None, MISSING, id="missing"),
    pytest.param(lambda place: place.write_bytes(b""), Reading(Kind.FILE, Size(0, 0), b""), id="empty"),
    pytest.param(lambda place: place.write_bytes(b"a\nb"), Reading(Kind.FILE, Size(2, 3), b"a\nb"), id="a file"),
    pytest.param(
        lambda place: place.write_bytes(b"\xff\r\n\0"), Reading(Kind.FILE, Size(2, 4), b"\xff\r\n\0"), id="any bytes"
    ),
    pytest.param(chain, Reading(Kind.FILE, Size(1, 2), b"a\n"), id="symlinks to a file"),
    pytest.param(lambda place: place.mkdir(), Reading(Kind.NOT_REGULAR, why="a folder"), id="a folder"),
    pytest.param(lambda place: os.mkfifo(place), Reading(Kind.NOT_REGULAR, why="a FIFO"), id="a FIFO"),
    pytest.param(listening, Reading(Kind.NOT_REGULAR, why="a socket"), id="a socket"),
    pytest.param(lambda place: place.symlink_to("/dev/zero"), Reading(Kind.NOT_REGULAR, why="a device"), id="a device"),
    pytest.param(
        lambda place: place.symlink_to("nowhere"),
        Reading(Kind.UNREADABLE, why="a symlink to nothing"),
        id="a symlink to nothing",
    ),
    pytest.param(
        lambda place: place.symlink_to(place.name),
        Reading(Kind.UNREADABLE, why="Too many levels of symbolic links"),
        id="a symlink to itself",
    ),
    pytest.param(
        lambda place: place.symlink_to("n" * 300),
        Reading(Kind.UNREADABLE, why="File name too long"),
        id="a symlink to no possible name",
    ),
    pytest.param(
        lambda place: place.symlink_to("/proc/self/mem"),
        Reading(Kind.UNREADABLE, Size(None, 0), why="Input/output error"),
        id="a file whose bytes cannot be had",
    ),
    pytest.param(
        sparse(MAX_READ_BYTES + 1),
        Reading(Kind.TOO_LARGE, Size(None, MAX_READ_BYTES + 1), why=f"8,388,609 bytes, {FULL}"),
        id="a byte too large",
    ),
    pytest.param(
        sparse(2**40),
        Reading(Kind.TOO_LARGE, Size(None, 2**40), why=f"1,099,511,627,776 bytes, {FULL}"),
        id="a terabyte: never read",
    ),
]


@pytest.mark.parametrize(("make", "expected"), READINGS)
def test_an_index_is_read_only_if_it_is_a_file(make: Callable[[Path], None], expected: Reading, tmp_path: Path) -> None:
    place = tmp_path / "MEMORY.md"
    make(place)
    assert read_index(str(place)) == expected


def test_an_index_as_large_as_is_read_at_all_is_read(tmp_path: Path) -> None:
    place = tmp_path / "MEMORY.md"
    sparse(MAX_READ_BYTES)(place)
    reading = read_index(str(place))
    assert (reading.kind, reading.size, len(reading.data or b"")) == (
        Kind.FILE,
        Size(1, MAX_READ_BYTES),
        MAX_READ_BYTES,
    )


def test_an_index_that_has_grown_past_the_limit_since_stat_is_too_large(tmp_path: Path) -> None:
    """Linux says that /proc/self/smaps has 0 bytes, and gives some 700 for each mapping of this process."""
    mappings = [mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | (n % 2 and mmap.PROT_WRITE)) for n in range(20_000)]
    (tmp_path / "MEMORY.md").symlink_to("/proc/self/smaps")
    reading = read_index(str(tmp_path / "MEMORY.md"))
    for mapping in mappings:
        mapping.close()
    assert reading == Reading(Kind.TOO_LARGE, Size(None, MAX_READ_BYTES + 1), why=f"8,388,609 bytes, {FULL}")


@pytest.mark.parametrize("path", ["a\0b", "/" * 5_000 + "x" * 300, ""])
def test_a_path_that_cannot_be_is_no_traceback(path: str) -> None:
    assert read_index(path).kind in (Kind.UNREADABLE, Kind.MISSING)


def test_an_index_without_permission_is_known_by_its_bytes() -> None:
    with public_folder() as top:
        (top / "MEMORY.md").write_bytes(b"a\n" * 300)
        (top / "MEMORY.md").chmod(0)
        with unprivileged():
            assert read_index(str(top / "MEMORY.md")) == Reading(
                Kind.UNREADABLE, Size(None, 600), why="Permission denied"
            )
        top.chmod(0)
        with unprivileged():
            assert read_index(str(top / "MEMORY.md")) == Reading(Kind.UNREADABLE, why="Permission denied")
        top.chmod(0o755)


def test_a_small_file_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    place = tmp_path / "x"
    place.write_bytes(b"abcd")
    assert [read_small(str(place), most) for most in (3, 4, 5)] == [None, b"abcd", b"abcd"]
    os.mkfifo(tmp_path / "fifo")
    for name in ("nowhere", "fifo", ".", "a\0b"):
        assert read_small(str(tmp_path / name)) is None


def test_only_the_opening_of_a_note_is_read(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_bytes(b"x" * (MAX_HEAD_BYTES + 1))
    (tmp_path / "short.md").write_bytes(b"y")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "link.md").symlink_to("short.md")
    os.mkfifo(tmp_path / "fifo.md")
    names = ["long.md", "gone.md", "folder.md", "link.md", "fifo.md", "a\0.md", "short.md"]
    assert [*note_heads(str(tmp_path), iter(names))] == [b"x" * MAX_HEAD_BYTES, b"y"]


def test_the_files_below_a_folder_are_what_a_repository_would_carry(tmp_path: Path) -> None:
    for name in ("note.md", ".hidden/deep/x", "a b", "two\nlines", "\udcff", "m[1]/x", "nested/x", ".git/HEAD"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "nested/.git").mkdir()
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "fifo")
    assert files_below(str(tmp_path)) == sorted(
        [".hidden/deep/x", "a b", "fifo", "link", "m[1]/x", "nested", "note.md", "two\nlines", "\udcff"]
    )


def test_a_folder_that_cannot_be_listed_is_asked_about_as_one(tmp_path: Path) -> None:
    with public_folder() as top:
        (top / "open").mkdir()
        (top / "open/x").touch()
        (top / "closed").mkdir()
        (top / "closed/x").touch()
        (top / "closed").chmod(0)
        with unprivileged():
            assert files_below(str(top)) == ["closed", "open/x"]
    assert files_below(str(tmp_path / "nowhere")) == []
