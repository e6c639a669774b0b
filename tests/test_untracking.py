"""The git index is changed and nothing else: no program of the repository runs, no work tree file is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memstile.errors import GuardError
from memstile.git import Git, GitFault
from memstile.on_disk import is_staged
from memstile.repository import Repository, entries, open_repository, staged
from memstile.untracking import (
    forget_submodule,
    look_at_modules,
    only_staged,
    untrack,
    without_filters,
    without_section,
)
from tests.fix_situations import changed_three_times, staged_submodule, submodule, tracked
from tests.fix_tools import project
from tests.git_tools import Repo, environment, init
from tests.run_tools import digest


def opened(repo: Repo) -> Repository:
    return open_repository(Git(str(repo.path), repo.outside))


def work_tree(repo: Repo) -> dict[str, str]:
    return {path: row for path, row in digest(repo.path).items() if "/.git" not in path}


def booby_trapped(repo: Repo, driver_in_use: str = "trap") -> Path:
    """Let the repository run a program at every chance that it has; the mark is there if one ran."""
    mark = repo.path.parent / "ran"
    os.utime(repo.path / "main.py", (2**31, 2**31))  # always younger than the git index: git looks into it
    repo.git("add", "main.py")
    program = f"sh -c 'echo ran >> {mark}; cat'"
    for driver in ("trap", "a=b.c"):
        repo.git("config", f"filter.{driver}.clean", program)
        repo.git("config", f"filter.{driver}.process", program)
        repo.git("config", f"filter.{driver}.required", "true")
    repo.git("config", "core.fsmonitor", f"sh -c 'echo ran >> {mark}'")
    repo.write(".git/info/attributes", f"* filter={driver_in_use}\n")
    repo.hook("post-index-change", f"echo ran >> {mark}")
    for path in (repo.path / ".memory").glob("*.md"):
        os.utime(path, (1, 1))
    return mark


@pytest.mark.parametrize("driver", ["trap", "a=b.c"])
def test_untracking_runs_nothing_of_the_repository(driver: str, tmp_path: Path) -> None:
    repo = tracked(tmp_path).repo
    mark = booby_trapped(repo, driver)
    repository, before = opened(repo), work_tree(repo)
    untrack(repository, entries(repository, ".memory"))
    assert (entries(repository, ".memory"), mark.exists(), work_tree(repo)) == ([], False, before)


def test_git_rm_would_have_run_the_filter(tmp_path: Path) -> None:
    """The reason why it is not used; if git changes, so may we."""
    repo = tracked(tmp_path).repo
    mark = booby_trapped(repo)
    opened(repo).git.ask("rm", "-rqf", "--cached", "--", ".memory", accept=(0, 128))
    assert mark.read_text() != ""


def test_forgetting_a_submodule_runs_nothing_of_the_repository(tmp_path: Path) -> None:
    repo = submodule(tmp_path).repo
    mark = booby_trapped(repo)
    repository = opened(repo)
    rows = entries(repository, ".gitmodules")
    forget_submodule(repository, ".memory", rows, look_at_modules(repository, rows, ".gitmodules"))
    assert not mark.exists()


def test_untracking_leaves_other_entries_and_their_conflicts(tmp_path: Path) -> None:
    repo = project(tmp_path).repo
    blob = repo.git("hash-object", "-w", "main.py")
    stages = "".join(f"100644 {blob} {stage}\t{name}\0" for name in ("a.md", "b.md") for stage in (1, 2, 3))
    repo.git("update-index", "-z", "--index-info", stdin=stages.encode())
    repository = opened(repo)
    untrack(repository, entries(repository, "a.md"))
    assert [(row.path, row.stage) for row in entries(repository)] == [
        (".gitignore", 0),
        ("b.md", 1),
        ("b.md", 2),
        ("b.md", 3),
        ("main.py", 0),
    ]


def test_what_is_gone_already_is_no_fault(tmp_path: Path) -> None:
    repo = tracked(tmp_path).repo
    repository = opened(repo)
    rows = entries(repository, ".memory")
    untrack(repository, rows)
    untrack(repository, rows)
    assert entries(repository, ".memory") == []


def test_a_lock_of_another_git_is_a_fault_and_nothing_changes(tmp_path: Path) -> None:
    repo = tracked(tmp_path).repo
    repository = opened(repo)
    rows = entries(repository, ".memory")
    repo.write(".git/index.lock", "")
    with pytest.raises(GitFault, match=r"index\.lock"):
        untrack(repository, rows)
    assert entries(repository, ".memory") == rows


def staged_alone(repo: Repo, *names: str) -> list[str]:
    repository = opened(repo)
    rows = entries(repository, *names)
    return [row.path for row in only_staged(repository, rows, staged(repository, ["."]))]


def test_content_that_only_the_git_index_has_is_told(tmp_path: Path) -> None:
    repo = changed_three_times(tmp_path).repo
    assert staged_alone(repo, ".memory") == [".memory/note-1.md"]


# id: (what is staged, what is on disk, whether only the git index has it)
CONTENTS = {
    "the same": (b"a\n", b"a\n", False),
    "line ends differ": (b"a\nb\n", b"a\r\nb\r\n", False),
    "another": (b"a\n", b"b\n", True),
    "gone from disk": (b"a\n", None, True),
    "nothing staged": (b"", b"b\n", False),
    "emptied on disk": (b"a\n", b"", True),
}


@pytest.mark.parametrize("words", [(), ("--object-format=sha256",)], ids=["sha1", "sha256"])
@pytest.mark.parametrize(("blob", "disk", "is_told"), CONTENTS.values(), ids=CONTENTS)
def test_a_blob_is_compared_with_the_disk(
    blob: bytes, disk: bytes | None, is_told: bool, words: tuple[str, ...], tmp_path: Path
) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"), *words)
    file = repo.write("a.md", blob)
    repo.git("add", "a.md")
    if disk is None:
        file.unlink()
    else:
        file.write_bytes(disk)
    assert staged_alone(repo, "a.md") == ["a.md"] * is_told


def test_a_link_is_compared_by_where_it_leads(tmp_path: Path) -> None:
    repo = project(tmp_path).repo
    for name in ("same", "other", "file"):
        (repo.path / name).symlink_to("main.py")
    repo.git("add", "--all")
    (repo.path / "other").unlink()
    (repo.path / "other").symlink_to("elsewhere")
    (repo.path / "file").unlink()
    repo.write("file", "main.py")
    assert staged_alone(repo, "same", "other", "file") == ["file", "other"]


def test_what_the_head_has_is_not_told(tmp_path: Path) -> None:
    repo = project(tmp_path).repo
    repo.write("main.py", "changed\n")
    assert staged_alone(repo, "main.py") == []


def test_a_file_is_staged_if_the_commit_carries_it_or_cannot(tmp_path: Path) -> None:
    repo = project(tmp_path, ignored="hidden\n").repo
    repo.write("main.py", "changed\n")
    repo.write("new", "")
    repo.write("hidden", "")
    rows = {name: is_staged(opened(repo), name) for name in (".gitignore", "main.py", "new", "hidden")}
    assert rows == {".gitignore": True, "main.py": False, "new": False, "hidden": True}


def test_a_section_leaves_gitmodules_staged_and_on_disk(tmp_path: Path) -> None:
    repo = submodule(tmp_path).repo
    place = repo.path / ".gitmodules"
    before = place.read_bytes()
    place.write_bytes(before.replace(b"\n", b"\r\n"))  # as a checkout with core.autocrlf writes it
    place.chmod(0o600)
    repository = opened(repo)
    rows = entries(repository, ".gitmodules")
    forget_submodule(repository, ".memory", rows, look_at_modules(repository, rows, ".gitmodules"))
    lib = before[: before.index(b'[submodule ".memory"]')]
    assert lib.startswith(b'[submodule "lib"]')
    assert repo.git("show", ":.gitmodules") == lib.decode().rstrip("\n")
    assert (place.read_bytes(), place.stat().st_mode & 0o777) == (lib.replace(b"\n", b"\r\n"), 0o600)


def test_gitmodules_with_changes_of_its_own_is_refused(tmp_path: Path) -> None:
    repo = staged_submodule(tmp_path).repo
    with (repo.path / ".gitmodules").open("a") as file:
        file.write("# mine\n")
    repository = opened(repo)
    with pytest.raises(GuardError, match=r"^\.gitmodules has changes that are not staged$"):
        look_at_modules(repository, entries(repository, ".gitmodules"), ".gitmodules")


def test_pairs_that_the_environment_has_already_are_kept(tmp_path: Path) -> None:
    repo = project(tmp_path).repo
    repo.git("config", "filter.x.clean", "cat")
    pairs = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"}
    git = without_filters(open_repository(Git(str(repo.path), {**repo.outside, **pairs})))
    assert git.ask("config", "a.b") == b"c\n"
    assert [git.ask("config", f"filter.x.{key}") for key in ("clean", "process", "required")] == [
        b"\n",
        b"\n",
        b"false\n",
    ]


def test_a_write_that_fails_leaves_what_is_staged_as_it_was(tmp_path: Path) -> None:
    repo = submodule(tmp_path).repo
    repository = opened(repo)
    rows = entries(repository, ".gitmodules")
    seen = look_at_modules(repository, rows, ".gitmodules")
    (repo.path / ".gitmodules").write_bytes(seen.data + b"# theirs\n")
    with pytest.raises(GuardError, match="changed by somebody else"):
        forget_submodule(repository, ".memory", rows, seen)
    assert entries(repository, ".gitmodules") == rows


@pytest.mark.parametrize("name", ["a.b", "a b", "..", 'a"b', "a\\b", "é", "A"])
def test_a_section_is_found_by_its_very_name(name: str, tmp_path: Path) -> None:
    repo = project(tmp_path).repo
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    rest = b'[submodule "other"]\n\tpath = other\n'
    data = f'[submodule "{escaped}"]\n\tpath = m\n'.encode() + rest
    assert without_section(opened(repo), data, name) == rest


def test_a_section_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    repo = project(tmp_path).repo
    with pytest.raises(GitFault, match="no such section"):
        without_section(opened(repo), b'[submodule "b"]\n\tpath = b\n', "a")
