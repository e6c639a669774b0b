"""Judge a settled state of an index: is it accepted, and what is there to say that was not said yet.

The base is the last accepted state. One that grew past its cap is refused and never becomes the base. One that lost
more than half may be half a save: it has to stay as it is for a while before it is told and accepted. Everything else
is accepted. What stands (over a cap, past a window) is told once, and again only after it was well within its limit.
"""

from __future__ import annotations

from memstile.core.caps import Caps, grown_over_hard, over_hard, over_soft
from memstile.core.check import check, selected
from memstile.core.choice import Enum
from memstile.core.facts import Facts, IndexFacts, Kind, Layer, Reading
from memstile.core.finding import Finding
from memstile.core.measure import Size
from memstile.core.record import NamedTuple
from memstile.core.rules import RULES
from memstile.core.settings import Settings
from memstile.core.text import shell_quoted
from memstile.core.watch_known import Known
from memstile.core.windows import WINDOWS, unloaded
from memstile.core.wiped import is_wiped

BASE_NAME = "the last accepted state"
GREW, OVER_HARD, OVER_SOFT, PAST_WINDOW, SHRANK, UNMEASURABLE = "MS101", "MS102", "MS103", "MS104", "MS105", "MS106"

_EASE = 0.98
"""What stands has to come down to this part of its limit before it counts as mended: 200 lines, 201, 200 is one
event, not three."""

_RULES = selected(RULES, ["MS1"])


class Outcome(Enum):
    """What became of a settled state. KEPT_OUT: it could not be read, or the index is off: the base stays."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    WAITING = "waiting"
    KEPT_OUT = "kept out"


class Look(NamedTuple):
    """One look at an index. path, vault: as shown. digest: of the content, else of what kind of thing it is."""

    path: str
    vault: str
    reading: Reading
    digest: str


class Judged(NamedTuple):
    """What came of a look. known: for the next one. findings: to be told now. cleared: codes that stand no more.

    due: when to look again, seconds since 1970; 0.0 for no need.
    """

    outcome: Outcome
    known: Known
    findings: tuple[Finding, ...] = ()
    cleared: tuple[str, ...] = ()
    due: float = 0.0


def judge(known: Known, look: Look, settings: Settings, now: float, hold_s: float) -> Judged:
    """Judge a settled state. now: seconds since 1970. hold_s: how long a sharp loss has to last."""
    size = look.reading.size
    if settings.index_mode == "off":
        return Judged(Outcome.KEPT_OUT, known._replace(seen_digest=look.digest))
    base, is_measured = known.accepted, look.reading.kind in (Kind.FILE, Kind.MISSING, Kind.TOO_LARGE)
    if base and size and grown_over_hard(base, size, settings.caps):
        return _refused(known, look, settings, size)
    if not is_measured or (look.reading.kind is Kind.MISSING and base is None):
        return _standing(known, look, settings, Outcome.KEPT_OUT)
    is_gone = look.reading.kind is Kind.MISSING
    if base and size and is_wiped(base, size) and not (is_gone and known.seen_digest == look.digest):
        since = min(known.waiting_since, now) if known.waiting_digest == look.digest else now
        if now - since < hold_s:
            waiting = known._replace(waiting_digest=look.digest, waiting_since=since)
            return Judged(Outcome.WAITING, waiting, due=since + hold_s)
    # An index that is gone is nothing to go back to: the base stays.
    return _standing(known, look, settings, Outcome.KEPT_OUT if is_gone else Outcome.ACCEPTED)


def _refused(known: Known, look: Look, settings: Settings, size: Size) -> Judged:
    """Tell growth past the cap, unless as much was told already."""
    told = grown_over_hard(known.grown, size, settings.caps) if known.grown else (None,)
    every = _found(known, look, settings)
    findings = tuple(row for row in every if (row.code == GREW and told) or row.code == UNMEASURABLE)
    findings = tuple(row for row in findings if row.code == GREW or row.code not in known.told)
    stands = {*known.told, OVER_HARD, *(row.code for row in findings)} - {GREW}
    grown = _larger(known.grown, size)
    after = known._replace(seen_digest=look.digest, told=tuple(sorted(stands)), grown=grown, waiting_digest="")
    return Judged(Outcome.REFUSED, after, findings)


def _larger(one: Size | None, other: Size) -> Size:
    if one is None:
        return other
    lines = max(one.lines or 0, other.lines or 0) if one.lines is not None or other.lines is not None else None
    return Size(lines, max(one.bytes, other.bytes))


def _standing(known: Known, look: Look, settings: Settings, outcome: Outcome) -> Judged:
    """Tell what stands and was not told, and what stands no more."""
    every = _found(known, look, settings)
    is_new = look.digest != known.seen_digest
    findings = tuple(row for row in every if row.code not in known.told and (is_new or row.code != SHRANK))
    present = {row.code for row in every} - {GREW, SHRANK}
    kept = {code for code in known.told if code in present or _is_near(code, look.reading, settings)}
    after = known._replace(seen_digest=look.digest, told=tuple(sorted(kept | present)), waiting_digest="")
    if outcome is Outcome.ACCEPTED:
        after = after._replace(accepted=look.reading.size, accepted_digest=look.digest, grown=None)
    return Judged(outcome, after, findings, tuple(sorted(set(known.told) - kept)))


def _found(known: Known, look: Look, settings: Settings) -> tuple[Finding, ...]:
    base = Reading(Kind.FILE, known.accepted) if known.accepted else None
    index = IndexFacts(look.path, Layer.DISK, look.reading, base, BASE_NAME)
    rows = check([Facts(look.vault, settings, "", (index,))], _RULES)
    command = f"memstile restore {shell_quoted(look.vault)}"
    return tuple(row._replace(hint=_LOST, commands=(command,)) if row.code == SHRANK else row for row in rows)


_LOST = "if that was not meant: this shows what was there before, and asks whether to bring it back"


def _is_near(code: str, reading: Reading, settings: Settings) -> bool:
    """Tell whether what was told is still within a hair of it; while the index cannot be read it is left as it is."""
    size, eased = reading.size, _eased(settings.caps)
    if size is None or reading.kind is Kind.MISSING:
        return code != UNMEASURABLE
    if code == OVER_HARD:
        return bool(over_hard(size, eased))
    if code == OVER_SOFT:
        return bool(over_soft(size, eased))
    return code == PAST_WINDOW and any(
        unloaded(
            row._replace(max_lines=int(row.max_lines * _EASE), max_units=int(row.max_units * _EASE)),
            reading.data or b"",
        ).total
        for row in (WINDOWS[name] for name in settings.index_windows if name in WINDOWS)
    )


def _eased(caps: Caps) -> Caps:
    return Caps(*(int(number * _EASE) for number in caps))
