"""Tools that remove files, by their own names, whichever host or MCP server offers them."""

from __future__ import annotations

from memstile.core.tool_shapes import own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_VERBS, _NOUNS = ("move", "rename", "delete", "remove"), ("file", "directory", "path")
REMOVERS = frozenset(("Delete", *(f"{verb}_{noun}" for verb in _VERBS for noun in _NOUNS)))
"""Tools that leave nothing where a file or a folder was: of Cursor, and of MCP servers by their own names."""


def is_remover(tool: str) -> bool:
    """Tell whether a tool may leave nothing where a file was, whoever offers it."""
    return tool in REMOVERS or own_name(tool, REMOVERS) != ""


def texts_in(value: object) -> Iterator[str]:
    """Give the texts of a call's arguments, and those in lists of them: what a tool removes is under one or another."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for row in value.values():
            yield from (row,) if isinstance(row, str) else texts_in(row) if isinstance(row, list) else ()
    elif isinstance(value, list):
        yield from (row for row in value if isinstance(row, str))
