"""core/repairs.py: commands that mend."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.facts import GITLINK, RepositoryFacts, Tracked
from memstile.core.repairs import (
    forget_submodule,
    git,
    has_gitlink,
    how_to_ignore,
    ignore,
    ignored_by_rule,
    is_ignored,
    on_paths,
    pattern,
    resolve,
    shown_path,
    untrack,
)
from tests.core.rule_tools import FAULTY, IGNORED, LINK, NESTED, NOT_IGNORED, PROJECT

HERE = PROJECT
THERE = PROJECT._replace(top="../a b")

# Where, which unit and of which kind: the rule, and the commands to ignore and to untrack it.
UNITS = [
    pytest.param(HERE, "/v/", "printf '\\n%s\\n' /v/ >> .gitignore", "-- v", id="a folder"),
    pytest.param(LINK, "/v", "printf '\\n%s\\n' /v >> .gitignore", "-- v", id="a symlink"),
    pytest.param(NESTED, "/v/", "printf '\\n%s\\n' /v/ >> .gitignore", "-- v", id="a repository"),
    pytest.param(HERE._replace(unit=""), "*", "printf '\\n%s\\n' '*' >> .gitignore", "-- .", id="the work tree itself"),
    pytest.param(
        HERE._replace(unit="a b/it's"),
        "/a b/it's/",
        "printf '\\n%s\\n' '/a b/it'\"'\"'s/' >> .gitignore",
        "-- 'a b/it'\"'\"'s'",
        id="a name to quote",
    ),
    pytest.param(
        HERE._replace(unit="two\nlines"),
        "/two?lines/",
        "printf '\\n%s\\n' '/two?lines/' >> .gitignore",
        "-- $'two\\012lines'",
        id="a line break",
    ),
]


@pytest.mark.parametrize(("repository", "rule", "ignored", "untracked"), UNITS)
def test_a_unit_is_ignored_by_one_line_and_untracked_by_one_command(
    repository: RepositoryFacts, rule: str, ignored: str, untracked: str
) -> None:
    assert (pattern(repository), ignore(repository)) == (rule, ignored)
    assert untrack(repository) == f"git rm -rqf --cached --sparse --ignore-unmatch {untracked}"


def test_a_name_that_is_a_pattern_is_taken_literally() -> None:
    for unit in ("m[1]", "*", "a?", ":(top)", "back\\slash"):
        repository = HERE._replace(unit=unit)
        assert untrack(repository).startswith("git --literal-pathspecs rm ")
        assert shlex.split(untrack(repository))[-1] == unit
    assert untrack(HERE, ["v/a", "v/[b]"]).endswith("-- v/a 'v/[b]'")


def test_a_repository_elsewhere_is_named() -> None:
    assert [git(HERE), git(THERE)] == ["git", "git -C '../a b'"]
    assert [shown_path(HERE, "v"), shown_path(THERE, "v"), shown_path(THERE, ""), shown_path(HERE, "")] == [
        "v",
        "../a b/v",
        "../a b",
        ".",
    ]
    assert ignore(THERE) == "printf '\\n%s\\n' /v/ >> '../a b/.gitignore'"
    assert on_paths(THERE, "add", ["x"]) == "git -C '../a b' add -- x"


def test_a_rule_goes_where_it_wins_and_is_relative_to_that_place() -> None:
    deep = HERE._replace(unit="a/b/v", ignore_file="a/b/.gitignore")
    assert (pattern(deep, deep.ignore_file), ignored_by_rule(deep)) == (
        "/v/",
        ("printf '\\n%s\\n' /v/ >> a/b/.gitignore",),
    )
    assert ignored_by_rule(deep._replace(is_commit=True)) == (
        "printf '\\n%s\\n' /v/ >> a/b/.gitignore",
        "git add -- a/b/.gitignore",
    )
    assert ignore(HERE, opening="", end="\\r\\n") == "printf '%s\\r\\n' /v/ >> .gitignore"


def test_a_submodule_is_forgotten_in_two_steps() -> None:
    assert forget_submodule(NESTED) == ()
    assert forget_submodule(NESTED._replace(top="up", submodule="libs/a b")) == (
        "git config -f up/.gitmodules --remove-section 'submodule.libs/a b'",
        "git -C up add -- .gitmodules",
    )


def test_a_gitlink_is_the_units_own() -> None:
    assert has_gitlink(NESTED)
    assert not has_gitlink(NESTED._replace(tracked=(Tracked("v/lib", GITLINK),)))
    assert not has_gitlink(NESTED._replace(tracked=(Tracked("v", "120000"),)))


def test_where_nothing_was_asked_nothing_is_ignored() -> None:
    assert [is_ignored(row) for row in (IGNORED, NOT_IGNORED, PROJECT, FAULTY)] == [True, False, False, False]


NAMES = st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=20)


@given(NAMES)
def test_every_command_is_one_command_whatever_the_names(name: str) -> None:
    repository = PROJECT._replace(top=name, unit=name, submodule=name)
    for command in (untrack(repository), *forget_submodule(repository), *ignored_by_rule(repository)):
        assert command.isprintable()
        if "$'" not in command:  # $'...' is beyond shlex; tests/test_mending_commands.py runs it
            assert shlex.split(command)[0] in ("git", "printf")


def test_into_a_file_with_a_conflict_no_command_writes() -> None:
    unmerged = THERE._replace(unmerged=(".gitignore", "a\nb/.gitignore"), is_commit=True)
    said = "../a b/.gitignore, ../a b/a\\nb/.gitignore are unmerged: resolve the conflict, then git add"
    for facts in (unmerged, unmerged._replace(rules_to_stage=(".gitignore",), flagged=(".gitignore",))):
        assert ignored_by_rule(facts) == ()
        assert how_to_ignore(facts, "ignore it") == f"{said}; until then nobody knows which rules it will have"
    assert resolve(HERE, [".gitignore"]) == ".gitignore is unmerged: resolve the conflict, then git add"
