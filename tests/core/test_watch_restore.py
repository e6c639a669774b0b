"""Whether an index may be put back: only what was seen growing, and never in a fight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.settings import DEFAULTS, Settings
from memstile.core.watch_restore import PEACE, Fight, Mark, calmed, fought, given_up, may_fight, why_not

HERE = Mark((1, 2), b"ref: refs/heads/main a")
AUDIT = DEFAULTS._replace(index_mode="audit")


@pytest.mark.parametrize(
    ("settings", "mode", "accepted", "now", "why"),
    [
        pytest.param(DEFAULTS, "enforce", HERE, HERE, "", id="seen growing"),
        pytest.param(DEFAULTS, "audit", HERE, HERE, 'watch.mode is "audit"', id="the watcher only reports"),
        pytest.param(AUDIT, "enforce", HERE, HERE, 'index.mode is "audit"', id="nothing refuses there"),
        pytest.param(DEFAULTS, "enforce", None, HERE, "it grew while nobody watched", id="at the start"),
        pytest.param(
            DEFAULTS,
            "enforce",
            HERE._replace(root=(1, 3)),
            HERE,
            "the vault's folder is another one than it was",
            id="after a mount",
        ),
        pytest.param(
            DEFAULTS,
            "enforce",
            HERE._replace(git=b"b"),
            HERE,
            "git's HEAD moved, so that it may be a checkout, a merge or a pull",
            id="a checkout",
        ),
        pytest.param(
            DEFAULTS,
            "enforce",
            HERE,
            HERE._replace(git=None),
            "git is in the middle of a merge, a rebase or the like",
            id="a merge with conflicts",
        ),
        pytest.param(
            DEFAULTS,
            "enforce",
            HERE._replace(git=None),
            HERE._replace(git=None),
            "git is in the middle of a merge, a rebase or the like",
            id="in the middle of a merge all the time",
        ),
    ],
)
def test_an_index_is_put_back(settings: Settings, mode: str, accepted: Mark | None, now: Mark, why: str) -> None:
    assert why_not(settings, mode, accepted, now, is_read=True) == why


def test_what_was_not_read_is_not_put_back() -> None:
    assert why_not(DEFAULTS, "enforce", HERE, HERE, is_read=False) == "it is too large to be read"


def after(*times: float) -> Fight:
    fight = PEACE
    for time in times:
        fight = fought(fight, time)
    return fight


@pytest.mark.parametrize(
    ("times", "now", "may"),
    [
        pytest.param((), 0.0, True, id="never yet"),
        pytest.param((1.0, 2.0), 3.0, True, id="a third time"),
        pytest.param((1.0, 2.0, 3.0), 60.9, False, id="a fourth time within a minute"),
        pytest.param((1.0, 2.0, 3.0), 61.0, True, id="a fourth time after a minute"),
    ],
)
def test_it_is_put_back_three_times_a_minute(times: tuple[float, ...], now: float, may: bool) -> None:
    assert may_fight(after(*times), now) is may


def test_who_gave_up_begins_anew_after_an_accepted_state_and_a_quiet_minute() -> None:
    fight = given_up(after(1.0, 2.0, 3.0))
    assert (calmed(fight, 62.0), calmed(fight, 63.0)) == (fight, PEACE)
    assert not may_fight(fight, 1000.0)


@given(st.lists(st.floats(min_value=0, max_value=1000)))
def test_never_more_than_three_in_a_minute(moments: list[float]) -> None:
    fight, done = PEACE, []
    for now in sorted(moments):
        if may_fight(fight, now):
            fight = fought(fight, now)
            done.append(now)
    assert all(sum(0 <= other - first < 60 for other in done) <= 3 for first in done)
