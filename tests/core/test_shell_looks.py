"""core/shell_looks.py: a command that only looks names its paths, and one that may do more names none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.shell_looks import READERS, SEARCHERS, has_shown, looked_at

LOOKS = {
    "cat notes/a.md": ("notes/a.md",),
    "  head -n 20 'notes/a.md' ": ("20", "notes/a.md"),
    "/usr/bin/grep -rn kettle notes": ("notes",),
    'rg "kettle" notes/ old/': ("notes/", "old/"),
}
OTHERS = [
    "", "cat", "grep kettle", "cat a.md > b.md", "cat a.md | tee b.md", "cat a.md; rm a.md", "cat $(x)", "cat `x`",
    "cat a.md && x", "cat *.md", "cat ~/a.md", "sed -i s/a/b/ a.md", "tee a.md", "cat a.md\nrm a.md", "x cat a.md",
]  # fmt: skip


@pytest.mark.parametrize("command", LOOKS)
def test_a_look_names_its_paths(command: str) -> None:
    assert looked_at(command) == LOOKS[command]


@pytest.mark.parametrize("command", OTHERS)
def test_anything_else_names_none(command: str) -> None:
    assert looked_at(command) == ()


@given(st.text(max_size=60), st.sampled_from(sorted(READERS | SEARCHERS)))
def test_no_sign_of_a_second_command_is_let_through(rest: str, program: str) -> None:
    if looked_at(f"{program} {rest}"):
        assert not set(rest) & set("|&;<>`$\n")


@pytest.mark.parametrize(
    ("command", "output", "is_shown"),
    [
        ("cat a.md", "text", True),
        ("cat a.md", "", False),
        ("cat notes", "cat: notes: Is a directory", False),
        ("/bin/cat notes", "/bin/cat: notes: Is a directory", False),
        ("rg kettle notes", "bash: line 1: rg: command not found", False),
        ("rg kettle notes", "notes/a.md:1:kettle", True),
    ],
)
def test_silence_and_errors_show_nothing(command: str, output: str, is_shown: bool) -> None:
    assert has_shown(command, output) is is_shown
