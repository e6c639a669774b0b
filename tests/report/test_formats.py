"""The table of formats: what holds for every one of them, for any report and any name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.caps import Caps
from memstile.core.finding import Finding, Severity
from memstile.report import FORMATS
from memstile.report.model import Gauge, Report, Style, VaultSummary
from tests.report.samples import CLEAN, EMPTY, HOSTILE, RICH, named

Format = Callable[[Report, Style], str]

each_format = pytest.mark.parametrize("render", FORMATS.values(), ids=FORMATS)
each_name = pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)  # lone surrogates too
COUNT = st.integers(0, 10**9)
ANY_FINDING = st.builds(
    Finding,
    st.from_regex("MS[0-9]{3}", fullmatch=True),
    st.sampled_from(Severity),
    ANY_TEXT,
    ANY_TEXT,
    ANY_TEXT,
    st.lists(ANY_TEXT, max_size=2).map(tuple),
    st.lists(ANY_TEXT, max_size=12).map(tuple),
    st.none() | st.integers(min_value=1),
)
ANY_GAUGE = st.builds(
    Gauge,
    ANY_TEXT,
    ANY_TEXT,
    st.none() | COUNT,
    st.none() | COUNT,
    st.builds(Caps, COUNT, COUNT, COUNT, COUNT),
    st.lists(ANY_TEXT, max_size=12).map(tuple),
    ANY_TEXT,
)
ANY_VAULT = st.builds(
    VaultSummary,
    ANY_TEXT,
    st.sampled_from(["outside", "ignored", "dedicated", "shared"]),
    ANY_TEXT,
    st.lists(ANY_GAUGE, max_size=2).map(tuple),
    st.none() | COUNT,
)
ANY_REPORT = st.builds(
    Report,
    st.lists(ANY_FINDING, max_size=4).map(tuple),
    st.lists(ANY_VAULT, max_size=3).map(tuple),
    st.lists(ANY_TEXT, max_size=2).map(tuple),
    st.booleans(),
)
ANY_STYLE = st.builds(
    Style,
    st.booleans(),
    st.integers(-5, 200),
    st.sampled_from(["utf-8", "ascii", "cp1252", "no-such", "hex"]),
)


def test_the_formats_are_these() -> None:
    assert list(FORMATS) == ["text", "json", "github", "gitlab", "sarif", "junit", "markdown"]


@each_format
@pytest.mark.parametrize("report", [RICH, CLEAN, EMPTY], ids=["rich", "clean", "empty"])
def test_the_output_ends_with_exactly_one_line_break(render: Format, report: Report) -> None:
    assert re.search(r"[^\n]\n\Z", render(report, Style()))


@each_format
@each_name
def test_no_name_reaches_the_output_unescaped(render: Format, name: str) -> None:
    lines = render(named(name), Style()).split("\n")
    assert [line for line in lines if not line.isprintable()] == []


@pytest.mark.parametrize("format_name", ["text", "github", "junit", "markdown"])
@each_name
def test_no_name_adds_a_line(format_name: str, name: str) -> None:
    render = FORMATS[format_name]
    wide = Style(width=50_000)
    assert render(named(name or "x"), wide).count("\n") == render(named("name"), wide).count("\n")


# Wider than any runner: what starts with "::" is looked at by GitHub's, what holds "##[" by GitHub's and Azure's.
COMMAND = re.compile(r"^\s*(\x1b\[[0-9;]*m)*::|##\w*\[", re.MULTILINE)


@pytest.mark.parametrize("format_name", [name for name in FORMATS if name != "github"])
@each_name
def test_no_name_makes_a_command_in_a_ci_log(format_name: str, name: str) -> None:
    assert not COMMAND.search(FORMATS[format_name](named(name), Style()))
    assert not COMMAND.search(FORMATS[format_name](named(name), Style(use_colour=True)))


@each_format
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "no-such-encoding"])
@each_name
def test_the_stream_can_encode_every_character(render: Format, encoding: str, name: str) -> None:
    text = render(named(name), Style(encoding=encoding))
    codec = "ascii" if encoding == "no-such-encoding" else encoding
    assert text.encode(codec).decode(codec) == text


@given(ANY_REPORT, ANY_STYLE)
@settings(max_examples=150, deadline=None)
def test_every_format_is_total(report: Report, style: Style) -> None:
    for render in FORMATS.values():
        text = render(report, style)
        assert re.search(r"[^\n]\n\Z", text)
        assert text.replace("\x1b[", "").replace("\n", "").isprintable()
