"""report/github.py: workflow commands, read back the way the runner reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from memstile.core.finding import Finding, Severity
from memstile.core.record import NamedTuple
from memstile.core.text import shown
from memstile.report.github import render
from memstile.report.model import Report, Style
from tests.report.pinned import both_reports, pinned
from tests.report.samples import HOSTILE, ROWS, named
from tests.report.test_formats import ANY_REPORT


class Command(NamedTuple):
    """A workflow command as the runner has it."""

    name: str
    properties: dict[str, str]
    data: str


def unescaped(text: str, codes: str) -> str:
    """Undo the escapes in the runner's order, "%25" last."""
    for code in codes.split():
        text = text.replace(code, chr(int(code[1:], 16)))
    return text


def commands(output: str) -> list[Command]:
    """Read the commands of a log. Source: actions/runner, src/Runner.Common/ActionCommand.cs, TryParseV2.

    Wider than the runner: any name counts as a command, known or not.
    """
    found = []
    for line in output.split("\n"):
        text = line.strip()
        if not text.startswith("::") or "::" not in text[2:]:
            assert "##[" not in text
            continue
        head, _, data = text[2:].partition("::")
        name, _, rest = head.partition(" ")
        pairs = [pair.partition("=") for pair in rest.strip().split(",") if pair]
        properties = {key: unescaped(value, "%0D %0A %3A %2C %25") for key, _, value in pairs}
        found.append(Command(name, properties, unescaped(data, "%0D %0A %25")))
    return found


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(), ROWS) == pinned(f"{name}.github.txt")


def test_marks_of_the_syntax_survive_in_message_and_properties() -> None:
    finding = Finding("MS202", Severity.ERROR, "a,b=c::d%0A", "50%, a::b", "x:y", ("printf '%s\\n'",), line=3)
    assert commands(render(Report((finding,), ()), Style(), ROWS)) == [
        Command(
            "error",
            {"file": "a,b=c::d%0A", "line": "3", "title": "MS202 vault-tracked"},
            "50%, a::b\nhint: x:y\n$ printf '%s\\n'",
        )
    ]


def test_what_the_runner_prints_of_a_command_is_no_command_again() -> None:
    finding = Finding(
        "MS202", Severity.ERROR, "a", "::error::b", "##[error]c", ("::debug::d",), ("::stop-commands::e", "f")
    )
    (command,) = commands(render(Report((finding,), ()), Style(), ROWS))
    assert command.data.split("\n") == [
        "\\x3a:error::b",
        "hint: \\x23#[error]c",
        "$ ::debug::d",
        "files:",
        "\\x3a:stop-commands::e",
        "f",
    ]


@pytest.mark.parametrize("name", [name for name in HOSTILE.values() if name], ids=[k for k, v in HOSTILE.items() if v])
def test_no_name_adds_or_changes_a_command(name: str) -> None:
    read = commands(render(named(name), Style(), ROWS))
    assert [(c.name, c.properties) for c in read] == [
        ("error", {"file": shown(name), "line": "7", "title": "MS202 vault-tracked"}),
        ("notice", {"file": "elsewhere", "title": "MS209 vault-in-history"}),
    ]


@given(ANY_REPORT)
@settings(max_examples=150, deadline=None)
def test_there_are_as_many_commands_as_findings(report: Report) -> None:
    assert len(commands(render(report, Style()))) == len(report.findings)
