"""doctor_matcher.py: whether a matcher can fire, by the grammar of its host."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memstile.doctor_matcher import Grammar, fault, fires, tools_of

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
    ("(?i)^(write|edit)$", "Write", None),
    (r"^(Write|Edit)\Z", "Write", None),
    (r"\A(Write|Edit)$", "Write", None),
    ("^(?P<x>Write)$", "Write", None),
    ("^(?#x)Write$", "Write", None),
    ("^(?>Write)$", "Write", None),
    ("W++rite", "Write", None),
    ("[]W]rite", "Write", None),
    ("^(?:Write|Edit)$", "Write", True),
    ("^(?!Read)", "Write", True),
    ("(?<=W)rite", "Write", True),
    (r"^\w+$", "Write", True),
    (r"^[\w+?+]+$", "Write", True),
    (r"\\Z|Write", "Write", True),
]


@pytest.mark.parametrize(("matcher", "tool", "expected"), NAMES)
def test_claude_code_compares_plain_names_whole(matcher: str, tool: str, expected: bool | None) -> None:
    assert fires(matcher, tool, Grammar.NAMES) is expected


REGEX = [("write", "overwrite", True), ("Write|Edit", "write", False), ("mcp_", "mcp_a_b", True), ("[", "x", None)]


@pytest.mark.parametrize("grammar", [Grammar.JAVASCRIPT, Grammar.RUST])
@pytest.mark.parametrize(("matcher", "tool", "expected"), REGEX)
def test_the_others_search(matcher: str, tool: str, expected: bool | None, grammar: Grammar) -> None:
    assert fires(matcher, tool, grammar) is expected


RUST = [
    ("(?i)^(write|edit)$", True),
    (r"\A(Write|Edit)$", True),
    ("^(?P<x>Write)$", True),
    (r"^(Write|Edit)\Z", None),
    ("^(?!Read)", None),
    ("(?<=W)rite", None),
    (r"(W)rite|\1", None),
]


@pytest.mark.parametrize(("matcher", "expected"), RUST)
def test_codex_has_the_grammar_of_rust(matcher: str, expected: bool | None) -> None:
    assert fires(matcher, "Write", Grammar.RUST) is expected


def test_a_matcher_of_another_grammar_is_told() -> None:
    why = fault("(?i)^(write)$", "^(Write)$", ("Write",), Grammar.NAMES)
    assert why == '"(?i)^(write)$" means something else, or nothing, in JavaScript: the hook may never run'


def test_the_tools_of_a_matcher_are_its_alternatives() -> None:
    assert tools_of("^(Write|Edit|mcp__.*)$") == ("Write", "Edit", "mcp__server__tool")
    assert tools_of("Write|MCP:.*") == ("Write", "MCP:server__tool")


@given(st.text(max_size=30), st.sampled_from(Grammar))
@example("[[", Grammar.NAMES)
def test_any_text_is_judged(matcher: str, grammar: Grammar) -> None:
    wanted = "^(Write|Edit)$"
    why = fault(matcher, wanted, tools_of(wanted), grammar)
    answers = [fires(matcher, tool, grammar) for tool in ("Write", "Edit")]
    assert (why == "") is all(answers)
