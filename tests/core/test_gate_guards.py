"""core/gate_guards.py: how strict the guards are, and what they find in a write."""

from __future__ import annotations

import pytest
from hypothesis import given

from memstile.core.gate_calls import classify_call
from memstile.core.gate_guards import Guards, content_codes, guards_of, is_unread_overwrite, written_texts
from memstile.core.gate_words import Level
from memstile.core.settings import DEFAULTS
from memstile.core.turn import FRESH
from tests.hosts.payload_tools import JSON

OFF, WARN, DENY = Level
KEY = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF2hJ4"
ALL = Guards(True, DENY, DENY, DENY, DENY)


def test_the_profile_is_resolved() -> None:
    assert guards_of(DEFAULTS) == Guards()
    assert guards_of(DEFAULTS._replace(gate_profile="strict")) == ALL
    for profile in ("compat", "strict"):
        level = "off"
        own = DEFAULTS._replace(gate_profile=profile, gate_secret_pattern=level, gate_test_fixture="warn")
        assert guards_of(own)[3:5] == (OFF, WARN)
        assert guards_of(own._replace(gate_overwrite_requires_read="deny", gate_duplicate_write="warn"))[1:3] == (
            DENY,
            WARN,
        )


def found(tool: str, arguments: object, guards: Guards = ALL) -> list[str]:
    call = classify_call(f"mcp__basic-memory__{tool}", arguments, ("basic-memory",))
    return [code for code, _ in content_codes(FRESH, call, guards)]


@pytest.mark.parametrize(
    ("arguments", "is_found"),
    [
        ({"content": f"key {KEY}"}, True),
        ({"title": KEY}, True),
        ({"tags": [KEY]}, True),
        ({"metadata": {"a": {"b": [KEY]}}}, True),
        ({"metadata": {KEY: 1}}, True),
        (KEY, True),
        ([KEY], True),
        ({"find_text": KEY, "content": "gone"}, False),
        ({"content": "a note"}, False),
        (None, False),
        (7, False),
    ],
)
def test_a_secret_is_found_in_any_text_that_is_written(arguments: object, is_found: bool) -> None:
    assert found("edit_note", arguments) == (["SECRET_PATTERN_DETECTED"] if is_found else [])
    assert found("edit_note", arguments, Guards(secret=OFF)) == []


@pytest.mark.parametrize(
    ("arguments", "is_found"),
    [
        ({"title": "T", "directory": "notes"}, True),
        ({"title": "T"}, True),
        ({"title": "T", "directory": "tests"}, False),
        ({"title": "T", "directory": "/tests/deep/"}, False),
        ({"title": "T", "directory": "archive/policy-tests"}, False),
        ({"title": "T", "directory": "archive"}, True),
        ({"title": "T", "directory": "tests-of-mine"}, True),
        ({"title": "T", "directory": "tests/../notes"}, True),
        ({"identifier": "tests/t"}, False),
        ({"file_path": "notes/tests/t.md"}, True),
    ],
)
def test_a_test_label_belongs_to_some_folders(arguments: dict[str, object], is_found: bool) -> None:
    seen = found("write_note", {**arguments, "tags": ["test-fixture"]})
    assert seen == (["TEST_FIXTURE_LABEL_IN_PROJECT"] if is_found else [])


def test_no_folder_is_allowed_where_none_is_named() -> None:
    arguments = {"title": "T", "directory": "tests", "tags": "test-fixture"}
    for folders in ((), ("",), ("/",)):
        assert found("write_note", arguments, ALL._replace(fixture_folders=folders)) != []


@pytest.mark.parametrize(("read", "is_unread"), [((), True), (("|d/t",), False), (("|t",), True), (("p|d/t",), False)])
def test_an_overwrite_is_compared_with_what_was_read(read: tuple[str, ...], is_unread: bool) -> None:
    arguments = {"title": "T", "directory": "d", "overwrite": True}
    call = classify_call("mcp__basic-memory__write_note", arguments, ("basic-memory",))
    assert is_unread_overwrite(FRESH._replace(read=read), call) is is_unread
    assert not is_unread_overwrite(FRESH, call._replace(is_overwrite=False))


def test_an_overwrite_that_names_no_note_was_not_read() -> None:
    call = classify_call("mcp__basic-memory__write_note", {"overwrite": True}, ("basic-memory",))
    assert is_unread_overwrite(FRESH._replace(read=("|a",)), call)


@given(JSON)
def test_texts_of_any_arguments_are_found(arguments: object) -> None:
    assert all(isinstance(text, str) for text in written_texts(arguments))
