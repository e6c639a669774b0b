"""blobs.py: the content of commits."""

from __future__ import annotations

from pathlib import Path

import pytest

from memstile.blobs import blob_at, read_blobs
from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.git import Git, GitFault
from memstile.git import environment as for_git
from memstile.repository import Repository, open_repository
from tests.git_tools import Repo, environment, init
from tests.vault_tools import index, vault


def opened(repo: Repo) -> Repository:
    return open_repository(Git(str(repo.path), for_git(repo.outside, str(repo.path), is_current=False)))


def file(data: bytes) -> Reading:
    return Reading(Kind.FILE, measure(data), data)


LINKED_OUT = Reading(Kind.NOT_REGULAR, why="a symlink to something that this commit does not hold")
CIRCLE = Reading(Kind.NOT_REGULAR, why="a symlink that leads in a circle, or through more than 40 symlinks")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A commit with a file of every kind."""
    folder = tmp_path_factory.mktemp("blobs")
    repo = init(folder / "proj", environment(folder / "home"))
    for name, data in (("a", b"a\n"), ("v/b", b"\xff\0\r\n"), ("two\nlines", b""), ("m[1]", b"x"), ("m1", b"y")):
        repo.write(name, data)
    (repo.path / "run").write_bytes(b"z\n")
    (repo.path / "run").chmod(0o755)
    with (repo.path / "large").open("wb") as large:
        large.truncate(MAX_READ_BYTES + 1)
    for name, to in (
        *(("link", "a"), ("v/up", "../a"), ("v/here", "./b"), ("far", "v/../v/b"), ("chain", "link")),
        *(("dangling", "nowhere"), ("out", "../x"), ("absolute", "/etc/hostname"), ("loop", "loop"), ("folder", "v")),
    ):
        (repo.path / name).symlink_to(to)
    inner = init(repo.path / "gitlink", repo.outside)
    inner.commit()
    repo.commit()
    return repo


READINGS = {
    "a": file(b"a\n"),
    "v/b": file(b"\xff\0\r\n"),
    "two\nlines": file(b""),
    "m[1]": file(b"x"),
    "run": file(b"z\n"),
    "large": Reading(Kind.TOO_LARGE, Size(None, MAX_READ_BYTES + 1), why="8,388,609 bytes"),
    "nowhere": MISSING,
    "v": MISSING,
    "gitlink": MISSING,
    "a/below": MISSING,
    "link": file(b"a\n"),
    "v/up": file(b"a\n"),
    "v/here": file(b"\xff\0\r\n"),
    "far": file(b"\xff\0\r\n"),
    "chain": file(b"a\n"),
    "dangling": LINKED_OUT,
    "out": LINKED_OUT,
    "absolute": LINKED_OUT,
    "loop": CIRCLE,
    "folder": LINKED_OUT,
}


@pytest.mark.parametrize("path", READINGS)
def test_a_path_of_a_commit_is_read(path: str, repo: Repo) -> None:
    assert blob_at(opened(repo), "HEAD", [path]) == {path: READINGS[path]}


def test_all_at_once_is_the_same_as_one_by_one(repo: Repo) -> None:
    assert blob_at(opened(repo), "HEAD", [*READINGS]) == READINGS
    assert blob_at(opened(repo), "HEAD", []) == {}


def test_blobs_are_read_once_each_and_a_missing_one_is_told(repo: Repo) -> None:
    known, empty, gone = repo.git("rev-parse", "HEAD:a"), repo.git("rev-parse", "HEAD:two\nlines"), "1" * 40
    assert read_blobs(opened(repo), [known, gone, known, empty]) == {
        known: file(b"a\n"),
        empty: file(b""),
        gone: Reading(Kind.UNREADABLE, why="the object is not in this clone"),
    }
    assert read_blobs(opened(repo), []) == {}
    tree = repo.git("rev-parse", "HEAD^{tree}")
    assert read_blobs(opened(repo), [tree])[tree].kind is Kind.UNREADABLE


def test_a_commit_that_is_not_there_is_a_fault(repo: Repo) -> None:
    with pytest.raises(GitFault):
        blob_at(opened(repo), "1" * 40, ["a"])


def test_a_repository_with_longer_ids_is_read_likewise(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"), "--object-format=sha256")
    vault(repo.path, index(7))
    repo.commit()
    assert blob_at(opened(repo), "HEAD", ["MEMORY.md", "gone"]) == {"MEMORY.md": file(index(7)), "gone": MISSING}
