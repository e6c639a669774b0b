"""Handle a settled change of one index: judge it, say what is new, keep what is accepted, put back what is refused."""

from __future__ import annotations

from typing import NamedTuple

from memstile.core.measure import Size
from memstile.core.reading import Kind
from memstile.core.text import counted, shown
from memstile.core.watch_judge import GREW, Judged, Look, Outcome, judge
from memstile.core.watch_report import Event, Report, cleared, found
from memstile.core.watch_restore import Mark, calmed, fought, given_up, may_fight, why_not
from memstile.kept import keep
from memstile.watch_git import head_mark
from memstile.watch_look import look_at
from memstile.watch_restoring import not_restored, restore
from memstile.watch_vault import Watched, target


class Moment(NamedTuple):
    """When and how a vault is looked at. now: seconds since 1970. steady: of a clock that only goes forward. state: the
    state folder. mode: of the watcher. hold_s: how long a sharp loss has to last. is_last: half a save is judged too,
    as no other look follows."""

    now: float
    steady: float
    state: str
    mode: str
    hold_s: float
    is_last: bool = False


class Handled(NamedTuple):
    """What came of it. reports: to be told. is_torn: it changed meanwhile. due_s: look again after so many seconds."""

    reports: list[Report]
    is_torn: bool = False
    due_s: float = 0.0


def handle(watched: Watched, moment: Moment) -> Handled:
    """Look at an index that has settled."""
    look, is_whole = look_at(watched)
    if not is_whole and not moment.is_last:
        return Handled([], is_torn=True)
    before = watched.known
    size = look.reading.size
    watched.lines, watched.bytes = (size.lines, size.bytes) if size else (None, None)
    is_new = look.digest != before.seen_digest
    judged = judge(before, look, watched.vault.settings, moment.now, moment.hold_s)
    watched.known = judged.known
    if judged.outcome is Outcome.WAITING:
        return Handled([], due_s=max(judged.due - moment.now, 0.0))
    about = Report(Event.SEEN, watched.vault.shown, look.path, watched.index, before=before.accepted, after=size)
    reports = [_seen(about, look)] if is_new else []
    reports += [found(row, about) for row in judged.findings]
    reports += [cleared(code, about) for code in judged.cleared]
    mark = Mark(watched.root or (0, 0), head_mark(watched.repositories))
    if judged.outcome is Outcome.ACCEPTED:
        trouble = _accept(watched, look, mark, moment)
        return Handled(reports + (trouble if is_new else []))
    if judged.outcome is Outcome.REFUSED:
        done = _refuse(watched, look, judged, mark, moment, about)
        if done.is_torn:  # put back, or another content by now
            watched.known = judged.known._replace(told=before.told, grown=None)  # what the refused state was is over
        return done._replace(reports=reports + done.reports)
    return Handled(reports)


def _seen(about: Report, look: Look) -> Report:
    size = look.reading.size
    if look.reading.kind is Kind.MISSING:
        return about._replace(message="the index is gone")
    return about._replace(message=f"now {size_told(size)}" if size else shown(look.reading.why))


def started(watched: Watched, mode: str) -> Report:
    """Say that a vault is watched from now on. mode: of the watcher."""
    stands = sorted({*watched.known.told, *(key.partition(" ")[0] for key in watched.known.git_told)})
    told = f"; told before: {', '.join(stands)}" if stands else ""
    there = "" if watched.root else "; its folder is not there yet"
    message = f"watched, mode {mode}{there}{told}"
    return Report(Event.STARTED, watched.vault.shown, watched.shown, watched.index, message=message)


def size_told(size: Size) -> str:
    """Write a size: "12 lines and 400 bytes"."""
    return (f"{counted(size.lines, 'line')} and " if size.lines is not None else "") + counted(size.bytes, "byte")


def _accept(watched: Watched, look: Look, mark: Mark, moment: Moment) -> list[Report]:
    watched.accepted = mark
    watched.fight = calmed(watched.fight, moment.steady)
    if look.reading.data is None:
        return []
    try:
        keep(moment.state, target(watched), look.reading.data, moment.now)
    except OSError as error:
        why = shown(error.strerror or str(error))
        message = f"the content of the index could not be kept for `memstile restore`: {why}"
        return [Report(Event.TROUBLE, watched.vault.shown, look.path, watched.index, message=message)]
    return []


def _refuse(watched: Watched, look: Look, judged: Judged, mark: Mark, moment: Moment, about: Report) -> Handled:
    if moment.mode != "enforce":
        return Handled([])
    is_told = any(row.code == GREW for row in judged.findings)
    is_read = look.reading.data is not None
    why = why_not(watched.vault.settings, moment.mode, watched.accepted, mark, is_read=is_read)
    if why:
        watched.accepted = None  # what follows grows from a state that was not put back
        return Handled([not_restored(about, why)] if is_told else [])
    if not may_fight(watched.fight, moment.steady):
        told = [] if watched.fight.is_over else [not_restored(about, _FOUGHT)]
        watched.fight = given_up(watched.fight)
        return Handled(told)
    done = restore(watched, look, about, moment.state, moment.now)
    if done.is_changed:
        return Handled([], is_torn=True)
    if done.is_done:
        watched.fight = fought(watched.fight, moment.steady)
    return Handled([done.report], is_torn=done.is_done)


_FOUGHT = (
    "it was put back three times within a minute, and made larger each time; it is left as it is until it is within "
    "its cap again"
)
