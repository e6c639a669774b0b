"""snapshot.py: the git index as what the next commit will hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import measure
from memstile.errors import GuardError
from memstile.git import Git
from memstile.git import environment as for_git
from memstile.repository import open_repository
from memstile.snapshot import Snapshot
from tests.git_tools import Repo, environment, init
from tests.vault_tools import index, vault


def snapshot(repo: Repo, **variables: str) -> Snapshot:
    outside = for_git({**repo.outside, **variables}, str(repo.path), is_current=True)
    return Snapshot(open_repository(Git(str(repo.path), outside)), "MEMORY.md")


def file(data: bytes) -> Reading:
    return Reading(Kind.FILE, measure(data), data)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init(tmp_path / "proj", environment(tmp_path / "home"))


def test_what_is_staged_is_read_and_not_what_is_on_disk(repo: Repo) -> None:
    repo.write("v/MEMORY.md", "staged")
    repo.git("add", "--all")
    repo.write("v/MEMORY.md", "on disk")
    repo.write("MEMORY.md", "not staged")
    seen = snapshot(repo)
    assert seen.named("MEMORY.md") == ["v/MEMORY.md"]
    assert ("v/MEMORY.md" in seen, "MEMORY.md" in seen) == (True, False)
    assert (seen.reading("v/MEMORY.md"), seen.reading("MEMORY.md")) == (file(b"staged"), MISSING)


def test_an_index_is_known_by_its_whole_name(repo: Repo) -> None:
    for name in ("MEMORY.md", "v/MEMORY.md", "vMEMORY.md", "MEMORY.md.bak", "memory.md", "a\nMEMORY.md", "x/MEMORYxmd"):
        repo.write(name, "x")
    repo.write("\udcff/MEMORY.md", "x")
    repo.git("add", "--all")
    assert snapshot(repo).named("MEMORY.md") == ["MEMORY.md", "v/MEMORY.md", "\udcff/MEMORY.md"]


def test_notes_are_the_markdown_files_of_one_folder(repo: Repo) -> None:
    for name in ("a.md", "v/b.md", "v/c.txt", "v/d.md", "v/w/e.md", "vv/f.md", "v/g.md/x", "m[1]/h.md", "m1/i.md"):
        repo.write(name, "x")
    repo.git("add", "--all")
    seen = snapshot(repo)
    assert [seen.notes_in(folder) for folder in ("", "v", "m[1]", "nowhere")] == [
        ["a.md"],
        ["v/b.md", "v/d.md"],
        ["m[1]/h.md"],
        [],
    ]
    assert seen.note_folders() == {"", "v", "v/w", "vv", "m[1]", "m1"}


def test_links_are_symlinks_and_gitlinks(repo: Repo) -> None:
    repo.write("file", "x")
    (repo.path / "link").symlink_to("file")
    inner = init(repo.path / "inner", repo.outside)
    inner.commit()
    repo.git("add", "--all")
    assert snapshot(repo).links() == ["inner", "link"]


def test_symlinks_are_followed_inside_the_commit(repo: Repo) -> None:
    repo.write("v/real.md", "x")
    repo.write("beside.md", "not staged")
    for folder, to in (("v", "real.md"), ("w", "../v/real.md"), ("x", "../w/MEMORY.md"), ("y", "../beside.md")):
        (repo.path / folder).mkdir(exist_ok=True)
        (repo.path / folder / "MEMORY.md").symlink_to(to)
    repo.git("add", "v", "w", "x", "y")
    seen = snapshot(repo)
    out = Reading(Kind.NOT_REGULAR, why="a symlink to something that this commit does not hold")
    assert [seen.reading(f"{folder}/MEMORY.md") for folder in "vwxy"] == [file(b"x"), file(b"x"), file(b"x"), out]


def test_an_unmerged_path_has_no_content(repo: Repo) -> None:
    for name, text in (("base", "b"), ("side", "s"), ("main", "m")):
        if name == "side":
            repo.git("switch", "--quiet", "--create", "side")
        if name == "main":
            repo.git("switch", "--quiet", "main")
        repo.write("MEMORY.md", text)
        repo.write(".gitignore", text)
        repo.commit()
    repo.git("merge", "side", accept=(1,))
    seen = snapshot(repo)
    unmerged = Reading(Kind.UNREADABLE, why="unmerged: the git index holds several versions")
    assert [seen.reading(name) for name in ("MEMORY.md", ".gitignore")] == [unmerged, unmerged]


def test_a_gitlink_in_the_place_of_an_index_is_no_file(repo: Repo) -> None:
    inner = init(repo.path / "MEMORY.md", repo.outside)
    inner.commit()
    repo.git("add", "--all")
    assert snapshot(repo).reading("MEMORY.md") == Reading(Kind.NOT_REGULAR, why="git mode 160000")


def test_the_index_file_of_the_environment_is_the_one_that_counts(repo: Repo, tmp_path: Path) -> None:
    vault(repo.path, index(6))
    repo.git("add", "--all")
    side = str(tmp_path / "side")
    repo.git("read-tree", "--empty", GIT_INDEX_FILE=side)
    assert snapshot(repo).named("MEMORY.md") == ["MEMORY.md"]
    assert snapshot(repo, GIT_INDEX_FILE=side).named("MEMORY.md") == []


def test_settings_of_the_work_tree_come_from_the_git_index_alone(repo: Repo, tmp_path: Path) -> None:
    repo.write("memstile.toml", "staged")
    repo.git("add", "--all")
    repo.write("memstile.toml", "on disk")
    repo.write("v/memstile.toml", "beside")
    seen = snapshot(repo)
    (tmp_path / "memstile.toml").write_text("outside")
    (tmp_path / "link").symlink_to(repo.path)
    places = [
        "proj/memstile.toml",
        "link/memstile.toml",
        "proj/v/memstile.toml",
        "memstile.toml",
        "proj/pyproject.toml",
    ]
    assert [seen.read_absolute(str(tmp_path / place)) for place in places] == [
        b"staged",
        b"staged",
        None,
        b"outside",
        None,
    ]


UNREADABLE = [
    pytest.param(
        lambda top: (top / "memstile.toml").symlink_to("../out.toml"), "a symlink to something that", id="link"
    ),
    pytest.param(lambda top: (top / "memstile.toml").write_bytes(b"#" * 9_000_000), "", id="larger than is read"),
]


@pytest.mark.parametrize(("put", "why"), UNREADABLE)
def test_staged_settings_that_cannot_be_read_are_no_missing_ones(
    put: Callable[[Path], object], why: str, repo: Repo
) -> None:
    put(repo.path)
    (repo.path.parent / "out.toml").touch()
    repo.git("add", "--all")
    with pytest.raises(GuardError, match=f"^the staged settings file cannot be read: {why}.") as told:
        snapshot(repo).read_absolute(str(repo.path / "memstile.toml"))
    assert told.value.hint == "none of its settings is used until this is mended"


def test_a_staged_link_to_staged_settings_is_followed(repo: Repo) -> None:
    repo.write("conf/m.toml", "staged")
    (repo.path / "memstile.toml").symlink_to("conf/m.toml")
    repo.git("add", "--all")
    assert snapshot(repo).read_absolute(str(repo.path / "memstile.toml")) == b"staged"
