"""One turn of an agent's session: what was declared, what was searched, read and written in it.

The theory, in rules that a change must keep:

1. A turn is two machines and some evidence. CLASSIFICATIONS moves what the model declared, RECALLS moves how far the
   memory was searched. Both are driven by the same signals, and know nothing of each other: a search counts whether
   it came before or after the declaration.
2. A signal is an event of the protocol after it was looked at (core/gate_step.py). Which signal an event gives depends
   on the evidence: a failed search is FAILED when no other is open, FAILED_OTHERS_OPEN while one is.
3. Every pair of state and signal has a row below. A pair that cannot happen leaves the state as it was.
4. Nothing goes down within a turn: a success is never undone, a declaration is only replaced by another.
5. Nothing goes over to the next turn: NEW_TURN leads to the first state from everywhere and drops the evidence. What
   is kept says nothing of a turn: that the host tells the end of a batch, and the number of the turn.
6. Evidence is plain: ids, digests, permalinks. No arguments, no text.
7. Where the host tells the end of a batch, the model has not seen a result before that. A search or a read that
   succeeded waits for it, and is open until then.
"""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.gate_words import CallClass, Classification, Recall
from memstile.core.record import NamedTuple


class Signal(Enum):
    """What moves a turn. WAITING: a search succeeded, but the batch it was in goes on. NOTHING: all other events."""

    NEW_TURN = "a new turn, or the session ends"
    SIMPLE = "declared simple"
    COMPLEX = "declared complex"
    OPENED = "a search starts"
    SUCCEEDED = "a search succeeded, and the model has seen it"
    WAITING = "a search succeeded, its batch goes on"
    FAILED = "a search failed, no other is open"
    FAILED_OTHERS_OPEN = "a search failed, another is open"
    NOTHING = "anything else"


_UNKNOWN, _SIMPLE, _COMPLEX = Classification
_IDLE, _OPEN, _DONE, _LOST = Recall

CLASSIFICATIONS: dict[Classification, tuple[Classification, ...]] = {
    #          NEW_TURN  SIMPLE   COMPLEX   OPENED    SUCCEEDED WAITING   FAILED    ..OPEN    NOTHING
    _UNKNOWN: (_UNKNOWN, _SIMPLE, _COMPLEX, _UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN),
    _SIMPLE: (_UNKNOWN, _SIMPLE, _COMPLEX, _SIMPLE, _SIMPLE, _SIMPLE, _SIMPLE, _SIMPLE, _SIMPLE),
    _COMPLEX: (_UNKNOWN, _SIMPLE, _COMPLEX, _COMPLEX, _COMPLEX, _COMPLEX, _COMPLEX, _COMPLEX, _COMPLEX),
}
"""Next classification by classification and signal, in the order of Signal."""

RECALLS: dict[Recall, tuple[Recall, ...]] = {
    #       NEW_TURN SIMPLE COMPLEX OPENED SUCCEEDED WAITING FAILED ..OPEN NOTHING
    _IDLE: (_IDLE, _IDLE, _IDLE, _OPEN, _IDLE, _IDLE, _IDLE, _IDLE, _IDLE),
    _OPEN: (_IDLE, _OPEN, _OPEN, _OPEN, _DONE, _OPEN, _LOST, _OPEN, _OPEN),
    _LOST: (_IDLE, _LOST, _LOST, _OPEN, _LOST, _LOST, _LOST, _LOST, _LOST),
    _DONE: (_IDLE, _DONE, _DONE, _DONE, _DONE, _DONE, _DONE, _DONE, _DONE),
}
"""Next recall by recall and signal, in the order of Signal."""

TRANSITIONS = {
    (classification, recall, signal): (CLASSIFICATIONS[classification][at], RECALLS[recall][at])
    for classification in CLASSIFICATIONS
    for recall in RECALLS
    for at, signal in enumerate(Signal)
}
"""Both machines at once: (classification, recall, signal) to (classification, recall)."""


class Pending(NamedTuple):
    """A call that was let through and has no result yet.

    call: "" where the host has no ids. digest: of the arguments. target: the note's name, or "".
    """

    call: str
    tool: str
    kind: CallClass
    digest: str = ""
    target: str = ""


class Turn(NamedTuple):
    """Everything that is known of the current turn of one agent of one session.

    number: how many turns there were; 0 before the first. id: the host's, "" where it has none. pending: oldest first.
    read: names of notes read, read_waiting: likewise, their batch goes on. written: digests of writes that ran.
    is_search_waiting: a search succeeded, its batch goes on. has_batches: the host tells the end of a batch.
    """

    number: int = 0
    id: str = ""
    classification: Classification = Classification.UNKNOWN
    recall: Recall = Recall.IDLE
    pending: tuple[Pending, ...] = ()
    read: tuple[str, ...] = ()
    read_waiting: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    is_search_waiting: bool = False
    has_batches: bool = False

    @property
    def label(self) -> str:
        """Name the turn: the host's id, else its number."""
        return self.id or f"#t{self.number}"

    @property
    def is_search_open(self) -> bool:
        """Tell whether a search has no result that the model has seen."""
        return self.is_search_waiting or any(row.kind is CallClass.SEARCH for row in self.pending)


FRESH = Turn()


def begun(now: float) -> Turn:
    """Give a fresh turn that is numbered by the time, so that no other of the same agent has had its label.

    now: seconds since 1970.
    """
    return FRESH._replace(number=max(int(now), 0)) if 0 <= now < 1e12 else FRESH


def moved(turn: Turn, signal: Signal) -> Turn:
    """Move both machines by one signal; NEW_TURN also drops the evidence, counts the turn, and takes away its id."""
    classification, recall = TRANSITIONS[turn.classification, turn.recall, signal]
    if signal is Signal.NEW_TURN:
        return Turn(turn.number + 1, "", classification, recall, has_batches=turn.has_batches)
    if classification is turn.classification and recall is turn.recall:
        return turn
    return turn._replace(classification=classification, recall=recall)


def started(turn: Turn, turn_id: str) -> Turn:
    """Begin the turn that a turn_start tells of; the same id again begins nothing."""
    if turn_id and turn_id == turn.id:
        return turn
    return moved(turn, Signal.NEW_TURN)._replace(id=turn_id)


def entered(turn: Turn, turn_id: str) -> Turn:
    """Give the turn that a tool call belongs to: the current one, or a new one if it names another."""
    return started(turn, turn_id) if turn_id else turn
