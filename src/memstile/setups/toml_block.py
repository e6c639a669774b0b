"""Append tables of ours to a TOML text, and cut them out again; every other byte stays.

They are found by their headers: `codex mcp add` of 0.171.0 lays all servers out anew, and drops comments among them. A
library that writes TOML would be one more dependency for tables that only ever go to the end. The text is read by
tomllib for a proof: without our table it holds what it held before, and nothing else.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import partial

from memstile.setups.json_source import strings
from memstile.setups.setup import File, Unmergeable

MARK = "# memstile: these tables are its own; `memstile uninstall` takes them out"
_CORRECT = "correct it, then run this again"
_PROGRAM = "memstile"

Tables = Mapping[str, Mapping[str, str | Sequence[str]]]
"""By header, a dotted name: its keys, each with a text or a list of texts."""


def block_file(path: str, owned: Sequence[str], tables: Tables, lines: tuple[str, ...]) -> File:
    """Describe a file with a block of tables. owned: names from the top to what nobody else may have there."""
    return File(path, partial(put, owned=owned, tables=tables), partial(take, owned=owned), lines)


def put(text: str | None, owned: Sequence[str], tables: Tables) -> str:
    """Put the tables at the end, in place of older ones of ours. Raises Unmergeable."""
    text = text or ""
    line_end = "\r\n" if "\r\n" in text else "\n"
    rendered = _rendered(tables, line_end)
    if _at(_parsed(text), owned) == _at(_parsed(rendered), owned):
        return text
    text = take(text, owned)
    if _at(_parsed(text), owned) is not None:
        named = ".".join(owned)
        raise Unmergeable(f"it has a [{named}] of its own", "take that out, or leave ours out with --no-control")
    gap = line_end if text.endswith("\n") else line_end * 2
    after = text + (gap if text else "") + rendered
    if _without(_parsed(after), owned) != _without(_parsed(text), owned):
        raise Unmergeable("tables at its end would change what is in it", _CORRECT)
    return after


def take(text: str, owned: Sequence[str]) -> str:
    """Cut our tables out; what starts another program under our name stays. Raises Unmergeable."""
    before = _parsed(text)
    if not _is_ours(_at(before, owned)):
        return text
    after = _tables(owned).sub("", text)
    rest = _parsed(after)
    if _at(rest, owned) is not None or _without(rest, owned) != _without(before, owned):
        named = ".".join(owned)
        raise Unmergeable(f"its [{named}] is not written as tables of its own", f"take {named} out by hand")
    return after


def _is_ours(value: object) -> bool:
    return any(text.rpartition("/")[2] == _PROGRAM for text in strings(value))


def _tables(owned: Sequence[str]) -> re.Pattern[str]:
    """Match a table of ours: a blank line and our mark before it, its header, and the lines up to a blank or a comment.

    A line that begins with a bracket begins the next table.
    """
    name = re.escape(".".join(owned))
    mark, header = r"(?:^\r?\n)?(?:^# memstile:[^\n]*\n)?", rf"^\[{name}[].][^\n]*(?:\n|\Z)"
    return re.compile(mark + header + r"(?:^(?![\[#]|\r?\n|\r?\Z)[^\n]+(?:\n|\Z))*", re.MULTILINE)


def _rendered(tables: Tables, line_end: str) -> str:
    rows = [MARK]
    for header, keys in tables.items():
        rows.append(f"[{header}]")
        rows += [f"{key} = {_value(value)}" for key, value in keys.items()]
    return "".join(row + line_end for row in rows)


def _value(value: str | Sequence[str]) -> str:
    """Write a value. JSON's quoted texts are TOML's but for a sign that JSON leaves as it is: DEL."""
    given = value if isinstance(value, str) else list(value)
    return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")


def _parsed(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unmergeable(f"it is no TOML: {error}", _CORRECT) from error


def _at(document: Mapping[str, object], names: Sequence[str]) -> object:
    value: object = document
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _without(document: Mapping[str, object], names: Sequence[str]) -> dict[str, object]:
    """Give a document without a member, and without the tables above that nothing else is in."""
    rest = dict(document)
    inner = rest.get(names[0])
    if len(names) == 1 or not isinstance(inner, dict):
        rest.pop(names[0], None) if len(names) == 1 else None
        return rest
    rest[names[0]] = _without(inner, names[1:])
    if not rest[names[0]]:
        del rest[names[0]]
    return rest
