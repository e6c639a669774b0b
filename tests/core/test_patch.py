"""core/patch.py: the sections of a Codex envelope."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.hunks import Hunk
from memstile.core.patch import MAX_LINES, FilePatch, Operation, files, moved_onto

A_TO_B = (Hunk(b"", (b"-a\n", b"+b\n")),)
ADDED = FilePatch(Operation.ADD, "N", added=b"x\n")
UPDATED = FilePatch(Operation.UPDATE, "M", hunks=A_TO_B)


def envelope(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch")) + "\n"


ADD = ("*** Add File: N", "+x")
HEAD = "*** Update File: M"
UPDATE = (HEAD, "@@", "-a", "+b")
EOF = "*** End of File"


def adds(data: str, path: str = "N") -> FilePatch:
    return FilePatch(Operation.ADD, path, added=data.encode())


def deletes(path: str) -> FilePatch:
    return FilePatch(Operation.DELETE, path)


def hunk(*lines: bytes, header: bytes = b"", is_at_end: bool = False) -> FilePatch:
    signed = tuple(line + b"\n" for line in lines)
    return FilePatch(Operation.UPDATE, "M", hunks=(Hunk(header, signed, is_at_end),))


def named(*paths: str) -> tuple[FilePatch, ...]:
    return tuple(FilePatch(Operation.UNCLEAR, path) for path in paths)


# Codex 0.171.0 let each of these through, except "a move alone" and "an update alone".
PARSED = [
    pytest.param(envelope(*ADD), (ADDED,), id="add"),
    pytest.param(envelope("*** Delete File: M"), (deletes("M"),), id="delete"),
    pytest.param(envelope(*UPDATE), (UPDATED,), id="update"),
    pytest.param(envelope(*ADD, *UPDATE, "*** Delete File: D"), (ADDED, UPDATED, deletes("D")), id="three"),
    pytest.param(envelope(*UPDATE, *UPDATE), (UPDATED, UPDATED), id="one file twice"),
    pytest.param(envelope(HEAD, "*** Move to: d/N", *UPDATE[1:]), (UPDATED._replace(move_to="d/N"),), id="move"),
    pytest.param(envelope(HEAD, "*** Move to: N"), (FilePatch(Operation.UPDATE, "M", "N"),), id="a move alone"),
    pytest.param(envelope(HEAD), (FilePatch(Operation.UPDATE, "M"),), id="an update alone"),
    pytest.param(envelope("*** Add File: N"), (adds(""),), id="add an empty file"),
    pytest.param(envelope("*** Add File: N", "+"), (adds("\n"),), id="add an empty line"),
    pytest.param(envelope(), (), id="no section"),
    # hunks
    pytest.param(envelope(HEAD, "-a", "+b"), (UPDATED,), id="without @@"),
    pytest.param(envelope(HEAD, "@@   ", "-a", "+b"), (UPDATED,), id="blanks after @@"),
    pytest.param(envelope(HEAD, "@@ x y", " a"), (hunk(b" a", header=b"x y\n"),), id="header"),
    pytest.param(envelope(HEAD, "@@", " a", "", "+b"), (hunk(b" a", b" ", b"+b"),), id="an empty line is kept"),
    pytest.param(envelope(HEAD, "@@", "-a", "*** End of File ", ""), (hunk(b"-a", is_at_end=True),), id="end of file"),
    pytest.param(
        envelope(HEAD, "@@", "-a", EOF, "@@", "+b"),
        (FilePatch(Operation.UPDATE, "M", hunks=(Hunk(b"", (b"-a\n",), is_at_end=True), Hunk(b"", (b"+b\n",)))),),
        id="a hunk after the end of file",
    ),
    # blanks and line ends
    pytest.param("\n\n" + envelope(*ADD) + "\n \n", (ADDED,), id="blank lines outside"),
    pytest.param(envelope(*ADD).rstrip("\n"), (ADDED,), id="no final newline"),
    pytest.param(envelope(*ADD).replace("\n", "\r\n"), (ADDED,), id="CRLF"),
    pytest.param(envelope("*** Add File: N", "+a\rb\r\r"), (adds("a\rb\n"),), id="CR"),
    pytest.param("  *** Begin Patch  \n*** Add File: N\n+x\n\t*** End Patch\t", (ADDED,), id="blanks around the ends"),
    pytest.param(
        envelope("  *** Add File: N  ", "+x", " *** Update File: M", *UPDATE[1:]),
        (ADDED, UPDATED),
        id="blanks around heads",
    ),
    pytest.param(envelope(HEAD, "@@", " *** Add File: N"), (hunk(b" *** Add File: N"),), id="a kept line like a head"),
    pytest.param(envelope(*UPDATE, "*** Add File: N \u00a0", "+x"), (UPDATED, ADDED), id="blanks after a head"),
    pytest.param(envelope("*** Add File:   a b.md "), (adds("", "  a b.md"),), id="blanks before a path belong to it"),
    pytest.param(envelope("*** Add File: N", "+x\u2028y\x0b"), (adds("x\u2028y\x0b\n"),), id="no other line ends"),
    pytest.param(envelope("*** Add File: N", "+\ud83e"), (adds("\ufffd\n"),), id="lone surrogate"),
    pytest.param(envelope("*** Delete File: \udce9"), (deletes("\udce9"),), id="a path that is no text"),
    # around the envelope
    pytest.param(f"<<'EOF'\n{envelope(*ADD)}EOF\n", (ADDED,), id="heredoc"),
    pytest.param(f'<<"EOF"\n{envelope(*ADD)}EOF', (ADDED,), id="heredoc, other quotes"),
    pytest.param(f" <<EOF\n{envelope(*ADD)}EOF\n", (ADDED,), id="heredoc without quotes"),
    pytest.param(envelope("*** Environment ID: e1", *ADD), (ADDED,), id="environment"),
    # As recorded.
    pytest.param(
        "*** Begin Patch\n*** Add File: MEMORY.md\n+# Index\n+- one\n*** End Patch\n",
        (adds("# Index\n- one\n", "MEMORY.md"),),
        id="Codex payload: add",
    ),
    pytest.param(
        "*** Begin Patch\n*** Update File: notes/ok.md\n@@\n-absent line\n+x\n*** End Patch\n",
        (FilePatch(Operation.UPDATE, "notes/ok.md", hunks=(Hunk(b"", (b"-absent line\n", b"+x\n")),)),),
        id="Codex payload: update",
    ),
    pytest.param(
        "*** Begin Patch\n*** Add File: MEMORY.md\n+x\n*** End Patch",
        (adds("x\n", "MEMORY.md"),),
        id="opencode payload",
    ),
]


@pytest.mark.parametrize(("text", "sections"), PARSED)
def test_an_envelope_is_split_into_its_sections(text: str, sections: tuple[FilePatch, ...]) -> None:
    assert files(text) == sections


# Codex 0.171.0 refused each of these.
UNCLEAR = [
    pytest.param("", (), id="empty"),
    pytest.param("hello", (), id="no envelope"),
    pytest.param("--- a/M\n+++ b/M\n@@ -1 +1 @@\n-a\n+b\n", (), id="unified diff"),
    pytest.param("*** Begin Patch", (), id="begins only"),
    pytest.param("hi\n" + envelope(*ADD), named("N"), id="text before"),
    pytest.param(envelope(*ADD) + "bye", named("N"), id="text after"),
    pytest.param(envelope(*ADD).replace("*** End Patch", ""), named("N"), id="no end"),
    pytest.param("\ufeff" + envelope(*ADD), named("N"), id="byte order mark"),
    pytest.param(envelope(*ADD, "*** End Patch", *UPDATE), named("N", "M"), id="ends twice"),
    pytest.param(envelope(*ADD).replace("\n", "\r"), named("N\r+x\r*** End Patch"), id="CR alone"),
    pytest.param(f"apply_patch <<'EOF'\n{envelope(*ADD)}EOF\n", named("N"), id="a command"),
    pytest.param(f"<<'PATCH'\n{envelope(*ADD)}PATCH\n", named("N"), id="another heredoc"),
    pytest.param(f"<<EOF\n\n{envelope(*ADD)}EOF\n", named("N"), id="a blank line in the heredoc"),
    pytest.param(envelope("", *ADD), named("N"), id="blank line before a section"),
    pytest.param(envelope("*** Delete File: M", "", *ADD), named("N", "M"), id="blank line after delete"),
    pytest.param(envelope(*ADD, "", *UPDATE), named("N", "M"), id="blank line after add"),
    pytest.param(envelope("*** Add File: N", " x"), named("N"), id="kept line in add"),
    pytest.param(envelope("*** Add File: N", " +x"), named("N"), id="indented line in add"),
    pytest.param(envelope("*** Add File: N", "*** Move to: M"), named("N", "M"), id="add with a move"),
    pytest.param(envelope("*** Add File:\tN", "+x"), (), id="tab before the path"),
    pytest.param(envelope("*** Update File: ", *UPDATE[1:]), (), id="no path"),
    pytest.param(envelope("*** update file: M", *UPDATE[1:]), (), id="lower case"),
    pytest.param(envelope(HEAD, "*** Move to: ", *UPDATE[1:]), named("M"), id="move to nothing"),
    pytest.param(envelope(HEAD, "*** Move to: N", "*** Move to: O", *UPDATE[1:]), named("M", "N", "O"), id="two moves"),
    pytest.param(envelope(*UPDATE, "*** Move to: N"), named("M", "N"), id="move after hunks"),
    pytest.param(envelope(HEAD, "", "*** Move to: N"), named("M", "N"), id="blank line before a move"),
    pytest.param(envelope(*UPDATE, "foo"), named("M"), id="junk after a hunk"),
    pytest.param(envelope(*UPDATE, "*** foo"), named("M"), id="stars after a hunk"),
    pytest.param(envelope(*UPDATE, "\\ No newline at end of file"), named("M"), id="note of a unified diff"),
    pytest.param(envelope(*UPDATE, "\t*** Add File: N", "+x"), named("N", "M"), id="a head after a tab"),
    pytest.param(envelope(HEAD, "@@a", " a"), named("M"), id="@@ without a blank"),
    pytest.param(envelope(HEAD, "@@", "@@", " a"), named("M"), id="@@ twice"),
    pytest.param(envelope(HEAD, "@@ x", "@@ y", " a"), named("M"), id="two headers"),
    pytest.param(envelope(HEAD, "@@"), named("M"), id="@@ alone"),
    pytest.param(envelope(*UPDATE, "@@"), named("M"), id="@@ last"),
    pytest.param(envelope(HEAD, "@@", *ADD), named("N", "M"), id="@@ before a section"),
    pytest.param(envelope(HEAD, EOF), named("M"), id="end of file alone"),
    pytest.param(envelope(HEAD, "@@ a", EOF), named("M"), id="end of file after @@"),
    pytest.param(envelope(*UPDATE, EOF, EOF), named("M"), id="end of file twice"),
    pytest.param(envelope(*UPDATE, EOF, "+z"), named("M"), id="a line after end of file"),
    pytest.param(envelope(*UPDATE, "\t*** End of File"), named("M"), id="end of file after a tab"),
    pytest.param(envelope("*** Environment ID: ", *ADD), named("N"), id="environment without a name"),
    pytest.param(envelope("*** Environment ID: a", "*** Environment ID: b", *ADD), named("N"), id="two environments"),
    pytest.param(envelope(*ADD, "*** Environment ID: a"), named("N"), id="environment after a section"),
]


@pytest.mark.parametrize(("text", "sections"), UNCLEAR)
def test_what_codex_would_refuse_names_its_files_and_nothing_more(text: str, sections: tuple[FilePatch, ...]) -> None:
    assert files(text) == sections


def test_an_envelope_is_parsed_up_to_its_bound_and_not_beyond() -> None:
    lines = ["*** Add File: N", *["+x"] * (MAX_LINES - 3)]
    assert files(envelope(*lines)) == (FilePatch(Operation.ADD, "N", added=b"x\n" * (MAX_LINES - 3)),)
    assert files(envelope(*lines, "+x")) == named("N")


MOVES = [
    pytest.param(("I",), (), id="none onto this one"),
    pytest.param(("B", "./B"), ("A", "C"), id="from two files"),
    pytest.param(("A",), (), id="away from it"),
    pytest.param(("A", "./B"), ("C",), id="onto another spelling of itself"),
]


@pytest.mark.parametrize(("paths", "sources"), MOVES)
def test_the_sources_of_moves_onto_a_file_are_listed_once(paths: tuple[str, ...], sources: tuple[str, ...]) -> None:
    moves = [("A", "B"), ("C", "./B"), ("A", "./B"), ("D", "")]
    sections = tuple(FilePatch(Operation.UPDATE, path, move_to) for path, move_to in moves)
    assert moved_onto(sections, paths) == sources


CHAINS: dict[str, tuple[list[tuple[str, str]], dict[str, str], tuple[str, ...]]] = {
    "two": ([("A", "B"), ("B", "M")], {}, ("A", "B")),
    "three-with-others-between": ([("A", "B"), ("X", "Y"), ("B", "C"), ("C", ""), ("C", "M")], {}, ("A", "B", "C")),
    "in-the-wrong-order": ([("B", "M"), ("A", "B")], {}, ("B",)),
    "back-and-forth": ([("M", "B"), ("B", "M")], {}, ("B",)),
    "round": ([("A", "B"), ("B", "A"), ("A", "M")], {}, ("A", "B")),
    "another-spelling": ([("A", "./B"), ("B", "M")], {"./B": "/p/B", "B": "/p/B"}, ("A", "B")),
    "another-spelling-that-is-not-told": ([("A", "./B"), ("B", "M")], {}, ("B",)),
    "the-file-by-another-spelling": ([("M", "B"), ("A", "./M")], {"./M": "/p/M", "M": "/p/M"}, ("A",)),
}


@pytest.mark.parametrize("row", CHAINS)
def test_what_comes_onto_a_file_by_way_of_others_is_listed(row: str) -> None:
    moves, names, sources = CHAINS[row]
    sections = tuple(FilePatch(Operation.UPDATE, path, move_to) for path, move_to in moves)
    assert moved_onto(sections, ("M",), names) == sources


def test_a_chain_of_moves_as_long_as_an_envelope_can_be_is_listed_at_once() -> None:
    sections = tuple(FilePatch(Operation.UPDATE, str(at), str(at + 1)) for at in range(20_000))
    assert len(moved_onto(sections, ("20000",))) == 20_000


def test_the_target_of_a_section_is_where_its_content_goes() -> None:
    assert [UPDATED.target, UPDATED._replace(move_to="N").target] == ["M", "N"]


PIECES = st.sampled_from(
    [
        *("*** Begin Patch", "*** End Patch", "*** Add File: N", HEAD, "*** Delete File: M"),
        *(
            "*** Move to: N",
            EOF,
            "*** Environment ID: e",
            "@@",
            "@@ x",
            "+a",
            "-a",
            " a",
            "",
            "\r",
            "EOF",
        ),
        *("<<EOF", "*** ", " *** Add File: N", "\ud800", "\u2028"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("\n".join), st.lists(PIECES).map(lambda lines: envelope(*lines))))
@settings(max_examples=400)
def test_parsing_never_raises_and_each_section_has_a_path(text: str) -> None:
    sections = files(text)
    is_unclear = {section.operation is Operation.UNCLEAR for section in sections}
    assert (len(is_unclear) <= 1, all(section.path for section in sections)) == (True, True)
