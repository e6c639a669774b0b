"""Where a command stands and how it writes: the start folder, lines that are safe on any stream."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from memstile.report.console import encodable, inert
from memstile.standing import Standing


def standing() -> Standing:
    """Give the folder as the shell sees it: through the symlink the person came by, if PWD is right about that."""
    seen = os.environ.get("PWD", "")
    try:
        cwd = seen if os.path.isabs(seen) and os.path.samefile(seen, ".") else os.getcwd()
    except OSError:
        cwd = os.getcwd()
    return Standing(cwd, os.environ)


def say(lines: Iterable[str]) -> None:
    """Write lines to standard output, at once; what a CI would take for a command is escaped."""
    text = "".join(line + "\n" for line in lines)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.buffer.write(encodable(inert(text), encoding).encode(encoding, "backslashreplace"))
    sys.stdout.buffer.flush()
