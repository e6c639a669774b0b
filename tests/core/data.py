"""Contents of an index for tests, made to a wanted size."""

from __future__ import annotations


def index_of(lines: int, size: int) -> bytes:
    """Make an index of exactly `lines` LF-ended lines and `size` bytes, spread as evenly as they go.

    lines: >= 1. size: >= lines, since each line needs its LF.
    """
    short, longer = divmod(size - lines, lines)
    return (b"x" * (short + 1) + b"\n") * longer + (b"x" * short + b"\n") * (lines - longer)
