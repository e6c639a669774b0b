"""A report for a person and for a program."""

from __future__ import annotations

import json

from memstile.core.finding import Finding, Severity
from memstile.core.measure import Size
from memstile.core.watch_report import Event, Report, cleared, document, found, lines

ABOUT = Report(Event.SEEN, "v", "v/MEMORY.md", "/home/v/MEMORY.md", before=Size(190, 2413), after=Size(None, 9_000_000))
FINDING = Finding("MS101", Severity.ERROR, "v/MEMORY.md", "it grew", "cut 15 lines", ("memstile restore v",))


def test_a_finding_for_a_program() -> None:
    assert document(found(FINDING, ABOUT), 12.34567) == {
        "time": 12.346,
        "event": "found",
        "vault": "v",
        "path": "v/MEMORY.md",
        "code": "MS101",
        "severity": "error",
        "message": "it grew",
        "hint": "cut 15 lines",
        "commands": ["memstile restore v"],
        "lines_before": 190,
        "bytes_before": 2413,
        "lines_after": None,
        "bytes_after": 9_000_000,
    }


def test_a_finding_for_a_person() -> None:
    assert lines(found(FINDING, ABOUT)) == [
        "v/MEMORY.md: error MS101: it grew",
        "  hint: cut 15 lines",
        "    memstile restore v",
    ]


def test_what_is_mended_is_said_in_words() -> None:
    assert lines(cleared("MS103", ABOUT)) == ["v/MEMORY.md: within its soft cap again"]
    assert cleared("MS999", ABOUT).message == "MS999 holds no more"


def test_a_report_on_no_vault() -> None:
    assert lines(Report(Event.TROUBLE, message="the disk is full")) == ["the disk is full"]


def test_names_from_outside_are_safe_in_both() -> None:
    report = Report(Event.GONE, "a\x1b[31m\udc80", message="gone")
    assert lines(report) == [r"a\x1b[31m\x80: gone"]
    assert json.loads(json.dumps(document(report, 0.0)).encode())["vault"] == r"a\x1b[31m\x80"
