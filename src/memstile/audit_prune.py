"""Take old rows out of the decision log; a checkpoint row says how far, and carries the digest of what is gone."""

from __future__ import annotations

from memstile.audit_log import digest_in
from memstile.core.log_row import PRUNED, Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memstile.store import Store

_DAY_S = 86_400.0
MOST_ROWS = 10_000
"""Of one call: all other processes wait for it."""


def prune(store: Store, now: float, retain_days: float, most: int = MOST_ROWS) -> int:
    """Take out rows older than so many days, from the oldest on; give how many went. Raises StoreError.

    now: seconds since 1970. The first row that is young enough ends it; one from the future says nothing of its age,
    as the clock has jumped back since.
    """

    def work(connection: Connection) -> tuple[int, list[Row], float]:
        last = _last_old(connection, now, now - retain_days * _DAY_S, most)
        found = connection.execute("SELECT digest FROM log WHERE id = ?", (last,)).fetchone() if last else None
        if found is None:
            return 0, [], now
        gone = connection.execute("DELETE FROM log WHERE id <= ?", (last,)).rowcount
        note = Row(time=now, event=PRUNED, pruned_to=last, pruned_digest=digest_in(found[0]).hex())
        return gone, [note], now

    return store.transact(work)


def _last_old(connection: Connection, now: float, limit: float, most: int) -> int:
    """Give the number of the last row to go, 0 for none; the head never goes."""
    oldest = connection.execute("SELECT id, time FROM log ORDER BY id LIMIT 1").fetchone()
    if oldest is None or limit <= oldest[1] <= now + _DAY_S:
        return 0
    found = connection.execute(
        "SELECT min(id) FROM log WHERE time >= ? AND time <= ?", (limit, now + _DAY_S)
    ).fetchone()[0]
    if found is None and oldest[1] >= limit:
        return 0  # all from the future
    head = connection.execute("SELECT max(id) FROM log").fetchone()[0]
    # The head stays: the checkpoint is chained to it, and its number follows.
    return int(min(head - 1 if found is None else found - 1, oldest[0] + most - 1))
