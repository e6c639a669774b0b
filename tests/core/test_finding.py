"""core/finding.py: the value all reports are made of."""

from __future__ import annotations

import pytest

from memstile.core.finding import Finding, Severity


def test_severities_are_ordered_by_weight() -> None:
    assert sorted(Severity) == [Severity.INFO, Severity.WARNING, Severity.ERROR]


def test_severities_print_as_their_lower_case_name() -> None:
    assert [s.name.lower() for s in Severity] == ["info", "warning", "error"]


def test_a_finding_needs_what_happened_where_and_how_bad_it_is() -> None:
    finding = Finding("MS102", Severity.ERROR, "MEMORY.md", "index is 210 lines, hard cap 200")
    assert finding == Finding(
        code="MS102",
        severity=Severity.ERROR,
        path="MEMORY.md",
        message="index is 210 lines, hard cap 200",
        hint="",
        commands=(),
        paths=(),
        line=None,
    )
    with pytest.raises(TypeError, match="'message'"):
        Finding("MS102", Severity.ERROR, "MEMORY.md")  # type: ignore[call-arg]  # the error is the claim


def test_findings_can_be_kept_in_a_set() -> None:
    one = Finding("MS202", Severity.ERROR, ".memory", "tracked", commands=("git rm --cached x",), paths=("x",))
    assert {one, one._replace(), one._replace(line=3)} == {one, one._replace(line=3)}
