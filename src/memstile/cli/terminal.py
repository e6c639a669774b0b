"""Where a command stands and how it writes: the start folder, lines that are safe on any stream."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from memstile.errors import GuardError
from memstile.report.console import encodable, inert
from memstile.standing import Standing


def standing() -> Standing:
    """Give the folder as the shell sees it: through the symlink the person came by, if PWD is right about that."""
    seen = os.environ.get("PWD", "")
    try:
        is_here = os.path.isabs(seen) and os.path.samefile(seen, ".")
    except OSError:
        is_here = False
    try:
        return Standing(seen if is_here else os.getcwd(), os.environ)
    except OSError as error:
        raise GuardError("the current folder is gone", "change to a folder that exists") from error


class ReaderGone(Exception):
    """Nobody reads standard output any more (`memstile check | head`)."""


def write(data: bytes) -> None:
    """Write to standard output, at once. Raises ReaderGone, or GuardError where it cannot be written to."""
    try:
        if sys.stdout is None:
            raise GuardError("standard output is closed", "give memstile a place to write to")
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        _give_up()
        raise ReaderGone from error
    except OSError as error:
        _give_up()
        raise GuardError(
            f"cannot write to standard output: {error.strerror}", "make room, or write elsewhere"
        ) from error


def _give_up() -> None:
    """Let what is still in the buffer go nowhere: the interpreter would try it once more at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(lines: Iterable[str]) -> None:
    """Write lines to standard output, at once; what a CI would take for a command is escaped."""
    text = "".join(line + "\n" for line in lines)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    write(encodable(inert(text), encoding).encode(encoding, "backslashreplace"))
