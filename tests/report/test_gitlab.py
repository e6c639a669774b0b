"""report/gitlab.py: the Code Quality report."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from memstile.core.finding import Finding, Severity
from memstile.core.text import shown
from memstile.report.gitlab import render
from memstile.report.model import Report, Style
from memstile.report.place import tidy
from tests.report.pinned import both_reports, pinned
from tests.report.samples import HOSTILE, ROWS, named
from tests.report.test_formats import ANY_REPORT


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(), ROWS) == pinned(f"{name}.gitlab.json")


PATHS = [
    ("./a//b.md", "a/b.md"),
    (".", "."),
    ("a b\n", "a b\\n"),
    ("/abs/a", "/abs/a"),
]


@pytest.mark.parametrize(("path", "result"), PATHS)
def test_paths_are_tidy_and_shown(path: str, result: str) -> None:
    issues = json.loads(render(Report((Finding("MS202", Severity.ERROR, path, ""),), ()), Style()))
    assert issues[0]["location"] == {"path": result, "lines": {"begin": 1}}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_name_stays_in_its_place(name: str) -> None:
    first, second = json.loads(render(named(name), Style(), ROWS))
    marks = (first.pop("fingerprint"), second.pop("fingerprint"))
    assert [len(mark) for mark in set(marks)] == [64, 64]
    safe = shown(name)
    told = f"{safe}. Hint: {safe}" if name else ""
    assert first == {
        "description": told,
        "check_name": "MS202 vault-tracked",
        "severity": "major",
        "location": {"path": shown(tidy(name)), "lines": {"begin": 7}},
    }


@given(ANY_REPORT)
@settings(max_examples=100, deadline=None)
def test_any_report_gives_an_issue_a_finding_each_with_its_own_fingerprint(report: Report) -> None:
    issues = json.loads(render(report, Style()))
    assert len(issues) == len(report.findings) == len({issue["fingerprint"] for issue in issues})
    assert all(issue["location"]["lines"]["begin"] >= 1 for issue in issues)
    assert {issue["severity"] for issue in issues} <= {"info", "minor", "major", "critical", "blocker"}
