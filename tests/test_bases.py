"""bases.py: what a change is compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

from memstile.bases import Base, inside, parents, since
from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import Size, measure
from memstile.errors import GuardError
from memstile.git import Git
from memstile.git import environment as for_git
from memstile.repository import Repository, open_repository
from tests.git_tools import Repo, clone, environment, init
from tests.vault_tools import index, vault


def opened(repo: Repo) -> Repository:
    return open_repository(Git(str(repo.path), for_git(repo.outside, str(repo.path), is_current=False)))


def file(data: bytes) -> Reading:
    return Reading(Kind.FILE, measure(data), data)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init(tmp_path / "proj", environment(tmp_path / "home"))


def committed(repo: Repo, name: str, data: bytes | str) -> str:
    repo.write(name, data)
    return repo.commit()


FAR = "fetch-depth: 0 in the checkout step"

SPELLING = "check the spelling: `git branch --all` lists the branches, `git tag` the tags"

# The words of a person in a repository with the branches main, side and, without a common commit, other.
UNRESOLVED = [
    pytest.param("nope", "cannot resolve the base ref 'nope'", SPELLING, id="a name"),
    pytest.param(
        "origin/main",
        "cannot resolve the base ref 'origin/main'",
        SPELLING,
        id="a branch of a remote that is none",
    ),
    pytest.param(
        "origin/a/b",
        "cannot resolve the base ref 'origin/a/b'",
        SPELLING,
        id="a branch with a slash",
    ),
    pytest.param("--all", "cannot resolve the base ref '--all'", SPELLING, id="an option"),
    pytest.param("HEAD:x", "cannot resolve the base ref 'HEAD:x'", SPELLING, id="a blob"),
    pytest.param("\x1b[31m", "cannot resolve the base ref '\\\\x1b[31m'", SPELLING, id="an escape"),
    pytest.param(
        "other",
        "no common commit of 'other' and HEAD is in this clone",
        "their histories are unrelated; name a ref that shares one with HEAD",
        id="an unrelated history",
    ),
]


@pytest.mark.parametrize(("ref", "message", "hint"), UNRESOLVED)
def test_a_base_that_cannot_be_had_is_told_with_what_mends_it(ref: str, message: str, hint: str, repo: Repo) -> None:
    committed(repo, "x", "1")
    repo.git("switch", "--quiet", "--orphan", "other")
    committed(repo, "y", "2")
    repo.git("switch", "--quiet", "main")
    with pytest.raises(GuardError) as told:
        since(opened(repo), ref)
    assert (told.value.message, told.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("words", "fetched"),
    [
        (("--depth", "1"), " origin base:refs/remotes/origin/base"),
        (("--depth", "1", "--no-single-branch"), ""),
    ],
    ids=["one", "each branch"],
)
def test_in_a_shallow_clone_the_hint_is_to_deepen_it(
    words: tuple[str, ...], fetched: str, repo: Repo, tmp_path: Path
) -> None:
    committed(repo, "x", "1")
    repo.git("branch", "base")
    committed(repo, "x", "2")
    committed(repo, "x", "3")
    shallow = opened(clone(repo.path, tmp_path / "shallow", repo.outside, *words))
    with pytest.raises(GuardError) as told:
        since(shallow, "origin/base")
    assert told.value.hint == f"this clone is shallow: `git fetch --unshallow{fetched}`, or {FAR}"


@pytest.mark.parametrize("ref", ["side", "refs/heads/side", "tagged", "annotated", "@{-1}", "HEAD~1^2"])
def test_the_base_is_the_merge_base_and_not_the_tip(ref: str, repo: Repo) -> None:
    parted = committed(repo, "x", "1")
    repo.git("switch", "--quiet", "--create", "side")
    committed(repo, "y", "2")
    repo.git("tag", "tagged")
    repo.git("tag", "--annotate", "--message", "t", "annotated")
    repo.git("switch", "--quiet", "main")
    committed(repo, "x", "3")
    if "^" in ref:
        repo.git("merge", "--quiet", "--no-edit", "side")
        repo.git("switch", "--quiet", "--detach")
        committed(repo, "x", "4")
        parted = repo.git("rev-parse", "side")
    base = since(opened(repo), ref)
    assert (base.commits, base.name) == ((parted,), f"the merge base with {ref}")


def test_the_first_commit_has_no_parent(repo: Repo) -> None:
    repository = opened(repo)
    base = parents(repository, {})
    assert base == Base(repository, (), "no commit yet")
    assert base.readings(["MEMORY.md"]) == {"MEMORY.md": MISSING}
    assert base.settings_files([str(repo.path)]) == {str(repo.path): {}}


def test_the_parents_are_head_and_what_is_merged(repo: Repo) -> None:
    first = committed(repo, "x", "1")
    repo.git("switch", "-qc", "side")
    side = committed(repo, "y", "1")
    repo.git("switch", "-q", "-")
    second = committed(repo, "x", "2")
    repository = opened(repo)
    assert parents(repository, {}) == Base(repository, (second,), "HEAD")
    assert parents(repository, {f"GITHEAD_{side}": "side"}) == Base(
        repository, (second, side), "HEAD and the merged commits"
    )
    assert parents(repository, {f"GITHEAD_{first}": "old"}) == Base(repository, (second,), "HEAD")
    assert parents(repository, {f"GITHEAD_{second}": "main"}) == Base(repository, (second,), "HEAD")


def test_of_several_parents_the_largest_counts_in_each_dimension(repo: Repo) -> None:
    one = committed(repo, "MEMORY.md", index(210, 20_000))
    other = committed(repo, "MEMORY.md", index(150, 27_000))
    base = Base(opened(repo), (one, other), "both")
    assert base.readings(["MEMORY.md", "gone"]) == {
        "MEMORY.md": Reading(Kind.FILE, Size(210, 27_000), index(150, 27_000)),
        "gone": Reading(Kind.MISSING, Size(0, 0)),
    }


def test_a_parent_that_does_not_have_the_file_does_not_make_the_other_smaller(repo: Repo) -> None:
    without = committed(repo, "x", "1")
    having = committed(repo, "MEMORY.md", index(210))
    for commits in ((without, having), (having, without)):
        assert Base(opened(repo), commits, "both").readings(["MEMORY.md"]) == {"MEMORY.md": file(index(210))}


def test_a_parent_that_cannot_be_read_makes_the_base_unknown(repo: Repo) -> None:
    known = committed(repo, "MEMORY.md", index(210))
    reading = Base(opened(repo), (known, "1" * 40), "both").readings(["MEMORY.md"])["MEMORY.md"]
    assert (reading.kind, reading.size) == (Kind.UNREADABLE, None)


def partial(repo: Repo, tmp_path: Path) -> Repo:
    """Clone without blobs, and fetch that of one index."""
    repo.git("config", "uploadpack.allowFilter", "true")
    copy = clone(repo.path, tmp_path / "partial", repo.outside, "--filter=blob:none", "--no-checkout")
    copy.git("cat-file", "-e", "HEAD:here/MEMORY.md")
    return copy


def test_a_missing_object_takes_no_other_answer_along(repo: Repo, tmp_path: Path) -> None:
    for name in ("a", "b", "here", "z"):
        repo.write(f"{name}/MEMORY.md", index(210) + name.encode())
    repo.commit()
    base = parents(opened(partial(repo, tmp_path)), {})
    readings = base.readings([f"{name}/MEMORY.md" for name in ("a", "b", "here", "z", "nowhere")])
    assert {path: (reading.kind, reading.size) for path, reading in readings.items()} == {
        "a/MEMORY.md": (Kind.UNREADABLE, None),
        "b/MEMORY.md": (Kind.UNREADABLE, None),
        "here/MEMORY.md": (Kind.FILE, measure(index(210) + b"here")),
        "z/MEMORY.md": (Kind.UNREADABLE, None),
        "nowhere/MEMORY.md": (Kind.MISSING, Size(0, 0)),
    }


def test_settings_of_the_base_that_cannot_be_read_let_nothing_pass(repo: Repo, tmp_path: Path) -> None:
    vault(repo.path / "here")
    repo.write("memstile.toml", "[index]\nhard_lines = 100\n")
    commit = repo.commit()
    copy = partial(repo, tmp_path)
    with pytest.raises(GuardError) as told:
        parents(opened(copy), {}).settings_files([str(copy.path)])
    assert told.value.message.startswith("cannot read memstile.toml of HEAD: git cat-file ")
    fetch = f"git cat-file -e {commit}:memstile.toml"
    assert told.value.hint == f"a partial clone fetches it by `{fetch}`"
    copy.git(*fetch.split()[1:])
    assert parents(opened(copy), {}).settings_files([str(copy.path)]) == {
        str(copy.path): {"memstile.toml": b"[index]\nhard_lines = 100\n"}
    }


def test_the_settings_of_a_folder_are_the_nearest_above_it(repo: Repo) -> None:
    repo.write("memstile.toml", "top")
    repo.write("a/pyproject.toml", "[tool.memstile]\n")
    repo.write("a/b/pyproject.toml", "[tool.other]\n")
    repo.write("c/memstile.toml", "c")
    repo.write("c/pyproject.toml", "[tool.memstile]\n")
    repo.commit()
    folders = ["", "a", "a/b/x", "c/d", "e"]
    found = parents(opened(repo), {}).settings_files(f"{repo.path}/{name}".rstrip("/") for name in folders)
    assert [*found.values()] == [
        {"memstile.toml": b"top"},
        {"pyproject.toml": b"[tool.memstile]\n"},
        {"pyproject.toml": b"[tool.memstile]\n"},
        {"memstile.toml": b"c", "pyproject.toml": b"[tool.memstile]\n"},
        {"memstile.toml": b"top"},
    ]


def test_a_path_is_inside_a_work_tree_by_where_its_folder_is(repo: Repo, tmp_path: Path) -> None:
    repository = opened(repo)
    (repo.path / "v").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in").symlink_to(repo.path / "v")
    (repo.path / "leads-out").symlink_to(tmp_path / "out")
    (repo.path / "v/MEMORY.md").symlink_to(tmp_path / "elsewhere.md")
    places = ["proj/v/MEMORY.md", "in/MEMORY.md", "proj/leads-out/MEMORY.md", "out/MEMORY.md", "proj/gone/MEMORY.md"]
    assert [inside(repository, f"{tmp_path}/{place}") for place in places] == [
        "v/MEMORY.md",
        "v/MEMORY.md",
        None,
        None,
        "gone/MEMORY.md",
    ]


@pytest.mark.parametrize("ref", ["HEAD..HEAD", "HEAD~1..", "HEAD...HEAD~1", "^HEAD"])
def test_a_range_is_no_ref(ref: str, repo: Repo) -> None:
    committed(repo, "x", "1")
    committed(repo, "x", "2")
    with pytest.raises(GuardError) as told:
        since(opened(repo), ref)
    assert (told.value.message, "name one ref and no range" in told.value.hint) == (
        f"cannot resolve the base ref {ref!r}",
        ".." in ref,
    )
