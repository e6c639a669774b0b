"""report/json_document.py and its published schema."""

from __future__ import annotations

import base64
import importlib.resources
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from memstile.core.caps import Caps
from memstile.report.json_document import render
from memstile.report.model import Gauge, Report, Style, VaultSummary
from memstile.report.place import raw
from tests.report.pinned import both_reports, pinned
from tests.report.samples import HOSTILE, ROWS, named
from tests.report.test_formats import ANY_REPORT

SCHEMA = json.loads(importlib.resources.files("memstile.report").joinpath("report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(), ROWS) == pinned(f"{name}.json")


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def objects(schema: object) -> list[dict[str, Any]]:
    """Give all parts of a schema that describe an object."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects(part)]
    if not isinstance(schema, dict):
        return []
    found = [found for part in schema.values() for found in objects(part)]
    return [*found, schema] if schema.get("type") == "object" else found


def test_the_schema_knows_every_field() -> None:
    assert len(objects(SCHEMA)) == 8
    for part in objects(SCHEMA):
        assert part["additionalProperties"] is False
        assert set(part["properties"]) - set(part["required"]) <= {"path_bytes"}


@both_reports
def test_the_output_fits_the_schema(name: str, value: Report) -> None:
    VALIDATOR.validate(json.loads(render(value, Style())))


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_name_comes_back_from_the_document(name: str) -> None:
    document = json.loads(render(named(name), Style()))
    VALIDATOR.validate(document)
    vault, finding = document["vaults"][0], document["findings"][0]
    for place in (vault, vault["gauges"][0], finding, finding["files"][0]):
        assert place["path"].isprintable()
        told = base64.b64decode(place["path_bytes"]) if "path_bytes" in place else raw(place["path"])
        assert told == raw(name)


def test_every_file_is_listed() -> None:
    report = named("a")
    many = report.findings[0]._replace(paths=tuple(map(str, range(5_000))))
    document = json.loads(render(report._replace(findings=(many,)), Style()))
    assert [file["path"] for file in document["findings"][0]["files"]] == list(map(str, range(5_000)))


def test_what_was_not_measured_or_counted_is_null() -> None:
    vault = VaultSummary("v", "ignored", "", (Gauge("v/MEMORY.md", "staged", None, 9, Caps()),), None)
    document = json.loads(render(Report((), (vault,)), Style()))
    VALIDATOR.validate(document)
    gauge = document["vaults"][0]["gauges"][0]
    assert [gauge["lines"], gauge["bytes"], document["vaults"][0]["notes_count"], document["counts"]["notes"]] == [
        None,
        9,
        None,
        None,
    ]


@given(ANY_REPORT)
@settings(max_examples=100, deadline=None)
def test_any_report_fits_the_schema(report: Report) -> None:
    VALIDATOR.validate(json.loads(render(report, Style())))
