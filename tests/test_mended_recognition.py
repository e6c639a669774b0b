"""A vault stays a vault: whatever becomes of its index, and wherever git or the disk alone shows it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.disk import notes_below
from tests.case_tools import DISK, SINCE, STAGED, project
from tests.git_tools import Repo, environment, init
from tests.run_tools import check
from tests.vault_tools import index, vault

HUGE = b"- [Note](note-1.md)\n" + b"x\n" * 4_500_000
EVERY = pytest.mark.parametrize("words", [DISK, SINCE, STAGED], ids=["disk", "since", "staged"])
COMPARED = pytest.mark.parametrize("words", [SINCE, STAGED], ids=["since", "staged"])


def codes(repo: Repo, *words: str, cwd: Path | None = None) -> set[str]:
    """Give the codes of the errors that a check tells; its exit code has to agree."""
    ran = check(*words, cwd=cwd or repo.path, environment=repo.outside, unchanged=repo.path)
    found = {row.split(" ")[1] for row in ran.findings if row.startswith("error")}
    assert ran.code == bool(found), ran
    return found


def plain(folder: Path) -> Path:
    """Write a vault whose notes have no frontmatter; give its index."""
    for note in vault(folder).glob("note*"):
        note.write_text("x\n")
    return folder / "MEMORY.md"


def own(folder: Path) -> tuple[Repo, Path]:
    """Make a vault with a repository of its own; give its index too."""
    repo = init(folder / "own", environment(folder / "home"))
    place = plain(repo.path)
    repo.commit()
    return repo, place


def tracked(folder: Path) -> tuple[Repo, Path]:
    """Make a project that tracks a vault; give its index too."""
    repo = project(folder)
    place = plain(repo.path / ".mem")
    repo.write("src/a", "x\n")
    repo.commit()
    return repo, place


BOTH = pytest.mark.parametrize(
    ("build", "git"), [(own, set()), (tracked, {"MS201", "MS202", "MS203"})], ids=["own", "tracked"]
)
Build = Callable[[Path], tuple[Repo, Path]]


@EVERY
@BOTH
def test_an_index_past_what_is_read_is_an_index(
    build: Build, git: set[str], words: tuple[str, ...], tmp_path: Path
) -> None:
    repo, place = build(tmp_path)
    place.write_bytes(HUGE)
    repo.git("add", "--all")
    assert codes(repo, *words) == {"MS102" if words == DISK else "MS101", *git}


@COMPARED
@BOTH
def test_taking_the_pointers_out_takes_no_vault_out(
    build: Build, git: set[str], words: tuple[str, ...], tmp_path: Path
) -> None:
    repo, place = build(tmp_path)
    place.write_bytes(b"x\n" * 300)
    repo.git("add", "--all")
    assert codes(repo, *words) == {"MS101", *git}


def test_taking_the_pointers_and_the_notes_out_takes_no_vault_out(tmp_path: Path) -> None:
    repo, place = own(tmp_path)
    repo.git("rm", "--quiet", *(f"note-{number}.md" for number in range(1, 6)))
    place.write_bytes(b"x\n" * 300)
    repo.git("add", "--all")
    assert codes(repo, *STAGED) == {"MS101"}


@EVERY
def test_a_vault_that_goes_as_a_whole_is_none(words: tuple[str, ...], tmp_path: Path) -> None:
    repo, _ = tracked(tmp_path)
    repo.git("rm", "-r", "--quiet", ".mem")
    assert codes(repo, *words) == set()


def skipped(repo: Repo) -> None:
    repo.git("update-index", "--skip-worktree", *repo.git("ls-files", ".mem").split("\n"))
    shutil.rmtree(repo.path / ".mem")


def index_replaced(make: Callable[[Path], object]) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        (repo.path / ".mem/MEMORY.md").unlink()
        make(repo.path / ".mem/MEMORY.md")

    return change


def inside(name: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        (repo.path / name).mkdir()
        (repo.path / ".mem").rename(repo.path / name / ".mem")
        repo.commit(force=True)

    return change


HIDDEN: list[object] = [
    pytest.param(lambda repo: repo.git("sparse-checkout", "set", "src"), id="a sparse checkout"),
    pytest.param(skipped, id="skip-worktree"),
    pytest.param(index_replaced(lambda place: None), id="the index deleted by hand"),
    pytest.param(index_replaced(os.mkfifo), id="a FIFO in its place"),
    pytest.param(index_replaced(lambda place: place.symlink_to("gone")), id="a link to nothing in its place"),
    pytest.param(index_replaced(lambda place: place.mkdir()), id="a folder in its place"),
    pytest.param(lambda repo: repo.write("pyvenv.cfg", ""), id="a virtual environment made of the project"),
    *(pytest.param(inside(name), id=name) for name in (".hg", ".tox", "__pycache__", "node_modules", "lib")),
]


@pytest.mark.parametrize("words", [DISK, SINCE], ids=["disk", "since"])
@pytest.mark.parametrize("hide", HIDDEN)
def test_what_git_tracks_is_seen_though_the_disk_hides_it(
    hide: Callable[[Repo], None], words: tuple[str, ...], tmp_path: Path
) -> None:
    repo, _ = tracked(tmp_path)
    hide(repo)
    assert codes(repo, *words) >= {"MS201", "MS202"}


def test_beside_what_a_virtual_environment_holds_vaults_are_found(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("pyvenv.cfg", "")
    for folder in ("lib/v", "bin/v", "share/v", "src/v", ".mem"):
        plain(repo.path / folder)
    ran = check(cwd=repo.path, environment=repo.outside)
    assert [row.split(" ")[0] for row in ran.vaults] == [".mem", "src/v"]


def test_a_vault_whose_index_is_gone_is_found_by_its_name(tmp_path: Path) -> None:
    repo, place = tracked(tmp_path)
    place.unlink()
    ran = check(".mem", cwd=repo.path, environment=repo.outside)
    assert (ran.code, ran.vaults) == (1, [".mem (ignored): not in this checkout; git index checked"])


def test_what_git_tracks_elsewhere_is_not_below_the_start(tmp_path: Path) -> None:
    repo, place = tracked(tmp_path)
    place.unlink()
    assert (codes(repo, cwd=repo.path / "src"), codes(repo, "src")) == (set(), set())


@pytest.mark.parametrize("words", [DISK, STAGED], ids=["disk", "staged"])
def test_an_index_in_utf_16_is_one(words: tuple[str, ...], tmp_path: Path) -> None:
    repo, place = tracked(tmp_path)
    place.write_bytes(index().decode().encode("utf-16"))
    repo.git("add", "--all")
    assert codes(repo, *words) >= {"MS201", "MS202"}


def test_notes_end_in_md_of_either_case(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".mem/MEMORY.md", "- [a](A.MD)\n")
    repo.write(".mem/A.MD", "x\n").chmod(0o644)
    repo.commit()
    (repo.path / ".mem/A.MD").unlink()
    assert codes(repo, *STAGED) >= {"MS202"}


def test_notes_are_counted_of_each_vault_of_a_nest(tmp_path: Path) -> None:
    for place in ("a.md", "v/b.MD", "v/x", "v/w/c.md", "v/e/deep/f.md", "v/r/.git/HEAD", "v/r/d.md", "v/r/u/e.md"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    counts = {"v": 3, "v/w": 1, "v/e": 1, "v/r": 2, "v/r/u": 1}
    places = {str(tmp_path): 4, **{str(tmp_path / place): count for place, count in counts.items()}}
    assert notes_below(reversed(places)) == places
