"""core/gate_reasons.py: one message for each refusal, of facts and options."""

from __future__ import annotations

import pytest

from memstile.core.gate_reasons import MESSAGES, audited, message, warned
from memstile.core.gate_words import ALLOWS, DENIALS, GUARDED


def test_every_refusal_has_a_message_and_nothing_else_has_one() -> None:
    assert set(MESSAGES) == set(DENIALS)
    assert [message(code, "basic-memory") for code in ALLOWS] == [""] * len(ALLOWS)


@pytest.mark.parametrize("code", DENIALS)
@pytest.mark.parametrize("server", ["basic-memory", ""])
def test_a_message_begins_with_its_code_and_gives_no_orders(code: str, server: str) -> None:
    text = message(code, server)
    assert text.startswith(f"{code}: ")
    assert text.endswith(".")
    assert "{" not in text.replace('{"task"', "")
    assert not any(word in text.lower() for word in ("you must", "must ", "do not", "don't", "please", "retry"))


def test_the_calls_that_satisfy_the_gate_are_named() -> None:
    assert "mcp__notes__search_notes" in message("CREATE_REQUIRES_SEARCH", "notes")
    assert "mcp__notes__read_note" in message("OVERWRITE_REQUIRES_READ", "notes")
    assert "reading its index" in message("MEMORY_LOOKUP_REQUIRED", "")
    text = message("CLASSIFICATION_REQUIRED", "notes")
    assert 'mcp__memstile__classify with {"task": "simple"}' in text
    assert "`memstile classify complex`" in text


def test_what_went_through_says_so() -> None:
    assert audited("MEMORY_LOOKUP_FAILED", "a").startswith("Audit mode let this call through; ")
    assert warned(("RECLASSIFIED", *GUARDED[:2]), "a").count("A remark, the call was let through.") == 2
    assert warned((), "a") == ""


def test_a_servers_name_is_made_safe() -> None:
    assert "\x1b" not in message("MEMORY_LOOKUP_REQUIRED", "a\x1b[31m")
