"""restoring.py: which earlier content is meant, how the difference is shown, and what bringing it back keeps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.measure import Size
from memstile.errors import GuardError
from memstile.kept import Kept, keep, kept, read_kept
from memstile.put_back import Outcome, PutBack, put_back
from memstile.quarantine import quarantine_place
from memstile.restoring import Past, bring_back, chosen, difference, moment, past, previous, read, time_told
from tests.clock_tools import in_utc as in_utc

pytestmark = pytest.mark.usefixtures("in_utc")

NOW = 1_796_644_840.5

MOMENTS = [
    ("0s", NOW),
    ("90s", NOW - 90),
    ("30m", NOW - 1800),
    ("2h", NOW - 7200),
    ("3d", NOW - 259_200),
    ("2026-12-07 12:00:40.500", 1_796_644_840.5),
    ("2026-12-07T12:00:40", 1_796_644_840.0),
    ("2026-12-07 12:00", 1_796_644_800.0),
    ("2026-12-07", 1_796_601_600.0),
    ("2026-12-07 12:00:40+02:00", 1_796_637_640.0),
]


@pytest.mark.parametrize(("text", "seconds"), MOMENTS, ids=[text for text, _ in MOMENTS])
def test_a_time_is_read(text: str, seconds: float) -> None:
    assert moment(text, NOW) == seconds


@pytest.mark.parametrize(
    "text", ["", "h", "-1h", "1.5h", "1w", "yesterday", "12:00", "\u0663h", "2026-13-01", "\x1b[31m"]
)
def test_what_is_no_time_is_told(text: str) -> None:
    with pytest.raises(GuardError, match=r"is no time$"):
        moment(text, NOW)


@given(st.floats(0, 4e9))
def test_a_time_as_it_is_shown_is_read_to_the_millisecond(seconds: float) -> None:
    assert moment(time_told(seconds), NOW) == pytest.approx(int(seconds * 1000) / 1000, abs=1e-6)


def row(seconds: float, *, accepted: bool = True) -> Past:
    return Past(Kept(seconds, f"/k/{seconds}", Size(1, 1)), accepted)


ROWS = (row(30.0), row(20.0004), row(10.0), row(25.5, accepted=False))

CHOICES = {
    "by its time": (30.0, ROWS[0]),
    "later": (99.0, ROWS[0]),
    "between two": (29.999, ROWS[1]),
    "by its time as shown": (20.0, ROWS[1]),
    "just before it": (19.999, ROWS[2]),
    "before all": (9.999, None),
    "put aside, by its time": (25.5, ROWS[3]),
    "put aside, not by its time": (25.6, ROWS[1]),
}


@pytest.mark.parametrize(("at", "wanted"), CHOICES.values(), ids=CHOICES)
def test_a_content_is_chosen(at: float, wanted: Past | None) -> None:
    assert chosen(ROWS, at) == wanted


def test_the_previous_one_is_the_last_accepted_that_is_another_than_now(tmp_path: Path) -> None:
    state, index = str(tmp_path), "/v/MEMORY.md"
    assert previous(past(state, index), b"x") is None
    for number, data in enumerate((b"one", b"two", b"six")):
        keep(state, index, data, float(number))
    rows = past(state, index)
    assert [previous(rows, now) for now in (None, b"new", b"six", b"two")] == [rows[0], rows[0], rows[1], rows[0]]
    assert previous(rows[:1], b"six") is None


def test_what_was_taken_off_is_known_too(tmp_path: Path) -> None:
    index = tmp_path / "v/MEMORY.md"
    index.parent.mkdir()
    index.write_bytes(b"bad")
    keep(str(tmp_path / "s"), str(index), b"good", 1.0)
    put_back(str(index), b"bad", b"good", quarantine_place(str(tmp_path / "s")), 2.0)
    rows = past(str(tmp_path / "s"), str(index))
    assert [(known.kept.time, known.is_accepted, read(known)) for known in rows] == [
        (1.0, True, b"good"),
        (2.0, False, b"bad"),
    ]
    for known in rows:
        os.unlink(known.kept.place)
        with pytest.raises(GuardError, match=r"cannot be read"):
            read(known)


def test_a_difference_is_safe_to_show_and_goes_from_now_to_then() -> None:
    lines = list(difference(b"a\nb\x1b[31m\r\nc", b"a\n\xff\nc\n", "M.md", "T"))
    assert lines == [
        "--- M.md, now",
        "+++ M.md, T",
        "@@ -1,3 +1,3 @@",
        " a",
        "-b\\x1b[31m\\r",
        "-c (no newline at the end)",
        "+\\xff",
        "+c",
    ]


def test_no_difference_shows_nothing_and_a_long_one_only_its_length() -> None:
    assert list(difference(b"a\n", b"a\n", "M.md", "T")) == []
    told = ["too long for a diff: 5,001 lines now, 1 line then"]
    assert list(difference(b"a\n" * 5001, b"b\n", "M.md", "T")) == told


def restored(tmp_path: Path, index: Path, now: bytes | None) -> PutBack:
    return bring_back(str(tmp_path / "state"), str(index), now, b"old\n", 9.0)


def held(tmp_path: Path, index: Path) -> list[bytes]:
    return [read_kept(known) for known in kept(str(tmp_path / "state"), str(index))]


def test_what_is_replaced_is_held_and_what_comes_back_counts_as_accepted(tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"now\n")
    done = restored(tmp_path, index, b"now\n")
    assert (done.outcome, Path(done.quarantined).read_bytes()) == (Outcome.DONE, b"now\n")
    assert (index.read_bytes(), held(tmp_path, index)) == (b"old\n", [b"old\n"])


def test_an_index_that_is_gone_is_made_again(tmp_path: Path) -> None:
    assert restored(tmp_path, tmp_path / "MEMORY.md", None) == PutBack(Outcome.DONE)
    assert ((tmp_path / "MEMORY.md").read_bytes(), held(tmp_path, tmp_path / "MEMORY.md")) == (b"old\n", [b"old\n"])


@pytest.mark.parametrize("now", [b"as shown\n", None], ids=["another", "none"])
def test_an_index_that_is_another_by_then_stays(now: bytes | None, tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"newer\n")
    with pytest.raises(GuardError, match=r"by somebody else after it was (shown|looked at)$"):
        restored(tmp_path, index, now)
    assert (index.read_bytes(), held(tmp_path, index)) == (b"newer\n", [])


def test_where_the_folder_is_gone_it_is_told(tmp_path: Path) -> None:
    with pytest.raises(GuardError, match="cannot restore: No such file or directory"):
        restored(tmp_path, tmp_path / "gone/MEMORY.md", None)
