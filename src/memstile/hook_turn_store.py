"""Where a hook keeps its turns: the store of the state folder, or one in /tmp where a sandbox forbids that."""

from __future__ import annotations

import os

from memstile.core.gate_ids import digest, id_text
from memstile.core.gate_step import Happened, Stepped
from memstile.core.record import NamedTuple
from memstile.core.request import Event, Request
from memstile.core.settings import Settings
from memstile.hook_place import Place
from memstile.hook_spare import made_folder
from memstile.hook_state import write_quietly
from memstile.store import Changed, Store, StoreError, open_store, store_place
from memstile.turn_rows import turn_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from memstile.core.log_row import Row

    T = TypeVar("T")
    Move = Callable[[str | None], tuple[str, Stepped]]
    Key = tuple[str, str, str]

_TIMEOUT_S = 2.0
_USUAL, _SPARE = "-usual", "-spare"
_ENDS = (Event.TURN_START, Event.SESSION_END)


class _Where(NamedTuple):
    folder: str
    kind: str


class Lost(Exception):
    """The store cannot be used. why: for a person, no path in it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def change_turn(
    happened: Happened, place: Place, settings: Settings, move: Move, rows: Sequence[Row] = ()
) -> tuple[Stepped, bool]:
    """Move a turn and log it, in one transaction. move: (state or None) to (state, what came of it). rows: to log, too.

    Result: what came of it, and whether it lies in /tmp where it was not before. Raises Lost; a turn that began then is
    not lost: the next call that can be told finds a turn of which nothing is known.
    """

    def change(state: str | None) -> Changed[Stepped]:
        after, stepped = move(state)
        return Changed(after, (*rows, *turn_rows(stepped, happened, settings, place.now)), stepped)

    try:
        return _changed(happened, place, settings, change)
    except Lost:
        if happened.event in _ENDS:
            _note_missed(happened.key, place, "")
        raise


def _changed(
    happened: Happened, place: Place, settings: Settings, change: Callable[[str | None], Changed[Stepped]]
) -> tuple[Stepped, bool]:
    try:
        stepped = _with_turn(_Where(place.state, _USUAL), happened, place, settings, change)
    except StoreError as error:
        folder = made_folder(place.state) if error.kind == "read-only" else ""
        if not folder:
            raise Lost(str(error)) from error
    else:
        spare = made_folder(place.state, is_made=False)
        if happened.event in _ENDS and spare and os.path.exists(store_place(spare)):
            _note_missed(happened.key, place, _SPARE)
        return stepped, False

    def found(state: str | None) -> Changed[Stepped]:
        # A sandbox may give each command a /tmp of its own: then no turn is ever found there.
        if state is None and happened.event in (Event.TOOL_CALL, Event.TOOL_RESULT):
            raise Lost("the state folder cannot be written, and nothing is kept in /tmp between two calls")
        return change(state)

    try:
        stepped = _with_turn(_Where(folder, _SPARE), happened, place, settings, found)
    except StoreError as error:
        raise Lost(str(error)) from error
    if happened.event in _ENDS:
        _note_missed(happened.key, place, _USUAL)
    return stepped, write_once(os.path.join(folder, f"told-{_name(happened.key)}"))


def write_once(place: str) -> bool:
    """Leave an empty file; False where it was there, or cannot be."""
    try:
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError:
        return False
    return True


def _with_turn(
    where: _Where,
    happened: Happened,
    place: Place,
    settings: Settings,
    change: Callable[[str | None], Changed[Stepped]],
) -> Stepped:
    # A turn of the session's main agent without an id begins one for the others, too: nothing else would.
    is_for_all = happened.event is Event.TURN_START and not happened.agent and not happened.turn
    own, of_all = _missed(happened.key, place, where.kind)

    def anew(state: str | None) -> Changed[Stepped]:
        return change(None if own or of_all else state)

    def work(store: Store) -> Stepped:
        ttl_s = settings.gate_turn_ttl_s
        stepped = store.with_turn(happened.key, place.now, ttl_s, anew, is_for_all=is_for_all or bool(of_all))
        if happened.event is Event.SESSION_START:
            _prune(store, place, settings)
        return stepped

    stepped = using(where.folder, place, work)
    for mark in (*own, *of_all):
        _unlink(mark)
    return stepped


def _prune(store: Store, place: Place, settings: Settings) -> None:
    from memstile.audit_prune import prune

    try:
        prune(store, place.now, settings.audit_retain_days)
    except StoreError:
        return  # the next session tries again; a verdict does not hang on it


_LEFT_OPEN: list[Store] = []


def using(folder: str, place: Place, work: Callable[[Store], T]) -> T:
    """Do something with the store of a folder. Raises StoreError.

    It is left open where the process ends at once: on Python 3.11 closing it waits for the disk.
    """
    store = open_store(folder, _TIMEOUT_S)
    if place.is_last:
        _LEFT_OPEN.append(store)
        return work(store)
    try:
        return work(store)
    finally:
        store.close()


def forget(request: Request, host: str, place: Place) -> None:
    """Forget the turn that a session was in, if there is a store at all."""
    key = (host, id_text(request.session), id_text(request.agent))
    ttl_s = place.settings_of(place.cwd).gate_turn_ttl_s
    for folder in (place.state, made_folder(place.state, is_made=False)):
        if folder and os.path.exists(store_place(folder)):
            try:
                using(folder, place, lambda store: store.with_turn(key, place.now, ttl_s, _forgotten, is_for_all=True))
            except StoreError:
                _note_missed(key, place, "")


def _forgotten(state: str | None) -> Changed[None]:
    return Changed(None, (), None)


def _missed(key: Key, place: Place, kind: str) -> tuple[list[str], list[str]]:
    """Find the marks that a turn began unseen by a store: those of the agent itself, and of all of the session."""
    folders = [folder for folder in (place.state, made_folder(place.state, is_made=False)) if folder]
    main = (*key[:2], "")
    own, of_all = (
        [mark for folder in folders for end in ("", kind) if os.path.lexists(mark := _mark(folder, row, end))]
        for row in (key, main)
    )
    return (own, of_all) if key != main else ([], of_all)


def _note_missed(key: Key, place: Place, kind: str) -> None:
    """Leave a mark. kind: the store that has not seen it, "" for both."""
    if not write_quietly(_mark(place.state, key, kind), b""):
        folder = made_folder(place.state)
        if folder:
            write_once(_mark(folder, key, kind))


def _mark(folder: str, key: Key, kind: str) -> str:
    return os.path.join(folder, f"missed-{_name(key)}{kind}")


def _name(key: Key) -> str:
    return digest(list(key))[:16]


def _unlink(mark: str) -> None:
    try:
        os.unlink(mark)
    except OSError:
        return  # it makes the next turns fresh as well: stricter, and told by what they are refused
