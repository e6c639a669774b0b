"""core/fixture_labels.py: a label is found, a topic is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.fixture_labels import has_fixture_label
from tests.hosts.payload_tools import JSON

LABELLED: list[dict[str, object]] = [
    {"tags": ["a", "test-fixture"]},
    {"tags": "a, Test Fixture"},
    {"tags": "#test_fixture"},
    {"tags": "[test-fixtures, b]"},
    {"note_type": "policy-test"},
    {"metadata": {"tags": ["TestFixture"]}},
    {"title": "Test fixture: a turn"},
    {"title": "[test-fixture] a turn"},
    {"title": "[TEST] a turn"},
    {"title": "TEST_FIXTURE"},
    {"content": "x TEST FIXTURE y"},
    {"content": "---\ntags: [a, test-fixture]\n---\n"},
    {"content": "type: test_fixture"},
    {"content": "---\ntest_fixture: true\n---\n"},
    {"content": "see #test-fixture."},
    {"new_content": "POLICY-TEST"},
]
PLAIN: list[dict[str, object]] = [
    {},
    {
        "title": "How our test fixtures are made",
        "content": "A test fixture is set up here. See test-fixture docs.",
    },
    {"tags": ["testing", "fixtures"]},
    {"content": "LATEST FIXTURES and MY_TEST_FIXTURE and TEST_FIXTURES"},
    {"content": "policy test: passed"},
    {"content": "test_fixture: false"},
    {"title": "[tests] of the gate"},
    {"find_text": "TEST_FIXTURE"},
    {"tags": 7, "title": None, "content": [], "metadata": "test-fixture"},
]


@pytest.mark.parametrize("arguments", LABELLED, ids=str)
def test_a_label_is_found(arguments: dict[str, object]) -> None:
    assert has_fixture_label(arguments)


@pytest.mark.parametrize("arguments", PLAIN, ids=str)
def test_a_topic_is_no_label(arguments: dict[str, object]) -> None:
    assert not has_fixture_label(arguments)


@given(st.dictionaries(st.sampled_from(["tags", "title", "content", "metadata", "type"]), JSON))
def test_values_of_any_type_are_looked_at(arguments: dict[str, object]) -> None:
    has_fixture_label(arguments)
