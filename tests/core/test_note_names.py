"""core/note_names.py: which spellings name the same note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.memory_servers import READ_TARGET_KEYS, WRITE_TARGET_KEYS
from memstile.core.note_names import folder_of, is_same_note, note_name
from tests.hosts.payload_tools import JSON

NAMES: list[tuple[dict[str, object], str]] = [
    ({"identifier": "Vault Notes/My_Note"}, "|vault-notes/my-note"),
    ({"identifier": "vault-notes/my-note"}, "|vault-notes/my-note"),
    ({"identifier": "Vault Notes/My_Note.md"}, "|vault-notes/my-note"),
    ({"identifier": "memory://vault-notes/my-note"}, "|vault-notes/my-note"),
    ({"identifier": "./Vault Notes/My_Note.MD"}, "|vault-notes/my-note"),
    ({"title": "My_Note", "directory": "/Vault Notes/"}, "|vault-notes/my-note"),
    ({"title": "My_Note", "folder": "Vault Notes"}, "|vault-notes/my-note"),
    ({"title": "a/b: c", "directory": "/"}, "|a-b-c"),
    ({"title": "My_Note", "directory": "Vault Notes", "project": "Main One"}, "main-one|vault-notes/my-note"),
    ({"file_path": "a.md", "identifier": "b", "title": "c"}, "|a"),
    ({"file_path": "", "identifier": "b"}, "|b"),
    ({"title": "c", "directory": "../x"}, ""),
    ({"title": 7}, ""),
    ({"title": " "}, ""),
    ({}, ""),
]


@pytest.mark.parametrize(("arguments", "name"), NAMES, ids=str)
def test_a_call_names_its_note(arguments: dict[str, object], name: str) -> None:
    assert note_name(arguments, WRITE_TARGET_KEYS) == name


def test_a_read_also_takes_an_id_or_a_path() -> None:
    assert [note_name({key: "a/B.md"}, READ_TARGET_KEYS) for key in READ_TARGET_KEYS] == ["|a/b"] * 4


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("|a/b", "|a/b", True),
        ("p|a/b", "|a/b", True),
        ("p|a/b", "p|a/b", True),
        ("p|a/b", "q|a/b", False),
        ("p|a/b", "|p/a/b", True),
        ("p|a/b", "|q/a/b", False),
        ("|b", "|a/b", False),
        ("", "", False),
        ("|a", "", False),
    ],
)
def test_names_are_compared(one: str, other: str, is_same: bool) -> None:
    assert (is_same_note(one, other), is_same_note(other, one)) == (is_same, is_same)


@pytest.mark.parametrize(("name", "folder"), [("p|a/b/c", "a/b/"), ("|c", ""), ("", "")])
def test_a_note_is_in_a_folder(name: str, folder: str) -> None:
    assert folder_of(name) == folder


@given(st.dictionaries(st.sampled_from(["identifier", "title", "directory", "project", "file_path"]), JSON))
def test_any_arguments_have_a_short_name_or_none(arguments: dict[str, object]) -> None:
    assert len(note_name(arguments, WRITE_TARGET_KEYS)) <= 300


def test_a_long_name_is_a_digest() -> None:
    names = [note_name({"identifier": letter * 1_000}, WRITE_TARGET_KEYS) for letter in "ab"]
    assert [len(name) for name in names] == [33, 33]
    assert not is_same_note(*names)
