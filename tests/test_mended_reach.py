"""What is no vault for sure is not untracked; what lies in a vault belongs to it; notes below are found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memstile.core.pointers import entries_for_notes, files_pointed_at, lists_notes
from tests.case_tools import DISK, SINCE, STAGED, project
from tests.git_tools import Repo, environment, init
from tests.run_tools import check, memstile
from tests.vault_tools import note, vault

EVERY = pytest.mark.parametrize("words", [DISK, SINCE, STAGED], ids=["disk", "since", "staged"])
AGENT = note("rev").decode()
PAGE = "---\ntitle: x\npermalink: /x/\n---\n"


def tracked(folder: Path, files: Mapping[str, str]) -> Repo:
    """Make a project that tracks some files."""
    repo = project(folder)
    for name, text in files.items():
        repo.write(name, text)
    repo.commit()
    return repo


def codes(repo: Repo, *words: str) -> set[str]:
    """Give the codes of the errors that a check tells."""
    ran = check(*words, cwd=repo.path, environment=repo.outside)
    return {row.split(" ")[1] for row in ran.findings if row.startswith("error")}


NO_NOTE = " in it is no note, and its index does not link to it"
OF_HOSTS = "hosts keep agents, skills and commands there"
OF_DOCS = "folders of this name hold documentation"
OF_TESTS = "it lies among tests or examples"
LEFT = [
    pytest.param(
        "packages/foo",
        {"MEMORY.md": "Caches; see [it](design.md).\n", "design.md": "d", "src/a.ts": "", "package.json": "{}"},
        f"package.json{NO_NOTE}",
        id="a package",
    ),
    pytest.param("m", {"MEMORY.md": "- [a](a.md)\n", "a.md": "", "x.png": ""}, f"x.png{NO_NOTE}", id="an image"),
    pytest.param("m", {"MEMORY.md": "- [a](a.md)\n", "a.md": "", "SKILL.md": ""}, f"SKILL.md{NO_NOTE}", id="a skill"),
    pytest.param(
        "docs", {"MEMORY.md": "[a](allocators.md)\n", "allocators.md": "", "conf.py": ""}, OF_DOCS, id="documentation"
    ),
    pytest.param(
        ".claude/skills/mem",
        {"MEMORY.md": "[r](reference.md)\n", "reference.md": "", "SKILL.md": AGENT},
        OF_HOSTS,
        id="below skills",
    ),
    pytest.param(
        ".claude/agents", {"MEMORY.md": "[r](rev.md)\n", "rev.md": AGENT}, OF_HOSTS, id="sub-agents that it links to"
    ),
    pytest.param("tests/fixtures/v1", {"MEMORY.md": "- [a](a.md)\n", "a.md": ""}, OF_TESTS, id="a fixture"),
]


@pytest.mark.parametrize(("folder", "files", "why"), LEFT)
def test_fix_leaves_alone_what_holds_more_than_notes_unless_it_is_named(
    folder: str, files: Mapping[str, str], why: str, tmp_path: Path
) -> None:
    repo = tracked(tmp_path, {f"{folder}/{name}": text for name, text in files.items()})
    before = repo.git("ls-files")
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files"), repo.git("status", "--short")) == (1, before, "")
    assert f"{folder}: left alone, since {why}\n" in ran.out.decode()
    assert f"memstile fix -- {folder}\n" in ran.out.decode()
    ran = memstile("fix", "--yes", folder, cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files")) == (0, "README")


@pytest.mark.parametrize("place", ["p", ".packages/p"])
def test_fix_leaves_a_package_alone_whose_sources_are_not_added_yet(place: str, tmp_path: Path) -> None:
    repo = tracked(tmp_path, {f"{place}/MEMORY.md": "[a](a.md)\n", f"{place}/a.md": ""})
    repo.write(f"{place}/.lock", "")
    repo.write(f"{place}/src/a.ts", "")
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files", place)) == (1, f"{place}/MEMORY.md\n{place}/a.md")
    assert f"{place}: left alone, since src/a.ts{NO_NOTE}\n" in ran.out.decode()


MENDED = [
    pytest.param({"a.md": "x", "map.png": ""}, "- [a](a.md)\n- ![m](map.png)\n", "", id="a linked image"),
    pytest.param(
        {"a.md": "x", "README.md": "", ".gitignore": "x\n"}, "- [a](a.md)\n", "", id="README and ignore rules"
    ),
    pytest.param({"a.md": "x"}, "- [a](a.md)\n", '[[vault]]\npath = "docs"\n', id="configured, and called docs"),
    pytest.param(
        {"a.md": "x", "a.ts": ""}, "- [a](a.md)\n", '[[vault]]\npath = "m"\n', id="configured, with something else"
    ),
]


@pytest.mark.parametrize(("files", "text", "settings"), MENDED)
def test_fix_mends_a_vault_of_notes_and_one_that_is_configured(
    files: Mapping[str, str], text: str, settings: str, tmp_path: Path
) -> None:
    folder = "docs" if '"docs"' in settings else "m"
    every = {f"{folder}/{name}": content for name, content in {**files, "MEMORY.md": text}.items()}
    repo = tracked(tmp_path, every | ({"memstile.toml": settings} if settings else {}))
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("ls-files", folder)) == (0, "")


UNKNOWN = [
    pytest.param({".claude/agents/MEMORY.md": "text\n", ".claude/agents/rev.md": AGENT}, id="sub-agents"),
    pytest.param({".claude/commands/x/MEMORY.md": "text\n", ".claude/commands/x/rev.md": AGENT}, id="commands"),
    pytest.param({"skills/MEMORY.md": "text\n", "skills/rev.md": AGENT}, id="skills"),
    pytest.param({"docs/MEMORY.md": PAGE, "docs/x.md": PAGE}, id="pages made with Jekyll"),
    pytest.param(
        {"docs/MEMORY.md": "See\n[a](n/a.md)\n[b](n/b.md)\n", "docs/n/a.md": "", "docs/n/b.md": ""}, id="docs"
    ),
    pytest.param({"m/MEMORY.md": "x\nx\n- [a](n/a.md)\n", "m/n/a.md": "", "m/n/b.md": ""}, id="one entry"),
    pytest.param(
        {"m/MEMORY.md": "x\nx\n- [a](n/a.md)\n- [b](n/b.md)\n", "m/n/a.md": "", "m/c.py": ""}, id="beside code"
    ),
    pytest.param({".github/MEMORY.md": "x\nx\n[a](n/a.md)\n", ".github/n/a.md": ""}, id="settings"),
]


@EVERY
@pytest.mark.parametrize("files", UNKNOWN)
def test_pages_agents_and_skills_are_no_vault(files: Mapping[str, str], words: tuple[str, ...], tmp_path: Path) -> None:
    assert codes(tracked(tmp_path, files), *words) == set()


KNOWN = [
    pytest.param("- [a](n/a.md)\n- [b](n/b.md)\n- fact\n- fact\n- fact\n", id="facts besides"),
    pytest.param("- [[n/a]]\n", id="a wikilink"),
    pytest.param("| note |\n|---|\n|[a](n/a.md)|\n", id="a table"),
    pytest.param("- topic\n  - [a](n/a.md)\n  - [b](n/b.md)\n", id="indented"),
    pytest.param("text\ntext\n[a](n/a.md)\n[b](n/b.md)\n", id="prose above"),
    pytest.param("- user: `n/a.md`\n", id="a name in a list"),
    pytest.param("10. [a](n/a.md)\n", id="a longer number"),
    pytest.param("\u2022 [a](n/a.md)\n", id="another bullet"),
]


@EVERY
@pytest.mark.parametrize("folder", ["mem", ".mem"])
@pytest.mark.parametrize("text", KNOWN)
def test_a_vault_with_its_notes_below_is_one_however_they_are_listed(
    text: str, folder: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    names = {f"{folder}/n/a.md": "x\n", f"{folder}/n/b.md": "x\n", f"{folder}/MEMORY.md": text}
    assert codes(tracked(tmp_path, names), *words) == {"MS201", "MS202"}


@EVERY
def test_a_dot_folder_with_one_pointer_below_is_a_vault(words: tuple[str, ...], tmp_path: Path) -> None:
    files = {".mem/MEMORY.md": "x\nx\nI keep [a](n/a.md)\n", ".mem/n/a.md": "x", ".mem/x.json": "{}"}
    assert codes(tracked(tmp_path, files), *words) == {"MS201", "MS202"}


PARTS = [
    pytest.param("work", {}, {"dedicated"}, set(), id="a vault with a repository of its own"),
    pytest.param("a/b/work", {}, {"dedicated"}, set(), id="further down"),
    pytest.param("work", {"main.py": ""}, {"dedicated", "ignored"}, {"MS201", "MS202"}, id="a project beside it"),
    pytest.param(".mem", {}, {"dedicated", "ignored"}, {"MS201", "MS202"}, id="a dot-folder"),
    pytest.param(
        "work",
        {"memstile.toml": '[[vault]]\npath = "work"\nmode = "ignored"\n'},
        {"dedicated", "ignored"},
        {"MS201", "MS202"},
        id="configured otherwise",
    ),
    pytest.param(
        "work",
        {"main.py": "", "memstile.toml": '[[vault]]\npath = "."\nmode = "dedicated"\n'},
        {"dedicated"},
        set(),
        id="in a dedicated one",
    ),
]


@EVERY
@pytest.mark.parametrize(("place", "files", "modes", "expected"), PARTS)
def test_a_vault_in_a_vaults_own_repository_is_part_of_it(
    place: str, files: Mapping[str, str], modes: set[str], expected: set[str], words: tuple[str, ...], tmp_path: Path
) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    for folder in (repo.path, repo.path / place):
        vault(folder)
    for name, text in files.items():
        repo.write(name, text)
    repo.commit()
    ran = check(*words, cwd=repo.path, environment=repo.outside)
    assert {row.split("(")[1].split(")")[0] for row in ran.vaults} == modes
    assert codes(repo, *words) == expected
    if words == DISK:
        assert codes(repo, place) == expected


@EVERY
@pytest.mark.parametrize("outer", ["mem", ".claude/agent-memory/rev"])
def test_a_vault_in_a_shared_one_is_shared(outer: str, words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", '[[vault]]\npath = "mem"\nmode = "shared"\n')
    vault(repo.path / "mem")
    vault(repo.path / outer)
    vault(repo.path / outer / "a/sub")
    repo.commit()
    assert codes(repo, *words) == set()
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert (ran.code, repo.git("status", "--short")) == (0, "")


def test_a_vault_in_a_vaults_own_repository_is_asked_about_in_the_one_around(tmp_path: Path) -> None:
    repo = project(tmp_path)
    inner = init(repo.path / "own", repo.outside)
    vault(inner.path)
    vault(inner.path / "work")
    inner.commit()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{inner.git('rev-parse', 'HEAD')},own")
    assert codes(repo) == {"MS206"}


def test_what_an_index_links_to_need_be_no_note() -> None:
    data = b"- [a](n/a.md#x) ![m](map.png) [x](../x.md)\n- [[b]] ![[n/p.png]]\n"
    assert files_pointed_at(data) >= {"n/a.md", "map.png", "b.md", "n/p.png"}


def test_a_head_of_a_table_says_nothing() -> None:
    assert lists_notes(b"| note | of |\n| --- | :-: |\n| [a](a.md) | x |\n")
    assert not lists_notes(b"| note | of |\n| [a](a.md) | x |\n")
    assert entries_for_notes(b"[a](a.md)\n - [b](n/b.md)\ntext [c](c.md)\n") == 2
