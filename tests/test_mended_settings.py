"""Settings that a change, a clone or another spelling of a folder would weaken."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from memstile import settings_file
from tests.git_tools import Repo, environment, init
from tests.run_tools import check
from tests.vault_tools import vault

EVERY_PLACE = [(), ("--staged",), ("--since", "HEAD")]


def table(path: str, mode: str) -> str:
    return f'[[vault]]\npath = "{path}"\nmode = "{mode}"\n'


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project with one commit, and a vault that is no host's."""
    made = init(tmp_path / "proj", environment(tmp_path / "home"))
    made.write("main.py", "")
    made.commit()
    return made


def told(repo: Repo, *words: str) -> tuple[int, list[str]]:
    done = check(*words, cwd=repo.path, environment=repo.outside)
    return done.code, [" ".join(row.split()[:2]) for row in done.findings]


def by_star(repo: Repo) -> str:
    return "note*"


def by_link(repo: Repo) -> str:
    (repo.path / "zz").symlink_to("notes")
    return "zz"


def by_link_above(repo: Repo) -> str:
    (repo.path / "top").symlink_to(".")
    return "top/notes"


SPELLINGS = [by_star, by_link, by_link_above]


@pytest.mark.parametrize("words", EVERY_PLACE)
@pytest.mark.parametrize("spell", SPELLINGS)
def test_a_project_lowers_no_mode_of_the_person_by_another_spelling(
    spell: Callable[[Repo], str], words: tuple[str, ...], repo: Repo, tmp_path: Path
) -> None:
    vault(repo.path / "notes")
    place = tmp_path / "home/.config/memstile/config.toml"
    place.parent.mkdir(parents=True)
    place.write_text(table(str(repo.path / "notes"), "ignored"))
    repo.write("memstile.toml", table(spell(repo), "shared"))
    repo.git("add", "--all")
    code, codes = told(repo, *words)
    assert (code, "error MS201" in codes) == (1, True)


@pytest.mark.parametrize("words", EVERY_PLACE)
@pytest.mark.parametrize("spell", SPELLINGS)
@pytest.mark.parametrize("is_first", [True, False])
def test_of_two_modes_for_one_folder_the_one_that_asks_more_holds(
    is_first: bool, spell: Callable[[Repo], str], words: tuple[str, ...], repo: Repo
) -> None:
    repo.write("memstile.toml", table("notes", "ignored"))
    repo.commit()
    vault(repo.path / "notes")
    rows = [table("notes", "ignored"), table(spell(repo), "shared")]
    repo.write("memstile.toml", "".join(rows if is_first else rows[::-1]))
    repo.git("add", "--all")
    code, codes = told(repo, *words)
    assert (code, "error MS201" in codes) == (1, True)
    assert ("error MS902" in codes) == bool(words)


def test_a_table_without_a_mode_leaves_the_word_to_one_with_it(repo: Repo) -> None:
    vault(repo.path / "all/notes")
    repo.write("memstile.toml", '[[vault]]\npath = "all/*"\n' + table("all/notes", "shared"))
    repo.git("add", "--all")
    assert told(repo) == (0, [])


def test_an_outer_project_that_asks_more_is_heard_where_a_person_stands_in_it(repo: Repo) -> None:
    inner = init(repo.path / "inner", repo.outside)
    vault(inner.path / "notes")
    inner.write("memstile.toml", table("notes", "shared"))
    inner.git("add", "--all")
    repo.write("memstile.toml", table("inner/notes", "ignored"))
    assert (told(inner)[0], told(repo)[0]) == (0, 1)


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        pytest.param("", table("notes", "shared"), ["error MS902"], id="a file of its own"),
        pytest.param("[index]\n", table("notes", "shared"), ["error MS902"], id="a table more"),
        pytest.param("", table("notes", "outside"), ["error MS902", "error MS207"], id="outside"),
        pytest.param("", table("*", "shared"), ["error MS902"], id="by a star"),
        pytest.param(table("notes", "shared"), table("notes", "shared") + "#\n", [], id="shared before"),
        pytest.param("", table(".claude/agent-memory/x", "shared"), [], id="a vault its host means to be shared"),
    ],
)
def test_a_change_that_shares_a_vault_is_told(before: str, after: str, codes: list[str], repo: Repo) -> None:
    repo.write("memstile.toml", before)
    repo.commit()
    repo.write("memstile.toml", after)
    vault(repo.path / (".claude/agent-memory/x" if "claude" in after else "notes"))
    repo.git("add", "--all")
    assert told(repo, "--staged")[1][:1] == codes[:1]
    repo.commit()
    assert told(repo, "--since", "HEAD~1")[1][:1] == codes[:1]


@pytest.mark.parametrize("name", ["memstile.toml", "pyproject.toml"])
@pytest.mark.parametrize("kind", ["link", "size"])
def test_settings_of_the_commit_that_cannot_be_read_are_told(kind: str, name: str, repo: Repo) -> None:
    if kind == "link":
        (repo.path.parent / "out.toml").write_text("[tool.memstile]\n")
        (repo.path / name).symlink_to("../out.toml")
    else:
        repo.write(name, b"#" * 9_000_000)
    repo.git("add", "--all")
    code, codes = told(repo, "--staged")
    assert (code, [row[:-3] for row in codes]) == (2, ["error MS"])


def test_a_table_with_too_many_stars_is_told_and_the_run_ends(repo: Repo) -> None:
    for name in "ab":
        (repo.path / name).symlink_to(".")
    repo.write("memstile.toml", '[[vault]]\npath = "' + "*/" * 30 + 'x"\n')
    repo.git("add", "--all")
    assert {told(repo, *words)[0] for words in EVERY_PLACE} == {2}


@pytest.mark.parametrize("name", ["memstile.toml", "pyproject.toml"])
def test_a_settings_file_is_parsed_once_for_all_vaults_below_it(
    name: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 0
    parse = tomllib.loads

    def counted(text: str) -> object:
        nonlocal count
        count += 1
        return parse(text)

    settings_file._parsed.cache_clear()
    monkeypatch.setattr(tomllib, "loads", counted)
    repo.write(name, "[tool.memstile]\n" if "py" in name else "[index]\nhard_lines = 150\nsoft_lines = 100\n")
    for number in range(5):
        vault(repo.path / f"m{number}/v")
    assert len(check(cwd=repo.path, environment=repo.outside).vaults) == 5
    assert count == 1
