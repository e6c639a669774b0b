"""Tell what goes on while something is carried out that has to be finished, whether or not anybody reads."""

from __future__ import annotations

from collections.abc import Iterable

from memstile.cli.terminal import ReaderGone, say
from memstile.errors import GuardError


class Telling:
    """Writes until that fails for the first time; `end` then ends the command as the failure would have."""

    def __init__(self) -> None:
        """Nothing has failed yet."""
        self._failure: ReaderGone | GuardError | None = None

    def say(self, lines: Iterable[str]) -> None:
        """Write lines to standard output, at once, if it still takes any."""
        if self._failure:
            return
        try:
            say(lines)
        except (ReaderGone, GuardError) as failure:
            self._failure = failure

    def end(self) -> None:
        """Raise what kept the lines from being written."""
        if self._failure:
            raise self._failure
