"""Complete what the gate tells of an event to the rows that the decision log keeps."""

from __future__ import annotations

from memstile import __version__
from memstile.core.gate_ids import digest
from memstile.core.gate_step import Happened, Stepped
from memstile.core.log_row import Row, rows_of
from memstile.core.settings import Settings


def turn_rows(stepped: Stepped, happened: Happened, settings: Settings, now: float) -> tuple[Row, ...]:
    """Give the rows of an event, as many as the level of the log asks for. now: seconds since 1970."""
    if not stepped.rows or settings.audit_level == "off":
        return ()
    known = Row(
        time=now,
        host=happened.host,
        session=happened.session,
        agent=happened.agent,
        mode=settings.gate_mode,
        profile=settings.gate_profile,
        settings_digest=digest(list(settings))[:16],
        version=__version__,
    )
    return rows_of(stepped.rows, known, settings.audit_level)
