"""A git that hangs: waited for once in a repository, for a limited time in a run, and nothing passes for clean."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from memstile import git as module
from memstile.git import Git, GitFault, Patience
from memstile.outcome import Vault
from memstile.repositories import Repositories
from memstile.repository import entries, open_repository, untracked
from memstile.settings_source import SettingsSource
from memstile.standing import Standing
from tests.git_tools import Repo, environment, init
from tests.run_tools import memstile
from tests.vault_tools import vault

pytestmark = pytest.mark.slow

TIMEOUT_S = 0.3


def hanging(folder: Path, repo: Repo, *commands: str) -> tuple[dict[str, str], Path]:
    """Put a git on PATH that hangs at some commands; give the environment, and the log of those it hung at."""
    place, log = folder / "bin/git", folder / "log"
    place.parent.mkdir()
    log.touch()
    real = shutil.which("git", path=repo.outside["PATH"])
    cases = "|".join(f"*\\ {command}\\ *" for command in commands)
    place.write_text(
        f'#!/bin/sh\ncase " $* " in {cases}) echo "$PWD" >>{log}; exec sleep 20;; esac\nexec {real} "$@"\n'
    )
    place.chmod(0o755)
    return {**repo.outside, "PATH": f"{place.parent}:{repo.outside['PATH']}"}, log


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path / "a")
    vault(repo.path / "b")
    return repo


def found(folders: list[Path], standing: Standing) -> list[Vault]:
    settings = SettingsSource(standing, {}).of(standing.cwd).settings
    return [
        Vault((str(path),), str(path), path.name, "ignored", settings, str(path.parent), False, True)
        for path in folders
    ]


def ask_twice(git: Git) -> list[GitFault]:
    faults = []
    for word in ("status", "ls-files"):
        with pytest.raises(GitFault) as caught:
            git.ask(word)
        faults.append(caught.value)
    return faults


def test_a_folder_in_which_git_hung_is_not_asked_again(repo: Repo, tmp_path: Path) -> None:
    outside, log = hanging(tmp_path, repo, "status", "ls-files")
    first, second = ask_twice(Git(str(repo.path), outside, Patience(TIMEOUT_S)))
    assert (first.message, second) == ("git status was ended by signal 9 (it gets 0 s)", first)
    assert log.read_text() == f"{repo.path}\n"


def test_without_patience_each_question_stands_alone(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", TIMEOUT_S)
    outside, log = hanging(tmp_path, repo, "status", "ls-files")
    first, second = ask_twice(Git(str(repo.path), outside))
    assert first.message != second.message
    assert log.read_text() == f"{repo.path}\n" * 2


def test_another_folder_is_asked_until_the_time_of_the_run_is_up(repo: Repo, tmp_path: Path) -> None:
    outside, log = hanging(tmp_path, repo, "status")
    patience = Patience(TIMEOUT_S, total_s=1.5 * TIMEOUT_S)
    folders = [str(repo.path / name) for name in ("a", "b", ".")]
    messages = []
    for folder in folders:
        with pytest.raises(GitFault) as caught:
            Git(folder, outside, patience).ask("status")
        messages.append(caught.value.message)
    killed = "git status was ended by signal 9 (it gets 0 s)"
    over = "git was not asked: it has hung too long in other repositories of this run"
    assert messages == [killed, killed, over]
    assert len(log.read_text().splitlines()) == 2


def test_an_answer_that_is_a_fault_costs_no_patience(repo: Repo) -> None:
    git = Git(str(repo.path), repo.outside, Patience())
    with pytest.raises(GitFault, match="git rev-parse exit 128"):
        git.ask("rev-parse", "nowhere")
    assert git.ask("rev-parse", "--is-inside-work-tree") == b"true\n"


def test_what_git_started_is_not_waited_for(repo: Repo, tmp_path: Path) -> None:
    """A program of git's own holds the pipe when git is killed."""
    place = tmp_path / "bin/git"
    place.parent.mkdir()
    place.write_text(f"#!/bin/sh\nsleep 20 &\necho $! >{tmp_path}/child\nwait\n")
    place.chmod(0o755)
    start = time.monotonic()
    with pytest.raises(GitFault, match="ended by signal 9"):
        Git(str(repo.path), {"PATH": f"{place.parent}:{os.environ['PATH']}"}, Patience(TIMEOUT_S)).ask("status")
    took = time.monotonic() - start
    subprocess.run(["kill", (tmp_path / "child").read_text().strip()], check=True)
    assert took < 10


def test_a_git_that_closes_its_output_and_goes_on_is_ended(repo: Repo, tmp_path: Path) -> None:
    place = tmp_path / "bin/git"
    place.parent.mkdir()
    place.write_text("#!/bin/sh\nexec sleep 20 >&-\n")
    place.chmod(0o755)
    with pytest.raises(GitFault, match="ended by signal 9"):
        Git(str(repo.path), {"PATH": f"{place.parent}:{os.environ['PATH']}"}, Patience(TIMEOUT_S)).ask("status")


@pytest.mark.parametrize("size", [0, 1, 65_536, 3_000_001])
def test_an_answer_is_read_to_its_end(size: int, repo: Repo) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    git = Git(str(repo.path), repo.outside, Patience())
    sha = git.ask("hash-object", "-w", "--stdin", stdin=data[:size]).strip().decode()
    assert git.ask("cat-file", "blob", sha) == data[:size]


HANGS: list[object] = [
    pytest.param(("rev-parse",), id="at the start"),
    pytest.param(("ls-files",), id="at the git index"),
    pytest.param(("diff",), id="at what is staged"),
    pytest.param(("rev-list",), id="at the history"),
    pytest.param(("check-ignore",), id="at the ignore rules"),
    pytest.param(("check-ignore", "ls-files", "diff", "rev-list"), id="at everything"),
]


@pytest.mark.parametrize("commands", HANGS)
def test_each_repository_costs_one_time_out(commands: tuple[str, ...], repo: Repo, tmp_path: Path) -> None:
    other = init(tmp_path / "other", repo.outside)
    for top in (repo, other):
        top.write("x", "x")
        top.git("add", "x")
        top.git("commit", "--quiet", "--message", "x")
    vault(other.path / "c")
    outside, log = hanging(tmp_path, repo, *commands)
    standing = Standing(str(tmp_path), outside)
    vaults = found([repo.path / "a", repo.path / "b", other.path / "c"], standing)
    repositories = Repositories(standing, Patience(TIMEOUT_S))
    for _ in range(2):
        rows = repositories.facts(vaults)
        assert [bool(row.fault) for vault in vaults for row in rows[vault.real]] == [True] * 3
    assert sorted(log.read_text().split()) == [str(other.path), str(repo.path)]


def test_the_repository_of_a_commit_takes_on_the_patience_of_the_run(repo: Repo, tmp_path: Path) -> None:
    outside, log = hanging(tmp_path, repo, "ls-files")
    repositories = Repositories(Standing(str(repo.path), outside), Patience(TIMEOUT_S))
    adopted = repositories.adopt(repositories.open(str(repo.path))._replace(git=Git(str(repo.path), outside)))
    for _ in range(2):
        with pytest.raises(GitFault, match="ended by signal 9"):
            entries(adopted, ".")
    assert repositories.current == adopted == repositories.open(str(repo.path))
    assert log.read_text() == f"{repo.path}\n"


def test_where_ignore_rules_hang_what_git_tracks_is_still_told(repo: Repo, tmp_path: Path) -> None:
    """A nested project's vault, which the outer repository tracks and has not to ignore."""
    inner = repo.path / "inner"
    vault(inner / "v")
    repo.git("add", "inner")
    init(inner, repo.outside)
    outside, _ = hanging(tmp_path, repo, "check-ignore")
    standing = Standing(str(tmp_path), outside)
    vaults = found([repo.path / "a", inner / "v"], standing)
    rows = Repositories(standing, Patience(TIMEOUT_S)).facts(vaults)
    told = {row.top: (bool(row.fault), len(row.tracked)) for row in rows[str(inner / "v")]}
    assert told == {"proj": (False, 6), "proj/inner": (True, 0)}


WORDS: list[object] = [
    pytest.param((), id="the work tree"),
    pytest.param(("--staged",), id="a commit"),
    pytest.param(("--since", "HEAD"), id="since"),
]


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("commands", HANGS)
def test_a_hung_git_never_passes_for_clean(
    commands: tuple[str, ...], words: tuple[str, ...], repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", TIMEOUT_S)
    repo.write(".gitignore", "/a/\n/b/\n")
    repo.commit()
    repo.git("add", "--force", "a")
    outside, log = hanging(tmp_path, repo, *commands)
    ran = memstile("check", *words, cwd=repo.path, environment=outside)
    assert (ran.code in (1, 2)) or not log.read_text()
    assert len(log.read_text().splitlines()) <= 1


@pytest.mark.parametrize("name", [".gitignore", "src/.gitignore", "src/deep/.gitignore"])
def test_a_pipe_is_told_before_the_walk_over_untracked_files(name: str, repo: Repo) -> None:
    (repo.path / "src/deep").mkdir(parents=True)
    os.mkfifo(repo.path / name)
    git = Git(str(repo.path), repo.outside, Patience(TIMEOUT_S))
    with pytest.raises(GitFault) as caught:
        untracked(open_repository(git), ["other", "src/deep"])
    assert caught.value.message == f"{name} is no regular file"


def test_a_pipe_in_the_place_of_the_ignore_file_at_the_top_stops_a_commit_at_once(repo: Repo) -> None:
    os.mkfifo(repo.path / ".gitignore")
    ran = memstile("check", "--staged", cwd=repo.path, environment=repo.outside)
    assert (ran.code, ran.out) == (2, b"")
    assert ".gitignore is no regular file" in ran.err


def test_a_pipe_in_a_folder_that_nobody_named_costs_one_time_out(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", TIMEOUT_S)
    os.mkfifo(repo.path / "a/.gitignore")
    ran = memstile("check", "--staged", cwd=repo.path, environment=repo.outside)
    assert (ran.code, ran.out) == (2, b"")
    assert "git ls-files was ended by signal 9" in ran.err
