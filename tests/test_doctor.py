"""doctor.py: what is examined for which words, memstile's own switches, and the exit codes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memstile.doctor import NAMES, examined
from memstile.doctor_check import Check, Group, State, counts, exit_code
from memstile.doctor_process import run
from memstile.doctor_settings import examine
from memstile.errors import ExitCode
from memstile.installing_repository import plan_repository
from memstile.pausing import pause
from tests.doctor_tools import Person, names, told

Break = Callable[[Person], object]


@pytest.fixture
def me(tmp_path: Path) -> Person:
    """Give somebody who has set nothing up; a package that is not there is not started either."""
    return Person(tmp_path, tmp_path)


SETTINGS: list[Any] = [
    pytest.param(lambda me: None, [], id="nothing"),
    pytest.param(
        lambda me: me.config('[index]\nmode = "audit"\n'),
        ["off index.mode: audit: no write to an index is refused"],
        id="audit",
    ),
    pytest.param(
        lambda me: me.config('[index]\nmode = "off"\n'),
        ["off index.mode: off: no write to an index is refused"],
        id="off",
    ),
    pytest.param(
        lambda me: me.config('[gate]\nmode = "off"\n'),
        ["off gate.mode: off: memory writes are not looked at"],
        id="the gate is off",
    ),
    pytest.param(lambda me: me.config('[gate]\nmode = "enforce"\n'), [], id="the gate enforces"),
    pytest.param(
        lambda me: me.config("[index]\nhard_line = 3\n"),
        ["bad settings: not used: ~/.config/memstile/config.toml: index.hard_line: index.hard_line is not a setting"],
        id="a typo",
    ),
    pytest.param(
        lambda me: me.repo.write("memstile.toml", '[index]\nmode = "off"\n'),
        ["bad settings: not used: "],
        id="a project that loosens",
    ),
]


@pytest.mark.parametrize(("plant", "expected"), SETTINGS)
def test_memstiles_own_settings_are_examined(plant: Break, expected: list[str], me: Person) -> None:
    plant(me)
    lines = told([examine(me.standing)])
    assert [line.startswith(want) for line, want in zip(lines, expected, strict=True)] == [True] * len(expected), lines


def test_what_holds_is_told_in_words(me: Person) -> None:
    seen = {check.name: check.seen for check in examine(me.standing).checks}
    assert seen == {
        "pause": "not paused",
        "index.mode": "enforce",
        "gate.mode": "audit: no memory write is refused, the log has what would have been",
        "settings": "every entry is used",
    }


def test_a_pause_is_found(me: Person) -> None:
    pause(str(me.state), 600, time.time())
    lines = told([examine(me.standing)])
    assert [line.partition(" 2")[0] for line in lines] == ["off pause: the hooks are paused until"]


def test_looking_at_the_settings_writes_nothing(me: Person) -> None:
    examine(me.standing)
    assert not me.state.exists()


def test_without_a_word_it_takes_what_is_here(me: Person) -> None:
    assert [group.title for group in examined((), me.standing)] == ["memstile", "agent hosts", "commits"]
    me.program("claude", "2.1.332")
    assert [group.title for group in examined((), me.standing)] == ["memstile", "Claude Code, user", "commits"]


def test_where_no_host_is_set_up_it_is_told_unless_a_commit_hook_was_proved(me: Person) -> None:
    none = Check(
        "hosts",
        State.OFF,
        "look into the settings of 9 hosts, and into the record of `memstile init`",
        "no host is set up",
        "memstile init HOST",
    )
    outside = me.standing._replace(cwd=str(me.home))
    assert examined((), outside)[1:] == [Group("agent hosts", "none", (none,))]
    assert exit_code(examined((), outside)) is ExitCode.FINDINGS
    for step in plan_repository("git", me.standing).steps:
        step.do()
    assert [group.title for group in examined((), me.standing)] == ["memstile", "commits"]


def test_what_is_named_is_examined_alone(me: Person) -> None:
    assert [group.title for group in examined(("codex",), me.standing)] == ["memstile", "Codex CLI, user"]
    assert [group.title for group in examined(("git",), me.standing)] == ["memstile", "commits"]
    assert names(examined(("codex",), me.standing)) == {"off settings"}


def test_what_can_be_named_is_what_init_sets_up_but_ci() -> None:
    assert (NAMES[-2:], "github-actions" in NAMES) == (("pre-commit", "git"), False)


CODES = [
    ([], ExitCode.CLEAN),
    ([State.OK], ExitCode.CLEAN),
    ([State.OK, State.UNKNOWN], ExitCode.NOT_CHECKED),
    ([State.OK, State.OFF], ExitCode.FINDINGS),
    ([State.UNKNOWN, State.BAD], ExitCode.FINDINGS),
]


@pytest.mark.parametrize(("states", "code"), CODES)
def test_unknown_is_never_fine(states: list[State], code: ExitCode) -> None:
    groups = [Group("x", "", tuple(Check("x", state, "t", "s") for state in states))]
    assert exit_code(groups) is code
    assert sum(counts(groups).values()) == len(states)


def test_a_program_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    ran = run(("sh", "-c", "sleep 60 & echo begun; wait"), str(tmp_path), {"PATH": "/usr/bin:/bin"}, seconds=0.5)
    assert (ran.code, ran.out, ran.why, ran.last) == (
        None,
        "begun\n",
        "no answer within 0.5 s",
        "no answer within 0.5 s",
    )


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert run(("/nowhere",), str(tmp_path), {}).last == "/nowhere cannot be started: No such file or directory"
