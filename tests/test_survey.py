"""What is planned for the vaults of a request: in which repositories, from where a person stands, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from memstile.core.steps import Action, title
from memstile.errors import GuardError
from memstile.outcome import Request
from memstile.standing import Standing
from memstile.survey import Survey, survey
from tests.fix_situations import (
    changed_three_times,
    gitlink,
    not_ignored,
    one_in_another,
    staged_submodule,
    submodule,
    tracked,
)
from tests.fix_tools import Project, project
from tests.git_tools import init
from tests.vault_tools import vault


def surveyed(cwd: Path, outside: Mapping[str, str], *paths: str) -> Survey:
    return survey(Request(paths), Standing(str(cwd), outside))


def commands(seen: Survey) -> list[str]:
    return [command for row in seen.work for command in row.step.commands]


def test_an_inner_vault_gets_no_rule_and_no_step_of_its_own(tmp_path: Path) -> None:
    made = one_in_another(tmp_path)
    seen = surveyed(made.repo.path, made.repo.outside)
    assert [title(row.step) for row in seen.work] == [
        "append the rule /.memory/ to .gitignore, so that git ignores .memory",
        "take 12 files of .memory out of the git index; what is on disk stays",
    ]


def test_two_rules_for_one_file_are_planned_on_top_of_each_other(tmp_path: Path) -> None:
    made = project(tmp_path, ignored=b"a\r\nb")
    for name in ("m1", "m2"):
        vault(made.repo.path / name)
    seen = surveyed(made.repo.path, made.repo.outside)
    assert [(row.before, *row.step.commands) for row in seen.work] == [
        (b"a\r\nb", "printf '\\r\\n%s\\r\\n' /m1/ >> .gitignore"),
        (b"a\r\nb\r\n/m1/\r\n", "printf '%s\\r\\n' /m2/ >> .gitignore"),
    ]


def test_every_repository_around_a_vault_gets_its_steps(tmp_path: Path) -> None:
    outer = not_ignored(tmp_path, "inner/lib/memory")
    outer.repo.commit()
    inner = init(outer.repo.path / "inner", outer.repo.outside)
    inner.git("add", "--all")
    assert commands(surveyed(outer.repo.path, outer.repo.outside)) == [
        "git rm -rqf --cached --sparse --ignore-unmatch -- inner/lib/memory",
        "printf '%s\\n' /lib/memory/ >> inner/.gitignore",
        "git -C inner rm -rqf --cached --sparse --ignore-unmatch -- lib/memory",
    ]


@pytest.mark.parametrize(("cwd", "top"), [("proj/src", ".."), (".", "proj"), ("link", ".."), ("a/b/c", "")])
def test_commands_fit_the_folder_the_person_stands_in(cwd: str, top: str, tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    made.repo.commit()
    (made.repo.path / "src").mkdir()
    (tmp_path / "link").symlink_to("proj/src")
    (tmp_path / "a/b/c").mkdir(parents=True)
    seen = surveyed(tmp_path / cwd, made.repo.outside, str(made.repo.path / ".memory"))
    shown = top or str(made.repo.path)  # from far away the path is shown whole
    assert commands(seen) == [
        f"printf '%s\\n' /.memory/ >> {shown}/.gitignore",
        f"git -C {shown} rm -rqf --cached --sparse --ignore-unmatch -- .memory",
    ]
    assert [row.repository.top for row in seen.work] == [str(made.repo.path)] * 2


@pytest.mark.parametrize(("build", "count"), [(gitlink, 2), (submodule, 3), (staged_submodule, 3)])
def test_a_repository_is_ignored_first_then_untracked_then_forgotten(
    build: Callable[[Path], Project], count: int, tmp_path: Path
) -> None:
    made = build(tmp_path)
    actions = [row.step.action for row in surveyed(made.repo.path, made.repo.outside).work]
    assert actions == [Action.IGNORE, Action.UNTRACK, Action.FORGET][:count]


def test_in_a_linked_worktree_its_own_files_are_changed(tmp_path: Path) -> None:
    made = tracked(tmp_path)
    made.repo.commit()  # the rule
    made.repo.git("worktree", "add", "-q", "../wt", "HEAD")
    seen = surveyed(tmp_path / "wt", made.repo.outside)
    assert [(row.repository.top, title(row.step)) for row in seen.work] == [
        (str(tmp_path / "wt"), "take 6 files of .memory out of the git index; what is on disk stays")
    ]


def test_in_a_submodule_its_own_repository_is_changed(tmp_path: Path) -> None:
    made = project(tmp_path)
    library = init(tmp_path / "library", made.repo.outside)
    library.write("lib.py", "")
    library.commit()
    made.repo.git("submodule", "--quiet", "add", str(library.path), "lib")
    made.repo.commit()
    vault(made.repo.path / "lib" / ".memory")
    assert commands(surveyed(made.repo.path, made.repo.outside)) == ["printf '%s\\n' /.memory/ >> lib/.gitignore"]


def test_where_a_file_further_down_lets_it_back_in_the_rule_goes_beside_the_vault(tmp_path: Path) -> None:
    made = not_ignored(tmp_path, "docs/memory")
    made.repo.write("docs/.gitignore", "!memory/\n")
    seen = surveyed(made.repo.path, made.repo.outside)
    assert (commands(seen), seen.stuck) == (["printf '%s\\n' /memory/ >> docs/.gitignore"], ())


def test_where_no_rule_would_win_that_is_said(tmp_path: Path) -> None:
    made = project(tmp_path, ignored="/.memory/\n!/.MEMORY/\n")
    made.repo.git("config", "core.ignoreCase", "true")
    vault(made.repo.path / ".memory")
    seen = surveyed(made.repo.path, made.repo.outside)
    assert (seen.work, [row.unit for row in seen.stuck]) == ((), [".memory"])


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ("", 2),
        ('[[vault]]\npath = ".memory"\nmode = "ignored"\n', 2),
        ('[git]\nmode = "audit"\n', 2),
        ('[[vault]]\npath = ".memory"\nmode = "shared"\n', 0),
    ],
)
def test_only_a_vault_that_is_to_be_ignored_gets_steps(settings: str, count: int, tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    made.repo.commit()
    made.repo.write("memstile.toml", settings)
    assert len(surveyed(made.repo.path, made.repo.outside).work) == count


def test_where_the_person_turned_the_git_rules_off_nothing_is_planned(tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    seen = surveyed(made.repo.path, {**made.repo.outside, "MEMSTILE_GIT_MODE": "off"})
    assert (seen.work, seen.findings) == ((), ())


def test_a_typo_in_the_settings_stops_it_since_the_vault_may_be_shared(tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    made.repo.write("memstile.toml", '[[vault]]\npath = ".memory"\nmode = "shard"\n')
    with pytest.raises(GuardError, match=r"^a setting is not usable"):
        surveyed(made.repo.path, made.repo.outside)


def test_a_repository_without_an_answer_is_left_to_its_finding(tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    outside = {**made.repo.outside, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    seen = surveyed(made.repo.path, outside)
    assert (seen.work, [row.code for row in seen.findings]) == ((), ["MS208"])


def test_a_file_that_may_not_be_changed_stops_all_of_it(tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    made.repo.commit()
    (made.repo.path / ".gitignore").chmod(0o444)
    with pytest.raises(GuardError, match=r"^\.gitignore is not writable$"):
        surveyed(made.repo.path, made.repo.outside)


def test_what_only_the_git_index_holds_is_named(tmp_path: Path) -> None:
    made = changed_three_times(tmp_path)
    rows = [entry for row in surveyed(made.repo.path, made.repo.outside).work for entry in row.only_staged]
    assert [(row.path, made.repo.git("cat-file", "-p", row.sha)) for row in rows] == [(".memory/note-1.md", "staged")]


@pytest.mark.parametrize(
    ("rule_in", "files"),
    [
        (".gitignore", (".gitignore",)),
        ("docs/.gitignore", ("docs/.gitignore",)),
        (".git/info/exclude", ()),
        ("docs/memory/.gitignore", ()),
    ],
)
def test_a_rule_that_the_commit_would_not_carry_is_named(rule_in: str, files: tuple[str, ...], tmp_path: Path) -> None:
    made = not_ignored(tmp_path, "docs/memory")
    made.repo.commit()
    made.repo.write(rule_in, "*\n" if "memory" in rule_in else "memory/\n")
    assert surveyed(made.repo.path, made.repo.outside).unstaged_rules == {"": files}
    if files:
        made.repo.git("add", rule_in)
        assert surveyed(made.repo.path, made.repo.outside).unstaged_rules == {"": ()}


def test_with_a_repository_of_the_environment_that_one_is_asked(tmp_path: Path) -> None:
    """A bare dotfiles repository over the home folder."""
    made = not_ignored(tmp_path)
    made.repo.commit()
    (made.repo.path / ".git").rename(tmp_path / "dotfiles")
    places = {"GIT_DIR": str(tmp_path / "dotfiles"), "GIT_WORK_TREE": str(made.repo.path)}
    seen = surveyed(made.repo.path, {**made.repo.outside, **places})
    assert [row.step.action for row in seen.work] == [Action.IGNORE, Action.UNTRACK]
    assert {row.repository.git_dir for row in seen.work} == {str(tmp_path / "dotfiles")}
