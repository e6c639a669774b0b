"""A file is replaced whole, or not at all; what is not to be replaced is refused, and nothing is left behind."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.safe_write import look, replace

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


def listing(folder: Path) -> dict[str, str]:
    rows = {path.name: path for path in folder.iterdir()}
    return {name: f"{stat.filemode(path.lstat().st_mode)}" for name, path in rows.items()}


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_content_changes_and_the_mode_stays(mode: int, tmp_path: Path) -> None:
    file = tmp_path / ".gitignore"
    file.write_bytes(b"a\r\n")
    file.chmod(mode)
    replace(look(str(file), "x"), b"a\r\nb\r\n")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode), list(listing(tmp_path))) == (
        b"a\r\nb\r\n",
        mode,
        [".gitignore"],
    )


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_gets_the_mode_that_the_shell_would_give_it(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        replace(look(str(tmp_path / ".gitignore"), "x"), b"b\n")
    finally:
        os.umask(before)
    assert (tmp_path / ".gitignore").read_bytes() == b"b\n"
    assert listing(tmp_path) == {".gitignore": stat.filemode(stat.S_IFREG | (0o666 & ~mask))}


def symlink(file: Path) -> None:
    file.with_name("target").write_bytes(b"a\n")
    file.symlink_to("target")


def dangling(file: Path) -> None:
    file.symlink_to("nowhere")


def folder(file: Path) -> None:
    file.mkdir()


def fifo(file: Path) -> None:
    os.mkfifo(file)


def read_only(file: Path) -> None:
    file.write_bytes(b"a\n")
    file.chmod(0o444)


def in_a_read_only_folder(file: Path) -> None:
    file.write_bytes(b"a\n")
    file.parent.chmod(0o555)


def somebody_elses(file: Path) -> None:
    file.write_bytes(b"a\n")
    os.chown(file, 12345, -1)


# how it is made: what is said
REFUSED = {
    symlink: "a\\n b is a symlink, and git does not follow it",
    dangling: "a\\n b is a symlink, and git does not follow it",
    folder: "a\\n b is not a regular file",
    fifo: "a\\n b is not a regular file",
    read_only: "a\\n b is not writable",
    in_a_read_only_folder: "the folder of a\\n b is not writable",
}


@pytest.mark.parametrize(("make", "message"), REFUSED.items(), ids=[make.__name__ for make in REFUSED])
def test_what_is_not_to_be_replaced_is_refused(make: Callable[[Path], None], message: str, tmp_path: Path) -> None:
    make(tmp_path / ".gitignore")
    before = listing(tmp_path)
    with pytest.raises(GuardError) as refused:
        look(str(tmp_path / ".gitignore"), "a\n b")
    assert (refused.value.message, bool(refused.value.hint)) == (message, True)
    assert listing(tmp_path) == before
    tmp_path.chmod(0o755)


@needs_root
def test_the_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    somebody_elses(tmp_path / ".gitignore")
    with pytest.raises(GuardError, match=r"^x belongs to another user"):
        look(str(tmp_path / ".gitignore"), "x")


def other_content(file: Path) -> None:
    file.write_bytes(b"b\n")


def replaced_by_the_same(file: Path) -> None:
    file.with_name("new").write_bytes(b"a\n")
    file.with_name("new").rename(file)


def other_mode(file: Path) -> None:
    file.chmod(0o600)


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("change", [other_content, replaced_by_the_same, other_mode, gone], ids=lambda f: f.__name__)
def test_a_file_that_changed_meanwhile_is_left_alone(change: Callable[[Path], None], tmp_path: Path) -> None:
    file = tmp_path / ".gitignore"
    file.write_bytes(b"a\n")
    file.chmod(0o644)
    seen = look(str(file), "x")
    change(file)
    now = file.read_bytes() if file.exists() else None
    with pytest.raises(GuardError, match=r"^x was changed by somebody else after it was shown$"):
        replace(seen, b"mine\n")
    assert [path.name for path in tmp_path.iterdir()] == ([] if now is None else [".gitignore"])
    assert now == (file.read_bytes() if file.exists() else None)


def test_a_file_that_turned_up_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / ".gitignore"
    seen = look(str(file), "x")
    file.write_bytes(b"theirs\n")
    with pytest.raises(GuardError, match="changed by somebody else"):
        replace(seen, b"mine\n")
    assert (file.read_bytes(), list(listing(tmp_path))) == (b"theirs\n", [".gitignore"])


def test_a_link_that_took_the_place_meanwhile_is_not_written_through(tmp_path: Path) -> None:
    file = tmp_path / ".gitignore"
    file.write_bytes(b"a\n")
    seen = look(str(file), "x")
    file.unlink()
    (tmp_path / "other").write_bytes(b"a\n")
    file.symlink_to("other")
    with pytest.raises(GuardError, match="symlink"):
        replace(seen, b"mine\n")
    assert ((tmp_path / "other").read_bytes(), sorted(listing(tmp_path))) == (b"a\n", [".gitignore", "other"])
