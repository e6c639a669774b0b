"""cli/check.py: what `memstile check` is asked, what it answers, and its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import memstile
from tests.case_tools import past_window, project
from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, Ran, check
from tests.run_tools import memstile as run_memstile
from tests.vault_tools import index, vault

CONTRACT = [
    pytest.param(index(201), (), 1, ["error MS102", "warning MS104"], id="201 lines"),
    pytest.param(index(150, 25_601), (), 1, ["error MS102", "warning MS104"], id="25,601 bytes"),
    pytest.param(index(151), (), 0, ["warning MS103"], id="151 lines"),
    pytest.param(index(151), ("--strict",), 1, ["warning MS103"], id="151 lines, strict"),
    pytest.param(index(20, 20_481), (), 0, ["warning MS103"], id="20,481 bytes"),
    pytest.param(index(200), (), 0, ["warning MS103"], id="200 lines"),
    pytest.param(index(150, 20_480), ("--strict",), 0, [], id="at the soft caps"),
    pytest.param(b"", ("--strict",), 0, [], id="empty"),
]


@pytest.mark.parametrize(("data", "words", "code", "told"), CONTRACT)
def test_the_caps_of_the_contract_decide(
    data: bytes, words: tuple[str, ...], code: int, told: list[str], tmp_path: Path
) -> None:
    place = vault(tmp_path / "v", data)
    result = check(str(place), *words, cwd=tmp_path, environment=environment(tmp_path / "home"))
    assert (result.code, [" ".join(row.split()[:2]) for row in result.findings]) == (code, told)


# --- which vaults


SIZE = "on disk 6 lines 118 bytes"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two vaults outside of any repository, and a folder without one."""
    vault(tmp_path / "start/a")
    vault(tmp_path / "start/b/c")
    (tmp_path / "start/empty").mkdir()
    (tmp_path / "start/file").touch()
    environment(tmp_path / "home")
    return tmp_path / "start"


def at(folder: Path, *words: str, **variables: str) -> Checked:
    return check(*words, cwd=folder, environment={**environment(folder.parent / "home"), **variables})


BOTH = [f"a (outside): {SIZE}", f"b/c (outside): {SIZE}"]

GIVEN = [
    pytest.param((), BOTH, id="nothing: all below"),
    pytest.param((".",), BOTH, id="the folder itself"),
    pytest.param(("a",), BOTH[:1], id="a vault"),
    pytest.param(("a/",), BOTH[:1], id="with a slash at its end"),
    pytest.param(("b",), BOTH[1:], id="a folder above a vault"),
    pytest.param(("b/c", "a"), [*reversed(BOTH)], id="two, in the order given"),
    pytest.param(("a", "a/.", "b/../a", "."), BOTH, id="one vault four times"),
    pytest.param(("a/MEMORY.md",), BOTH[:1], id="an index"),
    pytest.param(("b/c/MEMORY.md", "a"), [*reversed(BOTH)], id="an index further down"),
]


@pytest.mark.parametrize(("words", "vaults"), GIVEN)
def test_vaults_are_those_given_or_found_below(words: tuple[str, ...], vaults: list[str], folder: Path) -> None:
    assert at(folder, *words) == Checked(0, [], vaults)


def test_a_path_is_shown_as_it_was_typed(folder: Path) -> None:
    assert at(folder, "./a").vaults == [f"./a (outside): {SIZE}"]
    assert at(folder / "b", "../a").vaults == [f"../a (outside): {SIZE}"]
    assert at(folder, f"{folder}/a").vaults == [f"{folder}/a (outside): {SIZE}"]


def test_an_index_in_the_folder_where_the_person_stands(folder: Path) -> None:
    for words in ((), (".",), ("MEMORY.md",), ("./MEMORY.md",)):
        assert check(*words, cwd=folder / "a", environment=environment(folder.parent / "home")) == Checked(
            0, [], [f". (outside): {SIZE}"]
        )


REFUSED = [
    pytest.param("nowhere", "no such folder: nowhere", "give a vault, or a folder with vaults below it", id="nowhere"),
    pytest.param("file", "file is not a folder", "give the folder that holds MEMORY.md", id="a file"),
    pytest.param(
        "a/note-1.md", "a/note-1.md is not a folder", "give the folder that holds MEMORY.md", id="a note of a vault"
    ),
    pytest.param(
        "a\nb\x1b", "no such folder: a\\nb\\x1b", "give a vault, or a folder with vaults below it", id="hostile"
    ),
]


@pytest.mark.parametrize(("word", "message", "hint"), REFUSED)
def test_a_path_that_leads_nowhere_is_no_clean_check(word: str, message: str, hint: str, folder: Path) -> None:
    assert at(folder, word) == Checked(2, [], err=f"memstile: {message}\n  hint: {hint}\n")


def test_no_vault_is_said_and_passes(folder: Path) -> None:
    assert at(folder / "empty") == Checked(0, [], remarks=["no vault found below ."])
    assert at(folder, "empty", "b/c/../../empty") == Checked(0, [], remarks=["no vault found below empty"])


NONE = "memstile: no vault was given, configured or found\n  hint: name it: `memstile check PATH`, or [[vault]]\n"


def test_strict_wants_a_vault_named_or_found(folder: Path) -> None:
    assert at(folder / "empty", "--strict") == Checked(2, [], remarks=["no vault found below ."], err=NONE)
    (folder / "empty/memstile.toml").write_text('[[vault]]\npath = "v"\n')
    assert at(folder / "empty", "--strict") == Checked(0, [], ["v (outside): not on this machine"])
    assert at(folder, "--strict") == Checked(0, [], BOTH)


def test_a_pattern_that_names_nothing_is_said(folder: Path) -> None:
    (folder / "memstile.toml").write_text('[[vault]]\npath = "x*/memory"\n')
    assert at(folder, "--strict") == Checked(0, [], BOTH, ["x*/memory: no folder matches; nothing to check there"])


def test_folders_that_cannot_be_looked_into_are_said(tmp_path: Path) -> None:
    # A path of more than 4,096 bytes cannot be listed, by root either.
    names = ["d" * 200] * 22
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for name in names:
            os.mkdir(name)
            os.chdir(name)
        os.chdir(tmp_path)
        ran = run_memstile("check", cwd=tmp_path, environment=environment(tmp_path / "home"))
    finally:
        os.chdir(tmp_path)
        for depth in range(len(names), 0, -1):
            _remove(names[:depth])
        os.chdir(here)
    said, *others = ran.out.decode().splitlines()
    assert said.startswith("could not look into 1 folder, the first is ddd")
    assert (ran.code, others) == (0, ["no vault found below .", "", "no vault checked"])


def _remove(names: list[str]) -> None:
    """Remove a folder whose whole path is longer than the system takes."""
    here = os.getcwd()
    for name in names[:-1]:
        os.chdir(name)
    os.rmdir(names[-1])
    os.chdir(here)


# --- settings


OVER = [
    "error MS102 v/MEMORY.md: index on disk is 210 lines, hard cap 200",
    past_window("v/MEMORY.md", "index on disk", 201, 210),
]
MISSED = "error MS201 v: vault is not ignored by git"


def loosening(key: str, asked: str, used: str) -> str:
    return f'error MS901 memstile.toml: {key} = "{asked}" is looser than "{used}"; "{used}" is used'


# What a project's file asks for; exit code and findings for a person, and in CI, where the file rules.
SETTINGS = [
    pytest.param("", 1, [*OVER, MISSED], 1, [*OVER, MISSED], id="none"),
    pytest.param(
        '[index]\nmode = "off"\n',
        *(1, [loosening("index.mode", "off", "enforce"), *OVER, MISSED]),
        *(1, [MISSED]),
        id="the index off",
    ),
    pytest.param(
        '[index]\nmode = "audit"\n',
        *(1, [loosening("index.mode", "audit", "enforce"), *OVER, MISSED]),
        *(1, [OVER[0].replace("error", "warning"), OVER[1], MISSED]),
        id="the index audited",
    ),
    pytest.param(
        '[git]\nmode = "off"\n',
        *(1, [loosening("git.mode", "off", "enforce"), *OVER, MISSED]),
        *(1, OVER),
        id="git off",
    ),
    pytest.param(
        '[git]\nmode = "audit"\n[index]\nmode = "audit"\n',
        *(
            1,
            [
                loosening("git.mode", "audit", "enforce"),
                loosening("index.mode", "audit", "enforce"),
                *OVER,
                MISSED,
            ],
        ),
        *(0, [row.replace("error", "warning") for row in (*OVER, MISSED)]),
        id="everything audited",
    ),
    pytest.param(
        "[index]\nhard_lines = 300\nsoft_lines = 250\nwindows = []\n",
        *(1, [MISSED]),
        *(1, [MISSED]),
        id="caps and windows are the project's own",
    ),
    pytest.param("[index]\nwindows = []\n", *(1, [OVER[0], MISSED]), *(1, [OVER[0], MISSED]), id="no window"),
    pytest.param('[[vault]]\npath = "v"\nmode = "shared"\n', *(1, OVER), *(1, OVER), id="shared"),
    pytest.param(
        '[[vault]]\npath = "v"\nmode = "ignored"\n', *(1, [*OVER, MISSED]), *(1, [*OVER, MISSED]), id="ignored"
    ),
    pytest.param(
        '[[vault]]\npath = "v"\nmode = "outside"\n', *(1, [*OVER, MISSED]), *(1, [*OVER, MISSED]), id="outside"
    ),
    pytest.param(
        '[[vault]]\npath = "v"\nmode = "dedicated"\n', *(1, [*OVER, MISSED]), *(1, [*OVER, MISSED]), id="dedicated"
    ),
    pytest.param(
        "[index]\nhard_lines = 'many'\nhard_byte = 3\n[git]\nmode = 'audit'\n",
        *(
            2,
            [
                "error MS901 memstile.toml: index.hard_byte is not a setting",
                'error MS901 memstile.toml: index.hard_lines is "many", not a whole number from 1 to 1,000,000,000',
                loosening("git.mode", "audit", "enforce"),
                *OVER,
                MISSED,
            ],
        ),
        *(
            2,
            [
                "error MS901 memstile.toml: index.hard_byte is not a setting",
                'error MS901 memstile.toml: index.hard_lines is "many", not a whole number from 1 to 1,000,000,000',
                *OVER,
                MISSED.replace("error", "warning"),
            ],
        ),
        id="all faults are told, and the rest is checked",
    ),
]


@pytest.mark.parametrize(("text", "code", "told", "ci_code", "ci_told"), SETTINGS)
def test_a_projects_settings_tighten_and_in_ci_they_rule(
    text: str, code: int, told: list[str], ci_code: int, ci_told: list[str], tmp_path: Path
) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(210))
    repo.write("memstile.toml", text)
    person = check(cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    ci = check(cwd=repo.path, environment={**repo.outside, "CI": "true"}, unchanged=tmp_path)
    assert (person.code, person.findings) == (code, told)
    assert (ci.code, ci.findings) == (ci_code, ci_told)


def test_settings_that_are_no_toml_are_told_and_the_defaults_hold(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(210))
    repo.write("memstile.toml", "[index\n")
    result = check(cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert (result.code, [row.split(":")[0] for row in result.findings[:1]], result.findings[1:]) == (
        2,
        ["error MS901 memstile.toml"],
        [*OVER, MISSED],
    )


def test_the_persons_own_file_may_loosen(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(210))
    config = tmp_path / "home/.config/memstile/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('index_name = "MEMORY.md"\n[index]\nmode = "off"\n[git]\nmode = "audit"\n')
    assert check(cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == Checked(
        0, [MISSED.replace("error", "warning")], ["v (ignored): on disk 210 lines 2266 bytes"]
    )


def test_a_vault_may_not_bring_its_own_settings(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(210))
    repo.write("v/memstile.toml", "[index]\nhard_lines = 300\n")
    for words in ((), ("v",)):
        assert check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path).findings == [*OVER, MISSED]


# --- settings that a change loosens


def settings_of(text: str) -> str:
    return f"[index]\nhard_lines = 100\nsoft_lines = 90\n[gate]\nmode = 'enforce'\n{text}"


VAULT = '[[vault]]\npath = "v"\nmode = "shared"\n'

CHANGES = [
    pytest.param(settings_of(""), None, id="nothing"),
    pytest.param(settings_of("profile = 'strict'\n"), None, id="tighter"),
    pytest.param(
        settings_of("").replace("100", "150"), ["index.hard_lines from 100 to 150"], id="a cap raised, still below ours"
    ),
    pytest.param(
        "[index]\nhard_lines = 100\nsoft_lines = 90\nmode = 'off'\n[gate]\nmode = 'audit'\n",
        ['index.mode from "enforce" to "off"', 'gate.mode from "enforce" to "audit"'],
        id="modes",
    ),
    pytest.param(
        "",
        [
            "index.hard_lines from 100 to 200",
            "index.soft_lines from 90 to 150",
            'gate.mode from "enforce" to "audit"',
        ],
        id="the file emptied",
    ),
]


@pytest.mark.parametrize(("text", "loosened"), CHANGES)
@pytest.mark.parametrize("words", [("--since", "HEAD"), ("--staged",)], ids=["since", "staged"])
def test_a_change_that_loosens_the_settings_is_told(
    words: tuple[str, ...], text: str, loosened: list[str] | None, tmp_path: Path
) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", settings_of(""))
    repo.commit()
    repo.write("memstile.toml", text)
    repo.git("add", "--all")
    result = check(*words, cwd=repo.path, environment={**repo.outside, "CI": "1"}, unchanged=tmp_path)
    told = [f"error MS902 memstile.toml: this change loosens {row}" for row in loosened or ()]
    assert (result.code, result.findings) == (int(bool(told)), told)


@pytest.mark.parametrize("words", [("--since", "HEAD"), ("--staged",)], ids=["since", "staged"])
def test_a_settings_file_that_is_deleted_or_a_vault_that_is_no_longer_named_is_told(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", VAULT)
    vault(repo.path / "v")
    repo.commit()
    repo.git("rm", "--quiet", "memstile.toml")
    result = check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert result.findings[0] == 'error MS902 memstile.toml: this change loosens vault from "v" (shared) to none'
    assert result.code == 1


def test_settings_are_compared_as_they_are_staged(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", settings_of(""))
    repo.commit()
    repo.write("memstile.toml", "")
    assert check("--staged", cwd=repo.path, environment=repo.outside).findings == []
    repo.git("add", "--all")
    repo.write("memstile.toml", settings_of(""))
    assert [row.split()[1] for row in check("--staged", cwd=repo.path, environment=repo.outside).findings] == [
        *["MS902"] * 3,
    ]


# --- options


SELECTED = [
    pytest.param(("--select", "MS1"), ["MS102", "MS104"], 1, id="a group"),
    pytest.param(("--select", "MS104"), ["MS104"], 0, id="one"),
    pytest.param(("--select", "ms2"), ["MS201"], 1, id="in small letters"),
    pytest.param(("--select", "MS104,MS201"), ["MS104", "MS201"], 1, id="two, by a comma"),
    pytest.param(("--select", "MS104", "--select", "MS201"), ["MS104", "MS201"], 1, id="two, by two options"),
    pytest.param(("--select", "MS9"), [], 0, id="a group that has nothing to say"),
    pytest.param(("--select", "MS104", "--strict"), ["MS104"], 1, id="strict about what is selected"),
]


@pytest.mark.parametrize(("words", "codes", "code"), SELECTED)
def test_rules_are_selected_by_the_letters_their_codes_begin_with(
    words: tuple[str, ...], codes: list[str], code: int, tmp_path: Path
) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(210))
    result = check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert ([row.split()[1] for row in result.findings], result.code) == (codes, code)


USAGE = [
    pytest.param(("--frmat", "json"), "No such option '--frmat'. Did you mean '--format'?", id="an unknown option"),
    pytest.param(
        ("--format", "xml"),
        "Invalid value for '--format': 'xml' is not one of 'text', 'json', 'github', 'gitlab', 'sarif', 'junit', "
        "'markdown'",
        id="an unknown format",
    ),
]


@pytest.mark.parametrize(("words", "message"), USAGE)
def test_what_cannot_be_asked_is_told_with_the_way_to_the_help(
    words: tuple[str, ...], message: str, folder: Path
) -> None:
    assert run_memstile("check", *words, cwd=folder, environment=environment(folder.parent / "home")) == Ran(
        2, b"", f"memstile: {message}\n  hint: see `memstile check --help`\n"
    )


def test_an_option_without_its_argument_is_told(folder: Path) -> None:
    assert at(folder, "--since") == Checked(2, [], err="memstile: Option '--since' requires an argument\n")


def test_a_code_that_no_rule_has_is_told_beside_one_that_has(folder: Path) -> None:
    told = "memstile: no rule begins with MS7\n  hint: list them with `memstile rule`\n"
    assert at(folder, "--select", "MS1,MS7") == Checked(2, [], err=told)


def test_an_empty_ref_is_told(folder: Path) -> None:
    assert at(folder, "--since", "").err.startswith("memstile: --since was given an empty ref\n")


def test_a_full_disk_is_told_and_is_no_bug(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = start("check", cwd=folder, stdout=full.fileno())
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        b"memstile: cannot write to standard output: No space left on device",
    )


def test_a_current_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    script = f"mkdir x && cd x && rmdir ../x && exec {sys.executable} -m memstile check"
    source = str(Path(memstile.__file__).parent.parent)
    variables = {**environment(tmp_path / "home"), "PYTHONPATH": source}
    done = subprocess.run(("sh", "-c", script), cwd=tmp_path, env=variables, capture_output=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, b"memstile: the current folder is gone")


def test_no_rule_is_told(folder: Path) -> None:
    assert at(folder, "--select", "XX", "--select", "MS0") == Checked(
        2, [], err="memstile: no rule begins with XX, MS0\n  hint: list them with `memstile rule`\n"
    )


def test_the_help_is_this(folder: Path) -> None:
    ran = run_memstile("check", "--help", cwd=folder, environment=environment(folder.parent / "home"))
    assert ran == Ran(0, HELP.encode(), "")


HELP = """\
Usage: memstile check [OPTIONS] [PATH...]

  Check vaults: the size of the index, and what git would carry.

  PATH is a vault, or a folder with vaults below it; without one, the
  configured vaults and all below this folder.

  memstile check                        look at everything below here
  memstile check .agent-memory          one vault
  memstile check --since origin/main    fail on growth in a pull request
  memstile check --staged               in a commit hook
  memstile check --format sarif > memstile.sarif

Options:
  --since REF                     Compare with the merge base of REF and HEAD.
  --staged                        Check the next commit: staged blobs, not the
                                  work tree.
  --select CODES                  Only these rules: MS101, or MS1 for all that
                                  begin so.
  --format [text|json|github|gitlab|sarif|junit|markdown]
                                  [default: text]
  --strict                        Fail on warnings too, and when there is no
                                  vault to check.
  -h, --help                      Show this message and exit.
"""


# --- how it ends, as a process


def start(
    *words: str,
    cwd: Path,
    stdout: int = subprocess.PIPE,
    program: tuple[str, ...] = ("-m", "memstile"),
    **variables: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run memstile as a program. program: what the interpreter is to run instead."""
    source = str(Path(memstile.__file__).parent.parent)
    return subprocess.run(
        [sys.executable, *program, *words],
        cwd=cwd,
        env={**environment(cwd.parent / "home"), "PYTHONPATH": source, **variables},
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )


# Whoever started the tests in the background may have turned interrupts off for all that they start.
INTERRUPTIBLE = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from memstile.cli.main import main
main()
"""


def test_the_program_gives_the_same_answer(folder: Path) -> None:
    done = start("check", "--format", "json", cwd=folder)
    ran = run_memstile("check", "--format", "json", cwd=folder, environment=environment(folder.parent / "home"))
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (ran.code, json.loads(ran.out), b"")


def test_an_interrupt_ends_it_with_130(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v")
    place = tmp_path / "bin/git"
    place.parent.mkdir()
    place.write_text("#!/bin/sh\nkill -INT $PPID\nexit 1\n")
    place.chmod(0o755)
    path = f"{place.parent}{os.pathsep}{os.environ['PATH']}"
    done = start("check", cwd=repo.path, program=("-c", INTERRUPTIBLE), PATH=path)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"\nmemstile: interrupted\n")


def test_a_reader_that_goes_away_is_not_told_of_findings(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = start("check", cwd=folder, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize("name", ["caf\u00e9", "\u65e5\u672c", "\udcff", "\x1b[31m"])
def test_names_are_shown_in_what_the_stream_can_take(name: str, tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    vault(tmp_path / "start" / name)
    done = start("check", cwd=tmp_path / "start", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"\x1b" not in done.stdout


def test_a_repository_in_a_folder_that_the_person_came_to_by_a_symlink(tmp_path: Path) -> None:
    repo = init(tmp_path / "real", environment(tmp_path / "home"))
    vault(repo.path / "v")
    (tmp_path / "link").symlink_to("real")
    seen = Repo(tmp_path / "link", {**repo.outside, "PWD": str(tmp_path / "link")})
    for words, where in (((), SIZE), (("--staged",), "not in this commit; git index checked")):
        assert check(*words, cwd=seen.path, environment=seen.outside, unchanged=tmp_path) == Checked(
            1, [MISSED], [f"v (ignored): {where}"]
        )
