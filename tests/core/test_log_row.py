"""core/log_row.py: what a row keeps, its text and its digest, and what of a path is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.gate_step import GateRow
from memstile.core.log_row import (
    MAX_TEXT,
    START,
    Row,
    bounded,
    chained,
    identity,
    plain,
    read,
    redacted,
    row_of,
    rows_of,
    written,
)

GATE = GateRow("tool_call", "#t1", "c", "t", "write", "deny", "CODE", "deny", False, "complex", "idle", ("SEEN",))


@given(st.from_type(Row))
def test_a_row_is_read_back_as_it_was_written(row: Row) -> None:
    assert read(written(plain(row))) == plain(row)
    assert plain(plain(row)) == plain(row)


@given(st.text())
def test_a_text_that_is_no_row_is_none_and_never_raises(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["{}", "null", "[1.5]", '["1"]', "[1, 2.0, 3]", "[true]", "[1, 1]"])
def test_a_value_of_another_type_is_no_row(text: str) -> None:
    assert read(text) is None


def test_fields_of_other_versions_are_defaults_or_left_out() -> None:
    whole = written(Row(id=1, host="h"))
    assert read(whole[:-1] + ', "new"]') == Row(id=1, host="h")
    assert read('[1, 2.0, "h"]') == Row(id=1, time=2.0, host="h")


@given(st.from_type(GateRow), st.from_type(Row))
def test_a_row_can_hold_every_row_of_the_gate(gate: GateRow, known: Row) -> None:
    row = row_of(gate, known)
    kept = [field for field in GateRow._fields if field != "is_minor"]
    assert [getattr(row, field) for field in kept] == [getattr(gate, field) for field in kept]
    assert read(written(plain(row))) == plain(row)


@pytest.mark.parametrize(
    ("mode", "action", "enforced"),
    [("enforce", "deny", True), ("enforce", "allow", True), ("enforce", "", False), ("audit", "allow", False)],
)
def test_a_decision_is_enforced_in_enforce_alone(mode: str, action: str, enforced: bool) -> None:
    assert row_of(GATE._replace(action=action), Row(mode=mode)).enforced is enforced


@pytest.mark.parametrize(("level", "calls"), [("off", []), ("decision", ["c"]), ("verbose", ["c", "m"])])
def test_the_level_says_which_rows_are_kept(level: str, calls: list[str]) -> None:
    gates = (GATE, GATE._replace(call="m", is_minor=True))
    assert [row.call for row in rows_of(gates, Row(), level)] == calls


def test_there_is_no_field_for_what_must_not_be_kept() -> None:
    assert {"arguments", "content", "text", "prompt", "environment", "message"} & set(Row._fields) == set()


@given(st.text(min_size=MAX_TEXT + 1), st.text(min_size=MAX_TEXT + 1))
def test_a_text_that_is_too_long_is_cut_and_still_told_from_others(one: str, other: str) -> None:
    assert len(bounded(one)) <= MAX_TEXT
    assert (bounded(one) == bounded(other)) is (one == other)


def test_a_digest_depends_on_the_one_before_and_on_the_text() -> None:
    assert len({chained(START, "a"), chained(START, "b"), chained(b"\x01" * 32, "a")}) == 3


def test_a_row_without_a_call_has_no_identity() -> None:
    row = Row(host="h", session="s", agent="a", call="c", event="e")
    assert identity(row._replace(call="")) is None
    assert identity(row._replace(bytes_after=7, time=3.0)) == identity(row)
    ids = (
        "host",
        "session",
        "agent",
        "turn",
        "call",
        "event",
        "tool",
        "decision",
        "reason_code",
        "classification",
        "recall",
    )
    changed = [Row._make({**row._asdict(), field: "x"}.values()) for field in ids]
    assert len({identity(each) for each in (row, *changed)}) == 12
    assert identity(row._replace(host="hs", session="")) != identity(row)


@pytest.mark.parametrize(
    ("how", "most", "result"),
    [
        ("truncate", 9, "/a/b.md"),
        ("truncate", 7, "/a/b.md"),
        ("truncate", 6, "....md"),
        ("truncate", 3, ""),
        ("truncate", 0, ""),
        ("full", 0, "/a/b.md"),
        ("omit", 64, ""),
        ("another", 64, ""),
    ],
)
def test_a_path_is_redacted(how: str, most: int, result: str) -> None:
    assert redacted("/a/b.md", how, most, b"key") == result


@given(st.text(), st.integers(-5, 80))
def test_a_truncated_path_is_never_longer(path: str, most: int) -> None:
    assert len(redacted(path, "truncate", most, b"")) <= max(most, 0)


def test_a_hashed_path_needs_its_key() -> None:
    assert redacted("/a", "hash", 64, b"k") != redacted("/a", "hash", 64, b"other")
    assert redacted("/a", "hash", 64, b"k") == redacted("/a", "hash", 0, b"k")
    assert (redacted("/a", "hash", 64, b""), redacted("", "hash", 64, b"k")) == ("", "")
