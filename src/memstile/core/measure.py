"""Measure an index the way hosts count it: raw bytes, and lines ended by LF alone."""

from __future__ import annotations

from memstile.core.record import NamedTuple

MAX_READ_BYTES = 8 * 1024 * 1024
"""A larger file is judged by its byte count alone and never read."""


class Size(NamedTuple):
    """lines: LF-ended, plus one for a last line without LF; None when the content was not read. bytes: raw bytes."""

    lines: int | None
    bytes: int


EMPTY = Size(0, 0)


def measure(data: bytes) -> Size:
    """Count lines and bytes of a file's content.

    data: raw bytes in any encoding; b"" is 0 lines. CR, U+2028, VT and FF end no line. Raises nothing.
    Source: docs/hosts.md, "How hosts count".
    """
    open_line = bool(data) and not data.endswith(b"\n")
    return Size(data.count(b"\n") + open_line, len(data))
