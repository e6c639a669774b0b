"""Read JSON with the place of each value in its text, so that a file can be edited without being written anew.

Comments and trailing commas are passed over, since hosts differ in what they take; nothing else is that JSON is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from memstile.core.record import NamedTuple

_MAX_DEPTH = 200
_GAP = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None}


class Malformed(ValueError):
    """A text that is no JSON. line: from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(f"{what} in line {line}")
        self.line = line


class Node(NamedTuple):
    """One value and its place: text[start:end].

    kind: "object", "array" or "value". members: the values in it; keys: their names, of an object only, each with the
    place where the name starts. value: of "value" only.
    """

    kind: str
    start: int
    end: int
    members: tuple[Node, ...] = ()
    keys: tuple[tuple[str, int], ...] = ()
    value: object = None

    def plain(self) -> object:
        """Give the value as the json module would; of two members with one name the last counts."""
        if self.kind == "object":
            return {key: node.plain() for (key, _), node in zip(self.keys, self.members, strict=True)}
        return [node.plain() for node in self.members] if self.kind == "array" else self.value

    def position(self, name: str) -> int | None:
        """Say which member of an object has a name, the last one, as hosts read it."""
        found = [number for number, (key, _) in enumerate(self.keys) if key == name]
        return found[-1] if found else None

    def get(self, name: str) -> Node | None:
        """Give the member of an object with a name."""
        position = self.position(name)
        return None if position is None else self.members[position]

    def starts(self) -> tuple[int, ...]:
        """Give where each member starts; of an object, where its name does."""
        return tuple(start for _, start in self.keys) or tuple(node.start for node in self.members)


@lru_cache(maxsize=4)
def parse(text: str) -> Node:
    """Read a text that holds one value. Raises Malformed."""
    at = after_gap(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, at, 0)
    if after_gap(text, node.end) != len(text):
        raise _malformed(text, node.end, "more than one value")
    return node


def blanks_only(text: str) -> bool:
    """Tell whether a piece between two values holds no comment."""
    return not text.strip(" \t\r\n,")


def after_gap(text: str, at: int) -> int:
    """Give the place of the next sign that is neither blank nor in a comment."""
    found = _GAP.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _MAX_DEPTH:
        raise _malformed(text, at, "too many levels")
    opening = text[at : at + 1]
    if opening == "{":
        return _container(text, at, depth, "object", "}")
    if opening == "[":
        return _container(text, at, depth, "array", "]")
    if opening == '"':
        end = _text_end(text, at)
        return Node("value", at, end, value=json.loads(text[at:end]))
    for word, value in _WORDS.items():
        if text.startswith(word, at):
            return Node("value", at, at + len(word), value=value)
    found = _NUMBER.match(text, at)
    if not found:
        raise _malformed(text, at, "a value is missing")
    return Node("value", at, found.end(), value=json.loads(found.group()[:4000]))


def _container(text: str, start: int, depth: int, kind: str, closing: str) -> Node:
    members: list[Node] = []
    keys: list[tuple[str, int]] = []
    at = after_gap(text, start + 1)
    while not text.startswith(closing, at):
        if kind == "object":
            end = _text_end(text, at)
            keys.append((json.loads(text[at:end]), at))
            at = after_gap(text, end)
            if not text.startswith(":", at):
                raise _malformed(text, at, "a colon is missing")
            at = after_gap(text, at + 1)
        members.append(_value(text, at, depth + 1))
        at = after_gap(text, members[-1].end)
        if text.startswith(",", at):
            at = after_gap(text, at + 1)
        elif not text.startswith(closing, at):
            raise _malformed(text, at, "a comma is missing")
    return Node(kind, start, at + 1, tuple(members), tuple(keys))


def _text_end(text: str, at: int) -> int:
    found = _TEXT.match(text, at)
    if not found:
        raise _malformed(text, at, "a quoted text is missing or broken")
    return found.end()


def _malformed(text: str, at: int, what: str) -> Malformed:
    return Malformed(what, text.count("\n", 0, at) + 1)


def strings(value: object) -> Iterator[str]:
    """Give every text in a plain value, keys aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
