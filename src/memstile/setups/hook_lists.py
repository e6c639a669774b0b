"""Merge our hooks into a host's JSON settings, and take them out again: `{"hooks": {EVENT: [...]}}`.

Two grammars share this shape. In the nested one an entry is a group of hooks with a matcher; in the flat one it is the
hook itself. An entry is ours if all of it starts the launcher; in a group with hooks of others, only the hook is.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import partial

from memstile.setups.json_edit import add, cut, replace
from memstile.setups.json_source import Malformed, Node, parse, strings
from memstile.setups.setup import LAUNCHER, File, Unmergeable

Entries = Mapping[str, Sequence[Mapping[str, object]]]
"""By the host's name of an event: what goes into its list."""


def hooks_file(path: str, entries: Entries, extra: Mapping[str, object] | None = None) -> File:
    """Describe a settings file with our hooks. extra: members at its top that the host asks for, where missing."""
    lines = tuple(_line(event, entry) for event, rows in entries.items() for entry in rows)
    return File(path, partial(put, entries=entries, extra=extra or {}), take, lines)


def _line(event: str, entry: Mapping[str, object]) -> str:
    matcher = entry.get("matcher")
    return f"{event}: {matcher}" if isinstance(matcher, str) and matcher else f"{event}: all"


def put(text: str | None, entries: Entries, extra: Mapping[str, object] | None = None) -> str:
    """Merge. text: of the file, None or blanks where there is nothing in it. Raises Unmergeable."""
    text = text if text and text.strip(" \t\r\n\ufeff") else "{}\n"
    for name, value in (extra or {}).items():
        if _root(text).get(name) is None:
            text = add(text, _root(text), value, name)
    hooks = _hooks(text)
    if hooks is None:
        return add(text, _root(text), entries, "hooks")
    for event, _ in hooks.keys:
        text = _without_ours(text, event, keep_whole=event in entries)
    for event, rows in entries.items():
        text = _with_ours(text, event, rows)
    return text


def take(text: str) -> str:
    """Take our hooks out, and the lists that nothing else is in. Raises Unmergeable."""
    if not text.strip(" \t\r\n\ufeff"):
        return text
    before, hooks = text, _hooks(text)
    for event, _ in hooks.keys if hooks else ():
        text = _without_ours(text, event)
    hooks = _hooks(text)
    return text if text == before or hooks is None or hooks.members else _cut_member(text, "hooks")


def is_ours(value: object) -> bool:
    """Tell whether a hook, as a plain value, starts our launcher: its very name, in a folder of that name."""
    return any(word.split("/")[-2:] == ["launcher", LAUNCHER] for text in strings(value) for word in _words(text))


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a quote without its end: no shell would run it
        return line.split()


def _root(text: str) -> Node:
    try:
        root = parse(text)
    except Malformed as error:
        raise Unmergeable(f"it is no JSON: {error}", "correct it, then run this again") from error
    if root.kind != "object":
        raise Unmergeable("it holds no object", "correct it, then run this again")
    return root


def _hooks(text: str) -> Node | None:
    hooks = _root(text).get("hooks")
    if hooks is not None and hooks.kind != "object":
        raise Unmergeable('its "hooks" is no object', "correct it, then run this again")
    return hooks


def _entries(text: str, event: str) -> Node | None:
    """Give the list of an event; None where it is missing or, as something else, for the host to complain about."""
    hooks = _hooks(text)
    rows = hooks.get(event) if hooks else None
    return rows if rows and rows.kind == "array" else None


def _with_ours(text: str, event: str, rows: Sequence[Mapping[str, object]]) -> str:
    hooks = _hooks(text)
    if hooks and hooks.get(event) is None:
        return add(text, hooks, rows, event)
    entries = _entries(text, event)
    if entries is None:
        raise Unmergeable(f'its "{event}" is no list', "correct it, then run this again")
    ours = [number for number, node in enumerate(entries.members) if _is_whole(node)]
    for number in reversed(ours[len(rows) :]):
        text = cut(text, _required(text, event), number)
    for number, row in zip(reversed(ours[: len(rows)]), reversed(rows[: len(ours)]), strict=True):
        # In its place: Codex trusts a hook by its position in the list.
        node = _required(text, event).members[number]
        text = text if node.plain() == row else replace(text, node, row)
    for row in rows[len(ours) :]:
        text = add(text, _required(text, event), row)
    return text


def _without_ours(text: str, event: str, *, keep_whole: bool = False) -> str:
    """Take our hooks out of an event's list, and the list if nothing else is in it.

    keep_whole: leave entries that are ours as a whole.
    """
    entries = _entries(text, event)
    count = len(entries.members) if entries else 0
    for number in reversed(range(count)):
        node = _required(text, event).members[number]
        if not _is_whole(node):
            text = _without_inner(text, event, number)
        elif not keep_whole:
            text = cut(text, _required(text, event), number)
    return _cut_member(text, event, "hooks") if count and not _required(text, event).members else text


def _without_inner(text: str, event: str, number: int) -> str:
    inner = _required(text, event).members[number].get("hooks")
    for position in reversed(range(len(inner.members) if inner and inner.kind == "array" else 0)):
        inner = _required(text, event).members[number].get("hooks")
        if inner and is_ours(inner.members[position].plain()):
            text = cut(text, inner, position)
    return text


def _is_whole(node: Node) -> bool:
    inner = node.get("hooks") if node.kind == "object" else None
    if inner is None or inner.kind != "array":
        return is_ours(node.plain())
    return bool(inner.members) and all(is_ours(hook.plain()) for hook in inner.members)


def _required(text: str, event: str) -> Node:
    entries = _entries(text, event)
    assert entries is not None, event  # noqa: S101 - only called for lists that were seen
    return entries


def _cut_member(text: str, name: str, *above: str) -> str:
    container: Node = _root(text)
    for step in above:
        container = container.get(step) or container
    position = container.position(name)
    return text if position is None else cut(text, container, position)
