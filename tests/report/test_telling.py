"""report/telling.py: a finding as lines."""

from __future__ import annotations

import pytest

from memstile.core.finding import Finding, Severity
from memstile.report.telling import elided, files, headline, remedy, title
from tests.report.samples import ROWS

FINDING = Finding("MS202", Severity.ERROR, "a\nb", "says\rthis", "do\tit", ("rm x", "rm y"), ("c", "d\x1b"), 3)


def test_a_finding_is_told_in_these_lines() -> None:
    assert [headline(FINDING), *remedy(FINDING)] == [
        "a\\nb:3: error MS202: says\\rthis",
        "  hint: do\\tit",
        "    $ rm x",
        "    $ rm y",
        "  files:",
        "    c",
        "    d\\x1b",
    ]


def test_nothing_is_told_that_is_not_there() -> None:
    assert remedy(Finding("MS202", Severity.ERROR, "a", "b")) == []


TEN = tuple("abcdefghij")
FILES = [
    pytest.param((), [], id="none"),
    pytest.param(("here",), [], id="the place itself"),
    pytest.param(("a",), ["a"], id="another"),
    pytest.param(("here", "a"), ["here", "a"], id="the place and another"),
    pytest.param(TEN, list(TEN), id="ten"),
    pytest.param((*TEN, "k"), [*TEN, "and 1 more"], id="eleven"),
    pytest.param(TEN * 200, [*TEN, "and 1,990 more"], id="2,000"),
]


@pytest.mark.parametrize(("paths", "result"), FILES)
def test_ten_files_are_listed_at_most(paths: tuple[str, ...], result: list[str]) -> None:
    assert files(Finding("MS202", Severity.ERROR, "here", "", paths=paths)) == result


def test_a_title_has_the_name_of_the_rule_if_there_is_one() -> None:
    assert title(FINDING, ROWS) == "MS202 vault-tracked"
    assert title(FINDING, ()) == "MS202"


ELIDED = [
    pytest.param(["a", "b"], 80, "a, b", id="all"),
    pytest.param(["a", "b"], 1, "a and 1 more", id="one at least"),
    pytest.param(["a", "b"], -5, "a and 1 more", id="no room at all"),
    pytest.param(["aa"] * 9, 23, "aa, aa and 7 more", id="what fits with the rest"),
    pytest.param(["a" * 40], 9, "a" * 40, id="40 letters"),
    pytest.param(["a" * 41], 9, "a" * 37 + "...", id="41 letters"),
    pytest.param(["\n"], 9, "\\n", id="escaped"),
    pytest.param(["x"] * 5_000, 16, "x and 4,999 more", id="5,000 names"),
]


@pytest.mark.parametrize(("names", "columns", "result"), ELIDED)
def test_names_are_elided_to_a_line(names: list[str], columns: int, result: str) -> None:
    assert elided(names, columns) == result
