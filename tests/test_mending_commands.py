"""The printed commands mend what they are printed for, `memstile fix` does the same, and no file of a vault changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix_situations import ODD_NAMES, SITUATIONS, Situation, not_ignored, odd
from tests.fix_tools import Project

pytestmark = pytest.mark.slow

EACH_SITUATION = pytest.mark.parametrize("situation", SITUATIONS.values(), ids=SITUATIONS)
EACH_NAME = pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)

ODD_BEFORE = ["MS201", "MS202", "MS203", "MS207", "MS206"]
ODD_AFTER = ["MS209"]  # the folder was committed; repository and link never were


def mended_by_hand(made: Project, commands: list[str]) -> None:
    """Run commands; fails if a file of the work tree changes that is no .gitignore or .gitmodules."""
    before = made.files()
    for command in commands:
        made.bash(command)
    assert made.files() == before


def mended_by_fix(made: Project) -> None:
    """Run `memstile fix --yes` twice; the second time it must find nothing and write nothing."""
    before = made.files()
    assert made.memstile("fix", "--yes").code == 0
    assert made.files() == before
    once = (made.git_index(), made.ignore_files(), _stamp(made))
    again = made.memstile("fix", "--yes")
    assert (again.code, again.out.decode().split("\n")[-2], again.err) == (0, "nothing to do", "")
    assert (made.git_index(), made.ignore_files(), _stamp(made)) == once


def _stamp(made: Project) -> int | None:
    file = made.repo.path / ".gitignore"
    return file.stat().st_mtime_ns if file.exists() else None


def lines(made: Project) -> dict[str, set[bytes]]:
    """Give the lines of each .gitignore, without blank ones: a finding cannot know how a file ends."""
    return {path: set(filter(None, data.splitlines())) for path, data in made.ignore_files().items()}


def all_ways(made: Project, tmp_path: Path, after: list[str]) -> None:
    """Mend by the findings' commands, by the steps' commands and by `fix`, each on a copy; compare all three."""
    by_finding, by_step = made.copy(tmp_path / "by finding"), made.copy(tmp_path / "by step")
    mended_by_hand(by_finding, by_finding.printed_commands())
    mended_by_hand(by_step, by_step.shown_commands())
    mended_by_fix(made)
    # A .gitignore that is new has to be added yet, and MS204 says so.
    new = [] if made.repo.git("ls-files", "*.gitignore") else ["MS204"]
    assert [row.codes() for row in (by_finding, by_step, made)] == [[*new, *after]] * 3
    assert [row.git_index() for row in (by_finding, by_step)] == [made.git_index()] * 2
    assert by_step.ignore_files() == made.ignore_files()
    by_hand = lines(by_finding)
    # A rule that a rule before it covers is left out by `fix`; a finding cannot know.
    assert all(by_hand[path] >= rows for path, rows in lines(made).items())


@EACH_SITUATION
def test_every_way_to_mend_leads_to_the_same_state(situation: Situation, tmp_path: Path) -> None:
    made = situation.build(tmp_path / "made")
    assert made.codes() == situation.before
    all_ways(made, tmp_path, situation.after)


@EACH_NAME
def test_odd_names_are_mended_like_any_other(name: str, tmp_path: Path) -> None:
    made = odd(tmp_path / "made", name)
    assert made.codes() == ODD_BEFORE
    all_ways(made, tmp_path, ODD_AFTER)
    assert not list(tmp_path.glob("*/proj/ran"))


@pytest.mark.parametrize("name", [":(top)m", ":!m", "-rf", "!m", "#m", " m", "m "])
def test_a_name_at_the_top_is_no_option_and_no_pathspec(name: str, tmp_path: Path) -> None:
    made = not_ignored(tmp_path / "made", name)
    made.repo.commit()
    assert made.codes() == ["MS201", "MS202"]
    all_ways(made, tmp_path, ["MS209"])
    assert made.repo.git("ls-files") == ".gitignore\nmain.py"


@EACH_SITUATION
def test_the_commit_that_the_next_steps_make_passes_and_carries_nothing(situation: Situation, tmp_path: Path) -> None:
    made = situation.build(tmp_path / "made")
    out = made.memstile("fix", "--yes").out.decode()
    commands = [line.removeprefix("     $ ") for line in out.partition("Next:\n")[2].split("\n") if line]
    made.repo.git("config", "user.name", "test")
    made.repo.git("config", "user.email", "test@example.invalid")
    for command in commands[:-1]:
        made.bash(command)
    assert made.memstile("check", "--staged", "--select", "MS2").code == 0
    for command in commands[-1:]:
        made.bash(f"{command} --quiet")
    assert (made.repo.git("diff", "--cached", "--name-only"), bool(commands)) == ("", "nothing to commit" not in out)
    carried = made.repo.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")
    assert [path for path in carried if "memory" in path] == []
    assert made.codes() == situation.after
