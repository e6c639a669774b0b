"""discover.py: finding vaults."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.discover import is_vault, vaults_below
from tests.unprivileged import public_folder, unprivileged
from tests.vault_tools import index, note, vault


def found(top: Path, index_name: str = "MEMORY.md") -> list[str]:
    return [os.path.relpath(path, top) for path in vaults_below(str(top), index_name)]


def file(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def pointing_to_a_note(top: Path) -> None:
    file(top / "MEMORY.md", b"- [x](x.md)\n")
    file(top / "x.md", b"x\n")


def with_frontmatter(top: Path) -> None:
    file(top / "MEMORY.md", b"no pointer\n")
    file(top / "x.md", note("x"))


def in_a_hosts_place(top: Path) -> None:
    file(top / ".claude/agent-memory/reviewer/MEMORY.md", b"")


def broken_index(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def build(top: Path) -> None:
        file(top / "x.md", note("x"))
        make(top / "MEMORY.md")

    return build


def too_large(top: Path) -> None:
    file(top / "MEMORY.md", b"x\n" * 4_500_000)
    file(top / "x.md", b"x\n")


def unrelated(top: Path) -> None:
    file(top / "MEMORY.md", b"# Memory layout of the chip\n")
    file(top / "README.md", b"- [x](x.md)\n")


def pointing_elsewhere(top: Path) -> None:
    file(top / "MEMORY.md", b"[x](../x.md) [y](sub/y.md) [z](gone.md)\n")
    file(top / "other.md", b"x\n")


def only_an_index(top: Path) -> None:
    file(top / "MEMORY.md", b"- [x](x.md)\n")


LOOKS: list[object] = [
    pytest.param(pointing_to_a_note, ".", id="an index that points to a note"),
    pytest.param(with_frontmatter, ".", id="a note with memory frontmatter"),
    pytest.param(in_a_hosts_place, ".claude/agent-memory/reviewer", id="a host's own place"),
    pytest.param(broken_index(lambda place: place.mkdir()), ".", id="notes, and a folder where the index belongs"),
    pytest.param(broken_index(os.mkfifo), ".", id="notes, and a FIFO where the index belongs"),
    pytest.param(broken_index(lambda place: place.symlink_to("no")), ".", id="notes, and a link to nothing"),
    pytest.param(broken_index(lambda place: place.symlink_to(place.name)), ".", id="notes, and a link to itself"),
    pytest.param(too_large, ".", id="a note, and an index too large to be read"),
    pytest.param(unrelated, None, id="a file that happens to have the name"),
    pytest.param(pointing_elsewhere, None, id="pointers to other folders"),
    pytest.param(only_an_index, None, id="an index without its notes"),
    pytest.param(lambda top: file(top / "x.md", note("x")), None, id="notes without an index"),
    pytest.param(lambda top: file(top / "memory.md", index()), None, id="another name"),
]


@pytest.mark.parametrize(("build", "place"), LOOKS)
def test_a_vault_is_known_by_its_looks(build: Callable[[Path], None], place: str | None, tmp_path: Path) -> None:
    build(tmp_path)
    assert found(tmp_path) == ([place] if place else [])
    assert is_vault(str(tmp_path / (place or ".")), "MEMORY.md") == (place is not None)


def test_the_name_of_the_index_is_a_setting(tmp_path: Path) -> None:
    vault(tmp_path / "a")
    (tmp_path / "a/MEMORY.md").rename(tmp_path / "a/INDEX.md")
    assert (found(tmp_path), found(tmp_path, "INDEX.md")) == ([], ["a"])


def test_every_folder_is_looked_at_but_those_of_tools(tmp_path: Path) -> None:
    for place in (
        *("b", "a/deep/er", ".dot/v", ".claude/projects/-p/memory", "m[1]", "two\nlines", "\udcff", " "),
        *(".git/v", "node_modules/v", ".venv/lib/v", "x/__pycache__/v", ".hg/v", ".svn/v", ".tox/v", ".nox/v"),
    ):
        vault(tmp_path / place)
    (tmp_path / ".venv/pyvenv.cfg").touch()
    assert found(tmp_path) == [
        *(" ", ".claude/projects/-p/memory", ".dot/v", ".hg/v", ".nox/v", ".svn/v", ".tox/v", "a/deep/er", "b"),
        *("m[1]", "two\nlines", "x/__pycache__/v", "\udcff"),
    ]


def test_a_vault_inside_a_vault_is_one_of_its_own(tmp_path: Path) -> None:
    vault(tmp_path / "v")
    vault(tmp_path / "v/archive")
    assert found(tmp_path) == ["v", "v/archive"]


def test_links_to_folders_are_looked_at_and_not_walked(tmp_path: Path) -> None:
    start = tmp_path / "start"
    vault(tmp_path / "out")
    vault(tmp_path / "out/below")
    start.mkdir()
    (start / "link").symlink_to(tmp_path / "out")
    (start / "up").symlink_to("..")
    (start / "self").symlink_to(".")
    assert found(start) == ["link"]


@pytest.mark.parametrize("target", ["loop", "n" * 300, "nowhere"])
def test_a_link_that_leads_nowhere_hides_nothing_beside_it(target: str, tmp_path: Path) -> None:
    vault(tmp_path / "v")
    (tmp_path / "loop").symlink_to(target)
    missed: list[str] = []
    below = vaults_below(str(tmp_path), "MEMORY.md", missed=missed.append)
    assert ([*below], missed) == ([str(tmp_path / "v")], [])


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    with public_folder() as top:
        vault(top / "closed/v")
        vault(top / "open")
        (top / "closed").chmod(0)
        missed: list[str] = []
        with unprivileged():
            assert [*vaults_below(str(top), "MEMORY.md", missed=missed.append)] == [str(top / "open")]
            assert is_vault(str(top / "closed/v"), "MEMORY.md") is False
        assert missed == [str(top / "closed")]
    missed = []
    gone = str(tmp_path / "nowhere")
    assert ([*vaults_below(gone, "MEMORY.md", missed=missed.append)], missed) == ([], [gone])


def test_each_folder_is_one_step_of_progress(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "node_modules/c").mkdir(parents=True)
    steps: list[None] = []
    assert [*vaults_below(str(tmp_path), "MEMORY.md", lambda: steps.append(None))] == []
    assert len(steps) == 3


def test_a_walk_does_not_end_at_the_depth_of_recursion(tmp_path: Path) -> None:
    depth = 1_200
    place = tmp_path.joinpath(*"d" * depth)
    os.makedirs(tmp_path.joinpath(*"d" * (depth // 2)))  # which recurses itself
    os.makedirs(place)
    vault(place)
    result = found(tmp_path)
    for path in (*place.iterdir(),):
        path.unlink()
    for up in range(depth):  # and so would whoever clears the folder away
        tmp_path.joinpath(*"d" * (depth - up)).rmdir()
    assert result == ["/".join("d" * depth)]
