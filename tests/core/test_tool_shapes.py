"""core/tool_shapes.py: arguments of file tools, and the forms in which hosts name a server's tool."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.change import Added, Edit, Insertion, Move, Opaque, Patch, Substitutions, Whole, apply
from memstile.core.request import Write
from memstile.core.tool_shapes import NOTE_TOOLS, READ_TOOLS, WRITE_TOOLS, naming, note_tool, own_name
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
    "edit-none-understood": ("edit_file", {"path": M, "edits": [{"x": 1}]}, ()),
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
    "move-nowhere": ("move_file", {"source": M}, ()),
    "append": ("append_to_file", {"path": M, "content": "a"}, (Write(M, Added(b"a")),)),
    "append-unknown": ("append_file", {"path": M}, (Write(M, Opaque("no content key is known")),)),
    "patch": ("apply_patch", {"patch": PATCH}, (Write(M, Patch(PATCH)),)),
    "patch-no-envelope": ("apply_patch", {"patch": "--- a\n+++ b\n"}, ()),
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
    assert WRITE_TOOLS[tool](arguments) == writes


def test_an_unknown_tool_may_write_whatever_it_names() -> None:
    why = Opaque("the tool is not known")
    assert naming({"path": "a", "file": "b", "uri": "", "filename": 1}) == (Write("a", why), Write("b", why))


NAMES = {
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
