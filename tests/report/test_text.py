"""report/text.py: the format for people."""

from __future__ import annotations

import re

import pytest

from memstile.core.caps import Caps
from memstile.core.finding import Finding, Severity
from memstile.report.model import Gauge, Report, Style, VaultSummary
from memstile.report.text import render
from tests.report.pinned import both_reports, pinned
from tests.report.samples import EMPTY, RICH


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(width=80)) == pinned(f"{name}.txt")


def test_no_vault_is_said_loudly() -> None:
    assert render(EMPTY, Style()) == "no vault found below .\n\nno vault checked\n"


SMALL = Report(
    (
        Finding("MS101", Severity.ERROR, "v/MEMORY.md", "grew", "cut"),
        Finding("MS204", Severity.INFO, "v", "ignored by one rule"),
    ),
    (VaultSummary("v", "outside", "", (Gauge("v/MEMORY.md", "on disk", 201, 1, Caps(), ("a",), "h"),), 1),),
)

COLOURED = """\
\x1b[1mv\x1b[0m  (outside any repository, 1 note)
  v/MEMORY.md on disk
    lines  \x1b[1;31m[#######|###]!  \x1b[0m 201 of    200  \x1b[1;31mover by 1\x1b[0m
    bytes  \x1b[32m[#.......|..]   \x1b[0m   1 of 25,600  \x1b[32msoft cap 20,480\x1b[0m
    \x1b[33mnot loaded by h: 1 entry\x1b[0m
      a

\x1b[1mv/MEMORY.md\x1b[0m: \x1b[1;31merror MS101\x1b[0m: grew
  \x1b[36mhint:\x1b[0m cut

\x1b[1mv\x1b[0m: \x1b[36minfo MS204\x1b[0m: ignored by one rule

\x1b[1;31m1 error, 1 info in 1 vault\x1b[0m
"""


def test_colour_marks_severities_and_bars() -> None:
    assert render(SMALL, Style(use_colour=True, width=60)) == COLOURED


@pytest.mark.parametrize("width", [40, 80, 120])
def test_without_its_colours_it_is_the_plain_text(width: int) -> None:
    coloured = render(RICH, Style(use_colour=True, width=width))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(RICH, Style(width=width))


def test_a_long_command_and_a_long_message_stay_in_one_line() -> None:
    words = "word " * 60 + "end"
    finding = Finding("MS202", Severity.ERROR, "v", words, words, (f"git rm -- {words}",))
    lines = render(Report((finding,), ()), Style(width=50)).split("\n")
    assert [line for line in lines if len(line) > 50] == [f"v: error MS202: {words}", f"    $ git rm -- {words}"]


def test_a_hint_is_wrapped_between_words_only() -> None:
    long = "a" * 60
    finding = Finding("MS202", Severity.ERROR, "v", "m", f"see all of a-file-with-a-long-name.md and {long}")
    lines = render(Report((finding,), ()), Style(width=40)).split("\n")
    assert lines[1:5] == [
        "  hint: see all of",
        "        a-file-with-a-long-name.md and",
        f"        {long}",
        "",
    ]


FAILED = [
    (Report((), ()), "33", "no vault checked"),
    (RICH._replace(findings=()), "32", "clean"),
    (RICH._replace(findings=RICH.findings[1:2]), "33", "a warning"),
    (RICH._replace(findings=RICH.findings[1:2], is_strict=True), "1;31", "a warning, strict"),
    (RICH._replace(findings=RICH.findings[4:]), "32", "an info"),
    (RICH, "1;31", "errors"),
]


@pytest.mark.parametrize(("value", "colour"), [row[:2] for row in FAILED], ids=[row[2] for row in FAILED])
def test_the_last_line_has_the_colour_of_the_result(value: Report, colour: str) -> None:
    assert render(value, Style(use_colour=True)).split("\n")[-2].startswith(f"\x1b[{colour}m")


@pytest.mark.parametrize(("codes", "is_named"), [(["MS201"], True), (["MS102"], False), (["MS201", "MS901"], False)])
def test_fix_is_named_where_it_mends_and_the_settings_are_understood(codes: list[str], is_named: bool) -> None:
    findings = tuple(Finding(code, Severity.ERROR, "v", "x") for code in codes)
    assert ("to mend what git would carry: memstile fix\n" in render(Report(findings, ()), Style())) == is_named
