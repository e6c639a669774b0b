"""A turn as JSON values and back: what the store keeps between two processes."""

from __future__ import annotations

from memstile.core.gate_words import CallClass, Classification, Recall
from memstile.core.turn import FRESH, Pending, Turn
from memstile.core.turn_calls import MOST_KEPT, MOST_PENDING

VERSION = 1
_MOST_NUMBER = 10**15


def to_state(turn: Turn) -> dict[str, object]:
    """Give a turn as an object of JSON values."""
    return {
        "v": VERSION,
        "number": turn.number,
        "id": turn.id,
        "classification": turn.classification.value,
        "recall": turn.recall.value,
        "pending": [[row.call, row.tool, row.kind.value, row.digest, row.target] for row in turn.pending],
        "read": list(turn.read),
        "read_waiting": list(turn.read_waiting),
        "written": list(turn.written),
        "search_waiting": turn.is_search_waiting,
        "batches": turn.has_batches,
    }


def from_state(state: object) -> Turn:
    """Read a turn; anything that `to_state` of this version cannot have written gives the fresh, unknown turn."""
    given = state if isinstance(state, dict) else {}
    classification, recall = _CLASSIFICATIONS.get(_text(given, "classification")), _RECALLS.get(_text(given, "recall"))
    number, id_ = given.get("number"), given.get("id")
    lists = [_texts(given.get(key), MOST_KEPT) for key in ("read", "read_waiting", "written")]
    pending = _pending(given.get("pending"))
    if (
        given.get("v") != VERSION
        or isinstance(number, bool)
        or not isinstance(number, int)
        or not 0 <= number <= _MOST_NUMBER
        or not isinstance(id_, str)
        or classification is None
        or recall is None
        or pending is None
    ):
        return FRESH
    read, read_waiting, written = lists
    is_waiting, has_batches = given.get("search_waiting"), given.get("batches")
    if read is None or read_waiting is None or written is None:
        return FRESH
    if not isinstance(is_waiting, bool) or not isinstance(has_batches, bool):
        return FRESH
    return Turn(number, id_, classification, recall, pending, read, read_waiting, written, is_waiting, has_batches)


_CLASSIFICATIONS = {choice.value: choice for choice in Classification}
_RECALLS = {choice.value: choice for choice in Recall}
_KINDS = {choice.value: choice for choice in CallClass}


def _text(given: dict[str, object], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""


def _texts(value: object, most: int) -> tuple[str, ...] | None:
    if not isinstance(value, list) or len(value) > most:
        return None
    texts = tuple(text for text in value if isinstance(text, str))
    return texts if len(texts) == len(value) else None


def _pending(value: object) -> tuple[Pending, ...] | None:
    if not isinstance(value, list) or len(value) > MOST_PENDING:
        return None
    rows = []
    for row in value:
        texts = _texts(row, 5)
        kind = _KINDS.get(texts[2]) if texts and len(texts) == 5 else None
        if texts is None or kind is None:
            return None
        rows.append(Pending(texts[0], texts[1], kind, texts[3], texts[4]))
    return tuple(rows)
