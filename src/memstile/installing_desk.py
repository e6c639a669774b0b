"""Where files of a setup are changed, and a step of a plan."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.installing_record import Record
from memstile.safe_write import Seen, look
from memstile.settings_places import shown_path
from memstile.setups.setup import Unmergeable


class Step(NamedTuple):
    """One step of a plan. title: what it does, safe to show; lines: what is in it; do: carry it out."""

    title: str
    do: Callable[[], None]
    lines: tuple[str, ...] = ()


class Desk(NamedTuple):
    """Where files are changed. key: of the setup, in the record."""

    environment: Mapping[str, str]
    record: Record
    key: str

    def name(self, path: str) -> str:
        """Write a path as the person would."""
        return shown(shown_path(path, self.environment))

    def seen(self, path: str) -> Seen:
        """Look at a file that is to be changed; a symlink is followed. Raises GuardError."""
        return look(os.path.realpath(path), shown_path(path, self.environment))

    def text(self, seen: Seen) -> str | None:
        """Give a file's text, None where there is no file. Raises GuardError."""
        try:
            return seen.data.decode() if seen.status else None
        except UnicodeDecodeError as error:
            raise GuardError(
                f"{shown(seen.shown)} is not UTF-8 from byte {error.start:,} on; it was left alone", "correct it"
            ) from error

    def merged(self, seen: Seen, change: Callable[[], str | None]) -> str | None:
        """Work out a change. Raises GuardError where it cannot be made without guessing."""
        try:
            return change()
        except Unmergeable as error:
            raise GuardError(f"{shown(seen.shown)} was left alone: {error.message}", error.hint) from error
