"""A line of progress on standard error, on a terminal only, and only when the work takes a while."""

from __future__ import annotations

import sys
import time

_AFTER_S = 0.5
_EVERY_S = 0.1


class Progress:
    """Counts steps; shows the count once half a second has passed."""

    def __init__(self, what: str) -> None:
        """Show nothing yet. what: what one step is, in the plural."""
        self._what = what
        self._count = 0
        self._is_shown = False
        self._next = time.monotonic() + _AFTER_S if sys.stderr.isatty() else float("inf")

    def tick(self) -> None:
        """Count one step."""
        self._count += 1
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY_S
            self._is_shown = True
            sys.stderr.write(f"\r{self._count:,} {self._what} looked at ")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
