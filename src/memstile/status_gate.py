"""Tell what was decided today, from the decision log: counts by reason code, and what audit mode let through."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from memstile.audit_read import reading, stats, stored
from memstile.store import StoreError


class Today(NamedTuple):
    """Decisions since midnight, local time, by reason code; the most frequent first.

    would_deny: those that enforce mode would not have let through. fault: why the log could not be read, "" if it was.
    """

    by_reason: Mapping[str, int]
    would_deny: Mapping[str, int]
    fault: str = ""


def today(state: str, now: float) -> Today:
    """Count today's decisions. state: the state folder. now: seconds since 1970. Raises nothing over a broken log."""
    day = time.localtime(now)
    midnight = time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))
    try:
        with reading(state) as connection:
            if connection is None:
                return Today({}, {})
            found = connection.execute("SELECT min(id) FROM log WHERE time >= ?", (midnight,)).fetchone()[0]
            log = stored(connection, found - 1) if found is not None else iter(())
            counts = stats((row.row for row in log if row.row is not None), midnight)
    except StoreError as error:
        return Today({}, {}, str(error))
    return Today({code: count for code, count in counts.by_reason.items() if code}, counts.overrides_by_reason)
