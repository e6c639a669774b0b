"""Add rows of ours to a cordis patch, YAML or JSON, and take them out again; every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memstile.setups.json_edit import add, cut
from memstile.setups.json_source import Malformed, parse
from memstile.setups.setup import Unmergeable
from memstile.setups.yaml_edit import Item, insert_lines, is_null, quoted, root, sequence

Row = Mapping[str, object]
"""id, name of the module, and config: a mapping to texts and lists of texts."""


def put(text: str | None, rows: list[Row], ours: tuple[str, ...]) -> str:
    """Add rows to the patch, in place of what stands there of ours. ours: ids of rows. Raises Unmergeable."""
    text = text or ""
    item = {"insert": rows}
    if any(value == item for value in _values(text)):
        return text
    text = take(text, ours)
    if not rows:
        return text
    after = _added(text, rows, item)
    if _values(after) != [*_values(text), item]:
        raise Unmergeable(
            "a row at its end would change what is in it", "end it with a line break, then run this again"
        )
    return after


def _added(text: str, rows: list[Row], item: object) -> str:
    if _is_json(text):
        return add(text, parse(text), item)
    node = root(text)
    if node is None:
        return insert_lines(text, len(text), _lines("", rows))
    found = sequence(text, node)
    return insert_lines(text, found.end, _lines(found.indent, rows))


def take(text: str, ours: tuple[str, ...]) -> str:
    """Take rows of ours out. Raises Unmergeable."""
    if _is_json(text):
        document = parse(text)
        for number in reversed(range(len(document.members))):
            if _is_ours(document.members[number].plain(), ours):
                text = cut(text, parse(text), number)
        return text
    for item in reversed(_items(text)):
        if _is_ours(item.value, ours):
            text = text[: item.start] + text[item.end :]
    return text


def _values(text: str) -> list[object]:
    if _is_json(text):
        return [node.plain() for node in parse(text).members]
    return [item.value for item in _items(text)]


def _items(text: str) -> tuple[Item, ...]:
    node = root(text)
    return () if node is None or is_null(node) else sequence(text, node).items


def _is_json(text: str) -> bool:
    """Tell whether it is JSON to the letter: what JSON's comments begin with is a text in YAML."""
    try:
        return isinstance(json.loads(text.removeprefix("\ufeff")), list) and parse(text).kind == "array"
    except (Malformed, ValueError, RecursionError):
        return False


def _is_ours(value: object, ours: tuple[str, ...]) -> bool:
    rows = value.get("insert") if isinstance(value, dict) and len(value) == 1 else None
    ids = [row.get("id") if isinstance(row, dict) else "" for row in rows] if isinstance(rows, list) else []
    found = [name in ours for name in ids]
    if any(found) and not all(found):
        raise Unmergeable("a row of memstile stands among others", "take the rows `id: memstile-...` out by hand")
    return any(found)


def _lines(indent: str, rows: list[Row]) -> list[str]:
    lines = [f"{indent}- insert:"]
    for row in rows:
        config = row["config"]
        lines += [
            f"{indent}    - id: {row['id']}",
            f"{indent}      name: {quoted(row['name'])}",
            f"{indent}      config:",
            *(f"{indent}        {key}: {quoted(value)}" for key, value in dict(config).items()),  # type: ignore[call-overload]
        ]
    return lines
