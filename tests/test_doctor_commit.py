"""doctor_commit.py: what keeps git from running the commit hook is found, and a hook that runs has to refuse."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memstile.doctor_commit import examine
from memstile.installing_repository import plan_repository
from memstile.standing import Standing
from tests.doctor_tools import names, told
from tests.git_tools import Repo, init
from tests.hook_tools import install, on_path, person, run
from tests.run_tools import digest

pytestmark = pytest.mark.slow

Break = Callable[[Repo], object]

MISSING = (sys.executable, "-m", "pre_commit", "install", "--hook-type", "pre-commit")
INSTALL = (*MISSING, "--hook-type", "pre-merge-commit")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Give a repository without hooks, with memstile on PATH."""
    return init(tmp_path / "repo", on_path(person(tmp_path / "home"), tmp_path / "bin"))


def standing(repo: Repo) -> Standing:
    return Standing(str(repo.path), repo.outside)


def set_up(repo: Repo, kind: str) -> None:
    for step in plan_repository(kind, standing(repo)).steps:
        step.do()


def with_git(*more: Break) -> Break:
    return lambda repo: [change(repo) for change in ((lambda repo: set_up(repo, "git")), *more)]


def with_pre_commit(*words: str) -> Break:
    def plant(repo: Repo) -> None:
        set_up(repo, "pre-commit")
        assert not words or run(repo, *words).code == 0

    return plant


def hooks(repo: Repo, name: str = "pre-commit") -> Path:
    return repo.path / ".git" / "hooks" / name


def all_of(*changes: Break) -> Break:
    return lambda repo: [change(repo) for change in changes]


def config(text: str) -> Break:
    return lambda repo: repo.write(".pre-commit-config.yaml", text)


def pass_all(repo: Repo) -> None:
    """Let our hook pass everything, as a hook does whose program was exchanged."""
    for name in ("pre-commit", "pre-merge-commit"):
        hooks(repo, name).write_text("#!/bin/sh\n# Written by `memstile init git`\nexit 0\n")


LOCAL = "repos:\n- repo: local\n  hooks:\n  - {id: x, name: x, language: system, entry: 'false'}\n"
REMOTE = "repos:\n- repo: https://host.invalid/memstile\n  rev: v1\n  hooks:\n  - id: memstile\n"
STAGES = "default_install_hook_types: [pre-commit]\n"

BREAKS: list[Any] = [
    pytest.param(lambda repo: None, {"off hook"}, id="nothing set up"),
    pytest.param(with_git(), set(), id="git: whole"),
    pytest.param(with_git(lambda repo: hooks(repo).chmod(0o644)), {"bad pre-commit"}, id="git: not executable"),
    pytest.param(
        with_git(lambda repo: hooks(repo, "pre-merge-commit").unlink()), {"bad merges"}, id="git: no hook for merges"
    ),
    pytest.param(with_git(pass_all), {"bad pre-commit", "bad pre-merge-commit"}, id="git: a hook that passes all"),
    pytest.param(
        with_git(lambda repo: repo.git("config", "core.hooksPath", ".githooks")), {"bad hooks path"}, id="git: hidden"
    ),
    pytest.param(
        with_git(lambda repo: repo.git("config", "--global", "core.hooksPath", "~/hooks")),
        {"bad hooks path"},
        id="git: hidden for everywhere",
    ),
    pytest.param(
        all_of(lambda repo: repo.git("config", "core.hooksPath", ".githooks"), lambda repo: set_up(repo, "git")),
        set(),
        id="git: in the folder that is named",
    ),
    pytest.param(with_pre_commit(), {"bad hook"}, id="pre-commit: not installed"),
    pytest.param(with_pre_commit(*INSTALL), set(), id="pre-commit: whole"),
    pytest.param(with_pre_commit(*MISSING), {"bad merges"}, id="pre-commit: no hook for merges"),
    pytest.param(
        all_of(with_pre_commit(*INSTALL), lambda repo: hooks(repo).chmod(0o644)),
        {"bad pre-commit"},
        id="pre-commit: not executable",
    ),
    pytest.param(
        all_of(with_pre_commit(*INSTALL), lambda repo: repo.git("config", "core.hooksPath", ".githooks")),
        {"bad hooks path"},
        id="pre-commit: hidden",
    ),
    pytest.param(
        all_of(with_pre_commit(*INSTALL), config(LOCAL)), {"off hook"}, id="pre-commit: memstile is not named"
    ),
    pytest.param(
        all_of(with_pre_commit(*INSTALL), config(REMOTE)),
        {"unknown pre-commit", "unknown pre-merge-commit"},
        id="pre-commit: never fetched",
    ),
    pytest.param(
        all_of(config(STAGES + REMOTE), lambda repo: run(repo, *MISSING)),
        {"bad merges", "unknown pre-commit"},
        id="pre-commit: hook types without merges",
    ),
    pytest.param(
        all_of(
            with_pre_commit(*INSTALL),
            lambda repo: repo.write(
                ".pre-commit-config.yaml",
                (repo.path / ".pre-commit-config.yaml").read_text().replace("memstile check --staged", "true"),
            ),
        ),
        {"bad pre-commit", "bad pre-merge-commit"},
        id="pre-commit: an entry that does nothing",
    ),
    pytest.param(
        all_of(
            with_pre_commit(*INSTALL),
            lambda repo: repo.write(
                ".pre-commit-config.yaml",
                (repo.path / ".pre-commit-config.yaml").read_text().replace("stages: [", "stages: [pre-push] #"),
            ),
        ),
        {"bad pre-commit", "bad pre-merge-commit"},
        id="pre-commit: a configuration that runs it at another stage",
    ),
    pytest.param(
        all_of(with_pre_commit(*INSTALL), lambda repo: (repo.path / ".pre-commit-config.yaml").unlink()),
        {"bad configuration", "off hook"},
        id="pre-commit: its configuration is gone",
    ),
    pytest.param(
        all_of(
            with_pre_commit(*INSTALL),
            lambda repo: set_up(repo, "git"),
            lambda repo: (repo.path / ".pre-commit-config.yaml").unlink(),
        ),
        {"bad configuration"},
        id="pre-commit: its configuration is gone, its hook kept before ours",
    ),
    pytest.param(config("repos: ["), {"bad configuration", "off hook"}, id="pre-commit: no YAML"),
    pytest.param(
        lambda repo: install(repo.path / ".git" / "hooks", "#!/bin/sh\nmemstile check --staged\n"),
        {"unknown pre-commit", "unknown pre-merge-commit"},
        id="a hook of somebody else that calls memstile",
    ),
    pytest.param(
        lambda repo: install(repo.path / ".git" / "hooks", "#!/bin/sh\nexit 0\n"), {"off hook"}, id="another's hook"
    ),
    pytest.param(
        lambda repo: [
            repo.git("config", "core.hooksPath", ".husky/_"),
            *(repo.write(f".husky/{name}", "memstile check --staged\n") for name in ("pre-commit", "pre-merge-commit")),
        ],
        {"unknown pre-commit", "unknown pre-merge-commit"},
        id="husky",
    ),
]


@pytest.mark.parametrize(("plant", "expected"), BREAKS)
def test_each_break_is_found(plant: Break, expected: set[str], repo: Repo) -> None:
    plant(repo)
    groups = examine(standing(repo))
    assert names(groups) == expected, told(groups)


def test_nothing_is_left_behind(repo: Repo, tmp_path: Path) -> None:
    with_pre_commit(*INSTALL)(repo)
    shutil.rmtree(tmp_path / "home" / ".cache", ignore_errors=True)
    before = digest(tmp_path)
    assert names(examine(standing(repo))) == set()
    assert digest(tmp_path) == before


def test_other_hooks_of_the_same_entry_do_not_run(repo: Repo) -> None:
    with_pre_commit(*INSTALL)(repo)
    path = repo.path / ".pre-commit-config.yaml"
    other = f"      - {{id: other, name: other, language: system, entry: touch {repo.path}/ran, always_run: true}}\n"
    path.write_text(path.read_text().replace("    hooks:\n", f"    hooks:\n{other}"))
    assert "id: other" in path.read_text()
    assert names(examine(standing(repo))) == set()
    assert not (repo.path / "ran").exists()


def test_a_hook_that_was_there_before_is_not_run(repo: Repo) -> None:
    install(repo.path / ".git" / "hooks", f"#!/bin/sh\ntouch {repo.path}/ran\n")
    set_up(repo, "git")
    assert names(examine(standing(repo))) == set()
    assert not (repo.path / "ran").exists()


def test_settings_that_refuse_nothing_are_told(repo: Repo, tmp_path: Path) -> None:
    set_up(repo, "git")
    repo.write(str(tmp_path / "home/.config/memstile/config.toml"), '[index]\nmode = "audit"\n')
    assert names(examine(standing(repo))) == {"off pre-commit", "off pre-merge-commit"}


def test_outside_a_repository_there_is_nothing_to_examine(tmp_path: Path) -> None:
    assert examine(Standing(str(tmp_path), person(tmp_path / "home"))) == []


def test_a_repository_that_git_does_not_read_is_unknown(repo: Repo) -> None:
    (repo.path / ".git" / "HEAD").write_text("broken")
    assert names(examine(standing(repo))) == {"unknown git"}
