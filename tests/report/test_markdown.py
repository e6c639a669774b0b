"""report/markdown.py: the summary page of a CI job."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import cmarkgfm
import cmarkgfm.cmark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.finding import Finding, Severity
from memstile.core.text import shown
from memstile.report.markdown import block, code, prose, render
from memstile.report.model import Report, Style
from tests.report.pinned import both_reports, pinned
from tests.report.samples import HOSTILE, ROWS, named


@both_reports
def test_the_whole_output_is_this(name: str, value: Report) -> None:
    assert render(value, Style(), ROWS) == pinned(f"{name}.md")


PROSE = [
    ("plain, with: (marks) - 1. and + = / '", "plain, with: (marks) - 1. and + = / '"),
    ("a|b", "a\\|b"),
    ("\\", "\\\\"),
    ("<script>&amp;", "\\<script\\>\\&amp;"),
    ("`a` **b** _c_ ~~d~~", "\\`a\\` \\*\\*b\\*\\* \\_c\\_ \\~\\~d\\~\\~"),
    ("![a](b)", "\\!\\[a\\](b)"),
    ("$x$ {a} #1", "\\$x\\$ \\{a\\} \\#1"),
    ("http://a.example", "http\\://a.example"),
    ("WWW.a.example", "WWW\\.a.example"),
    ("a@b.example @@c", "a`@`b.example `@@`c"),
    ("a\nb", "a\\\\nb"),
]


@pytest.mark.parametrize(("text", "result"), PROSE)
def test_prose_is_escaped(text: str, result: str) -> None:
    assert prose(text) == result


CODE = [
    ("a", "`a`"),
    ("", "` `"),
    ("a`b", "``a`b``"),
    ("`a", "`` `a ``"),
    ("a``", "``` a`` ```"),
    (" a", "`  a `"),
    ("a|b", "`a\\x7cb`"),
    ("a\\", "`a\\`"),
    ("a\nb", "`a\\nb`"),
]


@pytest.mark.parametrize(("text", "result"), CODE)
def test_a_code_span_holds_any_text(text: str, result: str) -> None:
    assert code(text) == result


def test_a_fence_is_longer_than_any_run_of_backticks_inside() -> None:
    assert block(["a"], "sh") == "```sh\na\n```"
    assert block(["a ``` b", "````"], "sh") == "`````sh\na ``` b\n````\n`````"


class Reader(HTMLParser):
    """Collects the tags of a page, but those of code spans: an "@" is written as one; and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "code":
            self.tags.append((tag, attrs))

    def handle_comment(self, data: str) -> None:
        self.tags.append(("comment", []))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="session")
def read() -> Callable[[str], Reader]:
    """Render with GitHub's own renderer, raw HTML let through, all that GitHub adds to Markdown switched on."""
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE | cmarkgfm.cmark.Options.CMARK_OPT_FOOTNOTES
    extensions = ["table", "autolink", "strikethrough", "tasklist"]

    def page(text: str) -> Reader:
        reader = Reader()
        reader.feed(cmarkgfm.markdown_to_html_with_extensions(text, options, extensions))
        reader.close()
        return reader

    return page


PIECES = r"""
` `` ``` | \ \| \` <b> </td> <!-- --> &amp; [x](http://a.example) ![i](b) * ** _ __ ~~ ] [ ( ) ! [^1] $x$ @user @@
www.a.example http://a.example :// a@b.example mailto:a@b.example #1 - 1. > # === |---| ::error:: a
"""
MARKUP = st.lists(st.sampled_from([*PIECES.split(), " ", "\n"]), max_size=8).map("".join)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_no_name_is_markup(read: Callable[[str], Reader], name: str) -> None:
    page = read(render(named(name or "x"), Style(), ROWS))
    assert page.tags == read(render(named("name"), Style(), ROWS)).tags


@given(MARKUP)
@settings(max_examples=300, deadline=None)
def test_no_markup_in_a_name_is_markup_in_the_page(read: Callable[[str], Reader], name: str) -> None:
    page = read(render(named(f"x{name}"), Style(), ROWS))
    assert page.tags == read(render(named("name"), Style(), ROWS)).tags
    assert read(f"x {prose(f'y{name}.')}").text.strip() == shown(f"x y{name}.")


def test_findings_come_by_severity_and_in_their_order() -> None:
    findings = tuple(
        Finding("MS102", severity, str(number), "m")
        for number, severity in enumerate([Severity.INFO, Severity.ERROR, Severity.WARNING, Severity.ERROR])
    )
    lines = [line for line in render(Report(findings, ()), Style(), ()).split("\n") if line]
    assert lines == [
        "## memstile: 2 errors, 1 warning, 1 info; no vault checked",
        "### Errors",
        "**MS102** `1`: m",
        "**MS102** `3`: m",
        "### Warnings",
        "**MS102** `2`: m",
        "### Infos",
        "**MS102** `0`: m",
    ]
