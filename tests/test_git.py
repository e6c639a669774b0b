"""git.py: how git is asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memstile import git as module
from memstile.git import Git, GitFault
from memstile.git import environment as for_git
from tests.git_tools import Repo, clone, environment, init
from tests.vault_tools import vault

ALWAYS = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}

ENVIRONMENTS = [
    pytest.param({}, {}, {}, id="nothing"),
    pytest.param({"HOME": "/h", "PATH": "/p"}, {"HOME": "/h", "PATH": "/p"}, {}, id="what is not git's stays"),
    pytest.param({"LC_ALL": "de_DE.UTF-8", "GIT_TERMINAL_PROMPT": "1"}, {}, {}, id="what we rely on is ours to say"),
    pytest.param({"GIT_ALLOW_PROTOCOL": "ext:file", "GIT_NO_LAZY_FETCH": "0"}, {}, {}, id="nothing is ever fetched"),
    pytest.param(
        {"GIT_CONFIG_GLOBAL": "/c", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"},
        {"GIT_CONFIG_GLOBAL": "/c", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"},
        {},
        id="the person's configuration holds everywhere",
    ),
    pytest.param(
        {"GIT_DIR": "/a/.git", "GIT_INDEX_FILE": "/a/.git/index.lock", "GIT_CONFIG_PARAMETERS": "'a.b=c'"},
        {},
        {"GIT_DIR": "/a/.git", "GIT_INDEX_FILE": "/a/.git/index.lock", "GIT_CONFIG_PARAMETERS": "'a.b=c'"},
        id="what names a repository is for that one alone",
    ),
    pytest.param(
        {"GIT_INDEX_FILE": ".git/index", "GIT_DIR": ".git", "GIT_WORK_TREE": ".", "GIT_COMMON_DIR": "../c"},
        {},
        {
            "GIT_INDEX_FILE": "/start/.git/index",
            "GIT_DIR": "/start/.git",
            "GIT_WORK_TREE": "/start/.",
            "GIT_COMMON_DIR": "/start/../c",
        },
        id="relative places start from where we do",
    ),
    pytest.param(
        {
            "GIT_EXTERNAL_DIFF": "/evil",
            "GIT_SSH_COMMAND": "/evil",
            "GIT_PAGER": "/evil",
            "GIT_EDITOR": "/evil",
            "GIT_TRACE": "/tmp/x",  # noqa: S108 - nothing is written there
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_ICASE_PATHSPECS": "1",
            "GIT_REPLACE_REF_BASE": "x",
            "GIT_ATTR_SOURCE": "x",
        },
        {},
        {},
        id="nothing else of git's is handed on",
    ),
]


@pytest.mark.parametrize(("outside", "any_other", "current"), ENVIRONMENTS)
def test_the_environment_of_git_is_an_allow_list(
    outside: dict[str, str], any_other: dict[str, str], current: dict[str, str]
) -> None:
    assert for_git(outside, "/start", is_current=False) == any_other | ALWAYS
    assert for_git(outside, "/start", is_current=True) == any_other | current | ALWAYS


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init(tmp_path / "proj", environment(tmp_path / "home"))


def asker(repo: Repo, **variables: str) -> Git:
    return Git(str(repo.path), for_git({**repo.outside, **variables}, str(repo.path), is_current=False))


def test_an_answer_is_standard_output(repo: Repo) -> None:
    assert asker(repo).ask("rev-parse", "--show-prefix") == b"\n"


def test_a_code_that_is_an_answer_is_no_fault(repo: Repo) -> None:
    assert asker(repo).ask("config", "--get", "no.such", accept=(0, 1)) == b""


def test_names_are_split_at_nul_and_may_hold_any_byte(repo: Repo) -> None:
    names = ["a b", "new\nline", "caf\udce9", "tab\t", '"q"']
    for name in names:
        (repo.path / name).touch()
    assert sorted(asker(repo).names("ls-files", "-z", "--others")) == sorted(names)


def test_much_goes_in_and_much_comes_out(repo: Repo) -> None:
    lines = b"".join(b"%040x\n" % number for number in range(20_000))
    out = asker(repo).ask("cat-file", "--batch-check", stdin=lines)
    assert out == b"".join(b"%040x missing\n" % number for number in range(20_000))


def fault(git: Git, *words: str) -> GitFault:
    with pytest.raises(GitFault) as told:
        git.ask(*words)
    return told.value


def test_a_fault_is_told_in_gits_words_with_the_command_that_failed(repo: Repo) -> None:
    told = fault(asker(repo), "--literal-pathspecs", "ls-tree", "nowhere")
    assert (told.message, told.hint, told.commands, told.advice) == (
        "git ls-tree exit 128: fatal: Not a valid object name nowhere",
        f"see what `git ls-tree` says in {repo.path}",
        (),
        f"see what `git ls-tree` says in {repo.path}",
    )


def program(folder: Path, script: str) -> dict[str, str]:
    """Put a program called git on PATH, before the real one."""
    place = folder / "bin/git"
    place.parent.mkdir()
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return {"PATH": f"{place.parent}{os.pathsep}{os.environ['PATH']}"}


SAID = [
    pytest.param("exit 3", "git status exit 3: no message", id="nothing"),
    pytest.param("echo one >&2; echo two >&2; exit 1", "git status exit 1: one", id="the first line"),
    pytest.param(
        "echo 'warning: x' >&2; echo 'fatal: y' >&2; exit 128",
        "git status exit 128: fatal: y",
        id="the line that says why",
    ),
    pytest.param(
        "printf 'fatal: \\033[31m\\377' >&2; exit 1", "git status exit 1: fatal: \\x1b[31m\\xff", id="escaped"
    ),
    pytest.param(
        "printf 'fatal: %0400d' 0 >&2; exit 1", f"git status exit 1: fatal: {'0' * 293}", id="cut at 300 characters"
    ),
    pytest.param("kill -KILL $$", "git status was ended by signal 9 (it gets 30 s)", id="killed"),
]


@pytest.mark.parametrize(("script", "message"), SAID)
def test_what_git_says_is_safe_to_show(script: str, message: str, repo: Repo, tmp_path: Path) -> None:
    assert fault(asker(repo, **program(tmp_path, script)), "status").message == message


def test_dubious_ownership_has_a_command_that_mends_it(repo: Repo) -> None:
    told = fault(asker(repo, GIT_TEST_ASSUME_DIFFERENT_OWNER="1"), "rev-parse", "--show-toplevel")
    command = f"git config --global --add safe.directory {repo.path}"
    assert (told.message, told.hint, told.commands, told.advice) == (
        f"git rev-parse exit 128: fatal: detected dubious ownership in repository at '{repo.path}'",
        "the repository belongs to another user; if you trust it, mark it as safe",
        (command,),
        f"the repository belongs to another user; if you trust it, mark it as safe; `{command}`",
    )


def test_a_missing_git_is_a_fault(repo: Repo) -> None:
    told = fault(asker(repo, PATH="/nowhere"), "status")
    assert (told.message, told.hint) == (
        "git could not be started: No such file or directory",
        "install git, or put it on PATH",
    )


def test_a_git_that_never_ends_is_ended(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", 0.1)
    told = fault(asker(repo, **program(tmp_path, "exec sleep 30")), "status")
    assert told.message == "git status was ended by signal 9 (it gets 0 s)"


def test_an_answer_without_end_is_cut_off(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_OUTPUT_BYTES", 1_000)
    told = fault(asker(repo, **program(tmp_path, "exec yes")), "status")
    assert told.message == "git answered with more than 1,000 bytes"


REMOTES = [
    pytest.param({"protocol.ext.allow": "always", "remote.origin.url": "ext::{program} x"}, id="ext"),
    pytest.param({"protocol.file.allow": "always", "remote.origin.uploadpack": "{program}"}, id="uploadpack"),
    pytest.param(
        {"protocol.ssh.allow": "always", "remote.origin.url": "ssh://x/y", "core.sshCommand": "{program}"}, id="ssh"
    ),
]


@pytest.mark.parametrize("settings", REMOTES)
def test_a_missing_object_is_not_fetched_by_a_program_of_the_repository(
    settings: dict[str, str], repo: Repo, tmp_path: Path
) -> None:
    """Without GIT_NO_LAZY_FETCH, which an older git does not know: GIT_ALLOW_PROTOCOL is enough by itself."""
    vault(repo.path)
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit()
    partial = clone(repo.path, tmp_path / "partial", repo.outside, "--filter=blob:none", "--no-checkout")
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    script.chmod(0o755)
    for key, value in settings.items():
        partial.git("config", key, value.format(program=script))
    kept = {name: value for name, value in asker(partial).environment.items() if name != "GIT_NO_LAZY_FETCH"}
    fault(Git(str(partial.path), kept), "cat-file", "-p", "HEAD:MEMORY.md")
    assert not (tmp_path / "ran").exists()
