"""The hooks through pre-commit: what the manifest says, what it comes to, and a really installed environment."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.git_tools import Repo, environment, init
from tests.hook_scenarios import GREW, SCENARIOS, Scenario, begin, rewrite
from tests.hook_tools import HOOKS, MEMSTILE, ROOT, Ran, attempt, install, person, run, told_errors
from tests.vault_tools import index, note, vault

pytestmark = pytest.mark.slow

MANIFEST = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
EXAMPLE = (ROOT / "examples" / "pre-commit" / ".pre-commit-config.yaml").read_text()
CONFIG = ".pre-commit-config.yaml"

COMMON = {
    "language": "python",
    "stages": ["pre-commit", "pre-merge-commit", "manual"],
    "pass_filenames": False,
    "always_run": True,
    "require_serial": True,
    "minimum_pre_commit_version": "3.2.0",
}

IDS = {
    "memstile": ("memstile", "memstile check --staged"),
    "memstile-index-cap": ("memstile (index cap)", "memstile check --staged --select MS1,MS9"),
    "memstile-gitignore": ("memstile (gitignore)", "memstile check --staged --select MS2,MS9"),
}


def test_the_manifest_has_these_hooks() -> None:
    rows = {row["id"]: {key: row[key] for key in row if key not in ("id", "description")} for row in MANIFEST}
    assert rows == {name: {"name": shown, "entry": entry, **COMMON} for name, (shown, entry) in IDS.items()}


def pre_commit(repo: Repo, *words: str, **variables: str) -> Ran:
    """Run pre-commit in a repository."""
    return run(repo, sys.executable, "-m", "pre_commit", *words, **variables)


def test_pre_commit_itself_finds_no_fault_with_the_files(tmp_path: Path) -> None:
    here = Repo(ROOT, {**environment(tmp_path), "PRE_COMMIT_HOME": str(tmp_path / "store")})
    assert pre_commit(here, "validate-manifest", ".pre-commit-hooks.yaml") == Ran(0, "")
    assert pre_commit(here, "validate-config", CONFIG, f"examples/pre-commit/{CONFIG}") == Ran(0, "")


def config(*names: str, **changes: object) -> str:
    """Write a configuration with hooks of the manifest. changes: keys that a person sets in it.

    `language: system` starts the memstile under test: an environment takes half a minute to build and changes nothing.
    """
    rows = [
        {**row, "language": "system", "entry": row["entry"].replace("memstile", MEMSTILE, 1), **changes}
        for row in MANIFEST
        if row["id"] in names
    ]
    return written(rows)


def written(rows: list[dict[str, Any]]) -> str:
    """Write a configuration with local hooks; what json writes is yaml too."""
    return json.dumps({"default_install_hook_types": HOOKS, "repos": [{"repo": "local", "hooks": rows}]})


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the one folder in which pre-commit keeps its environments; pre-commit itself locks it."""
    root = tmp_path_factory.getbasetemp()
    return (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "store"


@pytest.fixture(scope="session")
def hooks(tmp_path_factory: pytest.TempPathFactory, store: Path) -> Path:
    """Give the folder of hook scripts that `pre-commit install` writes; they are the same for any repository."""
    place = tmp_path_factory.mktemp("installed")
    repo = init(place / "repo", {**person(place / "home"), "PRE_COMMIT_HOME": str(store)})
    repo.write(CONFIG, config("memstile"))
    ran = pre_commit(repo, "install")
    assert ran.code == 0, ran.said
    return repo.path / ".git" / "hooks"


@pytest.fixture
def repo(tmp_path: Path, hooks: Path, store: Path) -> Repo:
    """Give an empty repository in which pre-commit is installed and runs the hook `memstile`."""
    empty = init(tmp_path / "repo", {**person(tmp_path / "home"), "PRE_COMMIT_HOME": str(store)})
    shutil.copytree(hooks, empty.path / ".git" / "hooks")
    empty.write(CONFIG, config("memstile"))
    return empty


def test_install_writes_both_hooks(hooks: Path) -> None:
    assert sorted(path.name for path in hooks.iterdir()) == sorted(HOOKS)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[row.name for row in SCENARIOS])
def test_a_commit_passes_or_is_refused(scenario: Scenario, repo: Repo) -> None:
    tried = scenario.build(repo)
    assert (tried.is_done, tried.errors) == (not scenario.errors, scenario.errors), tried.said


def test_skip_goes_past_it(repo: Repo) -> None:
    begin(repo, index(210))
    rewrite(repo, index(211))
    tried = attempt(repo, "commit", "-m", "meant", SKIP="memstile")
    assert tried.is_done
    assert re.search(r"^memstile\.+Skipped$", tried.said, re.MULTILINE)


PASSING = [
    ({}, True, False, "hidden"),
    ({"verbose": True}, True, True, "verbose"),
    ({"args": ["--strict"]}, False, True, "strict"),
]


@pytest.mark.parametrize(("changes", "is_done", "is_shown"), [row[:3] for row in PASSING], ids=[r[3] for r in PASSING])
def test_a_warning_is(changes: Mapping[str, object], is_done: bool, is_shown: bool, repo: Repo) -> None:
    repo.write(CONFIG, config("memstile", **changes))
    begin(repo, index(150))
    rewrite(repo, index(151))
    tried = attempt(repo, "commit", "-m", "past the soft cap")
    assert (tried.is_done, "MEMORY.md: warning MS103: staged index is 151 lines" in tried.said) == (is_done, is_shown)


def test_all_files_in_a_clean_tree_warns_about_an_index_that_is_over_already(repo: Repo) -> None:
    begin(repo, index(230))
    ran = pre_commit(repo, "run", "--all-files", "--verbose")
    assert (ran.code, told_errors(ran.said)) == (0, ()), ran.said
    assert "MEMORY.md: warning MS102: staged index is 230 lines, hard cap 200; not larger than HEAD" in ran.said


FROM = [(180, 215, 1, GREW, "grown since"), (215, 212, 0, (), "shrunk since"), (215, 215, 0, (), "the same since")]


@pytest.mark.parametrize(("before", "after", "code", "errors"), [row[:4] for row in FROM], ids=[row[4] for row in FROM])
def test_from_ref_is_what_growth_is_judged_against(
    before: int, after: int, code: int, errors: tuple[str, ...], repo: Repo
) -> None:
    begin(repo, index(before))
    rewrite(repo, index(after).replace(b"# Index", b"# Other"))
    repo.commit(message="grown past the hook")
    ran = pre_commit(repo, "run", "--from-ref", "HEAD~1", "--to-ref", "HEAD")
    assert (ran.code, told_errors(ran.said)) == (code, errors), ran.said


def test_the_manual_stage_runs_it(repo: Repo) -> None:
    begin(repo, index(210))
    rewrite(repo, index(211))
    ran = pre_commit(repo, "run", "--hook-stage", "manual")
    assert (ran.code, told_errors(ran.said)) == (1, GREW), ran.said


BOTH = [
    ("memstile-index-cap", GREW, "grown"),
    ("memstile-gitignore", (), "grown"),
    ("memstile-index-cap", (), "forced"),
    ("memstile-gitignore", ("MS203",), "forced"),
]


@pytest.mark.parametrize(("name", "errors", "what"), BOTH)
def test_each_smaller_hook_tells_its_own_half(name: str, errors: tuple[str, ...], what: str, repo: Repo) -> None:
    repo.write(CONFIG, config(name))
    build = {"grown": "210 to 211 lines", "forced": "a note added by force"}[what]
    tried = next(row for row in SCENARIOS if row.name == build).build(repo)
    assert (tried.is_done, tried.errors) == (not errors, errors), tried.said


def test_a_commit_of_many_notes_is_one_process_without_file_names(repo: Repo, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    install(tmp_path, f'#!/bin/sh\necho "$0: $*" >> {log}\n', ["recorder"])
    recorded = {"language": "system", "entry": str(tmp_path / "recorder")}
    repo.write(CONFIG, written([{**row, **recorded} for row in MANIFEST]))
    vault(repo.path, index(180))
    for number in range(500):
        repo.write(f"{number:0100}.md", note("many"))
    repo.git("add", "--all")
    assert attempt(repo, "commit", "-m", "many").is_done
    assert log.read_text() == f"{tmp_path}/recorder: \n" * len(IDS)


PROJECT = (".pre-commit-hooks.yaml", "LICENSE", "README.md", "pyproject.toml", "src", "examples")


@pytest.fixture(scope="session")
def builder(store: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give the environment that environments are built in: the person's own, where pip knows its package index.

    PYTHONPATH would let a broken package be found all the same.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON", "PRE_COMMIT"))}
    home = tmp_path_factory.mktemp("builder")
    ours = person(home)
    (home / "config.toml").touch()
    return {
        **own,
        **{name: value for name, value in ours.items() if name.startswith("GIT_")},
        "PRE_COMMIT_HOME": str(store),
        "MEMSTILE_CONFIG": str(home / "config.toml"),
    }


@pytest.fixture(scope="session")
def checkout(store: Path, builder: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Give a repository with the project as it stands, committed or not; one for all test processes."""
    shared = Repo(store.parent / "checkout", builder)
    with open(store.parent / "checkout.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.path.exists():
            _copied(init(tmp_path_factory.mktemp("copy") / "project", builder)).path.rename(shared.path)
    return shared


def _copied(copy: Repo) -> Repo:
    for name in PROJECT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy.path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy.path / name)
    copy.commit()
    return copy


@pytest.fixture(scope="session")
def pinned(checkout: Repo, builder: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the example's configuration, pointed at this checkout, with its environment built."""
    text = re.sub(r"repo: \S+", f"repo: {checkout.path}", EXAMPLE)
    text = re.sub(r"rev: \S+", f"rev: {checkout.git('rev-parse', 'HEAD')}", text)
    place = init(tmp_path_factory.mktemp("pinned"), builder)
    place.write(CONFIG, text)
    ran = pre_commit(place, "install-hooks")
    assert ran.code == 0, ran.said
    return text


REALLY = ("210 to 211 lines", "210 to 205 lines", "commit -a", "linked worktree over", "clean merge adds up to 206")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("scenario", [row for row in SCENARIOS if row.name in REALLY], ids=lambda row: row.name)
def test_the_installed_hook_decides_the_same(scenario: Scenario, repo: Repo, pinned: str) -> None:
    bare = repo._replace(outside={name: value for name, value in repo.outside.items() if name != "PYTHONPATH"})
    bare.write(CONFIG, pinned)
    tried = scenario.build(bare)
    assert (tried.is_done, tried.errors) == (not scenario.errors, scenario.errors), tried.said


@pytest.mark.timeout(600)
def test_try_repo_runs_every_hook_of_the_checkout(checkout: Repo, builder: Mapping[str, str], tmp_path: Path) -> None:
    demo = init(tmp_path / "demo", builder)
    begin(demo, index(210))
    rewrite(demo, index(211))
    ran = pre_commit(demo, "try-repo", str(checkout.path), "--all-files")
    rows = dict(re.findall(r"^(memstile.*?)\.{3,}(Passed|Failed)$", ran.said, re.MULTILINE))
    assert rows == {"memstile": "Failed", "memstile (index cap)": "Failed", "memstile (gitignore)": "Passed"}, ran.said
    assert told_errors(ran.said) == GREW * 2
