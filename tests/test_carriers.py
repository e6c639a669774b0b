"""carriers.py: the repositories that could carry a vault, by its place alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.carriers import (
    ByPath,
    Carrier,
    ancestors,
    carriers,
    git_folder,
    git_folder_around,
    is_below,
    relative,
)
from tests.unprivileged import public_folder, unprivileged


def work_tree(top: Path) -> Path:
    """Make a folder that git takes for the top of a work tree, as far as one can see from outside."""
    for name in ("objects", "refs"):
        (top / ".git" / name).mkdir(parents=True, exist_ok=True)
    (top / ".git/HEAD").touch()
    return top


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def link(place: Path, target: Path | str) -> Path:
    folder(place.parent)
    place.symlink_to(target)
    return place


def nowhere(top: Path) -> Path:
    return folder(top / "v")


def in_a_project(top: Path) -> Path:
    work_tree(top / "a")
    return folder(top / "a/x/v")


def not_there(top: Path) -> Path:
    work_tree(top / "a")
    return top / "a/x/v"


def a_repository_of_its_own(top: Path) -> Path:
    return work_tree(folder(top / "v"))


def of_its_own_in_a_project(top: Path) -> Path:
    work_tree(top / "a")
    return work_tree(top / "a/v")


def three_deep(top: Path) -> Path:
    work_tree(top / "a")
    work_tree(top / "a/b")
    work_tree(top / "a/b/c")
    return folder(top / "a/b/c/v")


def of_its_own_three_deep(top: Path) -> Path:
    work_tree(top / "a")
    work_tree(top / "a/b")
    return work_tree(top / "a/b/v")


def empty_git_folder(top: Path) -> Path:
    work_tree(top / "a")
    folder(top / "a/v/.git")
    return top / "a/v"


def foreign_git_folder(top: Path) -> Path:
    work_tree(top / "a")
    folder(top / "a/v/.git/HEAD")
    return top / "a/v"


def dangling_git_link(top: Path) -> Path:
    work_tree(top / "a")
    link(top / "a/v/.git", "nowhere")
    return top / "a/v"


def git_file(top: Path) -> Path:
    work_tree(top / "a")
    folder(top / "a/b/v")
    (top / "a/b/.git").write_text("gitdir: /nowhere\n")
    return top / "a/b/v"


def git_fifo(top: Path) -> Path:
    work_tree(top / "a")
    folder(top / "a/v")
    os.mkfifo(top / "a/v/.git")
    return top / "a/v"


def only_an_empty_git_folder(top: Path) -> Path:
    folder(top / "a/.git")
    return folder(top / "a/x/v")


def link_to_the_outside(top: Path) -> Path:
    folder(top / "real")
    return link(work_tree(top / "a") / "v", top / "real")


def link_inside(top: Path) -> Path:
    work_tree(top / "a")
    folder(top / "a/real")
    return link(top / "a/v", "real")


def link_between_projects(top: Path) -> Path:
    work_tree(top / "b")
    folder(top / "b/real")
    return link(work_tree(top / "a") / "v", top / "b/real")


def link_to_a_repository(top: Path) -> Path:
    work_tree(top / "b")
    return link(work_tree(top / "a") / "v", top / "b")


def link_to_a_folder_above(top: Path) -> Path:
    folder(top / "store/v")
    link(work_tree(top / "a") / "store", top / "store")
    return top / "a/store/v"


def link_to_a_project_around(top: Path) -> Path:
    folder(work_tree(top / "b") / "v")
    link(work_tree(top / "a") / "b", top / "b")
    return top / "a/b/v"


def chain(top: Path) -> Path:
    folder(top / "real")
    work_tree(top / "a")
    link(top / "a/third", top / "real")
    link(top / "a/second", "third")
    return link(top / "a/v", "second")


def chain_through_another_project(top: Path) -> Path:
    folder(top / "real")
    link(work_tree(top / "b") / "out", top / "real")
    return link(work_tree(top / "a") / "v", top / "b/out")


def dangling(top: Path) -> Path:
    return link(work_tree(top / "a") / "v", "nowhere")


def loop(top: Path) -> Path:
    work_tree(top / "a")
    link(top / "a/w", "v")
    return link(top / "a/v", "w")


def link_without_a_repository(top: Path) -> Path:
    folder(top / "real")
    return link(top / "v", "real")


# A row's carriers have tops relative to the folder of the test.
PLACES: list[object] = [
    pytest.param(nowhere, [], id="no repository"),
    pytest.param(in_a_project, [Carrier("a", "x/v")], id="inside a project"),
    pytest.param(not_there, [Carrier("a", "x/v")], id="not there yet"),
    pytest.param(a_repository_of_its_own, [Carrier("v", "", is_root=True)], id="a repository of its own"),
    pytest.param(
        of_its_own_in_a_project,
        [Carrier("a/v", "", is_root=True), Carrier("a", "v", "repository")],
        id="of its own, inside a project that could carry a gitlink",
    ),
    pytest.param(
        three_deep,
        [
            Carrier("a/b/c", "v"),
            Carrier("a/b", "c/v", is_asked=False, inner="c"),
            Carrier("a", "b/c/v", is_asked=False, inner="b/c"),
        ],
        id="three deep: the innermost is asked, the others track nothing of it",
    ),
    pytest.param(
        of_its_own_three_deep,
        [
            Carrier("a/b/v", "", is_root=True),
            Carrier("a/b", "v", "repository"),
            Carrier("a", "b/v", "repository", is_asked=False, inner="b"),
        ],
        id="of its own, three deep",
    ),
    pytest.param(empty_git_folder, [Carrier("a", "v")], id="an empty .git hides nothing"),
    pytest.param(foreign_git_folder, [Carrier("a", "v")], id="a .git folder with something else in it hides nothing"),
    pytest.param(dangling_git_link, [Carrier("a", "v")], id="a .git that is a link to nothing hides nothing"),
    pytest.param(git_fifo, [Carrier("a", "v")], id="a .git that is a FIFO hides nothing"),
    pytest.param(
        git_file,
        [Carrier("a/b", "v"), Carrier("a", "b/v", is_asked=False, inner="b")],
        id="a .git file counts wherever it leads: git stops there",
    ),
    pytest.param(
        only_an_empty_git_folder, [Carrier("a", "x/v", is_broken=True)], id="a broken .git and no other is no answer"
    ),
    pytest.param(link_to_the_outside, [Carrier("a", "v", "symlink")], id="a symlink to the outside"),
    pytest.param(
        link_inside, [Carrier("a", "real"), Carrier("a", "v", "symlink")], id="a symlink inside: both could be carried"
    ),
    pytest.param(
        link_between_projects,
        [Carrier("b", "real"), Carrier("a", "v", "symlink")],
        id="a symlink into another project: each carries its own",
    ),
    pytest.param(
        link_to_a_repository,
        [Carrier("b", "", is_root=True), Carrier("a", "v", "symlink")],
        id="a symlink to a vault that is a repository",
    ),
    pytest.param(link_to_a_folder_above, [Carrier("a", "store", "symlink")], id="a symlink on the way"),
    pytest.param(
        link_to_a_project_around, [Carrier("b", "v")], id="a symlink to a whole project is not about the vault"
    ),
    pytest.param(
        chain,
        [Carrier("a", "v", "symlink"), Carrier("a", "second", "symlink"), Carrier("a", "third", "symlink")],
        id="each link of a chain",
    ),
    pytest.param(
        chain_through_another_project,
        [Carrier("a", "v", "symlink"), Carrier("b", "out", "symlink")],
        id="a chain through another project",
    ),
    pytest.param(dangling, [Carrier("a", "nowhere"), Carrier("a", "v", "symlink")], id="a symlink to nothing"),
    pytest.param(loop, [Carrier("a", "v"), Carrier("a", "v", "symlink")], id="a symlink that leads to itself"),
    pytest.param(link_without_a_repository, [], id="a symlink, and no repository"),
]


@pytest.mark.parametrize(("build", "expected"), PLACES)
def test_the_repositories_around_a_vault(
    build: Callable[[Path], Path], expected: list[Carrier], tmp_path: Path
) -> None:
    found = carriers(str(build(tmp_path)))
    assert found == [row._replace(top=f"{tmp_path}/{row.top}") for row in expected]


def test_the_repository_of_the_environment_has_no_git_folder_to_see(tmp_path: Path) -> None:
    home = folder(tmp_path / "home")
    vault = folder(home / "v")
    assert carriers(str(vault), str(home)) == [Carrier(str(home), "v")]
    assert carriers(str(home), str(home)) == [Carrier(str(home), "", is_root=True)]
    assert carriers(str(vault), str(tmp_path / "elsewhere")) == []
    work_tree(home)
    assert carriers(str(vault), str(home)) == [Carrier(str(home), "v")]
    inner = folder(work_tree(home / "a") / "v")
    assert carriers(str(inner), str(home)) == [
        Carrier(str(home / "a"), "v"),
        Carrier(str(home), "a/v", is_asked=False, inner="a"),
    ]


def test_a_symlink_in_the_repository_of_the_environment_is_carried_by_it(tmp_path: Path) -> None:
    home = folder(tmp_path / "home")
    place = link(home / "x/v", folder(tmp_path / "real"))
    assert carriers(str(place), str(home)) == [Carrier(str(home), "x/v", "symlink")]
    assert carriers(str(place)) == []
    work_tree(home / "x")
    assert carriers(str(place), str(home)) == [Carrier(str(home / "x"), "v", "symlink")]


def test_a_link_to_the_whole_work_tree_of_the_environment_is_not_about_the_vault(tmp_path: Path) -> None:
    home = folder(tmp_path / "home")
    folder(home / "v")
    link(work_tree(tmp_path / "a") / "home", home)
    assert carriers(str(tmp_path / "a/home/v"), str(home)) == [Carrier(str(home), "v")]


PAIRS = [
    ("/a/b", "/a", True),
    ("/a", "/a", True),
    ("/ab", "/a", False),
    ("/", "/a", False),
    ("/a", "/", True),
    ("/a/\udcff", "/a", True),
]


@pytest.mark.parametrize(("path", "top", "expected"), PAIRS)
def test_a_folder_lies_below_itself_and_not_below_a_namesake(path: str, top: str, expected: bool) -> None:
    assert is_below(path, top) == expected


def test_a_path_is_told_from_the_top() -> None:
    assert [relative("/a/b/c", "/a"), relative("/a", "/a"), relative("/a", "/")] == ["b/c", "", "a"]
    assert [*ancestors("/a/b")] == ["/a/b", "/a", "/"]


def test_a_git_folder_that_cannot_be_looked_into_counts_as_one() -> None:
    with public_folder() as top:
        folder(top / "v/.git").chmod(0)
        with unprivileged():
            assert carriers(str(top / "v")) == [Carrier(str(top / "v"), "", is_root=True)]


SORTED = ("a", "a-b", "a.md", "a/b", "a/b/c", "a0", "ab/c", "b/a/b", "\udcff/x")

BELOW = [
    ("", SORTED),
    ("a", ("a", "a/b", "a/b/c")),
    ("a/b", ("a/b", "a/b/c")),
    ("b", ("b/a/b",)),
    ("\udcff", ("\udcff/x",)),
    ("c", ()),
]


@pytest.mark.parametrize(("unit", "expected"), BELOW)
def test_what_lies_below_a_folder_is_no_namesake(unit: str, expected: tuple[str, ...]) -> None:
    rows = ByPath({path: path for path in reversed(SORTED)})
    assert tuple(rows.of(unit)) == expected
    assert expected == tuple(path for path in SORTED if not unit or is_below(path, unit))


def test_the_git_folder_of_a_work_tree_is_found_by_place(tmp_path: Path) -> None:
    top = work_tree(tmp_path / "a")
    module = work_tree(tmp_path / "m") / ".git"
    rows = {"abs": f"gitdir: {module}\n", "rel": "gitdir: ../m/.git", "none": "", "odd": "x\n"}
    for name, text in rows.items():
        (folder(tmp_path / name) / ".git").write_text(text)
    link(folder(tmp_path / "link") / ".git", module)
    found = {name: git_folder(str(tmp_path / name)) for name in ("a", "link", "nowhere", *rows)}
    m = str(module)
    assert found == {"a": f"{top}/.git", "link": m, "nowhere": "", "abs": m, "rel": m, "none": "", "odd": ""}


def test_the_git_folder_around_a_file_is_the_innermost(tmp_path: Path) -> None:
    top = work_tree(tmp_path / "a")
    linked = folder(top / ".git/worktrees/w")
    for name in ("HEAD", "commondir"):
        (linked / name).touch()
    places = (".git/index", ".git/x/index", ".git/worktrees/w/index", "index")
    assert [git_folder_around(f"{top}/{place}") for place in places] == [
        f"{top}/.git",
        f"{top}/.git",
        str(linked),
        "",
    ]
