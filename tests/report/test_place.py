"""report/place.py: paths for machines, and fingerprints."""

from __future__ import annotations

import base64
import os
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.finding import Finding, Severity
from memstile.report.model import Origin, Report
from memstile.report.place import fingerprints, from_top, path_fields, raw, tidy, uri
from tests.report.samples import HOSTILE

TIDY = [
    ("", "."),
    (".", "."),
    ("./", "."),
    ("/", "/"),
    ("a", "a"),
    ("./a/", "a"),
    ("a//./b", "a/b"),
    ("/a/./b/", "/a/b"),
    ("../a", "../a"),
    ("a/../b", "a/../b"),
    (".a", ".a"),
    (" ", " "),
]


@pytest.mark.parametrize(("path", "result"), TIDY)
def test_tidy_drops_parts_that_lead_nowhere(path: str, result: str) -> None:
    assert tidy(path) == result


URIS = [
    pytest.param("a/b.md", "a/b.md", id="plain"),
    pytest.param("./a//b", "a/b", id="tidied"),
    pytest.param("/a b", "file:///a%20b", id="absolute"),
    pytest.param("a:b", "a%3Ab", id="a colon is no scheme"),
    pytest.param("a?b#c%d", "a%3Fb%23c%25d", id="marks"),
    pytest.param("caf\xe9", "caf%C3%A9", id="letters"),
    pytest.param("caf\udcff", "caf%FF", id="a byte that is no text"),
    pytest.param("a\nb", "a%0Ab", id="line feed"),
]


@pytest.mark.parametrize(("path", "result"), URIS)
def test_a_uri_is_percent_encoded(path: str, result: str) -> None:
    assert uri(path) == result


@pytest.mark.parametrize("name", [name for name in HOSTILE.values() if name != "\ud800"])
def test_a_uri_gives_the_bytes_of_the_path_back(name: str) -> None:
    assert urllib.parse.unquote_to_bytes(uri(name)) == os.fsencode(tidy(name))


FIELDS = [
    pytest.param("a\\n|b", {"path": "a\\n|b"}, id="printable: the path itself"),
    pytest.param("a\nb", {"path": "a\\nb", "path_bytes": "YQpi"}, id="line feed"),
    pytest.param("\udcff", {"path": "\\xff", "path_bytes": "/w=="}, id="a byte that is no text"),
]


@pytest.mark.parametrize(("path", "fields"), FIELDS)
def test_bytes_are_given_where_the_shown_path_is_not_the_path(path: str, fields: dict[str, str]) -> None:
    assert path_fields(path) == fields


@given(st.text(st.characters(exclude_categories=()) | st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)))
def test_a_path_can_always_be_told_from_its_fields(path: str) -> None:
    fields = path_fields(path)
    assert fields["path"].isprintable()
    assert (base64.b64decode(fields["path_bytes"]) if "path_bytes" in fields else raw(fields["path"])) == raw(path)


def finding(code: str, path: str, message: str = "", line: int | None = None) -> Finding:
    return Finding(code, Severity.ERROR, path, message, line=line)


def test_a_fingerprint_outlives_moved_lines_and_changed_numbers() -> None:
    before = fingerprints([finding("MS102", "a", "210 lines", 3), finding("MS205", "b", "x", 1)])
    after = fingerprints([finding("MS205", "./b", "y", 9), finding("MS102", "a", "215 lines", 4)])
    assert before == after[::-1]


def test_fingerprints_are_unique_in_a_run() -> None:
    same = finding("MS102", "a")
    marks = fingerprints([same, same, finding("MS103", "a"), finding("MS102", "b"), finding("MS10", "2\0a")])
    assert len(set(marks)) == 5
    assert fingerprints([same]) == marks[:1]


HERE = Origin("/top", "a/b")

# id: (path as shown, where the person stands, the path from the top)
FROM_TOP = {
    "below": ("v/x.md", HERE, "a/b/v/x.md"),
    "untidy": ("./v//x.md", HERE, "a/b/v/x.md"),
    "here": (".", HERE, "a/b"),
    "nothing": ("", HERE, "a/b"),
    "beside": ("../v", HERE, "a/v"),
    "the folder above": ("..", HERE, "a"),
    "the top": ("../..", HERE, "."),
    "outside": ("../../../v", HERE, "../v"),
    "behind a symlink, perhaps": ("link/../v", HERE, "a/b/link/../v"),
    "a name of dots": ("..v/x", HERE, "a/b/..v/x"),
    "absolute, inside": ("/top/a//v", HERE, "a/v"),
    "absolute, the top": ("/top/", HERE, "."),
    "absolute, outside": ("/topper/v", HERE, "/topper/v"),
    "in the root folder": ("/v", Origin("/", ""), "v"),
    "at the top": ("./v//x.md", Origin("/top", ""), "./v//x.md"),
    "above the top": ("../v", Origin("/top", ""), "../v"),
    "no repository": ("./v", None, "./v"),
}


@pytest.mark.parametrize(("path", "origin", "result"), FROM_TOP.values(), ids=FROM_TOP)
def test_a_path_is_counted_from_the_top(path: str, origin: Origin | None, result: str) -> None:
    finding = Finding("MS202", Severity.ERROR, path, path, path, (path,), (path,))
    moved = finding._replace(path=result, paths=(result,))
    assert from_top(Report((finding,), (), origin=origin)) == (moved,)
