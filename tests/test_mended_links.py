"""links.py: symlinks are followed as the kernel would, alike in the git index and in a commit."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.blobs import blob_at
from memstile.core.facts import MISSING, SYMLINK, Kind, Reading
from memstile.core.measure import measure
from memstile.git import Git
from memstile.git import environment as for_git
from memstile.links import CIRCLE, FOLDER, NOWHERE, follow
from memstile.repository import Entry, open_repository
from memstile.snapshot import Snapshot
from tests.git_tools import Repo, environment, init
from tests.run_tools import check
from tests.vault_tools import index, vault


def file(data: bytes) -> Reading:
    return Reading(Kind.FILE, measure(data), data)


X = file(b"x")

LINKS = {
    "one": ("real.md", X),
    "two": ("one", X),
    "three": ("v/up", X),
    "v/up": ("../two", X),
    "v/twice-up": ("./../w/../one", X),
    "folder": ("v", NOWHERE),
    "through-a-folder": ("folder/n.md", X),
    "through-two": ("w/to-v/n.md", X),
    "w/to-v": ("../folder", NOWHERE),
    "up-from-a-linked-folder": ("deep/../n.md", X),  # from d/e, and not from the top
    "deep": ("d/e", NOWHERE),
    "up-from-it-by-its-name": ("deep/../real.md", NOWHERE),
    "slashes": ("v//./n.md", X),
    "\udcff\n'": ("v/\udcfe\t.md", X),
    "bytes": ("\udcff\n'", X),
    "dangling": ("nowhere", NOWHERE),
    "to-dangling": ("dangling", NOWHERE),
    "up-from-nowhere": ("nowhere/../real.md", NOWHERE),
    "below-a-file": ("real.md/n.md", NOWHERE),
    "a-file-as-a-folder": ("real.md/", NOWHERE),
    "up-from-a-file": ("real.md/../real.md", NOWHERE),
    "ends-at-the-top": ("v/..", NOWHERE),
    "out": ("../out.md", NOWHERE),
    "to-out": ("out", NOWHERE),
    "out-and-in": ("../proj/real.md", NOWHERE),
    "up-past-the-top": ("folder/../../out.md", NOWHERE),
    "absolute": ("/etc/hostname", NOWHERE),
    "to-absolute": ("absolute", NOWHERE),
    "itself": ("itself", CIRCLE),
    "circle": ("w/circle", CIRCLE),
    "w/circle": ("../circle", CIRCLE),
    "below-a-circle": ("circle/n.md", CIRCLE),
    "gitlink": ("inner", NOWHERE),
    "in-a-gitlink": ("inner/a.md", NOWHERE),
    **{f"far{number}": (f"far{number - 1}" if number else "real.md", X) for number in range(40)},
    "far40": ("far39", CIRCLE),
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A commit, and a git index like it, with symlinks of every kind."""
    folder = tmp_path_factory.mktemp("links")
    repo = init(folder / "proj", environment(folder / "home"))
    for name in ("real.md", "v/n.md", "d/n.md", "d/e/f", "w/f", "v/\udcfe\t.md"):
        repo.write(name, "x")
    (folder / "out.md").write_text("x")
    for name, (to, _) in LINKS.items():
        (repo.path / name).symlink_to(to)
    inner = init(repo.path / "inner", repo.outside)
    inner.write("a.md", "x")
    inner.commit()
    repo.commit()
    return repo


def snapshot(repo: Repo, name: str = "MEMORY.md") -> Snapshot:
    return Snapshot(open_repository(Git(str(repo.path), for_git(repo.outside, str(repo.path), is_current=True))), name)


def both_sides(repo: Repo, path: str) -> list[Reading]:
    seen = snapshot(repo, os.path.basename(path))
    return [seen.reading(path), blob_at(seen.repository, "HEAD", [path])[path]]


@pytest.mark.parametrize("path", LINKS)
def test_the_git_index_and_a_commit_follow_a_symlink_alike(path: str, repo: Repo) -> None:
    assert both_sides(repo, path) == [LINKS[path][1]] * 2


OUTSIDE = ("out", "to-out", "out-and-in", "up-past-the-top", "absolute", "to-absolute", "in-a-gitlink")
INSIDE = [name for name in LINKS if name not in OUTSIDE]


@pytest.mark.parametrize("path", INSIDE)
def test_a_symlink_that_stays_inside_is_read_where_the_disk_shows_a_file(path: str, repo: Repo) -> None:
    assert (LINKS[path][1] == X) == (repo.path / path).is_file()


def test_all_at_once_is_the_same_as_one_by_one(repo: Repo) -> None:
    assert blob_at(snapshot(repo).repository, "HEAD", [*LINKS, "nowhere", "v"]) == {
        **{path: reading for path, (_, reading) in LINKS.items()},
        "nowhere": MISSING,
        "v": MISSING,
    }


@pytest.mark.parametrize("target", [b"", b"real.md\0", b"./" * 2045 + b"real.md", b"./" * 9_000_000], ids=len)
def test_a_target_that_no_checkout_could_write_leads_nowhere(target: bytes, tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    repo.write("real.md", "x")
    repo.commit()
    sha = repo.git("hash-object", "-w", "--stdin", stdin=target)
    repo.git("update-index", "--add", "--cacheinfo", f"120000,{sha},MEMORY.md")
    repo.git("commit", "--quiet", "--message", "link")
    assert both_sides(repo, "MEMORY.md") == [NOWHERE] * 2


def test_a_link_whose_blob_is_not_in_this_clone_is_no_link_to_nowhere(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    (repo.path / "MEMORY.md").symlink_to("real.md")
    repo.write("real.md", "x")
    repo.commit()
    sha = repo.git("rev-parse", "HEAD:MEMORY.md")
    (repo.path / ".git/objects" / sha[:2] / sha[2:]).unlink()
    assert both_sides(repo, "MEMORY.md") == [Reading(Kind.UNREADABLE, why="the object is not in this clone")] * 2


@pytest.mark.parametrize("unmerged", ["real.md", "middle.md"])
def test_an_unmerged_file_on_the_way_has_no_content(unmerged: str, tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    for name, to in (("MEMORY.md", "middle.md"), ("middle.md", "real.md")):
        (repo.path / name).symlink_to(to)
    repo.write("real.md", "base")
    repo.commit()
    shas = [repo.git("hash-object", "-w", "--stdin", stdin=data) for data in (b"real.md", b"ours", b"theirs")]
    mode = "120000" if unmerged == "middle.md" else "100644"
    rows = [f"0 {'0' * 40}\t{unmerged}", *(f"{mode} {sha} {n}\t{unmerged}" for n, sha in enumerate(shas, start=1))]
    repo.git("update-index", "--index-info", stdin="".join(f"{row}\n" for row in rows).encode())
    assert snapshot(repo).reading("MEMORY.md") == Reading(
        Kind.UNREADABLE, why="unmerged: the git index holds several versions"
    )


# --- the law: for trees of any shape, what is followed is what a walk of single steps finds

NAMES = st.sampled_from(["a", "b", "c"])
TARGETS = st.lists(st.sampled_from(["a", "b", "c", "..", "."]), min_size=1, max_size=4).map("/".join)
TREES = st.recursive(
    st.one_of(st.just(b"x"), TARGETS), lambda inner: st.dictionaries(NAMES, inner, min_size=1), max_leaves=12
).filter(lambda tree: isinstance(tree, dict))


def entries_of(tree: object, at: str = "") -> Iterator[Entry]:
    if isinstance(tree, dict):
        if at:
            yield Entry(FOLDER, "", 0, at)
        for name, inner in tree.items():
            yield from entries_of(inner, f"{at}/{name}".lstrip("/"))
    else:
        yield Entry(SYMLINK if isinstance(tree, str) else "100644", at, 0, at)


def step_by_step(path: str, entries: dict[str, Entry], targets: dict[str, bytes]) -> str | None:
    at, left, hops = "", path.split("/"), 0
    while left:
        name, *left = left
        if (at and entries[at].mode != FOLDER) or (name == ".." and not at):
            return None
        here = {".": at, "..": posixpath.dirname(at)}.get(name, posixpath.join(at, name))
        entry = entries.get(here)
        if here and entry is None:
            return None
        at = here
        if entry and entry.mode == SYMLINK:
            hops += 1
            if hops > 40:
                return None
            at, left = posixpath.dirname(here), [*targets[entry.sha].decode().split("/"), *left]
    return at if at and entries[at].mode == "100644" else None


@given(TREES)
@settings(max_examples=150, deadline=None)
def test_following_is_a_walk_name_by_name(tree: object) -> None:
    entries = {entry.path: entry for entry in entries_of(tree)}
    targets = {path: _target(tree, path) for path, entry in entries.items() if entry.mode == SYMLINK}
    ends = follow(
        [entry for entry in entries.values() if entry.mode == SYMLINK],
        lambda places: {place: entries[place] for place in places if place in entries},
        lambda shas: {sha: file(targets[sha]) for sha in shas},
    )
    assert {path: end.path if isinstance(end, Entry) else None for path, end in ends.items()} == {
        path: step_by_step(path, entries, targets) for path in targets
    }


def _target(tree: object, path: str) -> bytes:
    for name in path.split("/"):
        assert isinstance(tree, dict)
        tree = tree[name]
    return str(tree).encode()


# --- what a person sees


def behind(*links: tuple[str, str]) -> Callable[[Path, int], Repo]:
    """Build a vault of its own with an index of some lines that lies behind symlinks."""

    def build(folder: Path, lines: int) -> Repo:
        repo = init(folder / "proj", environment(folder / "home"))
        vault(repo.path, index(lines))
        (repo.path / "store").mkdir()
        (repo.path / "MEMORY.md").rename(repo.path / "store/real.md")
        for name, to in links:
            (repo.path / name).symlink_to(to)
        repo.commit()
        return repo

    return build


SHAPES = [
    pytest.param(behind(("MEMORY.md", "two.md"), ("two.md", "store/real.md")), id="two hops"),
    pytest.param(behind(("MEMORY.md", "way/real.md"), ("way", "store")), id="a linked folder"),
    pytest.param(
        behind(("MEMORY.md", "a/real.md"), ("a", "b"), ("b", "store/c"), ("store/c", "../store")), id="four hops"
    ),
]


@pytest.mark.parametrize("words", [("--staged",), ("--since", "HEAD")], ids=["staged", "since"])
@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        (6, 6, []),
        (6, 7, []),
        (210, 210, ["warning MS102", "warning MS104"]),
        (210, 205, ["warning MS102", "warning MS104"]),
        (210, 211, ["error MS101", "warning MS104"]),
        (6, 201, ["error MS101", "warning MS104"]),
    ],
)
@pytest.mark.parametrize("build", SHAPES)
def test_an_index_behind_several_symlinks_is_judged_by_what_they_lead_to(
    build: Callable[[Path, int], Repo],
    before: int,
    after: int,
    codes: list[str],
    words: tuple[str, ...],
    tmp_path: Path,
) -> None:
    repo = build(tmp_path, before)
    repo.write("store/real.md", index(after))
    repo.git("add", "--all")
    told = check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert [" ".join(row.split()[:2]) for row in told.findings] == codes


def test_an_index_in_a_circle_of_symlinks_is_told(tmp_path: Path) -> None:
    repo = behind(("MEMORY.md", "two.md"), ("two.md", "store/real.md"))(tmp_path, 6)
    (repo.path / "two.md").unlink()
    (repo.path / "two.md").symlink_to("MEMORY.md")
    repo.git("add", "--all")
    told = check("--staged", cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert told.findings == [
        "error MS106 MEMORY.md: staged index cannot be measured: "
        "a symlink that leads in a circle, or through more than 40 symlinks"
    ]
    assert told.code == 1
