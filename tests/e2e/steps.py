"""What a model does in a scene, before it is put into the words of one client's tools."""

from __future__ import annotations

from typing import NamedTuple


class Read(NamedTuple):
    """Read a file. path: absolute. sign: a text that only its content holds."""

    path: str
    sign: str


class Write(NamedTuple):
    """Give a file new content as a whole. before: what it holds, for clients that can only patch; None for no file."""

    path: str
    before: str | None
    after: str


class Edit(NamedTuple):
    """Replace one text of a file, which stands in it once and ends where a line ends."""

    path: str
    old: str
    new: str


class Shell(NamedTuple):
    """Run a command in the project."""

    command: str


Step = Read | Write | Edit | Shell
