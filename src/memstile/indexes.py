"""Summaries of the indexes that were read: gauges and notes for a report."""

from __future__ import annotations

from memstile.bases import Base
from memstile.core.facts import IndexFacts, Kind
from memstile.core.settings import Settings
from memstile.core.text import shell_quoted
from memstile.core.windows import WINDOWS, Lost, unloaded
from memstile.report.model import Gauge


def gauge(index: IndexFacts, settings: Settings) -> Gauge | None:
    """Draw up the size of one index against its caps and windows, None if it is missing."""
    if index.now.kind is Kind.MISSING:
        return None
    size = index.now.size
    lost = [
        (name, unloaded(WINDOWS[name], index.now.data or b"")) for name in settings.index_windows if name in WINDOWS
    ]
    name, most = max(lost, key=lambda row: row[1].total, default=("", Lost()))
    return Gauge(
        index.path,
        index.layer.value,
        size.lines if size else None,
        size.bytes if size else None,
        settings.caps,
        tuple(row.label for row in most.rows),
        name if most.total else "",
        most.total,
    )


def old_content(base: Base, place: str, path: str) -> tuple[str, ...]:
    """Give the command that writes an index's old content beside it: what is there now may be nowhere else.

    place: of the index, from the top of the work tree; path: as shown.
    """
    if not base.commits:
        return ()
    blob = shell_quoted(f"{base.commits[0]}:{place}")
    return (f"git -C {shell_quoted(base.repository.top)} cat-file -p {blob} > {shell_quoted(f'{path}.before')}",)


def joined(folder: str, name: str) -> str:
    """Show a file of a folder as the person would type it."""
    return name if folder == "." else f"{folder.rstrip('/')}/{name}"
