"""The hook without pre-commit: examples/git-hook/pre-commit, as git itself runs it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.git_tools import Repo, init
from tests.hook_scenarios import GREW, SCENARIOS, Scenario, begin, commit_all, rewrite
from tests.hook_tools import HOOKS, ROOT, attempt, install, on_path, person
from tests.vault_tools import index, note, vault

pytestmark = pytest.mark.slow

EXAMPLE = (ROOT / "examples" / "git-hook" / "pre-commit").read_text()


@pytest.fixture
def bare_hands(tmp_path: Path) -> Repo:
    """Give an empty repository without a hook, and `memstile` on PATH."""
    return init(tmp_path / "repo", on_path(person(tmp_path / "home"), tmp_path / "bin"))


@pytest.fixture
def repo(bare_hands: Repo) -> Repo:
    """Give an empty repository with the example for both of git's hooks."""
    install(bare_hands.path / ".git" / "hooks", EXAMPLE)
    return bare_hands


each_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=[row.name for row in SCENARIOS])


@each_scenario
def test_a_commit_passes_or_is_refused(scenario: Scenario, repo: Repo) -> None:
    tried = scenario.build(repo)
    assert (tried.is_done, tried.errors) == (not scenario.errors, scenario.errors), tried.said


REFUSED = [row for row in SCENARIOS if row.errors]


@pytest.mark.parametrize("scenario", REFUSED, ids=[row.name for row in REFUSED])
def test_without_the_hook_what_it_refuses_is_committed(scenario: Scenario, bare_hands: Repo) -> None:
    tried = scenario.build(bare_hands)
    assert (tried.is_done, tried.errors) == (True, ()), tried.said


def test_no_verify_goes_past_it(repo: Repo) -> None:
    begin(repo, index(210))
    rewrite(repo, index(211))
    assert attempt(repo, "commit", "--no-verify", "-m", "meant").is_done


def test_the_warnings_of_a_commit_that_passes_are_shown(repo: Repo) -> None:
    begin(repo, index(150))
    rewrite(repo, index(151))
    tried = attempt(repo, "commit", "-m", "change")
    assert tried.is_done
    assert "MEMORY.md: warning MS103: staged index is 151 lines, soft cap 150" in tried.said


def test_without_memstile_on_path_the_commit_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.write("main.c", "int main;\n")
    repo.git("add", "main.c")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("git", "sh"):
        (tools / name).symlink_to(shutil.which(name) or name)
    tried = attempt(repo, "commit", "-m", "unchecked", PATH=str(tools))
    assert not tried.is_done
    assert "memstile is not on PATH: this commit cannot be checked, so it is refused" in tried.said


def test_a_commit_from_a_folder_below_is_judged_too(repo: Repo) -> None:
    begin(repo, index(210))
    repo.write("below/file", "x")
    rewrite(repo, index(211))
    below = repo._replace(path=repo.path / "below")
    tried = attempt(below, "commit", "-m", "from below")
    assert (tried.is_done, tried.errors) == (False, GREW), tried.said


@pytest.mark.parametrize("name", ["a b", "it's", 'say "hi"', "line\nbreak", "[x]*?", "-n", "\udcff"], ids=ascii)
def test_the_folder_of_the_repository_may_have_any_name(name: str, tmp_path: Path) -> None:
    outside = on_path(person(tmp_path / "home"), tmp_path / "bin")
    odd = init(tmp_path / name, outside)
    install(odd.path / ".git" / "hooks", EXAMPLE)
    tried = commit_all(odd)
    assert (tried.is_done, tried.errors) == (False, GREW), tried.said


def test_a_hook_in_a_committed_hooks_folder_works(bare_hands: Repo) -> None:
    install(bare_hands.path / ".githooks", EXAMPLE)
    bare_hands.git("config", "core.hooksPath", ".githooks")
    tried = commit_all(bare_hands)
    assert (tried.is_done, tried.errors) == (False, GREW), tried.said


@pytest.mark.parametrize("side", ["side", "../side", "{}/side"], ids=["relative", "outside", "absolute"])
def test_a_side_index_is_the_one_that_counts(side: str, repo: Repo, tmp_path: Path) -> None:
    place = side.format(tmp_path)
    begin(repo, index(180))
    repo.git("read-tree", "HEAD", GIT_INDEX_FILE=place)
    repo.write("MEMORY.md", index(215))
    repo.git("add", "MEMORY.md", GIT_INDEX_FILE=place)
    over = attempt(repo, "commit", "-m", "side", GIT_INDEX_FILE=place)
    assert (over.is_done, over.errors) == (False, GREW), over.said
    repo.write("note-1.md", note("other"))
    repo.git("add", "note-1.md")
    under = attempt(repo, "commit", "-m", "main")
    assert (under.is_done, under.errors) == (True, ()), under.said


def submodule(repo: Repo, tmp_path: Path) -> Repo:
    """Add a vault as the submodule `notes` of a project; give the submodule, its hook installed."""
    source = init(tmp_path / "source", repo.outside)
    begin(source, index(190))
    repo.git("submodule", "--quiet", "add", str(source.path), "notes")
    install(repo.path / ".git" / "modules" / "notes" / "hooks", EXAMPLE)
    return repo._replace(path=repo.path / "notes")


@pytest.mark.parametrize(("lines", "errors"), [(200, ()), (201, GREW)])
def test_the_hook_of_a_submodule_judges_the_submodule(
    lines: int, errors: tuple[str, ...], bare_hands: Repo, tmp_path: Path
) -> None:
    inner = submodule(bare_hands, tmp_path)
    rewrite(inner, index(lines))
    tried = attempt(inner, "commit", "-m", "inner")
    assert (tried.is_done, tried.errors) == (not errors, errors), tried.said


def test_the_hook_of_the_project_refuses_a_vault_as_submodule(repo: Repo, tmp_path: Path) -> None:
    submodule(repo, tmp_path)
    tried = attempt(repo, "commit", "-m", "outer")
    assert (tried.is_done, tried.errors) == (False, ("MS206",)), tried.said


@pytest.fixture
def dotfiles(tmp_path: Path) -> Repo:
    """Give a home folder that is the work tree of the bare repository ~/.dotfiles, its hook installed."""
    home = tmp_path / "home"
    outside = on_path(person(home), tmp_path / "bin")
    init(home / ".dotfiles", outside, "--bare")
    install(home / ".dotfiles" / "hooks", EXAMPLE)
    named = {"GIT_DIR": str(home / ".dotfiles"), "GIT_WORK_TREE": str(home)}
    Repo(home, {**outside, **named}).git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "begin")
    return Repo(home, outside)


def typed(home: Repo) -> tuple[str, ...]:
    """Give the words between `git` and its command that people have in an alias."""
    return (f"--git-dir={home.path}/.dotfiles", f"--work-tree={home.path}")


def told(home: Repo, *words: str) -> tuple[bool, tuple[str, ...]]:
    """Commit in the dotfiles; tell whether it was done, and the errors."""
    tried = attempt(home, *typed(home), "commit", *words, GIT_DIR=f"{home.path}/.dotfiles")
    return tried.is_done, tried.errors


def test_dotfiles_may_not_take_a_vault_along(dotfiles: Repo) -> None:
    vault(dotfiles.path / ".claude" / "projects" / "x" / "memory")
    dotfiles.git(*typed(dotfiles), "add", "--force", ".claude")
    assert told(dotfiles, "-m", "all of .claude") == (False, ("MS201", "MS203"))


def test_dotfiles_without_a_vault_pass(dotfiles: Repo) -> None:
    dotfiles.write(".profile", "umask 077\n")
    dotfiles.git(*typed(dotfiles), "add", ".profile")
    assert told(dotfiles, "-m", "profile") == (True, ())


def test_the_index_of_a_vault_that_dotfiles_share_is_measured(dotfiles: Repo) -> None:
    place = dotfiles.path / ".claude" / "agent-memory" / "reviewer"
    vault(place, index(180))
    dotfiles.git(*typed(dotfiles), "add", ".claude")
    assert told(dotfiles, "-m", "an agent's memory") == (True, ())
    vault(place, index(215))
    assert told(dotfiles, "-a", "-m", "grown") == (False, GREW)


def test_both_hooks_of_git_are_named_in_the_example() -> None:
    assert [name for name in HOOKS if f".git/hooks/{name}\n" in EXAMPLE] == list(HOOKS)
