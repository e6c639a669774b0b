"""core/index_verdict.py: the table of verdicts on a tool call that writes an index."""

from __future__ import annotations

import pytest

from memstile.core import reasons
from memstile.core.answer import SILENT, Answer
from memstile.core.change import REJECTED, UNKNOWN, Applied, Outcome
from memstile.core.index_verdict import Index, judge_write
from memstile.core.measure import Size, measure
from memstile.core.reading import MISSING, Kind, Reading
from memstile.core.settings import DEFAULTS
from memstile.core.verdict import Verdict
from tests.vault_tools import index


def lines(count: int, size: int | None = None) -> Reading:
    data = index(count, size)
    return Reading(Kind.FILE, measure(data), data)


def done(count: int, size: int | None = None) -> Applied:
    return Applied(Outcome.DONE, index(count, size))


GONE = Applied(Outcome.DONE)
SECRET = Reading(Kind.UNREADABLE, Size(None, 9_000), why="Permission denied")
SECRET_OVER = Reading(Kind.UNREADABLE, Size(None, 30_000), why="Permission denied")
DARK = Reading(Kind.UNREADABLE, None, why="a symlink to nothing")
FOLDER = Reading(Kind.NOT_REGULAR, why="a folder")
HUGE = Reading(Kind.TOO_LARGE, Size(None, 9_000_000), why="too large")

DENY, WARN, ALLOW = Verdict.DENY, Verdict.WARN, Verdict.ALLOW
ROWS = [
    pytest.param(lines(100), done(150), ALLOW, "", id="within caps"),
    pytest.param(lines(100), done(151), WARN, reasons.OVER_SOFT, id="over the soft cap"),
    pytest.param(lines(100), done(200), WARN, reasons.OVER_SOFT, id="at the hard cap"),
    pytest.param(lines(100), done(201), DENY, reasons.GREW, id="one past the hard cap"),
    pytest.param(MISSING, done(201), DENY, reasons.GREW, id="a new one past the hard cap"),
    pytest.param(MISSING, done(20), ALLOW, "", id="a new one"),
    pytest.param(lines(210), done(205), WARN, reasons.OVER_HARD, id="210 to 205"),
    pytest.param(lines(210), done(210), WARN, reasons.OVER_HARD, id="210 to 210"),
    pytest.param(lines(210), done(211), DENY, reasons.GREW, id="210 to 211"),
    pytest.param(lines(210, 20_000), done(205, 25_000), WARN, reasons.OVER_HARD, id="fewer lines, legal bytes"),
    pytest.param(lines(210, 26_000), done(205, 26_001), DENY, reasons.GREW, id="fewer lines, more over-cap bytes"),
    pytest.param(lines(120, 25_000), done(120, 25_601), DENY, reasons.GREW, id="one byte past the hard cap"),
    pytest.param(lines(100), REJECTED, ALLOW, "", id="the host refuses it itself"),
    pytest.param(lines(100), UNKNOWN, ALLOW, "", id="not computable, healthy"),
    pytest.param(lines(201), UNKNOWN, DENY, reasons.NOT_COMPUTABLE, id="not computable, over cap"),
    pytest.param(lines(100), done(40), WARN, reasons.SHRANK, id="a wipe"),
    pytest.param(lines(100), GONE, WARN, reasons.SHRANK, id="a deletion"),
    pytest.param(lines(10), GONE, ALLOW, "", id="a deletion of little"),
    pytest.param(SECRET, done(100), WARN, reasons.UNVERIFIED, id="not readable, legal"),
    pytest.param(SECRET, done(260, 20_000), WARN, reasons.UNVERIFIED, id="not readable, lines are not judged"),
    pytest.param(SECRET, done(100, 26_000), DENY, reasons.GREW, id="not readable, bytes alone refuse it"),
    pytest.param(SECRET, UNKNOWN, WARN, reasons.UNVERIFIED, id="not readable, not computable"),
    pytest.param(SECRET_OVER, UNKNOWN, DENY, reasons.NOT_COMPUTABLE, id="not readable, bytes over cap"),
    pytest.param(SECRET_OVER, done(100, 26_000), WARN, reasons.UNVERIFIED, id="not readable, shrinks"),
    pytest.param(DARK, done(230), WARN, reasons.UNVERIFIED, id="nothing known"),
    pytest.param(FOLDER, done(230), WARN, reasons.UNVERIFIED, id="a folder"),
    pytest.param(HUGE, UNKNOWN, DENY, reasons.NOT_COMPUTABLE, id="too large to read"),
]


def judged(before: Reading, applied: Applied, *, index_mode: str = "enforce", is_known_tool: bool = True) -> Answer:
    settings = DEFAULTS._replace(index_windows=(), index_mode=index_mode)
    return judge_write(Index("v/MEMORY.md", before), applied, settings, is_known_tool=is_known_tool)


@pytest.mark.parametrize(("before", "applied", "verdict", "code"), ROWS)
def test_the_table(before: Reading, applied: Applied, verdict: Verdict, code: str) -> None:
    answer = judged(before, applied)
    assert (answer.verdict, answer.code) == (verdict, code)


@pytest.mark.parametrize(("before", "applied", "verdict", "code"), ROWS)
def test_nothing_is_refused_in_audit_mode_and_nothing_said_when_off(
    before: Reading, applied: Applied, verdict: Verdict, code: str
) -> None:
    audited = judged(before, applied, index_mode="audit")
    assert (audited.verdict, audited.code) == (min(verdict, WARN), code)
    assert judged(before, applied, index_mode="off") == SILENT


@pytest.mark.parametrize(("before", "applied", "verdict", "code"), ROWS)
def test_a_tool_that_is_not_known_is_never_refused(
    before: Reading, applied: Applied, verdict: Verdict, code: str
) -> None:
    if applied is UNKNOWN:
        assert judged(before, applied, is_known_tool=False).verdict is WARN


def test_a_refusal_names_numbers_cuts_and_the_open_door() -> None:
    told = judged(lines(190), done(215, 27_000)).to_model
    for part in ("from 190 to 215 lines, hard cap 200", "27,000 bytes, hard cap 25,600", "cut 15 lines and 1,400 bytes",
                 "no larger than it is now passes", "Cheapest cuts", "note-1.md"):  # fmt: skip
        assert part in told


def test_a_refusal_by_name_alone_says_how_to_pin_the_real_one() -> None:
    answer = judge_write(Index("docs/MEMORY.md", lines(100), is_by_name=True), done(230), DEFAULTS)
    assert answer.to_model.endswith(reasons.BY_NAME_ALONE)


def test_what_a_host_does_not_load_is_named_by_its_notes() -> None:
    data = index(120, 25_300)
    applied = Applied(Outcome.DONE, data + b"- [last](last.md)\n")
    answer = judge_write(Index("v/MEMORY.md", lines(120, 25_000)), applied, DEFAULTS)
    assert "claude-code does not load" in answer.to_model
    assert "last.md" in answer.to_model
