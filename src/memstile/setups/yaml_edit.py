"""Edit a YAML text: append an item to a block sequence, take it out; every other byte, comments too, stays.

The file is read by PyYAML for the places of its values only; nothing is ever written by it.
"""

from __future__ import annotations

import json

import yaml

from memstile.core.record import NamedTuple
from memstile.setups.setup import Unmergeable

_CORRECT = "correct it, then run this again"


class Item(NamedTuple):
    """One item of a sequence: text[start:end] is its lines, whole, without blanks and comments after it."""

    start: int
    end: int
    value: object


class Sequence(NamedTuple):
    """A block sequence. indent: of its dashes; end: of its last item's lines."""

    items: tuple[Item, ...]
    indent: str
    end: int


def root(text: str) -> yaml.Node | None:
    """Read the one document of a text, None where there is nothing in it. Raises Unmergeable."""
    try:
        nodes = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
        ends = [token for token in yaml.scan(text) if isinstance(token, yaml.DocumentEndToken)]
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark else ""
        raise Unmergeable(
            f"it is no YAML: {getattr(error, 'problem', None) or 'unreadable'}{line}", _CORRECT
        ) from error
    if len(nodes) > 1 or ends:
        raise Unmergeable("it holds more than one document, or an end mark", "keep one, without `...`")
    return nodes[0] if nodes and not _is_nothing(nodes[0]) else None


def _is_nothing(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def member(node: yaml.Node | None, name: str) -> yaml.Node | None:
    """Give the value of a key of a mapping."""
    rows = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in rows if key.value == name), None)


def sequence(text: str, node: yaml.Node) -> Sequence:
    """Read a block sequence. Raises Unmergeable for anything else."""
    if not isinstance(node, yaml.SequenceNode) or node.flow_style or not node.value:
        raise Unmergeable("its list is not written with one item a line", "write it with a dash an item")
    starts = [inner.start_mark.index for inner in node.value]
    if starts != sorted(set(starts)):  # the place of an alias is that of what it stands for
        raise Unmergeable("an item of its list is an alias", "write it out")
    items = []
    for inner in node.value:
        # The dash stands before the item, after it on its line or some lines above; nothing else can be between.
        dash = text.rindex("-", 0, inner.start_mark.index)
        start = text.rfind("\n", 0, dash) + 1
        try:
            items.append(Item(start, _end(text, inner, node.start_mark.column), plain(inner)))
        except RecursionError as error:
            raise Unmergeable("an item of its list holds itself", _CORRECT) from error
    indent = text[items[0].start :][: len(text[items[0].start :]) - len(text[items[0].start :].lstrip(" "))]
    return Sequence(tuple(items), indent, items[-1].end)


def _end(text: str, node: yaml.Node, indent: int) -> int:
    """Say where an item's last line ends: a block's own end mark lies behind the comments that follow it."""
    end = node.end_mark.index
    lines = text[:end].splitlines(keepends=True)
    while lines and _is_after(lines[-1], indent):
        end -= len(lines.pop())
    found = text.find("\n", max(end - 1, 0))
    return len(text) if found < 0 else found + 1


def _is_after(line: str, indent: int) -> bool:
    bare = line.strip()
    return not bare or (bare.startswith("#") and len(line) - len(line.lstrip(" ")) <= indent)


def plain(node: yaml.Node) -> object:
    """Give a node as plain values; scalars as their text."""
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(inner) for inner in node.value]
    return str(node.value)


def insert_lines(text: str, at: int, lines: list[str]) -> str:
    """Put whole lines at the start of a line, or at the end of a text that may lack its last line break."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    opening = line_end if at and text[at - 1] != "\n" else ""
    return text[:at] + opening + "".join(line + line_end for line in lines) + text[at:]


def quoted(text: str) -> str:
    """Write a text as a scalar that reads the same whatever is in it: JSON is YAML."""
    return json.dumps(text, ensure_ascii=False)
