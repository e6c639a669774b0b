"""Hints that fit the situation, and paths that fit the reader, seen through the whole program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memstile.git import Git
from memstile.git import environment as git_environment
from memstile.ref_hint import unresolved
from memstile.repository import Repository, open_repository, resolve_commit
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import memstile
from tests.vault_tools import index, vault


def test_a_merge_that_joins_two_growths_is_told_how_to_go_on_and_the_way_leads_out(tmp_path: Path) -> None:
    repo = init(tmp_path / "vault", environment(tmp_path / "home"))
    vault(repo.path, index(190))
    base = (repo.path / "MEMORY.md").read_bytes()
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("MEMORY.md", base + b"- theirs\n" * 8)
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("MEMORY.md", b"# ours\n" * 8 + base)
    repo.commit()
    repo.git("merge", "--quiet", "--no-commit", "side")
    ran = memstile("check", "--staged", "--select", "MS101", cwd=repo.path, environment=repo.outside)
    hint = "hint: both sides of the merge added to it: cut 6 lines; then `git add` it and commit the merge"
    assert (ran.code, hint in " ".join(ran.out.decode().split())) == (1, True)
    repo.write("MEMORY.md", base + b"- theirs\n" * 2)
    repo.git("add", "MEMORY.md")
    assert memstile("check", "--staged", cwd=repo.path, environment=repo.outside).code == 0


@pytest.fixture
def project(tmp_path: Path) -> Repo:
    """A repository with vaults that are not ignored, at the top and below folders, and one outside."""
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    for place in ("top", "sub/vault", "sub/deep/inner", "a b/vault"):
        vault(repo.path / place, index(210))
    vault(tmp_path / "outside" / "vault", index(210))
    repo.write("memstile.toml", "wrong = 1\n")
    return repo


def of_github(out: str) -> list[str]:
    lines = [line for line in out.split("\n") if line.startswith("::")]
    return [line.partition(" file=")[2].partition(",")[0] for line in lines]


def of_gitlab(out: str) -> list[str]:
    return [row["location"]["path"] for row in json.loads(out)]


def of_sarif(out: str) -> list[str]:
    results = json.loads(out)["runs"][0]["results"]
    return [place["physicalLocation"]["artifactLocation"]["uri"] for row in results for place in row["locations"][:1]]


READERS = {"github": of_github, "gitlab": of_gitlab, "sarif": of_sarif}

# id: (folder, PATH, the paths of the index findings)
STANDS = {
    "the top": ("", ["sub/vault"], "sub/vault/MEMORY.md"),
    "a folder": ("sub", ["vault"], "sub/vault/MEMORY.md"),
    "two folders down": ("sub/deep", ["inner"], "sub/deep/inner/MEMORY.md"),
    "the vault": ("sub/vault", [], "sub/vault/MEMORY.md"),
    "the vault by its dot": ("sub/vault", ["."], "sub/vault/MEMORY.md"),
    "up and down": ("sub/deep", ["../vault"], "sub/vault/MEMORY.md"),
    "up to the top": ("sub/deep", ["../../top/"], "top/MEMORY.md"),
    "outside": ("sub", ["../../outside/vault"], "../outside/vault/MEMORY.md"),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(("folder", "words", "path"), STANDS.values(), ids=STANDS)
def test_code_hosts_get_paths_from_the_top(folder: str, words: list[str], path: str, name: str, project: Repo) -> None:
    (project.path / "memstile.toml").unlink()
    options = ("--select", "MS102", "--format", name)
    ran = memstile("check", *options, *words, cwd=project.path / folder, environment=project.outside)
    assert READERS[name](ran.out.decode()) == [path], ran.err


def findings(project: Repo, folder: str, name: str) -> Any:
    words = ("check", "--format", name, str(project.path))
    return json.loads(memstile(*words, cwd=project.path / folder, environment=project.outside).out)


def test_an_absolute_path_inside_is_one_from_the_top(project: Repo) -> None:
    paths = {row["location"]["path"] for row in findings(project, "sub", "gitlab")}
    assert {"top", "top/MEMORY.md", "sub/vault", "a b/vault/MEMORY.md", "memstile.toml"} <= paths
    assert [path for path in paths if path.startswith(("/", "."))] == []


def test_the_marks_of_findings_are_the_same_from_every_folder(project: Repo) -> None:
    marks = [{row["fingerprint"] for row in findings(project, folder, "gitlab")} for folder in ("", "sub", "a b")]
    assert (marks[0], marks[0]) == (marks[1], marks[2])


def test_in_sarif_the_files_concerned_are_from_the_top_too(project: Repo) -> None:
    project.git("add", "sub")
    run = findings(project, "sub", "sarif")["runs"][0]
    (row,) = [row for row in run["results"] if row["ruleId"] == "MS203" and "vault" in str(row["locations"][0])]
    uris = [place["physicalLocation"]["artifactLocation"]["uri"] for place in row["locations"]]
    assert (uris[0], len(uris) > 1, [uri for uri in uris if not uri.startswith("sub/vault")]) == ("sub/vault", True, [])


@pytest.mark.parametrize("name", ["text", "markdown", "json", "junit"])
def test_for_a_person_they_stay_as_typed(name: str, project: Repo) -> None:
    words = ("check", "--select", "MS102", "--format", name, "vault")
    ran = memstile(*words, cwd=project.path / "sub", environment=project.outside)
    assert ("vault/MEMORY.md" in ran.out.decode(), "sub/vault" in ran.out.decode()) == (True, False)


def test_outside_a_repository_they_stay(tmp_path: Path) -> None:
    vault(tmp_path / "plain" / "vault", index(210))
    words = ("check", "--select", "MS102", "--format", "gitlab", "vault")
    ran = memstile(*words, cwd=tmp_path / "plain", environment=environment(tmp_path / "home"))
    assert of_gitlab(ran.out.decode()) == ["vault/MEMORY.md"]


def test_the_work_tree_that_gits_environment_names_counts(tmp_path: Path) -> None:
    """A bare repository for a home folder: no .git lies in its work tree."""
    outside = environment(tmp_path / "home")
    bare = init(tmp_path / "dotfiles.git", outside, "--bare")
    vault(tmp_path / "tree" / "sub" / "vault", index(210))
    named = {**outside, "GIT_DIR": str(bare.path), "GIT_WORK_TREE": str(tmp_path / "tree")}
    words = ("check", "--select", "MS102", "--format", "gitlab", "vault")
    ran = memstile(*words, cwd=tmp_path / "tree" / "sub", environment=named)
    assert of_gitlab(ran.out.decode()) == ["sub/vault/MEMORY.md"]


def opened(repo: Repo) -> Repository:
    return open_repository(Git(str(repo.path), git_environment(repo.outside, str(repo.path), is_current=False)))


@pytest.fixture
def source(tmp_path: Path) -> Repo:
    """A repository with the branches main and feature/x, which part after the first commit."""
    repo = init(tmp_path / "source", environment(tmp_path / "home"))
    repo.write("x", "1")
    repo.commit()
    repo.git("branch", "feature/x")
    for number in (2, 3):
        repo.write("x", f"{number}")
        repo.commit()
    return repo


SPELLING = "check the spelling: `git branch --all` lists the branches, `git tag` the tags"
RANGE = "name one ref and no range; its merge base with HEAD is the base: --since"
FROM_ORIGIN = f"{SPELLING}; if origin has it: `git fetch origin"
HASH = "0123456789abcdef" * 2 + "01234567"

# ref: the hint in a clone of main alone
CLONED = {
    "HEAD..HEAD": f"{RANGE} HEAD",
    "main...feature": f"{RANGE} main",
    "..main": f"{RANGE} HEAD",
    "a b..": f"{RANGE} 'a b'",
    "\x1b[31m..": f"{RANGE} $'\\033[31m'",
    "origin/feature/x": "fetch it first: `git fetch origin feature/x:refs/remotes/origin/feature/x`",
    "origin/it's": "fetch it first: `git fetch origin 'it'\"'\"'s:refs/remotes/origin/it'\"'\"'s'`",
    "feature/x": f"{FROM_ORIGIN} feature/x:refs/remotes/origin/feature/x`, then --since origin/feature/x",
    "nope": f"{FROM_ORIGIN} nope:refs/remotes/origin/nope`, then --since origin/nope",
    HASH: f"fetch it first: `git fetch origin {HASH}`",
    "HEAD~9": SPELLING,
    "HEAD:x": SPELLING,
    "origin/main~9": SPELLING,
    "--all": SPELLING,
    "\x1b[31m": SPELLING,
}


@pytest.mark.parametrize(("ref", "hint"), CLONED.items())
def test_a_ref_that_stands_for_nothing_gets_the_hint_that_fits(
    ref: str, hint: str, source: Repo, tmp_path: Path
) -> None:
    here = clone(source.path, tmp_path / "clone", source.outside, "--single-branch")
    assert unresolved(opened(here), ref) == hint


def test_without_a_remote_the_branches_are_to_be_listed(source: Repo) -> None:
    for ref in ("origin/main", "feature/y", "nope", HASH):
        assert unresolved(opened(source), ref) == SPELLING


def test_before_the_first_commit_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    here = opened(init(tmp_path / "new", environment(tmp_path / "home")))
    assert unresolved(here, "HEAD") == "there is no commit yet to compare with: leave --since out"


def test_a_branch_that_only_a_remote_has_is_named(source: Repo, tmp_path: Path) -> None:
    here = clone(source.path, tmp_path / "clone", source.outside)
    assert unresolved(opened(here), "feature/x") == ("a branch of a remote has that name: --since origin/feature/x")


def test_a_remote_is_known_by_its_name_and_not_by_its_first_part(source: Repo, tmp_path: Path) -> None:
    here = clone(source.path, tmp_path / "clone", source.outside, "--origin", "my/fork")
    assert unresolved(opened(here), "b").endswith(
        "if my/fork has it: `git fetch my/fork b:refs/remotes/my/fork/b`, then --since my/fork/b"
    )
    here.git("config", "remote.my.url", "elsewhere")
    assert unresolved(opened(here), "my/fork/b/c") == (
        "fetch it first: `git fetch my/fork b/c:refs/remotes/my/fork/b/c`"
    )


@pytest.mark.parametrize("ref", ["origin/feature/x", "feature/x"])
@pytest.mark.parametrize("words", [("--single-branch",), ("--depth", "1")], ids=["one branch", "shallow"])
def test_the_command_of_the_hint_makes_the_ref_resolve(
    ref: str, words: tuple[str, ...], source: Repo, tmp_path: Path
) -> None:
    here = clone(source.path, tmp_path / "clone", source.outside, *words)
    hint = unresolved(opened(here), ref)
    command = next(part for part in hint.split("`") if part.startswith("git fetch"))
    here.git(*command.split(" ")[1:])
    if "then" in hint or ref != "feature/x":
        assert (resolve_commit(opened(here), "origin/feature/x") is None, opened(here).is_shallow) == (False, False)
    else:
        assert opened(here).is_shallow is False
