"""The judge of settled states: what is accepted, what is told, and that nothing is told twice."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.caps import grown_over_hard
from memstile.core.measure import MAX_READ_BYTES, Size, measure
from memstile.core.reading import MISSING, Kind, Reading
from memstile.core.settings import DEFAULTS, Settings
from memstile.core.watch_judge import Judged, Look, Outcome, judge
from memstile.core.watch_known import NOTHING, Known
from tests.vault_tools import index

HOLD_S = 5.0


def reading(data: bytes) -> Reading:
    return Reading(Kind.FILE, measure(data), data)


def look(what: Reading | bytes) -> Look:
    seen = reading(what) if isinstance(what, bytes) else what
    digest = sha256(seen.data).hexdigest() if seen.data is not None else f"{seen.kind.value} {seen.size} {seen.why}"
    return Look("v/MEMORY.md", "v", seen, digest)


class Seen:
    """A row of settled states, judged one after another. said: what was told of each."""

    def __init__(self, settings: Settings = DEFAULTS, hold_s: float = HOLD_S) -> None:
        self.known, self.now, self._settings, self._hold_s = NOTHING, 1000.0, settings, hold_s

    def judged(self, what: Reading | bytes, after_s: float = 1.0) -> Judged:
        self.now += after_s
        done = judge(self.known, look(what), self._settings, self.now, self._hold_s)
        self.known = done.known
        return done

    def said(self, what: Reading | bytes, after_s: float = 1.0) -> tuple[str, ...]:
        """Give the outcome, the codes of what was told, and with a dash before it of what holds no more."""
        done = self.judged(what, after_s)
        return (done.outcome.value, *(row.code for row in done.findings), *(f"-{code}" for code in done.cleared))


def lines(count: int, size: int | None = None) -> bytes:
    return index(count, size) if size else index(count)


TOO_LARGE = Reading(Kind.TOO_LARGE, Size(None, MAX_READ_BYTES + 1), why="large")
UNREADABLE = Reading(Kind.UNREADABLE, why="Permission denied")

# Each row: states one after another, and what is said of each.
STORIES: dict[str, list[tuple[Reading | bytes, tuple[str, ...]]]] = {
    "growth past the cap is told once, and never becomes the base": [
        (lines(140), ("accepted",)),
        (lines(215), ("refused", "MS101")),
        (lines(215), ("refused",)),
        (lines(216), ("refused", "MS101")),
        (lines(214), ("refused",)),
        (lines(216), ("refused",)),
        (lines(140), ("accepted", "-MS102")),
        (lines(215), ("refused", "MS101")),
    ],
    "already over: the base is what was there first": [
        (lines(230), ("accepted", "MS102", "MS104")),
        (lines(230), ("accepted",)),
        (lines(222), ("accepted",)),
        (lines(223), ("refused", "MS101")),
        (lines(221), ("accepted",)),
    ],
    "200, 201, 200 is no news about the soft cap": [
        (lines(150), ("accepted",)),
        (lines(151), ("accepted", "MS103")),
        (lines(150), ("accepted",)),
        (lines(151), ("accepted",)),
        (lines(148), ("accepted",)),
        (lines(147), ("accepted", "-MS103")),
        (lines(151), ("accepted", "MS103")),
    ],
    "past a host window: told, and again only after all was loaded with room": [
        (lines(140, 25_100), ("accepted", "MS103", "MS104")),
        (lines(140, 24_990), ("accepted",)),
        (lines(140, 25_100), ("accepted",)),
        (lines(140, 24_000), ("accepted", "-MS104")),
        (lines(140, 25_100), ("accepted", "MS104")),
    ],
    "what was past a window under a refused state is told when it is left": [
        (lines(140), ("accepted",)),
        (lines(210, 25_700), ("refused", "MS101")),
        (lines(190, 25_300), ("accepted", "MS103", "MS104")),
    ],
    "a torn save is no base": [
        (lines(230, 24_000), ("accepted", "MS102", "MS104")),
        (b"", ("waiting",)),
        (lines(230, 24_000)[:9000], ("waiting",)),
        (lines(222, 23_000), ("accepted",)),
    ],
    "an index that is gone stays gone without a word, and its base stays": [
        (lines(140), ("accepted",)),
        (MISSING, ("waiting",)),
        (lines(215), ("refused", "MS101")),
        (lines(130), ("accepted", "-MS102")),
    ],
    "a new vault begins without an index": [
        (MISSING, ("kept out",)),
        (lines(6), ("accepted",)),
        (lines(215), ("refused", "MS101")),
    ],
    "a small index may go as it likes": [
        (lines(6), ("accepted",)),
        (b"", ("accepted",)),
        (MISSING, ("kept out",)),
        (lines(6), ("accepted",)),
    ],
    "unreadable for a while": [
        (lines(140), ("accepted",)),
        (UNREADABLE, ("kept out", "MS106")),
        (UNREADABLE, ("kept out",)),
        (lines(140), ("accepted", "-MS106")),
    ],
    "too large to be read: the bytes are judged": [
        (lines(140), ("accepted",)),
        (TOO_LARGE, ("refused", "MS101", "MS106")),
        (TOO_LARGE, ("refused",)),
        (lines(140), ("accepted", "-MS102", "-MS106")),
    ],
    "too large from the start": [
        (TOO_LARGE, ("accepted", "MS102", "MS106")),
        (lines(140), ("waiting",)),
    ],
}


@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_told_once(story: str) -> None:
    seen = Seen()
    assert [seen.said(state) for state, _ in STORIES[story]] == [said for _, said in STORIES[story]]


def test_a_sharp_loss_is_told_once_it_has_lasted() -> None:
    seen = Seen()
    seen.said(lines(140))
    assert seen.said(lines(10)) == ("waiting",)
    waiting = seen.judged(lines(10), 2.0)
    assert waiting.due == pytest.approx(seen.now + 3.0)
    assert seen.said(lines(10), 3.0) == ("accepted", "MS105")
    assert seen.said(lines(10)) == ("accepted",)
    assert seen.said(lines(215)) == ("refused", "MS101")


def test_another_loss_in_between_begins_the_wait_anew() -> None:
    seen = Seen()
    seen.said(lines(140))
    assert [seen.said(lines(10 + number), 3.0) for number in range(3)] == [("waiting",)] * 3


def test_an_index_that_stays_gone_is_told_once() -> None:
    seen = Seen()
    seen.said(lines(140))
    assert [seen.said(MISSING, 5.0) for _ in range(3)] == [("waiting",), ("kept out", "MS105"), ("kept out",)]
    assert seen.known.accepted == Size(140, len(lines(140)))


def test_without_a_wait_a_loss_is_told_at_once() -> None:
    seen = Seen(hold_s=0.0)
    assert [seen.said(state) for state in (lines(140), lines(10))] == [("accepted",), ("accepted", "MS105")]


def test_a_loss_says_how_to_get_the_old_content_back() -> None:
    seen = Seen(hold_s=0.0)
    seen.said(lines(140))
    (finding,) = seen.judged(lines(10)).findings
    assert (finding.hint, finding.commands) == (
        "if that was not meant: this shows what was there before, and asks whether to bring it back",
        ("memstile restore v",),
    )


def test_the_words_of_growth_name_both_numbers() -> None:
    seen = Seen()
    seen.said(lines(140))
    (finding,) = seen.judged(lines(215)).findings
    assert finding.message == "index on disk grew from 140 to 215 lines, hard cap 200 (base: the last accepted state)"


def test_nothing_is_said_where_the_index_is_off() -> None:
    seen = Seen(DEFAULTS._replace(index_mode="off"))
    assert [seen.said(lines(count)) for count in (140, 300)] == [("kept out",)] * 2


def test_in_audit_mode_growth_is_a_warning() -> None:
    seen = Seen(DEFAULTS._replace(index_mode="audit"))
    seen.said(lines(140))
    assert [row.severity.name for row in seen.judged(lines(215)).findings] == ["WARNING"]


def test_a_clock_that_went_back_does_not_hold_a_loss_for_ever() -> None:
    seen = Seen()
    seen.said(lines(140))
    seen.said(lines(10))
    assert seen.said(lines(10), -500.0) == ("waiting",)
    assert seen.said(lines(10), 5.0) == ("accepted", "MS105")


CONTENTS = st.builds(
    lambda few, many, line: few * b"- [a](a.md)\n" + many * line,
    st.integers(0, 40),
    st.sampled_from((0, 1, 90, 110, 145, 150, 196, 199, 200, 201, 260)),
    st.sampled_from((b"x\n", b"y" * 120 + b"\n", b"z" * 600)),
)
STATES = CONTENTS.map(reading) | st.sampled_from((MISSING, TOO_LARGE, UNREADABLE))


@given(st.lists(STATES, max_size=6))
def test_the_base_never_grew_past_the_cap(states: list[Reading]) -> None:
    seen = Seen(hold_s=0.0)
    for state in states:
        before = seen.known.accepted
        seen.judged(state)
        after = seen.known.accepted
        assert not (before and after and grown_over_hard(before, after, DEFAULTS.caps))


@given(st.lists(STATES, min_size=1, max_size=6))
def test_the_same_state_again_has_nothing_to_say(states: list[Reading]) -> None:
    seen = Seen(hold_s=0.0)
    for state in states:
        seen.judged(state)
    again = seen.judged(states[-1])
    assert (again.findings, again.cleared) == ((), ())


@given(st.lists(STATES, min_size=1, max_size=6), st.data())
def test_a_restart_changes_nothing_that_is_said(states: list[Reading], data: st.DataObject) -> None:
    from memstile.core.watch_known import read, written

    one, other = Seen(hold_s=0.0), Seen(hold_s=0.0)
    for state in states:
        if data.draw(st.booleans()):
            other.known = read(written(other.known))
        assert one.said(state) == other.said(state)


@given(st.builds(Known), STATES, st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 100))
def test_judging_is_total(known: Known, state: Reading, now: float, hold_s: float) -> None:
    assert isinstance(judge(known, look(state), DEFAULTS, now, hold_s).outcome, Outcome)
