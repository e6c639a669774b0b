"""Put an index back to the last content that was accepted, and say what was done and where the rejected content is."""

from __future__ import annotations

from typing import NamedTuple

from memstile.core.caps import grown_over_hard
from memstile.core.numbers import growth
from memstile.core.text import counted, shown
from memstile.core.watch_judge import Look
from memstile.core.watch_report import Event, Report
from memstile.kept import kept, read_kept
from memstile.put_back import Outcome, put_back
from memstile.quarantine import quarantine_place
from memstile.watch_look import content_digest
from memstile.watch_vault import Watched, target


class Restored(NamedTuple):
    """What came of it. is_done: the index is what it was. is_changed: it was changed meanwhile, and has to be judged
    anew."""

    report: Report
    is_done: bool = False
    is_changed: bool = False


def restore(watched: Watched, look: Look, about: Report, state: str, now: float) -> Restored:
    """Put back what was accepted last. look: the state that was refused, read whole. about: vault, index, sizes."""
    accepted = _accepted(watched, state)
    if accepted is None or look.reading.data is None:
        return Restored(not_restored(about, "the content it had before is not kept"))
    done = put_back(target(watched), look.reading.data, accepted, quarantine_place(state), now)
    if done.outcome is Outcome.CHANGED:
        return Restored(about, is_changed=True)
    if done.outcome is Outcome.FAILED:
        return Restored(not_restored(about, done.why))
    return Restored(_restored(watched, about, accepted, done.quarantined), is_done=True)


def _accepted(watched: Watched, state: str) -> bytes | None:
    for row in kept(state, target(watched)):
        try:
            data = read_kept(row)
        except OSError:
            continue
        if content_digest(data) == watched.known.accepted_digest:
            return data
    return None


def not_restored(about: Report, why: str) -> Report:
    """Say that an index was left as it is, and why."""
    message = f"the memory index {shown(about.path)} was not put back: {shown(why)}"
    return about._replace(event=Event.NOT_RESTORED, severity="error", message=message)


def _restored(watched: Watched, about: Report, accepted: bytes, place: str) -> Report:
    before, after = about.before, about.after
    grown = grown_over_hard(before, after, watched.vault.settings.caps) if before and after else ()
    size = f"{counted(before.lines or 0, 'line')} and {counted(before.bytes, 'byte')}" if before else ""
    why = f"since it grew {growth(grown, 'hard cap')}"
    return about._replace(
        event=Event.RESTORED,
        severity="error",
        message=f"the memory index {shown(about.path)} was put back to {size}, {why}",
        hint=f"all that was written is at {shown(place)}; a topic can move to its own note, and one line point to it",
        before=after,
        after=before,
        place=place,
    )
