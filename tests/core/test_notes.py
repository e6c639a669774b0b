"""core/notes.py: what basic-memory 0.24.1 made of a note; each result was read from its disk."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.memory_servers import Project
from memstile.core.notes import Parts, edited, joined, parts, written
from tests.hosts.payload_tools import JSON

MAIN = Project("main", "/m", "main/")


def note(path: str, body: str, *entries: str, kind: str = "note") -> str:
    lines = ["title: MEMORY", f"type: {kind}", f"permalink: main/{path}memory", *entries]
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + (f"\n{body}" if body else "")


WRITTEN: dict[str, tuple[str, Mapping[str, object], str | None, str]] = {
    "plain": ("", {"content": "# Index\n- one\n"}, None, note("", "# Index\n- one\n")),
    "again": (
        "",
        {"content": "# Index\n- two\n\n\n"},
        note("", "# Index\n- one\n"),
        note("", "# Index\n- two\n\n\n"),
    ),
    "tags": ("v/Sub Dir/", {"content": "c", "tags": ["a", "b"]}, None, note("v/sub-dir/", "c", "tags:", "- a", "- b")),
    "tags-as-text": ("t/", {"content": "c", "tags": "a, b"}, None, note("t/", "c", "tags:", "- a", "- b")),
    "metadata-beside-what-was-there": (
        "v/",
        {"content": "c", "metadata": {"k": "v", "l": ["x", "y"], "n": 3, "b": True}},
        note("v/", "old", "tags:", "- a"),
        note("v/", "c", "tags:", "- a", "k: v", "l:", "- x", "- y", "n: 3", "b: true"),
    ),
    "type": ("v9/", {"content": "c\r\nd\r\n", "note_type": "index"}, None, note("v9/", "c\r\nd\r\n", kind="index")),
    "own-frontmatter": (
        "v6/",
        {"content": "---\ntitle: Other\ntype: zz\nextra: 1\nlst:\n- a\n---\n\nbody\n"},
        None,
        note("v6/", "body", "extra: 1", "lst:", "- a", kind="zz"),
    ),
    "own-permalink": (
        "v6/",
        {"content": "---\ntitle: Other\npermalink: own/link\n---\nbody\n"},
        None,
        "---\ntitle: MEMORY\ntype: note\npermalink: own/link\n---\n\nbody",
    ),
    "open-fence": ("v6/", {"content": "---\nopen\n"}, None, note("v6/", "---\nopen\n")),
    "nothing": ("v10/", {"content": ""}, None, note("v10/", "")),
    "leading-lines": ("a/", {"content": "\n\n  lead"}, None, note("a/", "\n\n  lead")),
}


@pytest.mark.parametrize("row", WRITTEN)
def test_a_note_is_written_with_its_frontmatter(row: str) -> None:
    folder, arguments, before, after = WRITTEN[row]
    assert written(arguments, "MEMORY", f"{folder}MEMORY.md", before, MAIN) == after


OLD = note("v/", "body\n")
EDITED: dict[str, tuple[Mapping[str, object], str, str | None]] = {
    "append": ({"operation": "append", "content": "more"}, OLD, f"{OLD}more"),
    "append-to-an-open-line": ({"operation": "append", "content": "more\n"}, OLD[:-1], f"{OLD}more\n"),
    "prepend": ({"operation": "prepend", "content": "top"}, OLD, note("v/", "top\nbody")),
    "prepend-a-line": ({"operation": "prepend", "content": "top\n"}, OLD, note("v/", "top\nbody")),
    "replace": ({"operation": "find_replace", "find_text": "body", "content": "B"}, OLD, note("v/", "B\n")),
    "replace-other-key": ({"operation": "find_replace", "search": "body", "new_content": "B"}, OLD, note("v/", "B\n")),
    "replace-absent": ({"operation": "find_replace", "find_text": "zz", "content": "B"}, OLD, None),
    "replace-two-of-one": (
        {"operation": "find_replace", "find_text": "body", "content": "B", "expected_replacements": 2},
        OLD,
        None,
    ),
    "replace-two": (
        {"operation": "find_replace", "find_text": "b", "content": "B", "expected_replacements": 2},
        note("v/", "b b\n"),
        note("v/", "B B\n"),
    ),
    "metadata-alone": (
        {"operation": "append", "content": "", "metadata": {"added": "y"}},
        OLD,
        note("v/", "body\n", "added: y"),
    ),
    "plain-file": (
        {"operation": "append", "content": "x\n"},
        "# I\n- one\n",
        "---\npermalink: main/v/memory\n---\n\n# I\n- one\nx",
    ),
    "before-a-section": (
        {"operation": "insert_before_section", "section": "## B", "content": "new"},
        OLD,
        f"{OLD}new\n",
    ),
    "section": ({"operation": "replace_section", "section": "## B", "content": "new"}, OLD, None),
    "no-operation": ({"content": "new"}, OLD, None),
    "no-content": ({"operation": "append"}, OLD, None),
}


@pytest.mark.parametrize("row", EDITED)
def test_a_note_is_edited(row: str) -> None:
    arguments, before, after = EDITED[row]
    assert edited(arguments, "v/MEMORY.md", before, MAIN) == after


PARTS = {
    "none": ("# I\n", Parts(None, "# I\n")),
    "some": ("---\na: 1\nb:\n- x\n  y\n---\n\nt", Parts({"a": "a: 1\n", "b": "b:\n- x\n  y\n"}, "\nt")),
    "empty": ("---\n---\nt", Parts({}, "t")),
    "open": ("---\na: 1\nt", Parts(None, "---\na: 1\nt")),
    "ends-with-the-fence": ("---\na: 1\n---", Parts({"a": "a: 1\n"}, "")),
    "crlf": ("---\r\na: 1\r\n---\r\nt", Parts({"a": "a: 1\n"}, "t")),
    "inline": ("--- a ---\n", Parts(None, "--- a ---\n")),
    "nothing": ("", Parts(None, "")),
}


@pytest.mark.parametrize("row", PARTS)
def test_a_note_is_taken_apart(row: str) -> None:
    text, found = PARTS[row]
    assert parts(text) == found


@given(st.text("ab:\n- ", max_size=20), st.text("ab\n-", max_size=10))
@settings(max_examples=200)
def test_what_is_put_together_is_taken_apart_again(head: str, body: str) -> None:
    entries = parts(f"---\n{head}\n---\n").entries or {}
    again = parts(joined(entries, body))
    assert (again.entries, again.body.removeprefix("\n")) == (entries, body)


@given(st.dictionaries(st.sampled_from(["content", "operation", "tags", "metadata", "find_text", "note_type"]), JSON))
@settings(max_examples=200)
def test_any_arguments_are_read(arguments: dict[str, object]) -> None:
    written(arguments, "MEMORY", "MEMORY.md", None, MAIN)
    for operation in ("append", "prepend", "find_replace", "insert_after_section"):
        edited({**arguments, "operation": operation}, "MEMORY.md", OLD, MAIN)
