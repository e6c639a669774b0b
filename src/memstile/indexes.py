"""Summaries of the indexes that were read: gauges and notes for a report."""

from __future__ import annotations

from memstile.core.facts import IndexFacts, Kind
from memstile.core.settings import Settings
from memstile.core.windows import WINDOWS, unloaded
from memstile.report.model import Gauge


def gauge(index: IndexFacts, settings: Settings) -> Gauge | None:
    """Draw up the size of one index against its caps and windows, None if it is missing."""
    if index.now.kind is Kind.MISSING:
        return None
    size = index.now.size
    lost = [
        (name, rows)
        for name in settings.index_windows
        if name in WINDOWS and (rows := unloaded(WINDOWS[name], index.now.data or b""))
    ]
    name, rows = max(lost, key=lambda row: len(row[1]), default=("", ()))
    return Gauge(
        index.path,
        index.layer.value,
        size.lines if size else None,
        size.bytes if size else None,
        settings.caps,
        tuple(row.label for row in rows),
        name,
    )


def joined(folder: str, name: str) -> str:
    """Show a file of a folder as the person would type it."""
    return name if folder == "." else f"{folder.rstrip('/')}/{name}"
