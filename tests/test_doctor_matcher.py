"""doctor_matcher.py: whether a matcher can fire, by the grammar of its host."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.doctor_matcher import fault, fires, tools_of

NAMES = [
    ("", "Write", True),
    ("*", "Write", True),
    ("Write", "Write", True),
    ("Write|Edit", "Edit", True),
    ("Write, Edit", "Edit", True),
    ("write", "Write", False),
    ("Write", "WriteMore", False),
    ("mcp__basic-memory", "mcp__basic-memory__write_note", False),
    ("mcp__basic-memory__.*", "mcp__basic-memory__write_note", True),
    ("Wri.*", "MyWrite", True),
    ("^(Write|Edit)$", "Write", True),
    ("(", "Write", None),
]


@pytest.mark.parametrize(("matcher", "tool", "expected"), NAMES)
def test_claude_code_compares_plain_names_whole(matcher: str, tool: str, expected: bool | None) -> None:
    assert fires(matcher, tool, has_names=True) is expected


REGEX = [("write", "overwrite", True), ("Write|Edit", "write", False), ("mcp_", "mcp_a_b", True), ("[", "x", None)]


@pytest.mark.parametrize(("matcher", "tool", "expected"), REGEX)
def test_the_others_search(matcher: str, tool: str, expected: bool | None) -> None:
    assert fires(matcher, tool, has_names=False) is expected


def test_the_tools_of_a_matcher_are_its_alternatives() -> None:
    assert tools_of("^(Write|Edit|mcp__.*)$") == ("Write", "Edit", "mcp__server__tool")
    assert tools_of("Write|MCP:.*") == ("Write", "MCP:server__tool")


@given(st.text(max_size=30), st.booleans())
def test_any_text_is_judged(matcher: str, has_names: bool) -> None:
    wanted = "^(Write|Edit)$"
    why = fault(matcher, wanted, tools_of(wanted), has_names=has_names)
    answers = [fires(matcher, tool, has_names=has_names) for tool in ("Write", "Edit")]
    assert (why == "") is all(answers)
