"""Edit a YAML text: append an item to a block sequence, take it out; every other byte, comments too, stays.

The file is read by PyYAML for the places of its values only; nothing is ever written by it.
"""

from __future__ import annotations

import json
import re

import yaml

from memstile.core.record import NamedTuple
from memstile.setups.setup import Unmergeable

_CORRECT = "correct it, then run this again"


class Item(NamedTuple):
    """One item of a sequence: text[start:end] is its lines, whole, without blanks and comments below it."""

    start: int
    end: int
    value: object


class Sequence(NamedTuple):
    """A block sequence. indent: of its dashes; end: of its last item's lines, with comments that are in it."""

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
    is_empty = not nodes or (is_null(nodes[0]) and nodes[0].start_mark.index == nodes[0].end_mark.index)
    return None if is_empty else nodes[0]


def is_null(node: yaml.Node | None) -> bool:
    """Tell whether there is nothing, or a null that is written out: nothing can stand beside that."""
    return node is None or (isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null")


def member(node: yaml.Node | None, name: str) -> yaml.Node | None:
    """Give the value of a key of a mapping."""
    rows = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in rows if key.value == name), None)


def sequence(text: str, node: yaml.Node) -> Sequence:
    """Read a block sequence. Raises Unmergeable for anything else."""
    if is_null(node):
        raise Unmergeable("a null stands in the place of its list", "take the null out")
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
            items.append(Item(start, _own_end(text, inner, node.start_mark.column), plain(inner)))
        except RecursionError as error:
            raise Unmergeable("an item of its list holds itself", _CORRECT) from error
    indent = text[items[0].start :][: len(text[items[0].start :]) - len(text[items[0].start :].lstrip(" "))]
    return Sequence(tuple(items), indent, _end(text, node.value[-1], node.start_mark.column))


def _end(text: str, node: yaml.Node, indent: int) -> int:
    """Say where an item's last line ends: a block's own end mark lies behind the comments that follow it."""
    last = _last(node)
    if isinstance(last, yaml.ScalarNode) and "+" in _header(text, last):
        return int(last.end_mark.index)
    end = node.end_mark.index
    lines = text[:end].splitlines(keepends=True)
    while lines and _is_after(lines[-1], indent):
        end -= len(lines.pop())
    found = text.find("\n", max(end - 1, 0))
    return len(text) if found < 0 else found + 1


def _own_end(text: str, node: yaml.Node, indent: int) -> int:
    """Say where an item's last line ends that holds a value: comments below it may be the person's."""
    last = _last(node)
    if isinstance(last, yaml.ScalarNode) and last.style in ("|", ">"):
        return _end(text, node, indent)
    found = text.find("\n", last.end_mark.index)
    return len(text) if found < 0 else found + 1


def _last(node: yaml.Node) -> yaml.Node:
    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
    return node


def _header(text: str, node: yaml.ScalarNode) -> str:
    """Give the signs that begin a block text: with "+" the blank lines after it are part of it. "" for any other."""
    if node.style not in ("|", ">"):
        return ""
    found = re.compile(r"[|>][-+0-9]*").search(text, node.start_mark.index, node.end_mark.index)
    return found.group() if found else ""


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


def quoted(value: object) -> str:
    """Write a text, or a list of texts, so that it reads the same whatever is in it: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)
