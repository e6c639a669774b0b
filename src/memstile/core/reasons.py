"""The words of verdicts: facts and options for the model, never orders. No note text, no arguments, no full paths."""

from __future__ import annotations

from memstile.core.caps import Caps, Excess
from memstile.core.gate_words import INTERNAL_ERROR as INTERNAL_ERROR
from memstile.core.numbers import amounts, growth, longest, sizes
from memstile.core.text import counted, shown
from memstile.core.windows import WINDOWS, Lost, unloaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GREW = "INDEX_GREW_OVER_CAP"
NOT_COMPUTABLE = "INDEX_WRITE_NOT_COMPUTABLE"
UNVERIFIED = "INDEX_NOT_VERIFIED"
OVER_HARD = "INDEX_OVER_CAP"
OVER_SOFT = "INDEX_OVER_SOFT_CAP"
PAST_WINDOW = "INDEX_PAST_HOST_WINDOW"
SHRANK = "INDEX_SHRANK_SHARPLY"
GREW_UNSEEN = "INDEX_GREW_OUTSIDE_A_TOOL"
SETTINGS_WRITE = "GUARD_SETTINGS_WRITE"
SURFACE_MISMATCH = "POLICY_SURFACE_MISMATCH"

BY_NAME_ALONE = (
    "It is taken for a memory index by its name alone, since no vault is configured here: a [[vault]] table in "
    "memstile.toml names the real one."
)
_WRITE_BACK = "If that was not meant, the content it had before is what to write back."
_OPEN_DOOR = "A write that leaves it no larger than it is now passes, even over the cap."


def grew(name: str, excess: Sequence[Excess], after: bytes) -> str:
    """Refuse growth past a hard cap: both numbers and the cap, how much to cut, and where that is cheapest."""
    return _lines(
        f"{GREW}: this write takes the memory index {shown(name)} {growth(excess, 'hard cap')}. What lies past the cap "
        "is silently left out of later sessions, so the write did not happen.",
        f"{_OPEN_DOOR} To be within the cap, cut {amounts(excess)}.",
        _cheapest(after),
        "A topic can move to its own note; one line here points to it.",
    )


def not_computable(name: str, excess: Sequence[Excess]) -> str:
    """Refuse a write to an over-cap index whose result is not known, and name the door that is open."""
    return _lines(
        f"{NOT_COMPUTABLE}: the memory index {shown(name)} is over its cap ({sizes(excess, 'hard cap')}), and what "
        "this call would leave in it cannot be told, so it did not run.",
        "A write of the whole file that makes it smaller passes, even if it is still over the cap; so does an edit "
        "whose old text stands in the file exactly once, exactly as given, and whose new text is not longer.",
    )


def unverified(name: str, why: str) -> str:
    """Say loudly that an index could not be read, or a call not be computed, and that nothing was refused for it."""
    return f"{UNVERIFIED}: the memory index {shown(name)} was not verified: {why}. The call was let through."


def over_hard(name: str, excess: Sequence[Excess], after: bytes) -> str:
    """Remark on an index that is still over its cap after a write that did not make it larger."""
    return _lines(
        f"{OVER_HARD}: the memory index {shown(name)} is still {sizes(excess, 'hard cap')}; what lies past the cap is "
        f"left out of later sessions. To be within it, cut {amounts(excess)}.",
        _cheapest(after),
    )


def over_soft(name: str, excess: Sequence[Excess], after: bytes) -> str:
    """Remark on an index that comes near its cap."""
    return _lines(
        f"{OVER_SOFT}: the memory index {shown(name)} is now {sizes(excess, 'soft cap')}; the write went through. "
        f"Before it meets its hard cap, {amounts(excess)} can go.",
        _cheapest(after),
    )


def past_windows(name: str, data: bytes, windows: Sequence[str]) -> str:
    """Name the entries of an index that hosts do not load, "" where all are loaded."""
    told = []
    for window in windows:
        lost = unloaded(WINDOWS[window], data) if window in WINDOWS else Lost()
        if lost.total:
            labels = ", ".join(shown(row.label) for row in lost.rows[:3])
            more = f" and {lost.total - 3:,} more" if lost.total > 3 else ""
            told.append(f"{window} does not load {labels}{more}")
    return f"{PAST_WINDOW}: of the memory index {shown(name)}, {'; '.join(told)}." if told else ""


def shrank(name: str, before: str, after: str) -> str:
    """Remark on an index that loses more than half of what it held."""
    return f"{SHRANK}: this write takes the memory index {shown(name)} from {before} to {after}. {_WRITE_BACK}"


def shrank_unseen(name: str, before: str, after: str) -> str:
    """Tell of an index that lost more than half of what it held without a hook before it. after: "" if it is gone."""
    if not after:
        gone = f"the memory index {shown(name)} is gone; when it was last looked at, it held {before}"
        return f"{SHRANK}: {gone}. {_WRITE_BACK}"
    went = f"since it was last looked at, the memory index {shown(name)} went from {before} to {after}"
    return f"{SHRANK}: {went}. {_WRITE_BACK}"


def grew_unseen(name: str, excess: Sequence[Excess], data: bytes) -> str:
    """Tell of growth that no hook could see coming."""
    return _lines(
        f"{GREW_UNSEEN}: since it was last looked at, the memory index {shown(name)} went "
        f"{growth(excess, 'hard cap')}. What lies past the cap is left out of later sessions. To be within it, cut "
        f"{amounts(excess)}.",
        _cheapest(data),
    )


def standing(name: str, excess: Sequence[Excess], caps: Caps) -> str:
    """Say in one line how an index stands against its caps."""
    is_hard = any(e.cap in (caps.hard_lines, caps.hard_bytes) for e in excess)
    return f"{shown(name)} is {sizes(excess, 'hard cap' if is_hard else 'soft cap')}"


def settings_write(name: str) -> str:
    """Explain why a write to the guard's own switches is for the person to decide."""
    return (
        f"{SETTINGS_WRITE}: {shown(name)} is where the memory guard is switched on and off, or where it keeps its "
        "state, so the person decides about this write. They can make it themselves, in their editor or terminal."
    )


def surface_mismatch(host: str, missing: str) -> str:
    """Say that a payload lacks what this host's payloads have: the host may have changed."""
    return (
        f"{SURFACE_MISMATCH}: memstile could not judge this event: a payload of {shown(host)} without "
        f"{shown(missing)}. `memstile doctor` shows what is installed and which versions are known."
    )


def internal_error(what: str) -> str:
    """Say that memstile itself failed. what: kind of failure, no content."""
    return f"{INTERNAL_ERROR}: memstile could not judge this event ({shown(what)})"


def size_text(lines: int | None, size: int) -> str:
    """Write a size: "12 lines and 400 bytes"."""
    return (f"{counted(lines, 'line')} and " if lines is not None else "") + counted(size, "byte")


def _cheapest(data: bytes) -> str:
    cuts = longest(data)
    return f"Cheapest cuts, longest lines first: {cuts}." if cuts else ""


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
