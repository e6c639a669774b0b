"""A vault stays a vault wherever its notes lie, and however it is asked for; a page about memory is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.pointers import lists_notes, notes_further_down
from memstile.discover import is_vault, is_vault_for_sure
from tests.case_tools import DISK, SINCE, STAGED, project
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import check, memstile
from tests.vault_tools import note, vault

GIVEN = {"MS201", "MS203"}
EVERY = pytest.mark.parametrize("words", [DISK, SINCE, STAGED], ids=["disk", "since", "staged"])
LONG = "x\n" * 300


def codes(repo: Repo, *words: str) -> set[str]:
    """Give the codes of the errors that a check tells."""
    ran = check(*words, cwd=repo.path, environment=repo.outside)
    return {row.split(" ")[1] for row in ran.findings if row.startswith("error")}


def remarks(repo: Repo, *words: str) -> list[str]:
    return check(*words, cwd=repo.path, environment=repo.outside).remarks


def plain(folder: Path, below: str = "") -> None:
    """Write a vault of two notes without frontmatter, beside its index or in a folder below."""
    (folder / below).mkdir(parents=True, exist_ok=True)
    prefix = f"{below}/" if below else ""
    (folder / "MEMORY.md").write_text(f"# Index\n\n- [a]({prefix}a.md)\n- [b]({prefix}b.md) - about b\n")
    for name in ("a.md", "b.md"):
        (folder / below / name).write_text("x\n")


def own(folder: Path) -> Repo:
    repo = init(folder / "own", environment(folder / "home"))
    plain(repo.path)
    repo.commit()
    return repo


GONE = [
    pytest.param((), LONG, id="deleted, and no pointer left"),
    pytest.param(("notes",), "- [a](notes/a.md)\n- [b](notes/b.md)\n" + LONG, id="moved, and pointed to"),
    pytest.param(("notes",), LONG, id="moved, and no pointer left"),
]


@pytest.mark.parametrize(("moved", "text"), GONE)
@pytest.mark.parametrize("is_committed", [True, False], ids=["since", "staged"])
def test_an_index_that_grows_while_its_notes_go_grows_over_its_cap(
    moved: tuple[str, ...], text: str, is_committed: bool, tmp_path: Path
) -> None:
    repo = own(tmp_path)
    base = repo.git("rev-parse", "HEAD")
    for name in ("a.md", "b.md"):
        for folder in moved:
            repo.write(f"{folder}/{name}", (repo.path / name).read_text())
        (repo.path / name).unlink()
    repo.write("MEMORY.md", text)
    repo.git("add", "--all")
    if is_committed:
        repo.commit()
    assert codes(repo, *(("--since", base) if is_committed else STAGED)) == {"MS101"}


def test_notes_with_frontmatter_that_go_leave_the_index_one(tmp_path: Path) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    repo.write("MEMORY.md", "# Memory\n")
    repo.write("a.md", note("a"))
    base = repo.commit()
    (repo.path / "a.md").unlink()
    repo.write("MEMORY.md", LONG)
    repo.commit()
    assert codes(repo, "--since", base) == {"MS101"}


@EVERY
@pytest.mark.parametrize("is_moved", [False, True], ids=["from the start", "moved"])
def test_a_vault_with_its_notes_in_a_folder_below_is_one(
    is_moved: bool, words: tuple[str, ...], tmp_path: Path
) -> None:
    repo = project(tmp_path)
    if is_moved:
        plain(repo.path / ".mem")
        repo.commit()
        repo.git("rm", "-r", "--quiet", ".mem")
    plain(repo.path / ".mem", "n")
    repo.commit()
    assert codes(repo, *words) == {"MS201", "MS202"}


@EVERY
def test_notes_below_with_frontmatter_need_no_list(words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".mem/MEMORY.md", "what I know of [a](./n/deep/a.md) and more\nand more\n")
    repo.write(".mem/n/deep/a.md", note("a"))
    repo.commit()
    assert codes(repo, *words) == {"MS201", "MS202"}


@pytest.mark.parametrize("words", [DISK, STAGED], ids=["disk", "staged"])
def test_notes_below_that_the_disk_lacks_count_in_git(words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    plain(repo.path / ".mem", "n")
    repo.commit()
    for path in ("n/a.md", "n/b.md"):
        (repo.path / ".mem" / path).unlink()
    assert codes(repo, *words) == {"MS201", "MS202"}


def test_a_list_of_notes_below_that_loses_them_is_still_compared(tmp_path: Path) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    plain(repo.path, "n")
    base = repo.commit()
    repo.write("MEMORY.md", LONG)
    repo.git("add", "--all")
    assert codes(repo, *STAGED) == {"MS101"}
    repo.git("rm", "-r", "--quiet", "n")
    repo.commit()
    assert codes(repo, "--since", base) == {"MS101"}


def test_untracked_notes_below_an_ignored_index_are_not_ignored(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", "MEMORY.md\n")
    repo.commit()
    plain(repo.path / ".mem", "n")
    assert codes(repo, *STAGED) == {"MS201"} == codes(repo)


PAGES = [
    pytest.param({"MEMORY.md": "How memory works.\n\nSee [heap](guide/heap.md).\n"}, id="a page with a link below"),
    pytest.param({"MEMORY.md": "Text.\nText.\n- [heap](guide/heap.md)\n"}, id="a page with a short list"),
    pytest.param({"MEMORY.md": "see guide/heap.md\n"}, id="a name below in prose"),
    pytest.param({"MEMORY.md": "- [x](README.md)\n", "README.md": "x"}, id="README.md beside it"),
    pytest.param({"MEMORY.md": "- [x](guide/README.md)\n", "guide/README.md": "x"}, id="README.md below"),
    pytest.param({"MEMORY.md": "- [x](gone/heap.md)\n"}, id="a list of what is not there"),
    pytest.param({"MEMORY.md": "- [x](../guide/heap.md)\n- [y](/etc/x.md)\n"}, id="a list of what is elsewhere"),
    pytest.param({"MEMORY.md": "- [x](http://example/heap.md)\n"}, id="a list of web pages"),
    pytest.param({"MEMORY.md": "- [t](TODO.md)\n", "TODO.md": "x"}, id="TODO.md"),
    pytest.param({"MEMORY.md": "text\n", "SKILL.md": note("x").decode()}, id="a skill"),
    pytest.param(
        {"MEMORY.md": "- [x](agents/x.md)\n", "agents/x.md": note("x").decode()}, id="an agent, which has frontmatter"
    ),
    *(
        pytest.param({"MEMORY.md": f"The rules are in {name}.\n- [{name}]({name})\n", name: "x"}, id=name)
        for name in ("CLAUDE.md", "AGENTS.md", "GEMINI.md", "ARCHITECTURE.md", "INSTALL.md")
    ),
]


@EVERY
@pytest.mark.parametrize("files", PAGES)
def test_a_page_about_memory_is_no_vault(files: dict[str, str], words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    for name, text in {"guide/heap.md": "x\n", **files}.items():
        repo.write(f"docs/{name}", text)
    repo.commit()
    assert codes(repo, *words) == set()


NOTES = ["architecture.md", "todo.md", "API.md", "readme-notes.md"]


@pytest.mark.parametrize("name", NOTES)
def test_notes_may_have_names_like_those_of_documents(name: str, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(f"- [x]({name})\n")
    (tmp_path / name).touch()
    assert is_vault(str(tmp_path), "MEMORY.md")
    assert is_vault_for_sure(str(tmp_path), "MEMORY.md")


@pytest.mark.parametrize("path", [".mem", ".mem/", ".mem/MEMORY.md"])
def test_an_index_that_is_named_is_a_vaults_in_a_commit_too(path: str, tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".mem/MEMORY.md", LONG)
    repo.git("add", "--all")
    assert codes(repo, *STAGED, path) == {"MS101", *GIVEN}
    assert codes(repo, path) == {"MS102", *GIVEN}
    assert codes(repo, *STAGED) == codes(repo, *STAGED, "README") == set()
    assert remarks(repo, *STAGED, path) == []


def test_an_index_that_is_named_and_not_staged_is_not_ignored(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".mem/MEMORY.md", "text\n")
    assert codes(repo, *STAGED, ".mem") == {"MS201"}


@EVERY
def test_what_is_tracked_of_an_ignored_vault_need_be_no_note(words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / ".mem")
    repo.write(".mem/deep/data.json", "{}")
    repo.write(".gitignore", "/.mem/\n")
    repo.git("add", "--force", ".gitignore", ".mem/deep/data.json")
    repo.git("commit", "--quiet", "--no-verify", "--message", "x")
    repo.write("x", "x")
    repo.git("add", "x")
    assert codes(repo, *words) == {"MS202"}


@pytest.mark.parametrize("words", [DISK, STAGED, ("--since", "HEAD~1")], ids=["disk", "staged", "since"])
def test_submodules_that_are_not_here_are_named(words: tuple[str, ...], tmp_path: Path) -> None:
    inner = project(tmp_path, "inner")
    repo = project(tmp_path)
    for name in ("mem", "b", "c", "d"):
        repo.git("submodule", "--quiet", "add", f"file://{inner.path}", name)
    repo.commit()
    there = clone(repo.path, tmp_path / "there", repo.outside)
    said = "4 submodules are not checked out; not looked at: b, c, d and 1 more"
    assert [row for row in remarks(repo, *words) if "submodule" in row] == []
    assert [row for row in remarks(there, *words) if "submodule" in row] == [said]
    there.git("submodule", "--quiet", "update", "--init", "b", "c", "d")
    said = "1 submodule is not checked out; not looked at: mem"
    assert [row for row in remarks(there, *words) if "submodule" in row] == [said]
    assert [row for row in remarks(there, "b") if "submodule" in row] == []


UNSURE = [
    pytest.param({"x.md": "x"}, "about x.md", "m", id="a name in prose"),
    pytest.param({"n/x.md": "x"}, "- [x](n/x.md)", "m", id="a list of what lies below"),
    pytest.param({"x.md": "x", "settings.json": "{}"}, "- [x](x.md)", ".claude", id="settings beside it"),
]


@pytest.mark.parametrize(("files", "text", "folder"), UNSURE)
def test_fix_leaves_alone_what_may_be_no_vault_unless_it_is_named(
    files: dict[str, str], text: str, folder: str, tmp_path: Path
) -> None:
    repo = project(tmp_path)
    for name, content in {**files, "MEMORY.md": text + "\n"}.items():
        repo.write(f"{folder}/{name}", content)
    repo.commit()
    tracked = repo.git("ls-files")
    assert codes(repo) == {"MS201", "MS202"}
    for words in ((), (".",)):
        ran = memstile("fix", "--yes", *words, cwd=repo.path, environment=repo.outside)
        assert (ran.code, repo.git("ls-files"), repo.git("status", "--short")) == (1, tracked, "")
        assert f"{folder}: left alone, since" in ran.out.decode()
    ran = memstile("fix", "--yes", folder, cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files")) == (0, "README")


def test_fix_mends_a_vault_whose_notes_lie_below_and_have_frontmatter(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("m/MEMORY.md", "- [x](n/x.md)\n")
    repo.write("m/n/x.md", note("x"))
    repo.commit()
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files")) == (0, "README")


def test_the_order_of_vaults_does_not_hang_on_the_seed_of_hashes(tmp_path: Path) -> None:
    repo = project(tmp_path)
    for name in "abcdefgh":
        vault(repo.path / name / ".mem")
        repo.write(f"{name}/x.md", "x")
        repo.write(f"{name}/.gitignore", ".mem\n")
    repo.commit()
    said = {
        subprocess.run(
            [sys.executable, "-m", "memstile", "check", "--staged"],
            cwd=repo.path,
            env={**repo.outside, "PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


BELOW = [
    pytest.param(b"[a](n/a.md) [b](./n//./b.md?x#y) [[n/c.md]]", ["n/a.md", "n/b.md", "n/c.md"], id="links"),
    pytest.param(b"[a]: n/a.md\n<n/b.md>, `n/c.MD`.", ["n/a.md", "n/b.md", "n/c.MD"], id="of other kinds"),
    pytest.param(b"[a](n/my%20note.md) [a](n/my%20note.md)", ["n/my note.md"], id="escapes, and once each"),
    pytest.param(b"[a](a.md) [b](n/../b.md) [c](../c.md) [d](/d.md) [e](http://x/e.md) [f](n/f)", [], id="none below"),
    pytest.param(b"[a](n/README.md) [b](x/skills/b.md) [c](n/SKILL.md)", [], id="no notes"),
    pytest.param("[a](n/a.md)".encode("utf-16"), ["n/a.md"], id="UTF-16"),
]


@pytest.mark.parametrize(("data", "expected"), BELOW)
def test_the_notes_below_that_an_index_names(data: bytes, expected: list[str]) -> None:
    assert notes_further_down(data) == expected


LISTS = [
    pytest.param(b"", False, id="nothing"),
    pytest.param(b"# Index\n\n- [a](n/a.md)\r\n\r\n  more about a\n<!-- x -->\n", True, id="one entry"),
    pytest.param(b"* [a](a.md)\n1. [b](n/b.md)\ntext\n", True, id="more than half"),
    pytest.param(b"- [a](a.md)\ntext\n", False, id="half"),
    pytest.param(b"[a](n/a.md)\n", False, id="no list"),
    pytest.param(b"- [a](README.md)\n- [b](http://x/b.md)\n- c\n", False, id="entries for something else"),
]


@pytest.mark.parametrize(("data", "expected"), LISTS)
def test_an_index_is_a_list_of_notes_by_more_than_half_of_it(data: bytes, expected: bool) -> None:
    assert lists_notes(data) == expected


@given(st.text(alphabet="-*[]()<>#| /.md%:\n\t\u2028\ud800", max_size=60))
def test_any_text_names_notes_below_or_none(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    lists_notes(data)
    assert all("/" in name and ".." not in name.split("/") for name in notes_further_down(data))
