"""core/pointers.py: the links of an index."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.pointers import label, notes_named, notes_pointed_at, targets

TARGETS = [
    pytest.param("", [], id="nothing"),
    pytest.param("plain text", [], id="no link"),
    pytest.param("- [Note](note.md) - what it is", ["note.md"], id="a pointer"),
    pytest.param("[a](a.md) and [b](b.md)", ["a.md", "b.md"], id="two"),
    pytest.param("[[note]]", ["note"], id="a wikilink"),
    pytest.param(
        "[[note|shown]] [[other#part]] [[ blank ]]", ["note", "other", "blank"], id="what a wikilink may hold"
    ),
    pytest.param("[a](<with blank.md>)", ["with blank.md"], id="in angle brackets"),
    pytest.param("[a](a.md#part) [b](<b.md#part>)", ["a.md", "b.md"], id="without its anchor"),
    pytest.param("[a](a.md \"title\") [b](b.md 'title')", ["a.md", "b.md"], id="without its title"),
    pytest.param("[a](a(1).md)", ["a(1).md"], id="with parentheses"),
    pytest.param("[a](a%20b.md)", ["a%20b.md"], id="percent escapes are left alone"),
    pytest.param("![image](a.png)", ["a.png"], id="an image"),
    pytest.param("[a][ref] [b](b.md)", ["b.md"], id="a reference is none"),
    pytest.param("[a]() [b](#only) [[]] [[#x]] [c](<>)", [], id="empty ones"),
    pytest.param("[a]( a.md) [b](\t<b.md>)", ["a.md", "b.md"], id="blanks in front of it"),
    pytest.param("[![i](x.png)](a.md)", ["x.png", "a.md"], id="a linked image"),
    pytest.param("[a](a.md", ["a.md"], id="without its end"),
    pytest.param("[a](<a.md", [], id="without its angle bracket"),
    pytest.param("[[note", [], id="a wikilink without its end"),
    pytest.param("[[a](b.md)", ["b.md"], id="two brackets that are no wikilink"),
    pytest.param("]( [", [], id="the wrong way round"),
    pytest.param("[x](プラン.md) [[記]]", ["プラン.md", "記"], id="any letters"),
]


@pytest.mark.parametrize(("line", "expected"), TARGETS)
def test_the_links_of_a_line(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


LABELS = [
    ("- [Note](notes/note.md) - secret", "note.md"),
    ("[[a/b]]", "b"),
    ("[a](a/)", "a"),
    ("secret text", "line 7"),
    ("[a](/)", "line 7"),
    (f"[a]({'x' * 100})", "x" * 80),
    ("", "line 7"),
]


@pytest.mark.parametrize(("line", "expected"), LABELS)
def test_a_line_is_named_by_its_slug_and_never_by_its_text(line: str, expected: str) -> None:
    assert label(line, 7) == expected


NOTES = [
    pytest.param(b"", set(), id="nothing"),
    pytest.param(b"[a](a.md) [b](./b.md)\n[[c]] [[d.md]]", {"a.md", "b.md", "c.md", "d.md"}, id="siblings"),
    pytest.param(b"[a](sub/a.md) [b](../b.md) [c](http://d.example/e.md)", set(), id="other places"),
    pytest.param(b"[a](A.MD) [b](b)", {"A.MD", "b.md"}, id="with and without an ending"),
    pytest.param(b"\xff[a](a.md)\xfe\r\n\0[b](b.md)", {"a.md", "b.md"}, id="among any bytes"),
    pytest.param("[a](a.md)\u2028[b](b.md)".encode(), {"a.md", "b.md"}, id="a line is ended by LF alone"),
    pytest.param(b"[a](my%20note.md) [b](100%.md) [c](%41%zz.md)", {"my note.md", "100%.md", "A%zz.md"}, id="escapes"),
    pytest.param(b"[a](.//a.md) [b](././b.md?x) [c](c.md?y#z)", {"a.md", "b.md", "c.md"}, id="odd ways to write it"),
    pytest.param("[a](a.md)".encode("utf-16"), {"a.md"}, id="UTF-16"),
    pytest.param(b"\xfe\xff" + "[a](é.md)".encode("utf-16-be"), {"é.md"}, id="UTF-16, the other end first"),
    pytest.param("[a](a.md)".encode("utf-16-le"), {"a.md"}, id="UTF-16 without a mark"),
    pytest.param("[a](a.md)".encode("utf-32"), {"a.md"}, id="UTF-32"),
    pytest.param(b"[a](\xff.md) [b](b%FE.md)", {"\udcff.md", "b\udcfe.md"}, id="names that are no text"),
    pytest.param(b"[a\n](a.md)", set(), id="a link does not go on in the next line"),
]


@pytest.mark.parametrize(("data", "expected"), NOTES)
def test_the_notes_that_an_index_points_to(data: bytes, expected: set[str]) -> None:
    assert notes_pointed_at(data) == expected


NAMED = [
    pytest.param(b"", set(), id="nothing"),
    pytest.param(b"[a]: a.md\n<b.md> `c.MD`, (d.md#x)", {"a.md", "b.md", "c.MD", "d.md"}, id="in links of other kinds"),
    pytest.param(b"see a.md. Or b.md?", {"a.md", "b.md"}, id="in prose"),
    pytest.param(b"see ../x.md, sub/y.md and data.md5", set(), id="other places, other endings"),
    pytest.param(b"see README.md and changelog.md", set(), id="documents that each project has"),
    pytest.param("see a.md".encode("utf-16"), {"a.md"}, id="UTF-16"),
]


@pytest.mark.parametrize(("data", "expected"), NAMED)
def test_the_notes_that_an_index_names(data: bytes, expected: set[str]) -> None:
    assert notes_named(data) == expected


@given(st.text(alphabet="[]()<>#| /.xm\n\t\u2028\ud800"))
def test_any_text_has_links_or_none(text: str) -> None:
    assert all(target and target in text for target in targets(text))
    assert label(text, 1)
    notes_pointed_at(text.encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=80))
def test_any_bytes_name_notes_or_none(data: bytes) -> None:
    assert all(name.lower().endswith(".md") for name in notes_pointed_at(data) | notes_named(data))


@pytest.mark.parametrize("piece", ["[", "[[", "](", "[](", "[](<", "[x](((", "[[x]]", "[x](<y", ")](", "]]["])
def test_a_long_line_takes_time_in_proportion(piece: str) -> None:
    line = piece * (400_000 // len(piece))
    began = time.process_time()
    targets(line)
    assert time.process_time() - began < 5  # a square would take minutes
