"""Write into the decision log what the watcher saw, said and did; and leave a note for the next hook."""

from __future__ import annotations

import os

from memstile import __version__
from memstile.audit_log import path_key
from memstile.core.log_row import Row, redacted
from memstile.core.settings import Settings
from memstile.core.watch_report import Event, Report
from memstile.hook_told import put_told
from memstile.store import StoreError, open_store

HOST = "memstile watch"
WORDS = {
    Event.SEEN: "watch_seen",
    Event.FOUND: "watch_report",
    Event.CLEARED: "watch_report",
    Event.RESTORED: "watch_restore",
    Event.NOT_RESTORED: "watch_restore",
    Event.GONE: "watch_report",
    Event.BACK: "watch_report",
}
"""Events of the log. A start, an end and trouble of our own are no news of a vault."""

_CODES = {Event.CLEARED: "CLEARED", Event.GONE: "VAULT_GONE", Event.BACK: "VAULT_BACK"}
_RESTORED, _NOT_RESTORED = "INDEX_PUT_BACK", "INDEX_NOT_PUT_BACK"
_PATIENCE_S = 2.0


def rows(reports: list[Report], settings: Settings, state: str, mode: str, now: float) -> list[Row]:
    """Make rows of what is for the log. settings: those in force for the vault. mode: of the watcher."""
    if settings.audit_level == "off":
        return []
    how, most = settings.audit_path_redaction, settings.audit_max_path_chars
    key = path_key(state) if how == "hash" else b""
    return [
        _row(report, mode, now)._replace(path=redacted(os.path.realpath(report.file), how, most, key))
        for report in reports
        if report.event in WORDS and report.file
    ]


def _row(report: Report, mode: str, now: float) -> Row:
    is_restored = report.event is Event.RESTORED
    code = {Event.RESTORED: _RESTORED, Event.NOT_RESTORED: _NOT_RESTORED}.get(report.event, "")
    before, after = report.before, report.after
    return Row(
        time=now,
        host=HOST,
        event=WORDS[report.event],
        reason_code=code or _joined(_CODES.get(report.event, ""), report.code),
        action="deny" if is_restored else "",
        enforced=is_restored,
        mode=mode,
        version=__version__,
        bytes_before=before.bytes if before else None,
        lines_before=before.lines if before else None,
        bytes_after=after.bytes if after else None,
        lines_after=after.lines if after else None,
    )


def _joined(*words: str) -> str:
    return " ".join(filter(None, words))


def log(reports: list[Report], settings: Settings, state: str, mode: str, now: float) -> str:
    """Append what is for the log; why that was not possible, "" if it was. It changes nothing of what is done."""
    made = rows(reports, settings, state, mode, now)
    if not made:
        return ""
    try:
        store = open_store(state, _PATIENCE_S)
        try:
            store.transact(lambda connection: (None, made, now))
        finally:
            store.close()
    except StoreError as error:
        return str(error)
    return ""


_TOLD = (Event.RESTORED, Event.NOT_RESTORED)


def leave_notes(reports: list[Report], state: str) -> None:
    """Leave for the next hook what an agent has to know: that an index is not what it wrote."""
    for report in reports:
        if report.event in _TOLD and report.file:
            hint = f" {report.hint}" if report.hint else ""
            put_told(state, os.path.realpath(report.file), f"memstile watch: {report.message}.{hint}")
