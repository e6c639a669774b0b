"""core/change.py: what a file will hold after a tool call."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core import change
from memstile.core.change import (
    MAX_RESULT_BYTES,
    REJECTED,
    UNKNOWN,
    UNREAD,
    Applied,
    Change,
    Content,
    Edit,
    Insertion,
    Opaque,
    Outcome,
    Patch,
    Substitutions,
    Whole,
    apply,
)
from memstile.core.matching import Matching, with_lf
from memstile.core.measure import EMPTY, Size, measure

BOM = b"\xef\xbb\xbf"
INDEX = b"# Index\n- one\n- two\n"


def done(data: bytes | None) -> Applied:
    return Applied(Outcome.DONE, data)


def edits(*rows: tuple[str, str] | tuple[str, str, bool]) -> Substitutions:
    return Substitutions(tuple(Edit(row[0].encode(), row[1].encode(), *row[2:]) for row in rows))


WHOLE = [
    pytest.param(None, id="new file"),
    pytest.param(b"", id="empty file"),
    pytest.param(INDEX, id="a file"),
    pytest.param(UNREAD, id="a file that was not read"),
]


@pytest.mark.parametrize("before", WHOLE)
@pytest.mark.parametrize("data", [b"", b"# Index\n", b"no final newline", b"a\r\n\xff"])
def test_a_whole_file_write_leaves_exactly_its_data(before: Content, data: bytes) -> None:
    assert apply(Whole(data), before) == done(data)


# What Claude Code 2.1.332 did, run on these files. Where it removes the line end of a deleted line as well, only
# deletions that bring their own are listed.
CLAUDE_CODE = [
    pytest.param(b"one\ntwo\n", ("two", "two\nnew"), done(b"one\ntwo\nnew\n"), id="one place"),
    pytest.param(b"one\ntwo\n", ("two", "two   \nnew  "), done(b"one\ntwo   \nnew  \n"), id="blanks at line ends stay"),
    pytest.param(b"one\ntwo\n", ("zip", "x"), REJECTED, id="absent"),
    pytest.param(b"one\ntwo\n", ("zip", "x", True), REJECTED, id="absent, all"),
    pytest.param(b"one\ntwo\nthree\n", ("two  \nthree", "x"), REJECTED, id="blanks at a line end"),
    pytest.param(b"a\ntwo\n", (" two", "x"), REJECTED, id="a blank too many"),
    pytest.param(b"a\ntwo", ("two\n", "x\n"), REJECTED, id="a final newline too many"),
    pytest.param("café\n".encode(), ("cafe\u0301", "x"), REJECTED, id="decomposed"),
    pytest.param(b"two\ntwo\n", ("two", "x"), REJECTED, id="twice"),
    pytest.param(b"two\ntwo\n", ("two", "x", True), done(b"x\nx\n"), id="twice, all"),
    pytest.param(b"aaa\n", ("aa", "x"), done(b"xa\n"), id="overlapping itself is one place"),
    pytest.param(b"aaaa aaa\n", ("aa", "x", True), done(b"xx xa\n"), id="overlapping itself, all"),
    pytest.param(b"one\ntwo\n", ("two", "$& $1 $$"), done(b"one\n$& $1 $$\n"), id="no pattern language"),
    pytest.param(b"one\ntwo\n", ("two", "two"), REJECTED, id="equal"),
    pytest.param(b"one\ntwo\n", ("zip", "zip"), REJECTED, id="equal and absent"),
    pytest.param(None, ("", ""), REJECTED, id="equal and empty, missing file"),
    pytest.param(b"one\ntwo\nthree\n", ("two\n", ""), done(b"one\nthree\n"), id="delete a line"),
    pytest.param("e\u0301x\n".encode(), ("e", "o"), done("o\u0301x\n".encode()), id="half of a character"),
    # an empty old text
    pytest.param(None, ("", "x\n"), done(b"x\n"), id="empty old, missing file"),
    pytest.param(b"", ("", "x\n"), done(b"x\n"), id="empty old, empty file"),
    pytest.param(b" \n\n", ("", "x\n"), done(b"x\n"), id="empty old, blank file"),
    pytest.param("\u00a0\n\u2028".encode(), ("", "x\n"), done(b"x\n"), id="empty old, other blanks"),
    pytest.param(b"one\n", ("", "x\n"), REJECTED, id="empty old, a file"),
    pytest.param(b"one\n", ("", "x\n", True), REJECTED, id="empty old, a file, all"),
    pytest.param(None, ("absent", "x\n"), REJECTED, id="missing file"),
    # line ends
    pytest.param(b"one\r\ntwo\r\n", ("one\ntwo", "one\nnew\ntwo"), done(b"one\r\nnew\r\ntwo\r\n"), id="CRLF: LF old"),
    pytest.param(b"one\r\ntwo\r\n", ("two", "two\nnew"), done(b"one\r\ntwo\r\nnew\r\n"), id="CRLF: LF new"),
    pytest.param(b"one\r\ntwo\r\n", ("two", "two\r\nnew"), done(b"one\r\ntwo\r\nnew\r\n"), id="CRLF: CRLF new"),
    pytest.param(
        b"one\r\ntwo\r\nthree\nfour\r\n",
        ("two", "two\nnew"),
        done(b"one\r\ntwo\r\nnew\r\nthree\r\nfour\r\n"),
        id="mixed, CRLF more often: all become CRLF",
    ),
    pytest.param(b"one\rtwo\nthree\n", ("two", "two\nnew"), done(b"one\rtwo\nnew\nthree\n"), id="a lone CR stays"),
    pytest.param(b"one\ntwo\n", ("two", "two\r\nnew"), done(b"one\ntwo\r\nnew\n"), id="LF: CRLF new stays"),
    pytest.param(b"one\ntwo\nthree\n", ("one\r\ntwo", "x"), REJECTED, id="LF: CRLF old"),
    # found in spite of a difference: nothing is computed
    pytest.param("one “q” it’s\n".encode(), ('one "q" it\'s', "x"), UNKNOWN, id="straight for curly quotes"),
    pytest.param(b'"q" it\'s\n', ("“q” it’s", "x"), UNKNOWN, id="curly for straight quotes"),
    pytest.param('“q”\n"q"\n'.encode(), ('"q"', "x"), done("“q”\nx\n".encode()), id="quotes: exact first"),
    pytest.param("记\r\n".encode(), (r"\u8bb0", "x\ny"), UNKNOWN, id="an escape"),
    pytest.param(b"one <function_results> two\n", ("one <fnr> two", "x"), UNKNOWN, id="a short tag"),
]


@pytest.mark.parametrize(("before", "edit", "after"), CLAUDE_CODE)
def test_an_edit_does_what_claude_code_was_seen_to_do(
    before: bytes | None, edit: tuple[str, str], after: Applied
) -> None:
    assert apply(edits(edit), before, matching=Matching.TYPOGRAPHIC) == after


# Where hosts write different bytes, the longer result counts. Claude Code writes less in each of these.
LONGER = [
    pytest.param(b"one\ntwo\nthree\r\n", ("two", "two\nnew"), b"one\ntwo\nnew\nthree\r\n", id="mixed, LF more often"),
    pytest.param(b"one\r\ntwo\n", ("two", "two\nnew"), b"one\r\ntwo\nnew\n", id="mixed, as often"),
    pytest.param(b"one\ntwo\nthree\n", ("two", ""), b"one\n\nthree\n", id="a deleted line leaves its line end"),
]


@pytest.mark.parametrize(("before", "edit", "after"), LONGER)
def test_where_hosts_differ_the_longer_result_counts(before: bytes, edit: tuple[str, str], after: bytes) -> None:
    assert apply(edits(edit), before) == done(after)


def test_old_text_with_crlf_is_found_in_a_file_with_crlf() -> None:
    """Claude Code refuses it, dsh (`str_replace_editor`) and every other editor of raw bytes does not."""
    assert apply(edits(("one\r\ntwo", "x")), b"one\r\ntwo\r\n") == done(b"x\r\n")


SEQUENCES = [
    pytest.param(INDEX, (), done(INDEX), id="no edit"),
    pytest.param(None, (), done(None), id="no edit, missing file"),
    pytest.param(
        INDEX, (("one", "uno"), ("uno", "eins")), done(b"# Index\n- eins\n- two\n"), id="on the result before"
    ),
    pytest.param(
        INDEX, (("# Index", "# Index\n- new"), ("\n- new", "")), done(INDEX), id="the second undoes the first"
    ),
    pytest.param(INDEX, (("one", "uno"), ("one", "eins")), REJECTED, id="the old text is gone by then"),
    pytest.param(INDEX, (("one", "two"), ("two", "x")), REJECTED, id="no longer unique by then"),
    pytest.param(INDEX, (("zip", "x"), ("one", "uno")), REJECTED, id="the first fails, so all do"),
    pytest.param(None, (("", "a\n"), ("a", "b")), done(b"b\n"), id="create, then edit"),
    pytest.param(INDEX, ((INDEX.decode(), ""), ("", "x\n")), done(b"x\n"), id="empty it, then fill it"),
    pytest.param(b"a\r\nb\r\n", (("a\nb", "c"), ("c\n", "d\n")), done(b"d\r\n"), id="CRLF throughout"),
]


@pytest.mark.parametrize(("before", "rows", "after"), SEQUENCES)
def test_edits_apply_in_order_and_all_or_none(
    before: bytes | None, rows: tuple[tuple[str, str], ...], after: Applied
) -> None:
    assert apply(edits(*rows), before) == after


# old text, file; what an exact host, Claude Code and a loose host do.
REFUSALS = [
    pytest.param("zip", INDEX, (REJECTED, REJECTED, UNKNOWN), id="absent"),
    pytest.param("“one”", b'"one"\n', (REJECTED, UNKNOWN, UNKNOWN), id="other quotes"),
    pytest.param("zip", b"a\r\n", (REJECTED, REJECTED, UNKNOWN), id="absent, CRLF"),
    pytest.param("“a”\nb", b'"a"\r\nb\r\n', (REJECTED, UNKNOWN, UNKNOWN), id="other quotes, CRLF"),
    pytest.param("- ", INDEX, (REJECTED, REJECTED, UNKNOWN), id="twice"),
    pytest.param("", INDEX, (REJECTED, REJECTED, UNKNOWN), id="empty"),
    pytest.param("- new", INDEX, (REJECTED, REJECTED, REJECTED), id="equal"),
    pytest.param("zip", None, (REJECTED, REJECTED, REJECTED), id="missing file"),
    pytest.param("zip", UNREAD, (UNKNOWN, UNKNOWN, UNKNOWN), id="not read"),
    pytest.param("a\nb", b"a\r\nb\r\n", (done(b"- new\r\n"),) * 3, id="exact but for CRLF: everybody"),
    pytest.param("one", INDEX, (done(INDEX.replace(b"one", b"- new")),) * 3, id="exact: everybody"),
]


@pytest.mark.parametrize(("old", "before", "after"), REFUSALS)
def test_what_an_exact_host_refuses_is_unknown_where_it_may_match(
    old: str, before: Content, after: tuple[Applied, ...]
) -> None:
    edit = edits((old, "- new"))
    assert tuple(apply(edit, before, matching=matching) for matching in Matching) == after


# What dsh 0.1.0-rc.8 makes of `insert`.
INSERTIONS = [
    pytest.param(INDEX, 0, b"top", done(b"top\n" + INDEX), id="at the top"),
    pytest.param(INDEX, 1, b"a\nb", done(b"# Index\na\nb\n- one\n- two\n"), id="after a line"),
    pytest.param(INDEX, 3, b"end", done(INDEX + b"end\n"), id="after the last line"),
    pytest.param(INDEX, 4, b"end", done(INDEX + b"\nend"), id="after the end"),
    pytest.param(INDEX, 5, b"end", REJECTED, id="beyond"),
    pytest.param(INDEX, -1, b"end", REJECTED, id="negative"),
    pytest.param(INDEX, 10**30, b"end", REJECTED, id="a huge number"),
    pytest.param(INDEX, 1, b"a\n", done(b"# Index\na\n\n- one\n- two\n"), id="a final LF gets another"),
    pytest.param(b"a", 1, b"b", done(b"a\nb"), id="no final newline"),
    pytest.param(b"", 0, b"a", done(b"a\n"), id="empty file"),
    pytest.param(b"a\r\nb\r\n", 1, b"c", done(b"a\r\nc\nb\r\n"), id="CRLF: bytes as they are"),
    pytest.param(None, 0, b"a", REJECTED, id="missing file"),
    pytest.param(UNREAD, 0, b"a", UNKNOWN, id="not read"),
]


@pytest.mark.parametrize(("before", "line", "text", "after"), INSERTIONS)
def test_an_insertion_puts_lines_after_a_line(before: Content, line: int, text: bytes, after: Applied) -> None:
    assert apply(Insertion(line, text), before) == after


@pytest.mark.parametrize("before", [None, b"", INDEX, UNREAD])
@pytest.mark.parametrize("matching", Matching)
def test_an_opaque_change_is_unknown(before: Content, matching: Matching) -> None:
    assert apply(Opaque("a shell command"), before, matching=matching) == UNKNOWN


def envelope(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch")) + "\n"


HEAD = "*** Update File: M"
GROW = (HEAD, "@@", " # Index", "+- new")
GROWN = b"# Index\n- new\n- one\n- two\n"
MISS = (HEAD, "@@", "-zip", "+x")
DRAFT = ("*** Update File: D", "*** Move to: M", "@@", "-b", "+y")

# One file, spelled M throughout, before and after. Codex 0.171.0 left what is said here.
PATCHES = [
    pytest.param(INDEX, GROW, done(GROWN), id="update"),
    pytest.param(INDEX, MISS, UNKNOWN, id="update, no such line"),
    pytest.param(None, GROW, REJECTED, id="update, missing file"),
    pytest.param(UNREAD, GROW, UNKNOWN, id="update, not read"),
    pytest.param(None, ("*** Add File: M", "+x"), done(b"x\n"), id="add"),
    pytest.param(INDEX, ("*** Add File: M", "+x"), done(b"x\n"), id="add onto a file"),
    pytest.param(UNREAD, ("*** Add File: M", "+x"), done(b"x\n"), id="add, not read"),
    pytest.param(INDEX, ("*** Delete File: M",), done(None), id="delete"),
    pytest.param(UNREAD, ("*** Delete File: M",), done(None), id="delete, not read"),
    pytest.param(None, ("*** Delete File: M",), REJECTED, id="delete, missing file"),
    pytest.param(INDEX, ("*** Delete File: M", "*** Add File: M", "+z"), done(b"z\n"), id="delete, then add"),
    pytest.param(None, ("*** Add File: M", "+z", HEAD, "-z", "+y"), done(b"y\n"), id="add, then update"),
    pytest.param(INDEX, (*GROW, HEAD, "- - new", "+x"), UNKNOWN, id="update, then a miss"),
    pytest.param(INDEX, (*GROW, HEAD, "@@", "-- new"), done(INDEX), id="update, then undo"),
    pytest.param(INDEX, (*MISS, "*** Add File: M", "+z"), done(b"z\n"), id="a miss, then add"),
    pytest.param(INDEX, (HEAD, "*** Move to: M", "@@", "-- one"), done(None), id="moved onto itself is gone"),
    pytest.param(INDEX, ("*** Delete File: M", *GROW), UNKNOWN, id="refused after a section that ran"),
    pytest.param(INDEX, ("*** Add File: M", "+z", ""), UNKNOWN, id="not a clear envelope"),
    pytest.param(INDEX, (), UNKNOWN, id="no section"),
    pytest.param(INDEX, (*GROW, "*** Add File: N", "+x"), UNKNOWN, id="two files, and none was named"),
]


@pytest.mark.parametrize(("before", "lines", "after"), PATCHES)
def test_an_envelope_does_to_its_one_file_what_codex_was_seen_to_do(
    before: Content, lines: tuple[str, ...], after: Applied
) -> None:
    assert apply(Patch(envelope(*lines)), before) == after


@pytest.mark.parametrize(("before", "lines", "after"), PATCHES)
@pytest.mark.parametrize("matching", Matching)
def test_an_envelope_is_matched_loosely_by_every_host(
    before: Content, lines: tuple[str, ...], after: Applied, matching: Matching
) -> None:
    assert apply(Patch(envelope(*lines)), before, matching=matching) == after


# The index is M, also spelled ./M; the other files are known as listed.
SEVERAL = [
    pytest.param(INDEX, (*GROW, "*** Add File: N", "+x"), {}, done(GROWN), id="another file"),
    pytest.param(INDEX, ("*** Add File: N", "+x"), {}, done(INDEX), id="another file only"),
    pytest.param(INDEX, ("*** Update File: N", "-a", "+b", *GROW), {}, done(GROWN), id="a section that may be refused"),
    pytest.param(INDEX, (*GROW, "*** Update File: ./M", "@@", "-- new"), {}, done(INDEX), id="two spellings"),
    pytest.param(INDEX, (*GROW, "*** Update File: m", "@@", "-- new"), {}, done(GROWN), id="not its spelling"),
    pytest.param(INDEX, DRAFT, {"D": b"a\nb\n"}, done(b"a\ny\n"), id="moved onto it"),
    pytest.param(None, DRAFT, {"D": b"a\nb\n"}, done(b"a\ny\n"), id="moved to where it will be"),
    pytest.param(UNREAD, DRAFT, {"D": b"a\nb\n"}, done(b"a\ny\n"), id="moved onto it, not read"),
    pytest.param(INDEX, DRAFT, {"D": b"a\r\nb\r\n"}, done(b"a\r\ny\r\n"), id="moved onto it, CRLF"),
    pytest.param(INDEX, DRAFT, {"D": b"a\n"}, UNKNOWN, id="moved onto it, no such line"),
    pytest.param(INDEX, DRAFT, {"D": UNREAD}, UNKNOWN, id="moved onto it, source not read"),
    pytest.param(INDEX, DRAFT, {}, UNKNOWN, id="moved onto it, source not given"),
    pytest.param(INDEX, DRAFT, {"D": None}, REJECTED, id="moved onto it, no such source"),
    pytest.param(INDEX, DRAFT[:2], {"D": b"a\n"}, done(b"a\n"), id="renamed onto it"),
    pytest.param(
        INDEX, ("*** Update File: D", "-a", "+b", *DRAFT), {"D": b"a\n"}, done(b"y\n"), id="edited, then moved"
    ),
    pytest.param(INDEX, ("*** Add File: D", "+b", *DRAFT), {}, done(b"y\n"), id="made, then moved"),
    pytest.param(INDEX, ("*** Delete File: D", *DRAFT), {"D": b"b\n"}, REJECTED, id="deleted, then moved"),
    pytest.param(
        INDEX,
        ("*** Update File: C", "*** Move to: D", "-a", "+b", *DRAFT),
        {"C": b"a\n"},
        done(b"y\n"),
        id="by way of another",
    ),
    pytest.param(
        INDEX,
        ("*** Update File: C", "*** Move to: /p/D", "-a", "+b", *DRAFT),
        {"C": b"a\n", "D": None},
        done(b"y\n"),
        id="by way of another, spelled otherwise",
    ),
    pytest.param(INDEX, (HEAD, "*** Move to: N", "- - one"), {}, done(None), id="moved away"),
    pytest.param(
        INDEX,
        (HEAD, "*** Move to: N", *GROW[1:], "*** Update File: N", "*** Move to: M", "@@", "-- new"),
        {},
        done(INDEX),
        id="moved away and back",
    ),
    pytest.param(INDEX, (HEAD, "*** Move to: ./M", "@@", "-- one"), {}, done(None), id="moved onto itself"),
    pytest.param(
        INDEX,
        (HEAD, "*** Move to: N", "@@", "-- one"),
        {"M": b"not it"},
        done(None),
        id="its own content is not taken from the sources",
    ),
]


@pytest.mark.parametrize(("before", "lines", "sources", "after"), SEVERAL)
def test_an_envelope_is_followed_through_all_files_it_touches(
    before: Content, lines: tuple[str, ...], sources: dict[str, Content], after: Applied
) -> None:
    names = (("D", "/p/D"),)
    assert apply(Patch(envelope(*lines), ("M", "./M"), tuple(sources.items()), names), before) == after


def test_a_replacement_is_built_up_to_its_bound_and_not_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    assert apply(edits(("a", "x" * 1_000, True)), b"a" * (MAX_RESULT_BYTES // 1_000 + 1)) == UNKNOWN
    monkeypatch.setattr(change, "MAX_RESULT_BYTES", 100)
    grow = edits(("a", "xx", True))
    assert [apply(grow, b"a" * count) for count in (50, 51)] == [done(b"x" * 100), UNKNOWN]


def test_edits_are_followed_up_to_a_bound_and_not_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change, "MAX_WORK_BYTES", 100)
    there_and_back = (("a", "b"), ("b", "a"))
    outcomes = [apply(edits(*there_and_back * count), b"a" * 1 + b"-" * 7) for count in (5, 6)]
    assert outcomes == [done(b"a-------"), UNKNOWN]


SMALL = st.text('ab\n\r “”"', max_size=8).map(str.encode) | st.binary(max_size=6)
CONTENTS = st.none() | st.just(UNREAD) | SMALL
EDITS = st.builds(Edit, SMALL, SMALL, st.booleans())
LINES = st.sampled_from([*GROW, *MISS, *DRAFT, "*** Add File: M", "*** Delete File: M", "+a", " a", "-a", "@@", ""])
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(Whole, SMALL),
    st.builds(Substitutions, st.lists(EDITS, max_size=4).map(tuple)),
    st.builds(Insertion, st.integers(-1, 4), SMALL),
    st.builds(Patch, st.lists(LINES).map(lambda lines: envelope(*lines)), st.just(("M",)), st.just((("D", b"b\n"),))),
    st.builds(Patch, st.text()),
    st.builds(Opaque, st.text()),
)


def size(content: Content) -> Size:
    return measure(content) if isinstance(content, bytes) else EMPTY


@given(CHANGES, CONTENTS, st.sampled_from(list(Matching)))
@settings(max_examples=500)
def test_applying_is_total_and_gives_data_only_where_it_is_known(
    changed: Change, before: Content, matching: Matching
) -> None:
    applied = apply(changed, before, matching=matching)
    assert size(applied.data) == EMPTY or applied.outcome is Outcome.DONE
    assert applied == apply(changed, before, matching=matching)


@given(CHANGES, CONTENTS)
@settings(max_examples=300)
def test_a_host_that_matches_more_only_turns_rejected_into_unknown(changed: Change, before: Content) -> None:
    exact, typographic, loose = (apply(changed, before, matching=matching) for matching in Matching)
    assert typographic in ((exact, UNKNOWN) if exact.outcome is Outcome.REJECTED else (exact,))
    assert loose in ((typographic, UNKNOWN) if typographic.outcome is Outcome.REJECTED else (typographic,))


@given(SMALL, SMALL, SMALL)
def test_replacing_all_is_bytes_replace_in_a_file_without_crlf(before: bytes, old: bytes, new: bytes) -> None:
    before = with_lf(before)
    after = apply(Substitutions((Edit(old, new, replace_all=True),)), before)
    is_made = old and old != new and old in before
    assert after == (done(before.replace(old, new)) if is_made else after)
    assert (after.outcome is Outcome.DONE) is (bool(is_made) or (not old and bool(new) and not before.strip()))


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=3), st.text("ab\n", max_size=3), st.booleans())
def test_a_crlf_file_is_edited_as_its_lf_twin_or_comes_out_longer(
    before: str, old: str, new: str, replace_all: bool
) -> None:
    twin = apply(edits((old, new, replace_all)), before.encode())
    crlf = apply(edits((old, new, replace_all)), before.replace("\n", "\r\n").encode())
    assert crlf.outcome is twin.outcome
    if twin.data is not None and crlf.data is not None and "\n" in before:
        expected = twin.data.replace(b"\n", b"\r\n")
        assert crlf.data == expected or ("\n" in old and len(crlf.data) >= len(expected))


@given(st.binary(max_size=30), st.binary(max_size=30), st.binary(min_size=1, max_size=4))
def test_the_size_after_an_edit_in_one_place_is_the_sum_of_its_parts(head: bytes, tail: bytes, new: bytes) -> None:
    old = b"\x00old\x00"
    before, after = head + old + tail, head + new + tail
    if b"\r\n" not in before:
        assert size(apply(Substitutions((Edit(old, new),)), before).data) == measure(after)
