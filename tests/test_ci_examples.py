"""The jobs of examples/: their own lines are run, in a clone as the service would make it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.git_tools import Repo, clone, init
from tests.hook_scenarios import begin, rewrite
from tests.hook_tools import ROOT, Ran, on_path, person, run
from tests.vault_tools import index

EXAMPLES = ROOT / "examples"

SIZES = [(205, 0), (210, 0), (211, 1)]


@pytest.fixture(params=SIZES, ids=[f"210 to {lines} lines" for lines, _ in SIZES])
def request_of(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Repo, int]:
    """Give a clone that stands on a merge request against main, and the exit code its change deserves."""
    lines, code = request.param
    source = init(tmp_path / "source", on_path(person(tmp_path / "home"), tmp_path / "bin"))
    begin(source, index(210))
    source.git("checkout", "--quiet", "-b", "change")
    rewrite(source, index(lines).replace(b"# Index", b"# Other"))
    source.commit()
    return clone(source.path, tmp_path / "clone", source.outside, "--branch", "change"), code


def read(name: str) -> Any:
    """Read a YAML file of the examples."""
    return yaml.safe_load((EXAMPLES / name).read_text())


def shell(repo: Repo, script: str, **variables: str) -> Ran:
    """Run a line as the services do: bash that stops at the first failure."""
    return run(repo, "bash", "-eo", "pipefail", "-c", script, **variables)


def github_lines() -> Iterator[str]:
    """Give the lines of the GitHub job that call memstile."""
    for step in read("github-actions/memstile.yml")["jobs"]["memstile"]["steps"]:
        if step.get("run", "").startswith("memstile"):
            yield step["run"]


def test_the_github_job(request_of: tuple[Repo, int], tmp_path: Path) -> None:
    repo, code = request_of
    base = read("github-actions/memstile.yml")["jobs"]["memstile"]["env"]["BASE"]
    assert base == "origin/${{ github.base_ref }}"
    summary = tmp_path / "summary.md"
    said = [shell(repo, line, BASE="origin/main", GITHUB_STEP_SUMMARY=str(summary)) for line in github_lines()]
    assert [ran.code for ran in said] == [code, code]
    assert bool(re.search(r"^::error file=MEMORY\.md,.*MS101", said[0].said, re.MULTILINE)) == (code == 1)
    assert said[1].said == ""
    assert "MEMORY.md" in summary.read_text()


def test_the_gitlab_job(request_of: tuple[Repo, int]) -> None:
    repo, code = request_of
    job = read("gitlab/.gitlab-ci.yml")["memstile"]
    script = "\n".join(line for line in job["script"] if not line.startswith("pip "))
    ran = shell(repo, script, CI_MERGE_REQUEST_DIFF_BASE_SHA=repo.git("rev-parse", "origin/main"))
    report = json.loads((repo.path / job["artifacts"]["reports"]["codequality"]).read_text())
    told = ("MS101 index-grew-over-cap" in {row["check_name"] for row in report}, "error MS101" in ran.said)
    assert (ran.code, *told) == (code, code == 1, code == 1)


WHOLE_HISTORY = [
    ("github-actions/memstile.yml", lambda job: job["jobs"]["memstile"]["steps"][0]["with"]["fetch-depth"], 0),
    ("gitlab/.gitlab-ci.yml", lambda job: job["memstile"]["variables"]["GIT_DEPTH"], "0"),
]


@pytest.mark.parametrize(("name", "pick", "depth"), WHOLE_HISTORY, ids=[row[0] for row in WHOLE_HISTORY])
def test_a_job_clones_the_whole_history(name: str, pick: Any, depth: object) -> None:
    assert pick(read(name)) == depth


@pytest.mark.parametrize("hook", ["pre-commit", "pre-merge-commit"])
def test_lefthook_runs_the_check_at_both_hooks(hook: str) -> None:
    assert read("lefthook.yml")[hook] == {"commands": {"memstile": {"run": "memstile check --staged"}}}


def test_husky_runs_the_check() -> None:
    lines = (EXAMPLES / "husky" / "pre-commit").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["memstile check --staged"]
