"""Tell a wipe from a compaction: an index that loses more than half of what it held."""

from __future__ import annotations

from memstile.core.measure import Size

MIN_LINES = 20
MIN_BYTES = 2_000
"""An index that is smaller in both is trivial: whatever happens to it is no loss worth a word."""


def is_wiped(before: Size, after: Size) -> bool:
    """Tell whether a non-trivial index loses more than half of its lines or bytes.

    Lines that were not counted, of an index too large to read, are not compared.
    """
    if (before.lines or 0) < MIN_LINES and before.bytes < MIN_BYTES:
        return False
    lost_lines = after.lines is not None and before.lines is not None and after.lines * 2 < before.lines
    return lost_lines or after.bytes * 2 < before.bytes
