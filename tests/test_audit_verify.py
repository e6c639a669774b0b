"""audit_verify.py, audit_read.py, audit_prune.py: what was done to a log is found, and pruning leaves it clean."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memstile.audit_log import anchor_place
from memstile.audit_prune import prune
from memstile.audit_read import Stats, reading, rows, stats
from memstile.audit_verify import Verified, verify
from memstile.core.log_row import PRUNED, Row
from memstile.store import StoreError, open_store, store_place
from tests.store_tools import NOW, decided, filled, put

DAY_S = 86_400.0


def tampered(folder: Path, *statements: str) -> None:
    """Change a store behind the back of memstile."""
    connection = sqlite3.connect(store_place(str(folder)))
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def kinds(folder: Path) -> list[tuple[int, str]]:
    return [(fault.id, fault.kind) for fault in verify(str(folder)).faults]


def log(folder: Path) -> list[Row]:
    with reading(str(folder)) as connection:
        assert connection is not None
        return list(rows(connection))


DONE: dict[str, tuple[tuple[str, ...], list[tuple[int, str]]]] = {
    "a byte of a row": (("UPDATE log SET text = replace(text, 'allow', 'alloW') WHERE id = 2",), [(2, "edited")]),
    "a digest": (("UPDATE log SET digest = zeroblob(32) WHERE id = 3",), [(3, "edited"), (4, "edited")]),
    "a digest of another type": (("UPDATE log SET digest = 7 WHERE id = 5",), [(5, "edited"), (5, "cut")]),
    "a time": (("UPDATE log SET time = 1 WHERE id = 2",), [(2, "edited")]),
    "what a row is found by": (("UPDATE log SET uid = x'00' WHERE id = 2",), [(2, "edited")]),
    "a row that is none": (("UPDATE log SET text = '[' WHERE id = 2",), [(2, "edited")]),
    "a row is gone": (("DELETE FROM log WHERE id = 3",), [(4, "gap")]),
    "two rows are gone": (("DELETE FROM log WHERE id IN (2, 3)",), [(4, "gap")]),
    "the first row is gone": (("DELETE FROM log WHERE id = 1",), [(2, "gap")]),
    "the end is gone": (("DELETE FROM log WHERE id > 3",), [(0, "cut")]),
    "all is gone": (("DELETE FROM log",), [(0, "cut")]),
    "a row is gone, the others moved up": (
        ("DELETE FROM log WHERE id = 3", "UPDATE log SET id = 3 WHERE id = 4", "UPDATE log SET id = 4 WHERE id = 5"),
        [(3, "edited"), (4, "edited"), (0, "cut")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", DONE)
def test_what_was_done_to_a_log_is_found(case: str, tmp_path: Path) -> None:
    statements, expected = DONE[case]
    tampered(filled(tmp_path), *statements)
    assert kinds(tmp_path) == expected


def test_a_flipped_byte_of_the_file_is_found(tmp_path: Path) -> None:
    tampered(filled(tmp_path))  # all is in the one file then
    place = Path(store_place(str(tmp_path)))
    data = bytearray(place.read_bytes())
    data[data.index(b'"c2"') + 1] ^= 1
    place.write_bytes(data)
    assert kinds(tmp_path) == [(3, "edited")]


def test_a_file_that_is_broken_is_damaged(tmp_path: Path) -> None:
    tampered(filled(tmp_path))  # all is in the one file then
    place = Path(store_place(str(tmp_path)))
    data = bytearray(place.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    place.write_bytes(data)
    assert kinds(tmp_path)[0] == (0, "damaged")


def test_a_log_that_was_cut_and_went_on_says_so(tmp_path: Path) -> None:
    tampered(filled(tmp_path), "DELETE FROM log WHERE id > 3")
    put(tmp_path, decided("later"))
    assert kinds(tmp_path) == [(4, "cut")]


def test_a_store_that_was_deleted_is_cut(tmp_path: Path) -> None:
    tampered(filled(tmp_path))
    Path(store_place(str(tmp_path))).unlink()
    assert kinds(tmp_path) == [(0, "cut")]
    put(tmp_path, decided("later"))
    assert kinds(tmp_path) == [(1, "cut")]


def test_an_anchor_that_is_gone_is_told_and_one_that_is_behind_is_fine(tmp_path: Path) -> None:
    anchor = Path(anchor_place(str(filled(tmp_path, 3))))
    old = anchor.read_bytes()
    put(tmp_path, decided("later"))
    anchor.write_bytes(old)
    assert kinds(tmp_path) == []
    put(tmp_path, decided("last"))
    assert kinds(tmp_path) == []
    anchor.unlink()
    assert kinds(tmp_path) == [(0, "cut")]


def test_a_log_that_was_never_there_is_clean(tmp_path: Path) -> None:
    assert verify(str(tmp_path)) == Verified(0, ())
    assert list(tmp_path.iterdir()) == []


def test_a_broken_invariant_is_told_with_its_name(tmp_path: Path) -> None:
    put(tmp_path, decided("c", action="deny"))
    (fault,) = verify(str(tmp_path)).faults
    assert fault == (
        1,
        "invariant",
        "an invariant is broken: in audit mode nothing is denied or asked (denied-in-audit)",
    )


def test_a_store_of_a_later_version_cannot_be_verified(tmp_path: Path) -> None:
    tampered(filled(tmp_path), "PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer"):
        verify(str(tmp_path))


def pruned(folder: Path, now: float, days: float = 90, most: int = 10_000) -> int:
    store = open_store(str(folder))
    try:
        return prune(store, now, days, most)
    finally:
        store.close()


def test_pruning_leaves_a_checkpoint_and_a_log_that_verifies(tmp_path: Path) -> None:
    filled(tmp_path)
    put(tmp_path, decided("young", time=NOW + DAY_S))
    assert pruned(tmp_path, NOW + 90.5 * DAY_S) == 5
    assert [(row.id, row.event, row.pruned_to) for row in log(tmp_path)] == [(6, "tool_call", 0), (7, PRUNED, 5)]
    assert verify(str(tmp_path)) == Verified(2, ())
    assert pruned(tmp_path, NOW + 90.5 * DAY_S) == 0
    put(tmp_path, decided("next"))
    assert verify(str(tmp_path)) == Verified(3, ())
    tampered(tmp_path, "DELETE FROM log WHERE id = 6")
    assert kinds(tmp_path) == [(7, "gap")]


def test_pruning_goes_in_steps_to_the_last_row(tmp_path: Path) -> None:
    filled(tmp_path)
    assert [pruned(tmp_path, NOW + 100 * DAY_S, most=3) for _ in range(3)] == [3, 2, 0]
    assert verify(str(tmp_path)) == Verified(2, ())
    assert pruned(tmp_path, NOW + 300 * DAY_S) == 1
    assert verify(str(tmp_path)) == Verified(2, ())


@pytest.mark.parametrize(
    ("times", "gone"),
    [
        ((0, 120, 0, 200), 1),  # a row with an old time among young ones stays with them
        ((9_000, 0, 200), 2),  # one from the future goes with its neighbours
        ((9_000, 9_000), 0),
        ((120, 200), 0),
    ],
)
def test_a_clock_that_jumped_prunes_nothing_young(times: tuple[int, ...], gone: int, tmp_path: Path) -> None:
    put(tmp_path, *(decided(f"c{at}", time=NOW + days * DAY_S) for at, days in enumerate(times)))
    assert pruned(tmp_path, NOW + 200 * DAY_S) == gone
    assert kinds(tmp_path) == []


def test_counts_are_of_decisions(tmp_path: Path) -> None:
    over = decided("b", reason_code="B", audit_override=True)
    put(tmp_path, decided("a", reason_code="A"), over, decided("c", action="", event="tool_result"))
    counted = Stats(3, 2, 1, {"allow": 2}, {"A": 1, "B": 1}, {"h": 2}, {"B": 1}, {})
    assert stats(log(tmp_path)) == counted
    assert stats(log(tmp_path), NOW + 1) == Stats(0, 0, 0, {}, {}, {}, {}, {})
