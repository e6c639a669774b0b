"""Where a hook keeps its turns: the store of the state folder, or one in /tmp where a sandbox forbids that."""

from __future__ import annotations

import os

from memstile.core.gate_ids import id_text
from memstile.core.gate_step import Happened, Stepped
from memstile.core.request import Event, Request
from memstile.core.settings import Settings
from memstile.hook_place import Place
from memstile.hook_spare import made_folder
from memstile.store import Changed, Store, StoreError, open_store, store_place
from memstile.turn_rows import turn_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from memstile.core.log_row import Row

    T = TypeVar("T")
    Move = Callable[[str | None], tuple[str, Stepped]]

_TIMEOUT_S = 2.0


class Lost(Exception):
    """The store cannot be used. why: for a person, no path in it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def change_turn(
    happened: Happened, place: Place, settings: Settings, move: Move, rows: Sequence[Row] = ()
) -> tuple[Stepped, bool]:
    """Move a turn and log it, in one transaction. move: (state or None) to (state, what came of it). rows: to log, too.

    Result: what came of it, and whether it lies in /tmp. Raises Lost.
    """

    def change(state: str | None) -> Changed[Stepped]:
        after, stepped = move(state)
        return Changed(after, (*rows, *turn_rows(stepped, happened, settings, place.now)), stepped)

    try:
        return _with_turn(place.state, happened, place, settings, change), False
    except StoreError as error:
        if error.kind not in ("read-only", "unusable"):  # a sandbox forbids to write, or even to open
            raise Lost(str(error)) from error
        return _in_spare(happened, place, settings, change, error), True


def _with_turn(
    folder: str, happened: Happened, place: Place, settings: Settings, change: Callable[[str | None], Changed[Stepped]]
) -> Stepped:
    def work(store: Store) -> Stepped:
        stepped = store.with_turn(happened.key, place.now, settings.gate_turn_ttl_s, change)
        if happened.event is Event.SESSION_START:
            _prune(store, place, settings)
        return stepped

    return using(folder, place, work)


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


def _in_spare(
    happened: Happened,
    place: Place,
    settings: Settings,
    change: Callable[[str | None], Changed[Stepped]],
    error: Exception,
) -> Stepped:
    """Keep the turn in /tmp. A sandbox may give each command a /tmp of its own: then no turn is ever found there."""
    folder = made_folder(place.state)

    def found(state: str | None) -> Changed[Stepped]:
        if state is None and happened.event in (Event.TOOL_CALL, Event.TOOL_RESULT):
            raise Lost("the state folder cannot be written, and nothing is kept in /tmp between two calls")
        return change(state)

    if not folder:
        raise Lost(str(error)) from error
    try:
        return _with_turn(folder, happened, place, settings, found)
    except StoreError as second:
        raise Lost(str(second)) from second


def forget(request: Request, host: str, place: Place) -> None:
    """Forget the turn that a session was in, if there is a store at all."""
    key = (host, id_text(request.session), id_text(request.agent))
    ttl_s = place.settings_of(place.cwd).gate_turn_ttl_s
    for folder in (place.state, made_folder(place.state, is_made=False)):
        if folder and os.path.exists(store_place(folder)):
            try:
                using(folder, place, lambda store: store.with_turn(key, place.now, ttl_s, _forgotten))
            except StoreError:
                continue  # nothing can be read there either


def _forgotten(state: str | None) -> Changed[None]:
    return Changed(None, (), None)
