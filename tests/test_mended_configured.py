"""Configured vaults that only git has, that a wider path names, or whose names the locale cannot write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.config import load
from memstile.configured import matcher
from memstile.core.settings import UNUSABLE, Fault, VaultSetting
from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check, memstile
from tests.vault_tools import index, note, vault

TRACKED = "the git index holds 6 files of this vault"
ELSEWHERE = "not in this checkout; git index checked"
HIDDEN = f"staged 6 lines {len(index())} bytes; {ELSEWHERE}"
EVERY_PLACE = [(), ("--staged",), ("--since", "HEAD")]


def table(path: str, mode: str = "auto") -> str:
    return f'[[vault]]\npath = "{path}"\nmode = "{mode}"\n'


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project with one commit."""
    made = init(tmp_path / "proj", environment(tmp_path / "home"))
    made.write("main.py", "")
    made.commit()
    return made


def run(repo: Repo, *words: str, cwd: Path | None = None) -> Checked:
    return check(*words, cwd=cwd or repo.path, environment=repo.outside, unchanged=repo.path)


def codes(done: Checked) -> list[str]:
    return [row.split()[1] for row in done.findings]


def by_hand(repo: Repo) -> None:
    shutil.rmtree(repo.path / "a")


def by_sparse_checkout(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/a/")


# --- a path with "*", and folders that only git has


@pytest.mark.parametrize("take_away", [by_hand, by_sparse_checkout])
@pytest.mark.parametrize("words", EVERY_PLACE)
@pytest.mark.parametrize(
    ("path", "mode", "shown"),
    [("*/notes", "shared", "shared"), ("*/no*", "dedicated", "ignored"), ("*/*", "ignored", "ignored")],
)
def test_a_folder_that_only_git_has_is_named_by_a_star(
    path: str, mode: str, shown: str, words: tuple[str, ...], take_away: Callable[[Repo], None], repo: Repo
) -> None:
    vault(repo.path / "a/notes")
    repo.write("memstile.toml", table(path, mode))
    repo.commit(force=True)
    take_away(repo)
    done = run(repo, *words)
    assert (done.remarks, len(done.vaults)) == ([], 1)
    assert done.vaults[0].startswith(f"a/notes ({shown}): ")
    assert ("MS202" in codes(done)) == (shown == "ignored")


@pytest.mark.parametrize("words", EVERY_PLACE)
def test_a_folder_that_only_git_has_need_not_look_like_a_vault(words: tuple[str, ...], repo: Repo) -> None:
    repo.write("a/notes/topics/one.md", "plain")
    repo.write("memstile.toml", table("*/notes"))
    repo.commit()
    by_hand(repo)
    done = run(repo, *words)
    assert done == Checked(1, done.findings, [f"a/notes (ignored): {ELSEWHERE}"])
    assert codes(done) == ["MS201", "MS202"]


def test_below_a_given_path_only_what_lies_there_is_taken_from_git(repo: Repo) -> None:
    for name in ("a/notes", "b/notes"):
        repo.write(f"{name}/one.md", "plain")
    repo.write("b/keep", "")
    repo.write("memstile.toml", table("*/notes", "shared"))
    repo.commit()
    by_hand(repo)
    shutil.rmtree(repo.path / "b/notes")
    assert run(repo, "b") == Checked(0, [], [f"b/notes (shared): {ELSEWHERE}"])


def test_a_star_that_names_nothing_in_git_either_is_told_once(repo: Repo) -> None:
    repo.write("memstile.toml", table("*/notes"))
    repo.write("a/other/one.md", "plain")
    repo.commit()
    by_hand(repo)
    (repo.path / "b").mkdir()
    told = "*/notes: no folder matches; nothing to check there"
    assert [row for row in run(repo).remarks if "matches" in row] == [told]
    assert [row for row in run(repo, "b", ".").remarks if "matches" in row] == [told]


def test_a_configured_folder_without_its_index_is_still_in_this_checkout(repo: Repo) -> None:
    vault(repo.path / "a/notes")
    repo.write("memstile.toml", table("*/notes", "shared"))
    repo.commit()
    (repo.path / "a/notes/MEMORY.md").unlink()
    assert run(repo).vaults == ["a/notes (shared): no MEMORY.md yet"]


PLACES = [
    pytest.param("*/notes", "/p/a/notes", True, id="a part is any name"),
    pytest.param("a*/notes", "/p/b/notes", False, id="but for what is written"),
    pytest.param("*/notes", "/p/a/b/notes", False, id="one name only"),
    pytest.param("*/notes", "/p/notes", False, id="no name is none"),
    pytest.param("*/notes", "/q/a/notes", False, id="below its folder"),
    pytest.param("*/notes", "/p/node_modules/notes", False, id="no tool's"),
    pytest.param("*", "/p/.git", False, id="nor git's"),
    pytest.param("../*/v", "/q/v", True, id="up and down again"),
    pytest.param("/q/*", "/q/v", True, id="absolute"),
    pytest.param("[x]*", "/p/[x]y", True, id="brackets are a name"),
    pytest.param("v", "/p/v", True, id="a path without a star"),
    pytest.param("v", "/p/v2", False, id="names one folder"),
    pytest.param("~/*", "/home/x", True, id="home"),
]


@pytest.mark.parametrize(("path", "place", "expected"), PLACES)
def test_a_path_names_places_that_need_not_be_there(
    path: str, place: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home")
    assert matcher(VaultSetting(path, base="/p"))(place) == expected


# --- a given path that is not in this checkout


@pytest.mark.parametrize("is_configured", [True, False])
@pytest.mark.parametrize("typed", ["a/notes", "a/notes/", "./a/notes", "a"])
@pytest.mark.parametrize("words", EVERY_PLACE)
def test_a_given_vault_that_only_git_has_is_checked_there(
    words: tuple[str, ...], typed: str, is_configured: bool, repo: Repo
) -> None:
    vault(repo.path / "a/notes")
    if is_configured:
        repo.write("memstile.toml", table("*/notes", "ignored"))
    repo.commit()
    by_hand(repo)
    done = run(repo, *words, typed)
    assert (done.code, done.err, len(done.vaults)) == (1, "", 1)
    assert "MS202" in codes(done)
    assert words == ("--staged",) or done.vaults == [f"a/notes (ignored): {HIDDEN}"]


def test_a_given_index_that_only_git_has_is_checked_there(repo: Repo) -> None:
    vault(repo.path / "a/notes")
    repo.commit()
    by_hand(repo)
    assert run(repo, "a/notes/MEMORY.md").vaults == [f"a/notes (ignored): {HIDDEN}"]


def test_a_given_folder_with_an_index_is_a_vault_whatever_lies_beside_it(repo: Repo) -> None:
    repo.write("a/MEMORY.md", "# Notes\n")
    repo.commit()
    by_hand(repo)
    assert run(repo, "a").vaults == [f"a (ignored): staged 1 lines 8 bytes; {ELSEWHERE}"]


def test_a_given_folder_that_git_has_without_a_vault_is_no_typo(repo: Repo) -> None:
    repo.write("a/one.md", "plain")
    repo.commit()
    by_hand(repo)
    done = run(repo, "a")
    assert (done.code, done.vaults, done.remarks[0]) == (0, [], "no vault found below a")


@pytest.mark.parametrize("typed", ["nowhere", "a/nowhere", "a/note", "a/notes/MEMORY.mdx"])
def test_a_given_path_that_git_does_not_have_either_is_a_typo(typed: str, repo: Repo) -> None:
    vault(repo.path / "a/notes")
    repo.commit()
    by_hand(repo)
    hint = "give a vault, or a folder with vaults below it"
    assert run(repo, "main.py", "a", typed) == Checked(
        2, [], err="memstile: main.py is not a folder\n  hint: give the folder that holds MEMORY.md\n"
    )
    assert run(repo, "a", typed) == Checked(2, [], err=f"memstile: no such folder: {typed}\n  hint: {hint}\n")


def test_a_given_vault_that_is_configured_and_nowhere_passes(repo: Repo) -> None:
    repo.write("memstile.toml", table(".mem"))
    repo.write(".gitignore", ".mem\n")
    repo.commit()
    assert run(repo, ".mem") == Checked(0, [], [f".mem (ignored): {ELSEWHERE}"])
    repo.write("memstile.toml", table("x/.mem"))
    assert run(repo, "x") == Checked(0, [], [f"x/.mem (ignored): {ELSEWHERE}"])


def test_fix_takes_a_given_vault_that_only_git_has_out_of_it(repo: Repo) -> None:
    vault(repo.path / "a/notes")
    repo.commit()
    by_hand(repo)
    done = memstile("fix", "--yes", "a/notes", cwd=repo.path, environment=repo.outside)
    assert (done.code, done.err, repo.git("ls-files")) == (0, "", "main.py")
    repo.commit()
    assert run(repo, "a/notes").code == 2


# --- a wider path


WIDER = [
    pytest.param("a/notes", "*/notes", "auto", [], id="any folder"),
    pytest.param("a/notes", "*/*", "ignored", [], id="any two"),
    pytest.param("a/no*", "*/no*", "auto", [], id="a star before"),
    pytest.param("a/no*", "a/*", "auto", [], id="any name"),
    pytest.param("a/notes", "./*/notes/", "auto", [], id="spelt another way"),
    pytest.param("a/notes", "b*/notes", "auto", ["MS902"], id="others"),
    pytest.param("a/no*", "*/notes", "auto", ["MS902"], id="what it names here, and less elsewhere"),
    pytest.param(".mem", "*/.mem", "auto", ["MS902"], id="one name more"),
    pytest.param("*/notes", "a/notes", "auto", ["MS902"], id="narrower"),
    pytest.param("a/notes", "*/notes", "shared", ["MS902"], id="shares what was not shared"),
    pytest.param("../no*", "*/no*", "auto", ["MS902"], id="nor with a star"),
    pytest.param("~/no*", "*/no*", "auto", ["MS902"], id="nor is home"),
    pytest.param("../out/notes", "*/out/notes", "auto", ["MS902"], id="a way up is no name"),
    pytest.param("node_modules/notes", "*/notes", "auto", ["MS902"], id="a tool's folder is none"),
]


@pytest.mark.parametrize("is_present", [True, False])
@pytest.mark.parametrize(("before", "after", "mode", "told"), WIDER)
def test_a_wider_path_loosens_nothing(
    before: str, after: str, mode: str, told: list[str], is_present: bool, repo: Repo
) -> None:
    repo.write(".gitignore", "notes\n")
    repo.write("memstile.toml", table(before, mode))
    repo.commit()
    if is_present:
        vault(repo.path / "a/notes")
    repo.write("memstile.toml", table(after, mode))
    repo.git("add", "--all")
    assert [code for code in codes(run(repo, "--staged")) if code == "MS902"] == told
    repo.commit()
    assert [code for code in codes(run(repo, "--since", "HEAD~1")) if code == "MS902"] == told


@pytest.mark.parametrize("after", [table("*/notes"), table("*/notes", "shared"), table("a/*", "auto")])
def test_a_wider_path_with_a_mode_that_asks_less_is_a_loosening(after: str, repo: Repo) -> None:
    vault(repo.path / "a/notes")
    repo.write("memstile.toml", table("a/notes", "ignored"))
    repo.commit()
    repo.write("memstile.toml", after)
    assert "MS902" in codes(run(repo, "--since", "HEAD"))


def link_on_the_way(repo: Repo) -> None:
    vault(repo.path / "real/deep/notes")
    (repo.path / "a").symlink_to("real/deep")


def link_that_leads_nowhere_here(repo: Repo) -> None:
    (repo.path / "a").symlink_to("nowhere")


@pytest.mark.parametrize("build", [link_on_the_way, link_that_leads_nowhere_here])
def test_a_star_does_not_name_what_lies_behind_a_link(build: Callable[[Repo], None], repo: Repo) -> None:
    build(repo)
    repo.write("memstile.toml", table("a/notes"))
    repo.commit()
    repo.write("memstile.toml", table("*/notes"))
    assert "MS902" in codes(run(repo, "--since", "HEAD"))


def test_a_wider_path_in_a_file_further_down_is_another_folder(repo: Repo) -> None:
    repo.write("memstile.toml", table("a/notes"))
    repo.write("sub/x", "")
    repo.commit()
    repo.write("sub/memstile.toml", table("*/notes"))
    assert "MS902" in codes(run(repo, "--since", "HEAD", cwd=repo.path / "sub"))


@pytest.mark.parametrize("mode", ["auto", "shared", "ignored"])
def test_a_vault_that_moves_with_its_table_is_for_a_person_to_decide(mode: str, repo: Repo) -> None:
    """Where an ignored vault lies on other disks no commit moves it, and its new place may hold private notes there."""
    vault(repo.path / "old")
    repo.write("memstile.toml", table("old", mode))
    repo.commit()
    repo.git("mv", "old", "new")
    repo.write("memstile.toml", table("new", mode))
    repo.git("add", "--all")
    assert "MS902" in codes(run(repo, "--staged"))


# --- settings at another place than meant


def test_a_path_outside_a_vault_table_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "memstile.toml").write_text('path = ".mem"\n[index]\npath = "x"\n')
    hint = "put it below a line [[vault]]"
    told = load(str(tmp_path), environment={"HOME": str(tmp_path)}, flags={}).faults
    assert [fault._replace(name="") for fault in told] == [
        Fault("", "path", "path is not a setting", hint, UNUSABLE),
        Fault("", "index.path", "index.path is not a setting", hint, UNUSABLE),
    ]


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_variable_is_an_empty_list(text: str, tmp_path: Path) -> None:
    done = load(str(tmp_path), environment={"HOME": str(tmp_path), "MEMSTILE_INDEX_WINDOWS": text}, flags={})
    assert (done.settings.index_windows, done.faults) == ((), ())


# --- names that the locale cannot write


@pytest.mark.parametrize("words", EVERY_PLACE)
@pytest.mark.parametrize("path", ["mémoire", "mé*", "*/mémoire"])
@pytest.mark.parametrize("utf8", ["0", "1"])
def test_a_configured_path_is_found_whatever_the_locale(
    utf8: str, path: str, words: tuple[str, ...], repo: Repo
) -> None:
    vault(repo.path / ("x/mémoire" if "/" in path else "mémoire"))
    repo.write("memstile.toml", table(path))
    repo.commit()
    done = subprocess.run(
        [sys.executable, "-m", "memstile", "check", *words],
        cwd=repo.path,
        env={**repo.outside, "LC_ALL": "C", "PYTHONUTF8": utf8, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"MS202" in done.stdout


@pytest.mark.parametrize("utf8", ["0", "1"])
def test_the_name_of_an_index_is_found_whatever_the_locale(utf8: str, repo: Repo, tmp_path: Path) -> None:
    repo.write("v/mémoire.md", index(210))
    repo.write("v/note-1.md", note("note-1"))
    place = tmp_path / "home/.config/memstile/config.toml"
    place.parent.mkdir(parents=True)
    place.write_text('index_name = "mémoire.md"\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "memstile", "check", "--select", "MS102"],
        cwd=repo.path,
        env={**repo.outside, "LC_ALL": "C", "PYTHONUTF8": utf8, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"MS102" in done.stdout
