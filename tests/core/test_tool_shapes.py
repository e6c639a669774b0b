"""core/tool_shapes.py: arguments of file tools, and the forms in which hosts name a server's tool."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile import hook_glance
from memstile.core.answer import joined
from memstile.core.change import Added, Change, Edit, Insertion, Move, Opaque, Patch, Substitutions, Whole, apply
from memstile.core.index_verdict import Index, judge_write
from memstile.core.matching import Matching
from memstile.core.measure import measure
from memstile.core.reading import Kind, Reading
from memstile.core.request import Write
from memstile.core.settings import Settings
from memstile.core.tool_keys import CONTENT_KEYS, NAME_KEYS, PATH_KEYS, TARGET_KEYS
from memstile.core.tool_shapes import NOTE_TOOLS, READ_TOOLS, WRITE_TOOLS, by_any_keys, naming, note_tool, own_name
from memstile.core.verdict import Verdict
from tests.hosts.payload_tools import JSON

M = "/v/MEMORY.md"
PATCH = f"*** Begin Patch\n*** Add File: {M}\n+a\n*** End Patch"


def replaced(*rows: tuple[bytes, bytes]) -> Substitutions:
    return Substitutions(tuple(Edit(old, new) for old, new in rows), is_loose=True)


ROWS: dict[str, tuple[str, Mapping[str, object], tuple[Write, ...]]] = {
    "write": ("write_file", {"path": M, "content": "ü"}, (Write(M, Whole("ü".encode())),)),
    "write-nothing": ("write_file", {"path": M, "content": ""}, (Write(M, Whole(b"")),)),
    "write-other-keys": ("create_text_file", {"filepath": M, "contents": "a"}, (Write(M, Whole(b"a")),)),
    "write-unknown-content": ("write_file", {"path": M, "x": 1}, (Write(M, Opaque("no content key is known")),)),
    "write-two-paths": (
        "write_file",
        {"file_path": "decoy", "path": M, "content": "a"},
        (Write("decoy", Whole(b"a")), Write(M, Whole(b"a"))),
    ),
    "write-two-contents": ("create_file", {"path": M, "content": "", "file_text": "a\n"}, (Write(M, Whole(b"a\n")),)),
    "write-longest-and-most-lines": (
        "write_file",
        {"path": M, "content": "\n\n", "text": "abcd", "data": ""},
        (Write(M, Whole(b"abcd")), Write(M, Whole(b"\n\n"))),
    ),
    "write-longer-under-an-unknown-key": (
        "write_file",
        {"path": M, "content": "a", "markup": "abc", "mode": "x" * 9},
        (Write(M, Whole(b"abc")), Write(M, Whole(b"a"))),
    ),
    "append-with-a-remark": ("append_file", {"path": M, "content": "a", "why": "abc"}, (Write(M, Added(b"a")),)),
    "write-at-the-end": ("write_file", {"path": M, "content": "a", "mode": "append"}, (Write(M, Added(b"a")),)),
    "write-at-the-end-as-python": ("write_file", {"path": M, "content": "a", "mode": "a"}, (Write(M, Added(b"a")),)),
    "write-at-the-end-by-flag": ("save_file", {"path": M, "content": "a", "append": True}, (Write(M, Added(b"a")),)),
    "write-anew-by-mode": ("write_file", {"path": M, "content": "a", "mode": "rewrite"}, (Write(M, Whole(b"a")),)),
    "write-anew-by-flag": ("write_file", {"path": M, "content": "a", "append": False}, (Write(M, Whole(b"a")),)),
    "write-relative-path": ("create_text_file", {"relative_path": M, "content": "a"}, (Write(M, Whole(b"a")),)),
    "write-uri": ("write_file", {"uri": "file:///v/MEMORY%2Emd", "content": "a"}, (Write(M, Whole(b"a")),)),
    "write-no-path": ("write_file", {"content": "a"}, ()),
    "write-path-no-text": ("write_file", {"path": 1, "content": "a"}, ()),
    "edit": (
        "edit_file",
        {"path": M, "edits": [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": ""}]},
        (Write(M, replaced((b"a", b"b"), (b"c", b""))),),
    ),
    "edit-one": ("edit_file", {"path": M, "old_string": "a", "new_string": "b"}, (Write(M, replaced((b"a", b"b"))),)),
    "edit-some-understood": (
        "edit_file",
        {"path": M, "edits": [{"oldText": "a", "newText": "b"}, {"x": 1}]},
        (Write(M, Opaque("some of the edits are not understood")),),
    ),
    "edit-none-understood": (
        "edit_file",
        {"path": M, "edits": [{"x": 1}]},
        (Write(M, Opaque("no edit is understood")),),
    ),
    "edit-by-keys-nobody-knows": (
        "edit_file",
        {"path": M, "code_edit": "a"},
        (Write(M, Opaque("no edit is understood")),),
    ),
    "edit-beside-no-edits": (
        "edit_file",
        {"path": M, "edits": [], "old_str": "a", "new_str": "b"},
        (Write(M, replaced((b"a", b"b"))),),
    ),
    "edit-beside-edits": (
        "edit_file",
        {"path": M, "edits": [{"oldText": "x", "newText": ""}], "old_str": "a", "new_str": "b"},
        (Write(M, replaced((b"x", b""))), Write(M, replaced((b"a", b"b")))),
    ),
    "edit-two-spellings": (
        "edit_file",
        {"path": M, "old_string": "x", "new_string": "", "old_str": "a", "new_str": "b"},
        (Write(M, replaced((b"x", b""))), Write(M, replaced((b"a", b"b")))),
    ),
    "edits-two-spellings-in-a-row": (
        "edit_file",
        {
            "path": M,
            "edits": [{"oldText": "a", "newText": "b", "old_str": "x", "new_str": ""}, {"oldText": "c", "newText": ""}],
        },
        (Write(M, replaced((b"x", b""), (b"c", b""))), Write(M, replaced((b"a", b"b"), (b"c", b"")))),
    ),
    "edits-that-are-no-objects": (
        "edit_file",
        {"path": M, "edits": [{"oldText": "a", "newText": "b"}, 1]},
        (Write(M, Opaque("some of the edits are not understood")),),
    ),
    "edit-dry-with-more": (
        "edit_file",
        {"path": M, "edits": [{"oldText": "a", "newText": "b"}], "dryRun": True, "code_edit": "c"},
        (Write(M, replaced((b"a", b"b"))),),
    ),
    "edit-dry": ("edit_file", {"path": M, "edits": [{"oldText": "a", "newText": "b"}], "dryRun": True}, ()),
    "edit-not-dry": (
        "edit_file",
        {"path": M, "edits": [{"oldText": "a", "newText": "b"}], "dryRun": False},
        (Write(M, replaced((b"a", b"b"))),),
    ),
    "edit-dry-without-a-list": (
        "edit_file",
        {"path": M, "old_string": "a", "new_string": "b", "dryRun": True},
        (Write(M, replaced((b"a", b"b"))),),
    ),
    "move": ("move_file", {"source": "/t/a", "destination": M}, (Write(M, Move("/t/a")),)),
    "copy": ("copy_file", {"src": "a", "to": M}, (Write(M, Move("a")),)),
    "rename": ("rename_file", {"path": "a", "new_path": M}, (Write(M, Move("a")),)),
    "move-from-nowhere": ("move_file", {"destination": M}, (Write(M, Opaque("a file is moved there")),)),
    "rename-in-the-folder": (
        "rename_file",
        {"path": "/v/a.md", "new_name": "MEMORY.md"},
        (Write("MEMORY.md", Move("/v/a.md")), Write(M, Move("/v/a.md"))),
    ),
    "rename-here": ("rename_file", {"path": "a", "newName": M}, (Write(M, Move("a")),)),
    "move-two-sources": (
        "move_file",
        {"source": "a", "path": "b", "destination_path": M},
        (Write(M, Move("a")), Write(M, Move("b"))),
    ),
    "move-two-targets": (
        "move_file",
        {"source": "a", "to": "b", "destination": M},
        (Write(M, Move("a")), Write("b", Move("a"))),
    ),
    "move-uri": (
        "move_file",
        {"source": "file:///t/a", "destination": "FILE://host/v/MEMORY.md"},
        (Write(M, Move("/t/a")),),
    ),
    "move-nowhere": ("move_file", {"source": M}, ()),
    "append": ("append_to_file", {"path": M, "content": "a"}, (Write(M, Added(b"a")),)),
    "append-unknown": ("append_file", {"path": M}, (Write(M, Opaque("no content key is known")),)),
    "patch": ("apply_patch", {"patch": PATCH}, (Write(M, Patch(PATCH)),)),
    "patch-no-envelope": ("apply_patch", {"patch": "--- a\n+++ b\n"}, ()),
    "patch-no-envelope-for-a-file": (
        "apply_patch",
        {"path": M, "diff": "--- a\n+++ b\n"},
        (Write(M, Opaque("the patch is no envelope")),),
    ),
    "patch-two": (
        "apply_patch",
        {"patch": "*** Begin Patch\n*** Delete File: x\n*** End Patch", "input": PATCH},
        (Write("x", Patch("*** Begin Patch\n*** Delete File: x\n*** End Patch")), Write(M, Patch(PATCH))),
    ),
    "editor-two-texts": (
        "str_replace_editor",
        {"command": "insert", "path": M, "insert_line": 1, "new_str": "", "insert_text": "a"},
        (Write(M, Insertion(1, b"")), Write(M, Insertion(1, b"a"))),
    ),
    "editor-another-command": (
        "str_replace_editor",
        {"command": "append", "path": M, "text": "a"},
        (Write(M, Opaque("the tool does not say what will be in the file")),),
    ),
    "editor": (
        "str_replace_editor",
        {"command": "insert", "path": M, "insert_line": 1, "new_str": "a"},
        (Write(M, Insertion(1, b"a")),),
    ),
    "editor-view": ("str_replace_editor", {"command": "view", "path": M}, ()),
    "update": (
        "update_file",
        {"path": M, "content": "a"},
        (Write(M, Opaque("the tool does not say what will be in the file")),),
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_arguments_say_which_files_are_written(row: str) -> None:
    tool, arguments, writes = ROWS[row]
    assert repr(WRITE_TOOLS[tool](arguments)) == repr(writes)  # Whole and Added are equal as tuples


def test_an_unknown_tool_may_write_whatever_it_names() -> None:
    why = Opaque("the tool is not known")
    assert naming({"path": "a", "file": "b", "uri": "", "filename": 1}) == (Write("a", why), Write("b", why))


def test_an_unknown_tool_may_write_what_it_names_as_a_target_or_an_address() -> None:
    why = Opaque("the tool is not known")
    named = {"relative_path": "a", "destination": "b", "uri": "file:///c%20d", "path": "a"}
    assert naming(named) == (Write("a", why), Write("/c d", why), Write("b", why))


WRITE: dict[str, object] = {"path": M, "content": "a"}
SWAP: dict[str, object] = {"path": M, "old_string": "a", "new_string": "b"}
ANY_KEYS: dict[str, tuple[dict[str, object], tuple[Change, ...]]] = {
    "content": (WRITE, (Whole(b"a"),)),
    "edit": (SWAP, (Substitutions((Edit(b"a", b"b"),)),)),
    "edit-spelled-as-content": ({"path": M, "old_text": "a", "new_text": "b"}, (Substitutions((Edit(b"a", b"b"),)),)),
    "edit-and-content": ({**SWAP, **WRITE}, (Substitutions((Edit(b"a", b"b"),)), Whole(b"a"))),
    "patch-and-content": ({"patch": PATCH, **WRITE}, (Patch(PATCH), Whole(b"a"))),
    "half-understood-and-content": (
        {"edits": [{"old_str": "a", "new_str": "b"}, {}], **WRITE},
        (Opaque("some of the edits are not understood"), Whole(b"a")),
    ),
    "nothing-understood": ({"path": M, "x": "a"}, (Opaque("no content key is known"),)),
}


@pytest.mark.parametrize("row", ANY_KEYS)
def test_where_the_kind_of_a_write_is_not_known_all_that_its_keys_may_mean_counts(row: str) -> None:
    arguments, changes = ANY_KEYS[row]
    assert repr(by_any_keys(arguments)) == repr(tuple(Write(M, change) for change in changes))


NAMES = {
    "mcp__mcp-obsidian__obsidian_append_content": "append_content",
    "mcp__fs__write_file": "write_file",
    "mcp__my-fs__write_file": "write_file",
    "mcp__plugin_a_fs__write_file": "write_file",
    "mcp_fs_write_file": "write_file",
    "mcp_my_fs_write_file": "write_file",
    "fs-write_file": "write_file",
    "fs_write_file": "write_file",
    "fs__write_file": "write_file",
    "fs/write_file": "write_file",
    "MCP:write_file": "write_file",
    "fs.read_file": "read_file",
    "write_file": "",
    "overwrite_file": "",
    "fs_write_files": "",
    "mem_memory_write": "",
    "": "",
}


@pytest.mark.parametrize("tool", NAMES)
def test_a_servers_tool_is_known_by_its_own_name(tool: str) -> None:
    assert own_name(tool) == NAMES[tool]


FORMS = ("mcp__basic-memory__{}", "mcp_basic-memory_{}", "basic-memory-{}", "basic-memory_{}", "basic-memory__{}",
         "MCP:{}", "{}")  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tool", sorted(NOTE_TOOLS))
def test_a_tool_that_writes_notes_is_known_in_each_form(form: str, tool: str) -> None:
    assert note_tool(form.format(tool)) == tool


@pytest.mark.parametrize("tool", ["mcp__basic-memory__read_note", "mcp__basic-memory__delete_note", "rewrite_note", ""])
def test_any_other_tool_writes_no_notes(tool: str) -> None:
    assert note_tool(tool) == ""


def test_no_tool_both_reads_and_writes() -> None:
    assert not READ_TOOLS & WRITE_TOOLS.keys()
    assert not NOTE_TOOLS & (READ_TOOLS | WRITE_TOOLS.keys())


ARGUMENTS = st.dictionaries(
    st.sampled_from(["path", "content", "edits", "dryRun", "old_str", "new_str", "command", "insert_line", "source",
                     "destination", "patch", "file_text"]),
    JSON | st.just([{"oldText": "a", "newText": "b"}]) | st.sampled_from(["create", "insert", "str_replace", PATCH]),
)  # fmt: skip


@settings(max_examples=150)
@given(st.sampled_from(sorted(WRITE_TOOLS)), ARGUMENTS)
def test_any_arguments_are_read_and_what_is_read_can_be_applied(tool: str, arguments: dict[str, object]) -> None:
    for write in WRITE_TOOLS[tool](arguments):
        assert write.path
        apply(write.change, b"a\n")


INDEX = b"# Index\n" + b"- one\n" * 20
LONG = "- new\n" * 40
CALLS: dict[str, tuple[str, dict[str, object]]] = {
    "write": ("write_file", {"path": M, "content": LONG}),
    "write-shorter": ("write_file", {"path": M, "content": "# Index\n"}),
    "write-unknown": ("write_file", {"path": M, "x": LONG}),
    "append": ("append_file", {"path": M, "content": "- new\n"}),
    "edit": ("edit_file", {"path": M, "old_str": "# Index\n", "new_str": LONG}),
    "edits": ("edit_file", {"path": M, "edits": [{"oldText": "# Index\n", "newText": LONG}]}),
    "insert": ("str_replace_editor", {"command": "insert", "path": M, "insert_line": 0, "new_str": LONG}),
    "patch": ("apply_patch", {"patch": f"*** Begin Patch\n*** Add File: {M}\n" + "+a\n" * 40 + "*** End Patch"}),
    "move": ("move_file", {"source": "/t/a", "destination": M}),
    "update": ("update_file", {"path": M, "content": "a"}),
}
DECOYS: st.SearchStrategy[dict[str, object]] = st.dictionaries(
    st.sampled_from(
        [*PATH_KEYS, *CONTENT_KEYS, *TARGET_KEYS, "source", "src", "old_str", "new_str", "old_string", "new_string",
         "oldText", "newText", "edits", "patch", "input", "diff", "insert_text"]
    ) | st.text(max_size=6),
    st.sampled_from(["", "decoy", "# Index\n", "absent", LONG, M, [], [{}], True, None, 1]),
    max_size=4,
)  # fmt: skip


def is_refused(tool: str, arguments: Mapping[str, object], hard_lines: int) -> bool:
    """Judge each write of the index as the hook does."""
    index = Index("v/MEMORY.md", Reading(Kind.FILE, measure(INDEX), INDEX))
    answers = [
        judge_write(index, apply(write.change, INDEX, matching=Matching.LOOSE), Settings(index_hard_lines=hard_lines))
        for write in WRITE_TOOLS[tool](arguments)
        if write.path == M
    ]
    return joined(answers).verdict is Verdict.DENY


@pytest.mark.parametrize("hard_lines", [20, 30], ids=["over the cap", "under the cap"])
@pytest.mark.parametrize("row", CALLS)
@settings(max_examples=40)
@given(decoys=DECOYS)
def test_more_arguments_never_make_a_refusal_go_away(row: str, hard_lines: int, decoys: dict[str, object]) -> None:
    tool, arguments = CALLS[row]
    before = is_refused(tool, arguments, hard_lines)
    assert is_refused(tool, {**decoys, **arguments}, hard_lines) >= before


@settings(max_examples=100)
@given(
    st.sampled_from(sorted(CALLS.keys() - {"write", "write-shorter"})),
    st.dictionaries(st.text(max_size=8).map("x-".__add__), JSON, max_size=3),
)
def test_arguments_that_nobody_knows_change_nothing_but_what_may_be_content(row: str, more: dict[str, object]) -> None:
    tool, arguments = CALLS[row]
    assert repr(WRITE_TOOLS[tool]({**more, **arguments})) == repr(WRITE_TOOLS[tool](arguments))


def test_the_glance_looks_at_each_path_that_is_read_here() -> None:
    assert {f'"{key}"'.encode() for key in (*PATH_KEYS, *TARGET_KEYS, *NAME_KEYS)} <= set(hook_glance._PATH_KEYS)
