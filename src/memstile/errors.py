"""Exit codes, and the one exception that carries a hint for the person who can mend it."""

from __future__ import annotations

from memstile.core.choice import IntEnum


class ExitCode(IntEnum):
    """What `memstile` says to its caller. `memstile-hook` speaks its host's codes instead."""

    CLEAN = 0
    FINDINGS = 1
    NOT_CHECKED = 2
    BUG = 3
    INTERRUPTED = 130


class GuardError(Exception):
    """Say what could not be done and how to mend it; ends a command with exit code 2.

    message: one line of fact, no full stop at its end.
    hint: the edit or command that mends it; "" when there is none.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
