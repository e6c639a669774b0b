"""Replay rows of the decision log, and find those that break an invariant of the turn gate.

Each agent of a session is followed by itself. A segment is the rows of one turn; it ends where the turn's name changes,
or where its state falls back, as it does in a turn of the same name after the first one expired. Within a segment a
classification comes from a control call alone, a success from a result or the end of a batch. A log that was off for
a part of a turn lacks such rows, and is told the same way.
"""

from __future__ import annotations

from memstile.core.gate_words import WRITES, CallClass, Classification, Recall
from memstile.core.log_row import Row
from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_UNKNOWN, _SIMPLE, _COMPLEX = (choice.value for choice in Classification)
_IDLE, _IN_FLIGHT, _SUCCEEDED, _FAILED = (choice.value for choice in Recall)
_WRITES = tuple(kind.value for kind in WRITES)
_SETTLING = ("tool_result", "batch_end")


class Broken(NamedTuple):
    """An invariant that a row breaks. invariant: a key of INVARIANTS."""

    id: int
    invariant: str


INVARIANTS = {
    "denied-in-audit": "in audit mode nothing is denied or asked",
    "recorded-while-off": "with the gate off nothing is decided",
    "denial-let-through": "a denial that was enforced does not let the call through",
    "write-without-classification": "no enforced allow of a write before the turn is classified",
    "write-without-search": "no enforced allow of a complex write without a search that succeeded in that turn",
    "carried-over": "no state is carried over from one turn to the next",
    "moved-without-cause": "a state moves by a control call or by the result of a search alone",
}
"""Name and what it says."""

_OF_A_ROW: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    ("denied-in-audit", lambda row: row.mode == "audit" and row.action in ("deny", "ask")),
    ("recorded-while-off", lambda row: row.mode == "off" and bool(row.decision and row.classification)),
    ("denial-let-through", lambda row: row.enforced and row.decision == "deny" and row.action == "allow"),
    ("write-without-classification", lambda row: _is_write(row) and row.classification == _UNKNOWN),
)


class _Segment(NamedTuple):
    """What a turn's rows have shown. is_searched: a success was seen, or may have been in rows that are pruned."""

    turn: str
    classification: str = _UNKNOWN
    recall: str = _IDLE
    is_searched: bool = False


def broken(rows: Iterable[Row], *, is_pruned: bool = False) -> Iterator[Broken]:
    """Find what breaks an invariant. rows: in order, all that are kept. is_pruned: older rows are gone by themselves.

    Of a log that was pruned, the first turn of each agent may have lost its beginning: it is taken at its word.
    """
    segments: dict[tuple[str, str, str], _Segment] = {}
    for row in rows:
        for name, is_broken in _OF_A_ROW:
            if is_broken(row):
                yield Broken(row.id, name)
        if not row.classification or not row.recall:
            continue  # not of the gate: a checkpoint, the watcher, the size of an index
        key = (row.host, row.session, row.agent)
        before = segments.get(key)
        is_cut = before is None and is_pruned
        segment = _continued(before, row) or _Segment(row.turn)
        if is_cut:
            segment = _Segment(row.turn, row.classification, row.recall, row.recall == _SUCCEEDED)
        name = _moved_wrongly(segment, row)
        if name:
            yield Broken(row.id, name if segment is before else "carried-over")
        is_searched = segment.is_searched or _is_success(row)
        if _is_write(row) and row.classification == _COMPLEX and not is_searched:
            yield Broken(row.id, "write-without-search")
        segments[key] = _Segment(row.turn, row.classification, row.recall, is_searched)


def _continued(before: _Segment | None, row: Row) -> _Segment | None:
    """Give the segment that a row belongs to, None where it begins one."""
    if before is None or before.turn != row.turn:
        return None
    fell = before.classification != _UNKNOWN and row.classification == _UNKNOWN
    fell = fell or (before.recall == _SUCCEEDED and row.recall != _SUCCEEDED)
    return None if fell or (before.recall != _IDLE and row.recall == _IDLE) else before


def _moved_wrongly(segment: _Segment, row: Row) -> str:
    is_declared = row.classification == segment.classification or row.kind == CallClass.CONTROL.value
    is_settled = row.recall == segment.recall or row.recall not in (_SUCCEEDED, _FAILED)
    is_settled = is_settled or (row.event in _SETTLING and row.kind == CallClass.SEARCH.value)
    return "" if is_declared and is_settled else "moved-without-cause"


def _is_success(row: Row) -> bool:
    is_done = row.event == "batch_end" or (row.event == "tool_result" and row.decision == "done")
    return is_done and row.kind == CallClass.SEARCH.value and row.recall == _SUCCEEDED


def _is_write(row: Row) -> bool:
    return row.enforced and row.action == "allow" and row.kind in _WRITES and row.event == "tool_call"
