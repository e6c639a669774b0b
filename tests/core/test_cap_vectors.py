"""Verdicts of the cap by an outside guard, on tool calls of Claude Code: ours have to be the same.

tests/vectors/cap.json.gz holds rows of id, before (base64, or null for no file), tool_name, tool_input and expect:
"deny", or "context" and "silent", which both let the call through.
"""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from memstile.core.caps import Caps, over_hard
from memstile.core.change import Applied, Change, Edit, Outcome, Substitutions, Whole, apply
from memstile.core.matching import Matching, encoded
from memstile.core.measure import EMPTY, Size, measure
from memstile.core.verdict import Verdict, judge

CAPS = Caps()
VECTORS: list[dict[str, Any]] = json.loads(
    gzip.decompress((Path(__file__).parent.parent / "vectors" / "cap.json.gz").read_bytes())
)


def edit(row: dict[str, Any]) -> Edit:
    return Edit(encoded(row["old_string"]), encoded(row["new_string"]), row.get("replace_all", False))


def whole(row: dict[str, Any]) -> Change:
    return Whole(encoded(row["content"]))


def one_edit(row: dict[str, Any]) -> Change:
    return Substitutions((edit(row),))


def several_edits(row: dict[str, Any]) -> Change:
    return Substitutions(tuple(map(edit, row["edits"])))


CHANGES = {"Write": whole, "Edit": one_edit, "MultiEdit": several_edits}


def is_denied(before: Size, applied: Applied) -> bool:
    """Judge as the hook does: what the host rejects passes, what is unknown passes while the index is healthy."""
    if applied.outcome is Outcome.DONE:
        after = EMPTY if applied.data is None else measure(applied.data)
        return judge(before, after, CAPS).verdict is Verdict.DENY
    return applied.outcome is Outcome.UNKNOWN and bool(over_hard(before, CAPS))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
@pytest.mark.parametrize("matching", [Matching.EXACT, Matching.TYPOGRAPHIC])
def test_the_verdict_on_a_tool_call_is_the_expected_one(vector: dict[str, Any], matching: Matching) -> None:
    before = None if vector["before"] is None else base64.b64decode(vector["before"]["b64"])
    change = CHANGES[vector["tool_name"]](vector["tool_input"])
    applied = apply(change, before, matching=matching)
    assert is_denied(EMPTY if before is None else measure(before), applied) is (vector["expect"] == "deny")


def test_the_vectors_are_all_here() -> None:
    assert len(VECTORS) == 50
    assert {vector["expect"] for vector in VECTORS} == {"deny", "context", "silent"}
    assert {vector["tool_name"] for vector in VECTORS} == CHANGES.keys()
