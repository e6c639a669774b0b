"""Write into the decision log what was said of indexes: sizes before and after, a code, what may be kept of a path."""

from __future__ import annotations

from memstile import __version__
from memstile.audit_log import path_key
from memstile.core.gate_ids import digest, id_text
from memstile.core.gate_words import INTERNAL_ERROR
from memstile.core.log_row import Row, redacted
from memstile.core.request import Event, Request
from memstile.core.verdict import Verdict
from memstile.hook_place import Noted, Place
from memstile.hook_turn_store import using
from memstile.store import StoreError, open_store

WRITE, LOOK, FAILURE = "index_write", "index_look", "failure"
"""Events of the log: an index that a call would write, one that was changed unseen, a failure of our own."""

_SOON_S = 0.2


def index_rows(request: Request, host: str, place: Place) -> tuple[Row, ...]:
    """Give the rows of what was noted at this call."""
    settings = place.settings_of(place.cwd)
    if not place.noted or settings.audit_level == "off":
        return ()
    how, most = settings.audit_path_redaction, settings.audit_max_path_chars
    key = path_key(place.state) if how == "hash" else b""
    known = Row(
        time=place.now,
        host=host,
        session=id_text(request.session),
        agent=id_text(request.agent),
        turn=id_text(request.turn),
        event=WRITE if request.event is Event.TOOL_CALL else LOOK,
        call=id_text(request.call),
        tool=request.tool,
        version=__version__,
    )
    return tuple(_row(noted, known, redacted(noted.path, how, most, key)) for noted in place.noted)


def _row(noted: Noted, known: Row, path: str) -> Row:
    is_write = known.event == WRITE
    refuses = noted.verdict in (Verdict.DENY, Verdict.ASK)
    row = known._replace(
        call=f"{known.call} {digest(noted.path)[:8]}" if known.call else "",  # one call may write several indexes
        reason_code=noted.code,
        mode=noted.mode,
        path=path,
        bytes_before=noted.before.bytes if noted.before else None,
        lines_before=noted.before.lines if noted.before else None,
        bytes_after=noted.after.bytes if noted.after else None,
        lines_after=noted.after.lines if noted.after else None,
    )
    if not is_write:
        return row
    return row._replace(
        kind="write",
        decision="deny" if refuses else "allow",
        action=noted.verdict.name.lower() if refuses else "allow",
        enforced=noted.mode == "enforce",
    )


def log(request: Request, host: str, place: Place) -> None:
    """Write what was noted, where the turn gate has not done so; a store that fails changes no verdict."""
    rows = index_rows(request, host, place)
    try:
        if rows:
            using(place.state, place, lambda store: store.transact(lambda connection: (None, rows, place.now)))
    except StoreError:
        return


def log_failure(host: str, state: str, now: float, *, is_refused: bool) -> None:
    """Write that memstile itself failed at an event. state: "" for no folder, where nothing is written."""
    action = "deny" if is_refused else "allow"
    row = Row(time=now, host=host, event=FAILURE, reason_code=INTERNAL_ERROR, action=action, version=__version__)
    if state:
        store = open_store(state, _SOON_S)
        try:
            store.transact(lambda connection: (None, [row], now))
        finally:
            store.close()
