"""report/sarif.py, held against the official schema: data/README.md."""

from __future__ import annotations

import json
import urllib.parse
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.report.model import Report, Style
from memstile.report.place import raw, tidy
from memstile.report.sarif import SCHEMA, render
from tests.report.pinned import both_reports, pinned
from tests.report.samples import HOSTILE, ROWS, named
from tests.report.test_formats import ANY_REPORT

OFFICIAL = json.loads(pinned("sarif-schema-2.1.0.json"))
VALIDATOR = jsonschema.Draft4Validator(OFFICIAL)


def run_of(report: Report) -> dict[str, Any]:
    """Write and read a report, valid by the schema; its one run."""
    document = json.loads(render(report, Style(), ROWS))
    VALIDATOR.validate(document)
    (run,) = document["runs"]
    assert isinstance(run, dict)
    return run


def uris(locations: list[dict[str, Any]]) -> list[str]:
    """Give the URIs of SARIF locations."""
    return [location["physicalLocation"]["artifactLocation"]["uri"] for location in locations]


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(), ROWS) == pinned(f"{name}.sarif")


def test_the_output_names_the_schema_it_is_held_against() -> None:
    assert OFFICIAL["id"] == SCHEMA


@both_reports
def test_the_output_fits_the_official_schema(name: str, value: Report) -> None:
    VALIDATOR.validate(json.loads(render(value, Style(), ROWS)))


def test_the_schema_refuses_what_is_no_sarif() -> None:
    document = json.loads(render(named("a"), Style(), ROWS))
    document["runs"][0]["results"][0]["level"] = "info"
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(document)


def test_every_rule_of_memstile_is_described() -> None:
    document = json.loads(render(Report((), ()), Style()))
    VALIDATOR.validate(document)
    rows = document["runs"][0]["tool"]["driver"]["rules"]
    assert [(row["id"], row["name"]) for row in rows] == [(rule.code, rule.name) for rule in RULES]
    assert all(row[key]["text"] for row in rows for key in ("shortDescription", "fullDescription", "help"))


def test_a_code_without_a_rule_has_no_rule_index() -> None:
    (result,) = run_of(Report((Finding("MS777", Severity.INFO, "a", "b"),), ()))["results"]
    assert ("ruleIndex" in result, result["ruleId"], result["level"]) == (False, "MS777", "note")


def test_the_first_location_is_the_place_and_the_hundredth_the_last() -> None:
    paths = tuple(f"v/{number}" for number in range(150))
    finding = Finding("MS202", Severity.ERROR, "v/7", "a", paths=(*paths, "v/0"), line=3)
    (result,) = run_of(Report((finding,), ()))["results"]
    every = uris(result["locations"]) + uris(result["relatedLocations"])
    assert every == ["v/7", *(path for path in paths if path != "v/7")]
    assert len(result["locations"]) == 100
    regions = [row["physicalLocation"].get("region") for row in result["locations"]]
    assert regions == [{"startLine": 3}] + [None] * 99


BASES = [("a", True), ("../a", True), ("a:b", True), ("/a", False)]


@pytest.mark.parametrize(("path", "is_relative"), BASES)
def test_only_a_relative_uri_has_a_base(path: str, is_relative: bool) -> None:
    (result,) = run_of(Report((Finding("MS202", Severity.ERROR, path, ""),), ()))["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place.get("uriBaseId") == ("%SRCROOT%" if is_relative else None)


MESSAGES = [
    pytest.param("a {0} b", "a {{0}} b", id="placeholder"),
    pytest.param("[a](http://b.example)", "[a]\\(http://b.example)", id="link"),
    pytest.param("a[0] (b)", "a[0] (b)", id="brackets"),
]


@pytest.mark.parametrize(("text", "result"), MESSAGES)
def test_a_message_holds_no_placeholder_and_no_link(text: str, result: str) -> None:
    report = Report((Finding("MS202", Severity.ERROR, "a", text),), ())
    assert run_of(report)["results"][0]["message"] == {"text": result}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_name_comes_back_from_its_uri(name: str) -> None:
    results = run_of(named(name))["results"]
    assert len(results) == 2
    assert urllib.parse.unquote_to_bytes(uris(results[0]["locations"])[0]) == raw(tidy(name))


@given(ANY_REPORT)
@settings(max_examples=60, deadline=None)
def test_any_report_fits_the_official_schema(report: Report) -> None:
    assert len(run_of(report)["results"]) == len(report.findings)
