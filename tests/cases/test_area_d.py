"""Area D of the real-world cases: hook and CI mechanics."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.case_tools import DISK, SINCE, STAGED, Case, alone, numbers, past_window, project, rows, told
from tests.git_tools import clone, environment, init
from tests.run_tools import Checked, check
from tests.vault_tools import index, note, vault

NOT_HERE = {
    "067": "the hook manifest: tests/test_pre_commit.py; here that names handed over one by one change nothing",
    "070": "the doctor's part: whether an installed hook refuses",
    "073": "the doctor's part: whether the stored command still starts",
}


def nothing_staged(folder: Path) -> Path:
    """Build a clean tree whose committed index is over the cap."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(230))
    repo.commit()
    return repo.path


def cloned(folder: Path, settings: str = "") -> Path:
    """Build a clone of a project that ignores its vault."""
    repo = project(folder, "origin")
    repo.write(".gitignore", ".memory/\n")
    repo.write("memstile.toml", settings)
    vault(repo.path / ".memory")
    repo.commit()
    return clone(repo.path, folder / "proj", repo.outside).path


def configured_clone(folder: Path) -> Path:
    """Build such a clone, with a settings file that names the vault."""
    return cloned(folder, '[[vault]]\npath = ".memory"\n')


def like_options(folder: Path) -> Path:
    """Build a project that has committed a vault with notes whose names look like options."""
    repo = project(folder)
    place = vault(repo.path / "-v")
    for name in ("--all-files", "-n", "@args"):
        (place / f"{name}.md").write_bytes(note("x"))
    repo.commit()
    return repo.path


OVER = past_window("MEMORY.md", "index on disk", 201, 230)

CASES = (
    Case(
        "064 nothing staged, everything to check",
        nothing_staged,
        {
            DISK: alone(
                "dedicated",
                "on disk 230 lines 2486 bytes",
                "error MS102 MEMORY.md: index on disk is 230 lines, hard cap 200",
                OVER,
                code=1,
            ),
            SINCE: alone(
                "dedicated",
                "on disk 230 lines 2486 bytes",
                "warning MS102 MEMORY.md: index on disk is 230 lines, hard cap 200; not larger than the merge base "
                "with HEAD",
                OVER,
            ),
            ("--since", "HEAD", "--strict"): alone(
                "dedicated",
                "on disk 230 lines 2486 bytes",
                "warning MS102 MEMORY.md: index on disk is 230 lines, hard cap 200; not larger than the merge base "
                "with HEAD",
                OVER,
                code=1,
            ),
            STAGED: alone(
                "dedicated",
                "staged 230 lines 2486 bytes",
                "warning MS102 MEMORY.md: staged index is 230 lines, hard cap 200; not larger than HEAD",
                past_window("MEMORY.md", "staged index", 201, 230),
            ),
        },
    ),
    Case(
        "066 CI never sees the vault, and nothing names it",
        cloned,
        {
            DISK: Checked(0, [], remarks=["no vault found below ."]),
            SINCE: Checked(0, [], remarks=["no vault found below ."]),
            STAGED: Checked(0, [], remarks=["nothing of a vault in this commit"]),
            ("--strict",): Checked(
                2,
                [],
                remarks=["no vault found below ."],
                err="memstile: no vault was given, configured or found\n"
                "  hint: name it: `memstile check PATH`, or [[vault]]\n",
            ),
        },
    ),
    Case(
        "066 CI never sees the vault that the settings name",
        configured_clone,
        {
            words: Checked(0, [], [".memory (ignored): not in this checkout; git index checked"])
            for words in (DISK, SINCE, STAGED, ("--strict",), (".memory",), ("--staged", ".memory"))
        },
    ),
    Case(
        "068 names that look like options",
        like_options,
        {
            words: Checked(
                1,
                [
                    "error MS201 -v: vault is not ignored by git",
                    "error MS202 -v: git tracks 9 files of the vault",
                ],
                [f"-v (ignored): {where} 6 lines 118 bytes"],
            )
            for words, where in (
                (DISK, "on disk"),
                (SINCE, "on disk"),
                (STAGED, "staged"),
                (("--", "-v"), "on disk"),
                (("--staged", "--", "-v"), "staged"),
            )
        },
    ),
)


@rows(CASES)
def test_case(case: Case, tmp_path: Path) -> None:
    assert told(case, tmp_path) == dict(case.told)


def test_every_case_of_the_area_is_here() -> None:
    assert numbers(CASES) | set(NOT_HERE) == {"064", "066", "067", "068", "070", "073"}


@pytest.mark.parametrize("word", ["-v", "--all-files.md", "-n.md"])
def test_068_a_name_without_the_two_dashes_before_it_is_refused_as_an_option(word: str, tmp_path: Path) -> None:
    path = like_options(tmp_path)
    result = check(word, cwd=path, environment=environment(tmp_path / "home"), unchanged=tmp_path)
    assert (result.code, result.findings, result.err.splitlines()[1:]) == (
        2,
        [],
        ["  hint: see `memstile check --help`"],
    )


def test_066_a_tracked_file_of_a_vault_that_is_not_there_is_found_in_the_git_index(tmp_path: Path) -> None:
    path = configured_clone(tmp_path)
    repo = init(path, environment(tmp_path / "home"))
    blob = repo.git("hash-object", "-w", "--stdin", stdin=note("n"))
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},.memory/note-1.md")
    for words in (DISK, STAGED):
        assert check(*words, cwd=path, environment=repo.outside, unchanged=tmp_path) == Checked(
            1,
            ["error MS203 .memory: 1 file of the vault would be committed"],
            [".memory (ignored): not in this checkout; git index checked"],
        )


HANDED_OVER = [
    pytest.param(("v/note-1.md",), id="a note"),
    pytest.param(("v/note-1.md", "v/note-2.md", "other"), id="some files of the commit"),
    pytest.param(("v/MEMORY.md",), id="the index"),
    pytest.param(("v",), id="the vault"),
    pytest.param((".",), id="the folder above"),
]


@pytest.mark.parametrize("names", HANDED_OVER)
def test_067_file_names_handed_over_do_not_change_what_is_judged(names: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", '[[vault]]\npath = "v"\nmode = "shared"\n')
    repo.write("other", "x")
    vault(repo.path / "v", index(180))
    repo.commit()
    vault(repo.path / "v", index(215))
    repo.git("add", "--all")
    assert check("--staged", *names, cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == Checked(
        1,
        [
            "error MS101 v/MEMORY.md: staged index grew from 180 to 215 lines, hard cap 200 (base: HEAD)",
            past_window("v/MEMORY.md", "staged index", 201, 215),
        ],
        ["v (shared): staged 215 lines 2321 bytes"],
    )


def test_067_a_name_that_is_nowhere_is_no_clean_commit(tmp_path: Path) -> None:
    repo = project(tmp_path)
    result = check("--staged", ".memroy", cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert result == Checked(
        2,
        [],
        err="memstile: no such folder: .memroy\n  hint: give a vault, or a folder with vaults below it\n",
    )
