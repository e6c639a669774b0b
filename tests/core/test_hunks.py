"""core/hunks.py: what the hunks of an envelope make of one file."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memstile.core import patch
from memstile.core.hunks import MAX_RETRIES, Hunk, updated

ABC = b"# a\nb\nc\n"
ONE = b"one\nx\ntwo\nx\n"


def hunks_of(lines: str) -> tuple[Hunk, ...]:
    """Parse the lines below `*** Update File:`, given as one text."""
    (section,) = patch.files(f"*** Begin Patch\n*** Update File: M\n{lines}\n*** End Patch\n")
    assert section.operation is patch.Operation.UPDATE
    return section.hunks


# The file after, as Codex 0.171.0 left it.
UPDATED = [
    pytest.param("@@\n # a\n+x", ABC, b"# a\nx\nb\nc\n", id="add after a kept line"),
    pytest.param(" # a\n+x", ABC, b"# a\nx\nb\nc\n", id="first hunk without @@"),
    pytest.param("@@\n-b\n+x\n+y", ABC, b"# a\nx\ny\nc\n", id="replace one by two"),
    pytest.param("@@\n-c", ABC, b"# a\nb\n", id="remove the last line"),
    pytest.param("@@\n-# a\n-b\n-c", ABC, b"", id="remove all lines"),
    pytest.param("@@\n b\n-c\n+", ABC, b"# a\nb\n\n", id="an empty line for the last"),
    pytest.param("@@\n b", ABC, ABC, id="kept lines only"),
    pytest.param("@@\n-x\n+1", ONE, b"one\n1\ntwo\nx\n", id="the first of two places"),
    pytest.param("@@\n-b\n+y", b"b \nb\n", b"b \ny\n", id="an exact place wins over an earlier loose one"),
    pytest.param("@@\n x\n-b\n+y", b"x\nb \nx\nb\n", b"x\nb \nx\ny\n", id="exact in all lines"),
    pytest.param("@@\n-b\n+y", b"ab\nb\nbc\n", b"ab\ny\nbc\n", id="whole lines only"),
    # "@@" with a line to find first
    pytest.param("@@ two\n-x\n+y", ONE, b"one\nx\ntwo\ny\n", id="header: the place after it"),
    pytest.param("@@   two\n-x\n+y", b"one\nx\n  two\nx\n", b"one\nx\n  two\ny\n", id="header: indented"),
    pytest.param("@@ # a  \n-b\n+y", ABC, b"# a\ny\nc\n", id="header: blanks after it are dropped"),
    pytest.param("@@ \n-x\n+y", ONE, b"one\ny\ntwo\nx\n", id="header: blanks are none"),
    pytest.param("@@ x\n-c\n+q", b"x\na\nx\nc\n", b"x\na\nx\nq\n", id="header: need not be next to the hunk"),
    pytest.param("@@ # a\n+x\n+y", ABC, b"# a\nb\nc\nx\ny\n", id="header: adds at the end all the same"),
    # several hunks
    pytest.param("@@\n-one\n+1\n@@\n-two\n+2", ONE, b"1\nx\n2\nx\n", id="two hunks in order"),
    pytest.param("@@\n-x\n+1\n@@\n-x\n+2", ONE, b"one\n1\ntwo\n2\n", id="the same hunk twice"),
    pytest.param("@@\n+z\n@@\n-a\n+y", b"a\nb\n", b"y\nb\nz\n", id="adding does not move on"),
    pytest.param("@@\n+z\n@@\n+w", b"a\nb\n", b"a\nb\nz\nw\n", id="added twice, in order"),
    pytest.param("@@\n+z\n@@\n-b\n+y", b"a\nb\n", b"a\ny\nz\n", id="added before a hunk at the end"),
    pytest.param("@@\n+q\n@@\n-a\n+b\n a\n+c\n*** End of File", b"a\na\n", b"b\na\nq\nc\n", id="line by line"),
    # the end of the file
    pytest.param("@@\n-x\n+1\n*** End of File", ONE, b"one\nx\ntwo\n1\n", id="end of file: the last place"),
    pytest.param("@@\n+z\n*** End of File", b"one\nx\n", b"one\nx\nz\n", id="end of file: adds"),
    pytest.param("@@\n-c\n+y\n*** End of File  ", ABC, b"# a\nb\ny\n", id="end of file: blanks after it"),
    pytest.param("@@\n-b\n+x", b"# a\nb\nc", b"# a\nx\nc\n", id="no final newline: gets one"),
    pytest.param("@@\n-c\n+x", b"# a\nb\nc", b"# a\nb\nx\n", id="no final newline: the last line"),
    pytest.param("@@\n b", b"# a\nb\nc", b"# a\nb\nc\n", id="no final newline: gets one without a change"),
    pytest.param("@@\n+x", b"", b"x\n", id="empty file"),
    pytest.param("@@\n+x", b"a", b"a\nx\n", id="adds to a line without newline"),
    pytest.param("@@\n+x", b"\n", b"\nx\n", id="adds to an empty line"),
    pytest.param("@@\n+x", b"# a\nb\n\n", b"# a\nb\n\nx\n", id="adds after an empty last line"),
    pytest.param("@@\n b\n+x", b"# a\nb\n\n", b"# a\nb\nx\n\n", id="before an empty last line"),
    # empty lines of the patch
    pytest.param("@@\n a\n\n-b\n+c", b"a\n\nb\n", b"a\n\nc\n", id="an empty line is a kept one"),
    pytest.param("@@\n-a\n+1\n\n@@\n-b\n+c", b"a\n\nb\n", b"1\n\nc\n", id="between hunks, the file has it"),
    pytest.param("@@\n-a\n+1\n\n@@\n-b\n+c", b"a\nb\n", b"1\nc\n", id="between hunks, the file has none"),
    pytest.param("\n@@\n-a\n+1", b"a\nb\n", b"1\nb\n", id="above the first @@"),
    pytest.param("@@\n-a\n+1\n", b"a\nb\n", b"1\nb\n", id="below the last line"),
    pytest.param("@@\n-c\n+y\n ", ABC, b"# a\nb\ny\n", id="a blank below the last line"),
    pytest.param("@@\n-c\n-\n+y", ABC, b"# a\nb\ny\n", id="removed, the file has none"),
    pytest.param("@@\n-a\n-\n+y\n+", b"a\nb\n", b"y\nb\n", id="removed and added, the file has none"),
    pytest.param("@@\n-\n+y", b"a\nb\n", b"y\na\nb\n", id="nothing else removed"),
    pytest.param("@@\n-\n+y\n@@\n-b\n+q", b"a\nb\n", b"y\na\nq\n", id="nothing else removed, then a hunk"),
    pytest.param("@@\n-\n+y", b"", b"y\n", id="nothing else removed, empty file"),
    pytest.param("@@ a\n-\n+y", b"a\nb\n", b"a\ny\nb\n", id="nothing else removed, header"),
    pytest.param("@@\n-b\n-\n+y\n*** End of File", b"a\nb\n", b"a\ny\n", id="at the end of the file"),
    # line ends and odd bytes
    pytest.param("@@\n # a\n-b\n+x\n+y", b"# a\r\nb\r\nc\r\n", b"# a\r\nx\r\ny\r\nc\r\n", id="CRLF file"),
    pytest.param("@@\n-b\n+x\n+y", b"# a\nb\r\nc\r\n", b"# a\nx\ny\nc\r\n", id="mixed file, LF first"),
    pytest.param("@@\n-b\n+x\n+y", b"# a\r\nb\nc\n", b"# a\r\nx\r\ny\r\nc\n", id="mixed file, CRLF first"),
    pytest.param("@@\n-a\n b\n+c", b"x\r\na\nb\nd\n", b"x\r\nb\nc\r\nd\n", id="mixed file, a kept line keeps its own"),
    pytest.param("@@\n b\n+y", b"a\r\nb", b"a\r\nb\r\ny\r\n", id="CRLF file without final newline"),
    pytest.param("@@\n-a\n+y", b"a\r\nb", b"y\r\nb\r\n", id="CRLF file without final newline, elsewhere"),
    pytest.param("@@\n-b\n+y", b"a\rq\nb\n", b"a\rq\ny\r", id="a lone CR is a line end"),
    pytest.param("@@\n-b\n+y", b"a\r\r\nb\r\r\n", b"a\r\r\ny\r\r\n", id="CR CR LF"),
    pytest.param("@@\n-b\n+x\ry", ABC, b"# a\nx\ry\nc\n", id="CR inside a new line"),
    pytest.param("@@\n-b\r\n+x\r\r", ABC, b"# a\nx\nc\n", id="CR at the end of a line of the patch"),
    pytest.param("@@\n-b\n+y\x0cz\x85q\u2028r", ABC, "# a\ny\x0cz\x85q\u2028r\nc\n".encode(), id="no other line ends"),
    pytest.param("@@\n # \u8bb0\n+\u5fc6", "# 记\n".encode(), "# 记\n忆\n".encode(), id="CJK"),
    # lines that look like more
    pytest.param("@@\n *** Add File: Q\n-b\n+z", b"*** Add File: Q\nb\n", b"*** Add File: Q\nz\n", id="kept: a head"),
    pytest.param("@@\n @@ q\n-b\n+z", b"@@ q\nb\n", b"@@ q\nz\n", id="kept: @@"),
    pytest.param(" *** Move to: Q\n-b\n+z", b"*** Move to: Q\nb\n", b"*** Move to: Q\nz\n", id="kept: a move"),
    pytest.param("@@\n-b\n+z\n *** End Patch", b"b\n*** End Patch\n", b"z\n*** End Patch\n", id="kept: the end"),
]


@pytest.mark.parametrize(("lines", "before", "after"), UPDATED)
def test_hunks_do_what_codex_was_seen_to_do(lines: str, before: bytes, after: bytes) -> None:
    assert updated(before, hunks_of(lines)) == after


# Codex refuses the first group and finds a place for the second; both depend on more than whole equal lines.
NOT_FOUND = [
    pytest.param("@@\n-zip\n+y", ABC, id="no such line"),
    pytest.param("@@ zip\n-x\n+y", ONE, id="no such header"),
    pytest.param("@@ -1,2 +1,2 @@\n-x\n+y", ONE, id="header of a unified diff"),
    pytest.param("@@ two\n-two\n+y", ONE, id="header is the line itself"),
    pytest.param("@@\n-two\n+2\n@@\n-one\n+1", ONE, id="out of order"),
    pytest.param("@@\n-b\n+y\n@@ a\n-c\n+q", b"a\nb\nc\n", id="header before the last place"),
    pytest.param("@@\n a\n-b\n+y\n@@ b\n-c\n+q", b"a\nb\nc\n", id="header inside the last place"),
    pytest.param("@@\n-one\n+1\n*** End of File", ONE, id="not at the end"),
    pytest.param("@@\n-x\n+1\n*** End of File", ONE + b"\n", id="an empty line after it"),
    pytest.param("@@\n-x\n+1\n@@\n-x\n+2\n*** End of File", b"one\nx\n", id="the end is taken"),
    pytest.param("@@\n-c\n+1\n*** End of File", b"abc", id="the end of a line is no line"),
    pytest.param("\n\n@@\n-b\n+y", b"b\n", id="two empty lines, the file has none"),
    pytest.param("@@\n-# a\n+y", b"\xef\xbb\xbf" + ABC, id="byte order mark"),
    pytest.param("@@\n-b\n+y", b"", id="empty file"),
    pytest.param("@@\n-b  \n+y", ABC, id="loose: blanks after a line"),
    pytest.param("@@ two\n-x\n+y", b"one\nx\n  two  \nx\n", id="loose: blanks around a header"),
    pytest.param("@@ b \n-b\n+y", b"b \nb\nb \n", id="loose: a header without the blanks after it"),
    pytest.param("@@\n-b\n-\n+y", b"b\n  \nb\nz\n", id="loose: an empty line that is a blank one"),
    pytest.param('@@\n-"q"\n-\n+y', '“q”\n\n"q"\n'.encode(), id="loose: quotes, then an empty line"),
]


@pytest.mark.parametrize(("lines", "before"), NOT_FOUND)
def test_a_hunk_that_is_not_there_line_for_line_is_not_placed(lines: str, before: bytes) -> None:
    assert updated(before, hunks_of(lines)) is None


def test_no_hunks_leave_the_file_alone() -> None:
    assert updated(b"a\r\nb", ()) == b"a\r\nb"


@pytest.mark.parametrize(("count", "after"), [(MAX_RETRIES, b""), (MAX_RETRIES + 1, None)])
def test_only_so_many_empty_ends_are_tried(count: int, after: bytes | None) -> None:
    assert updated(b"x\n" * count, hunks_of("\n".join(["@@\n-x\n-"] * count))) == after


LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=6), max_size=12)


def envelope_lines(old: list[str], new: list[str], context: int) -> list[str]:
    """Write the hunks that make `new` of `old`, whose lines are all different, with so many kept lines around each."""
    lines = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context):
        at_end = group[-1][2] == len(old)
        lines.append("@@")
        for tag, i, j, k, m in group:
            lines += [f" {line}" for line in old[i:j]] if tag == "equal" else [f"-{line}" for line in old[i:j]]
            lines += [] if tag == "equal" else [f"+{line}" for line in new[k:m]]
        lines += ["*** End of File"] if at_end else []
    return lines


@st.composite
def two_texts(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    old = [f"{number} {line}" for number, line in enumerate(draw(LINES))]
    kept = [line for line in old if draw(st.booleans())]
    new = [line for kept_line in kept for line in (*draw(st.lists(st.text("ab ", max_size=3), max_size=2)), kept_line)]
    return old, new + draw(LINES)


@given(two_texts(), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 3))
@settings(max_examples=200)
def test_a_patch_made_from_two_texts_leads_from_one_to_the_other(
    texts: tuple[list[str], list[str]], line_end: str, has_final_newline: bool, context: int
) -> None:
    old, new = texts
    before = "".join(line + line_end for line in old)
    before = before if has_final_newline else before.removesuffix(line_end)
    assume(old != new)
    hunks = hunks_of("\n".join(envelope_lines(old, new, context)))
    after = "".join(line + (line_end if line_end in before else "\n") for line in new)
    assert updated(before.encode(), hunks) == after.encode()


@given(st.binary(max_size=60), st.lists(st.lists(st.sampled_from([" a", "-a", "+a", "", "-", "+b", " b"]), min_size=1)))
@settings(max_examples=300)
def test_hunks_never_raise_over_any_bytes(before: bytes, groups: list[list[str]]) -> None:
    lines = [line for group in groups for line in ("@@", *group)]
    after = updated(before, hunks_of("\n".join(lines)))
    assert after is None or not groups or not after or after.endswith((b"\n", b"\r"))
