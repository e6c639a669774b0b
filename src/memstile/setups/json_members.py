"""Put single members and list items into a host's JSON settings, and take them out again; the rest stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memstile.core.record import NamedTuple
from memstile.setups.json_edit import add, cut, replace
from memstile.setups.json_source import Malformed, Node, parse, strings
from memstile.setups.setup import File, Unmergeable

_CORRECT = "correct it, then run this again"
_PROGRAM = "memstile"
_NOTHING = "{}\n"


class Member(NamedTuple):
    """One thing of ours in a settings file.

    path: names from the top. value: what stands there or, is_listed, an item of the list there. is_optional: passed
    over where the file holds something else there, or in the place of a container on the way.
    """

    path: tuple[str, ...]
    value: object
    is_listed: bool = False
    is_optional: bool = False


def members_file(path: str, members: Sequence[Member], lines: tuple[str, ...]) -> File:
    """Describe a settings file with members of ours. lines: what goes in, in short."""
    return File(path, partial(put, members=members), partial(take, members=members), lines)


def put(text: str | None, members: Sequence[Member]) -> str:
    """Put all in. text: of the file, None or blanks where there is nothing in it. Raises Unmergeable."""
    text = text if text and text.strip(" \t\r\n\ufeff") else _NOTHING
    for member in members:
        if not (member.is_optional and _is_barred(_root(text), member)):
            text = _with_item(text, member) if member.is_listed else _with_member(text, member)
    return text


def take(text: str, members: Sequence[Member]) -> str | None:
    """Take out what is ours, and containers that nothing else is in; None if nothing is left. Raises Unmergeable."""
    given = text
    if not text.strip(" \t\r\n\ufeff"):
        return text
    for member in members:
        before = text
        text = _without_item(text, member) if member.is_listed else _without_member(text, member)
        above = member.path if member.is_listed else member.path[:-1]
        while text != before and above and (node := _at(_root(text), above)) and not node.members:
            text = _cut(text, above)
            above = above[:-1]
    return None if text == _NOTHING != given else text


def _root(text: str) -> Node:
    try:
        root = parse(text)
    except (Malformed, RecursionError) as error:
        raise Unmergeable(f"it is no JSON: {error}", _CORRECT) from error
    if root.kind != "object":
        raise Unmergeable("it holds no object", _CORRECT)
    return root


def _at(node: Node | None, path: Sequence[str]) -> Node | None:
    for name in path:
        node = node.get(name) if node and node.kind == "object" else None
    return node


def _is_barred(root: Node, member: Member) -> bool:
    found = (_at(root, member.path[:count]) for count in range(1, len(member.path)))
    return any(node is not None and node.kind != "object" for node in found)


def _made(text: str, path: Sequence[str], kind: str) -> str:
    """Make the containers on a path that are missing, the last one of a kind. Raises Unmergeable."""
    for count in range(1, len(path) + 1):
        wanted = kind if count == len(path) else "object"
        node = _at(_root(text), path[:count])
        if node is None:
            empty: object = [] if wanted == "array" else {}
            text = add(text, _required(text, path[: count - 1]), empty, path[count - 1])
        elif node.kind != wanted:
            what = "list" if wanted == "array" else "object"
            raise Unmergeable(f'its "{".".join(path[:count])}" is no {what}', _CORRECT)
    return text


def _required(text: str, path: Sequence[str]) -> Node:
    node = _at(_root(text), path)
    if node is None:
        raise Unmergeable(f'it lacks "{".".join(path)}"', _CORRECT)
    return node


def _with_member(text: str, member: Member) -> str:
    above, name = member.path[:-1], member.path[-1]
    text = _made(text, above, "object")
    node = _required(text, above).get(name)
    if node is None:
        return add(text, _required(text, above), member.value, name)
    if member.is_optional and node.plain() != member.value:
        return text
    if not _is_ours(node, member):
        named = ".".join(member.path)
        raise Unmergeable(f'its "{named}" starts another program', "rename it, or leave ours out with --no-control")
    return text if node.plain() == member.value else replace(text, node, member.value)


def _with_item(text: str, member: Member) -> str:
    text = _made(text, member.path, "array")
    node = _required(text, member.path)
    return text if member.value in [row.plain() for row in node.members] else add(text, node, member.value)


def _without_member(text: str, member: Member) -> str:
    node = _at(_root(text), member.path)
    return _cut(text, member.path) if node is not None and _is_ours(node, member) else text


def _without_item(text: str, member: Member) -> str:
    node = _at(_root(text), member.path)
    if node is None or node.kind != "array":
        return text
    for number in reversed(range(len(node.members))):
        if node.members[number].plain() == member.value:
            text = cut(text, _required(text, member.path), number)
    return text


def _cut(text: str, path: Sequence[str]) -> str:
    above = _required(text, path[:-1])
    position = above.position(path[-1])
    return text if position is None else cut(text, above, position)


def _is_ours(node: Node, member: Member) -> bool:
    """Tell whether what stands in our place starts memstile, or is our very value."""
    value = node.plain()
    return value == member.value or any(text.rpartition("/")[2] == _PROGRAM for text in strings(value))
