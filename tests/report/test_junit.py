"""report/junit.py: test results."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import junitparser
import pytest
from hypothesis import given, settings

from memstile.core.finding import Finding, Severity
from memstile.core.text import shown
from memstile.report.console import inert
from memstile.report.junit import render
from memstile.report.model import Report, Style, VaultSummary
from tests.report.pinned import both_reports, pinned
from tests.report.samples import HOSTILE, RICH, ROWS, named
from tests.report.test_formats import ANY_REPORT


def read(report: Report) -> ET.Element:
    """Write a report and parse it; the output is pure ASCII, so any encoding of a stream does."""
    text = render(report, Style(), ROWS)
    return ET.fromstring(text.encode("ascii"))  # noqa: S314 - our own output


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(), ROWS) == pinned(f"{name}.xml")


def told(case: ET.Element) -> tuple[str, str, str | None, bool]:
    """Give classname, name, the failure's message and whether there is output."""
    failure = case.find("failure")
    message = None if failure is None else failure.get("message")
    return case.get("classname", ""), case.get("name", ""), message, case.find("system-out") is not None


VAULT = VaultSummary("v", "ignored", "", (), 1)
WARNING = Finding("MS104", Severity.WARNING, "v", "past")
ERROR = Finding("MS102", Severity.ERROR, "v", "over")
CASES = [
    pytest.param((), False, ("v", "index", None, False), id="clean"),
    pytest.param((WARNING,), False, ("v", "index", None, True), id="a warning is output"),
    pytest.param((WARNING,), True, ("v", "index", "past", False), id="a strict warning is a failure"),
    pytest.param((WARNING, ERROR), False, ("v", "index", "over", True), id="both"),
    pytest.param((ERROR, WARNING), True, ("v", "index", "over (and 1 more)", False), id="two failures are one"),
]


@pytest.mark.parametrize(("findings", "is_strict", "case"), CASES)
def test_a_case_fails_by_what_fails_the_run(
    findings: tuple[Finding, ...], is_strict: bool, case: tuple[str, str, str | None, bool]
) -> None:
    root = read(Report(findings, (VAULT,), (), is_strict))
    rest = [("v", "git", None, False), ("memstile", "settings", None, False)]
    assert [told(element) for element in root.iter("testcase")] == [case, *rest]
    assert root.get("failures") == str(int(case[2] is not None))


def test_a_finding_of_no_known_rule_has_a_case_too() -> None:
    root = read(Report((Finding("MS777", Severity.ERROR, "v", "new"),), (VAULT,)))
    assert [told(element) for element in root.iter("testcase")][2] == ("v", "other", "new", False)


def test_another_parser_counts_the_same() -> None:
    results = junitparser.JUnitXml.fromstring(render(RICH, Style(), ROWS).encode("ascii"))
    assert (results.tests, results.failures, results.errors, results.skipped) == (7, 3, 0, 0)
    failed = [case.name for suite in results for case in suite if case.result]
    assert failed == ["index", "git", "settings"]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_name_comes_back_from_the_xml(name: str) -> None:
    root = read(named(name))
    cases = [(c.get("classname"), c.get("name")) for c in root.iter("testcase")]
    safe = inert(shown(name)).replace("\\x3a:", "::")  # in an attribute it starts no line
    assert cases == [(safe, "index"), (safe, "git"), ("memstile", "settings")]
    failure = root.find(".//failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("MS202", safe)


@given(ANY_REPORT)
@settings(max_examples=100, deadline=None)
def test_any_report_is_xml_and_its_counts_are_right(report: Report) -> None:
    root = read(report)
    cases = list(root.iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None]
    assert (root.get("tests"), root.get("failures")) == (str(len(cases)), str(len(failed)))
    assert cases
