"""A line on a terminal that shows the sizes of what is watched, as they change."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from memstile.core.text import shown
from memstile.watch_vault import Watched


class Live:
    """Draws the line on standard error, where that is a terminal; else it does nothing."""

    def __init__(self) -> None:
        """Draw nothing yet."""
        is_plain = not sys.stderr or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
        self._is_on = not is_plain
        self._drawn = ""

    def draw(self, vaults: Sequence[Watched]) -> None:
        """Show the sizes, if they are others than those that are shown."""
        text = "  ".join(map(gauge, vaults))
        if self._is_on and text != self._drawn:
            self._put(f"\r\x1b[K{text[: _width() - 1]}")
            self._drawn = text

    def clear(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._put("\r\x1b[K")
            self._drawn = ""

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self._is_on = False


def gauge(watched: Watched) -> str:
    """Write the size of one index beside its hard caps."""
    name = shown(watched.shown)
    if watched.root is None:
        return f"{name} not reachable"
    if watched.bytes is None:
        return f"{name} no size"
    caps = watched.vault.settings.caps
    lines = "?" if watched.lines is None else f"{watched.lines:,}"
    return f"{name} {lines}/{caps.hard_lines:,} lines {watched.bytes:,}/{caps.hard_bytes:,} bytes"


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
