"""core/own_shapes.py: arguments of a host's own tools, read by its own keys and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.change import Change, Edit, Insertion, Opaque, Patch, Substitutions, Whole, apply
from memstile.core.own_shapes import EditBy, EditKeys, EditsBy, EnvelopeBy, OpaqueBy, WholeBy, editor
from memstile.core.request import Write
from memstile.core.tool_shapes import NOT_SAID
from tests.hosts.payload_tools import JSON

M = "/v/MEMORY.md"
PATCH = f"*** Begin Patch\n*** Add File: {M}\n+a\n*** End Patch"
KEYS = EditKeys("old", "new", "all")
SHAPES: dict[str, Callable[[Mapping[str, object]], tuple[Write, ...]]] = {
    "whole": WholeBy("path", "content").writes,
    "edit": EditBy("path", KEYS).writes,
    "edit-once": EditBy("path", EditKeys("old", "new")).writes,
    "edits": EditsBy("path", KEYS).writes,
    "opaque": OpaqueBy("path").writes,
    "envelope": EnvelopeBy("patch").writes,
    "editor": editor,
}


def swapped(*, replace_all: bool = False) -> Substitutions:
    return Substitutions((Edit(b"a", "ü".encode(), replace_all),))


SWAP: dict[str, object] = {"old": "a", "new": "ü"}
ROWS: dict[str, tuple[str, Mapping[str, object], Change | None]] = {
    "whole": ("whole", {"content": "ü"}, Whole("ü".encode())),
    "whole-nothing": ("whole", {"content": ""}, Whole(b"")),
    "whole-no-content": ("whole", {"mode": 1}, Opaque("no content key is known")),
    "whole-by-another-content-key": ("whole", {"text": "a"}, Whole(b"a")),
    "edit": ("edit", SWAP, swapped()),
    "edit-all": ("edit", {**SWAP, "all": True}, swapped(replace_all=True)),
    "edit-all-as-text": ("edit", {**SWAP, "all": "true"}, swapped(replace_all=True)),
    "edit-all-by-another-key": ("edit", {**SWAP, "replace_all": True}, swapped()),
    "edit-all-where-there-is-none": ("edit-once", {**SWAP, "all": True, "": True}, swapped()),
    "edit-beside-a-list": ("edit", {**SWAP, "edits": []}, swapped()),
    "edit-half": ("edit", {"old": "a"}, None),
    "edit-other-keys": ("edit", {"old_string": "a", "new_string": "b"}, None),
    "edits": ("edits", {"edits": [SWAP]}, swapped()),
    "edits-beside-one": ("edits", {"edits": [SWAP], "old": "x", "new": "y"}, swapped()),
    "edits-half": ("edits", {"edits": [SWAP, {}]}, Opaque("some of the edits are not understood")),
    "edits-none": ("edits", {"edits": []}, None),
    "edits-no-list": ("edits", SWAP, None),
    "opaque": ("opaque", {"content": "a"}, NOT_SAID),
    "envelope": ("envelope", {"patch": PATCH}, Patch(PATCH)),
    "envelope-under-another-key": ("envelope", {"input": PATCH}, None),
    "editor-create": ("editor", {"command": "create", "file_text": "a", "content": "b"}, Whole(b"a")),
    "editor-replace": ("editor", {"command": "str_replace", "old_str": "a", "new_str": "ü"}, swapped()),
    "editor-remove": ("editor", {"command": "str_replace", "old_str": "a"}, Substitutions((Edit(b"a", b""),))),
    "editor-insert": ("editor", {"command": "insert", "insert_line": 1, "new_str": "a"}, Insertion(1, b"a")),
    "editor-insert-somewhere": ("editor", {"command": "insert", "new_str": "a"}, NOT_SAID),
    "editor-undo": ("editor", {"command": "undo_edit"}, NOT_SAID),
    "editor-view": ("editor", {"command": "view"}, None),
    "editor-no-command": ("editor", {"file_text": "a"}, None),
}


@pytest.mark.parametrize("row", ROWS)
def test_own_keys_say_what_is_written(row: str) -> None:
    shape, arguments, change = ROWS[row]
    expected = () if change is None else (Write(M, change),)
    assert repr(SHAPES[shape]({"path": M, **arguments})) == repr(expected)


@pytest.mark.parametrize("shape", sorted(SHAPES.keys() - {"envelope"}))
def test_a_file_that_is_not_named_by_the_own_key_is_not_written(shape: str) -> None:
    for arguments in ({}, {"file_path": M}, {"path": ""}, {"path": 1}):
        assert SHAPES[shape]({**SWAP, "edits": [SWAP], "content": "a", "command": "undo_edit", **arguments}) == ()


ARGUMENTS = st.dictionaries(
    st.sampled_from(["path", "content", "old", "new", "all", "edits", "patch", "command", "insert_line", "new_str"]),
    JSON | st.sampled_from([M, PATCH, "create", "insert", "str_replace"]) | st.just([{"old": "a", "new": "b"}]),
)


@settings(max_examples=150)
@given(st.sampled_from(sorted(SHAPES)), ARGUMENTS)
def test_any_arguments_are_read_and_what_is_read_can_be_applied(shape: str, arguments: dict[str, object]) -> None:
    for write in SHAPES[shape](arguments):
        assert write.path
        apply(write.change, b"a\n")
