"""Find memstile's hooks in a host's files: the very command lines, by the same readers that `memstile init` edits with.

What `init` would write is read the same way, so that what is there can be compared with it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memstile.disk import read_small
from memstile.setups.hook_lists import is_ours
from memstile.setups.json_source import Malformed, parse
from memstile.setups.setup import LAUNCHER, File
from memstile.setups.shim import PLACEHOLDER

MOST_BYTES = 16 * 1024 * 1024


class Hook(NamedTuple):
    """One hook of ours, as a host has it.

    event, matcher: in the host's words, "" where there is none. line: as a shell gets it, "" for a start without one.
    words: program and arguments, of a line up to what a shell would add. script: the text of a hook that is a file.
    entry: all its keys, and those of the group it is in.
    """

    event: str
    matcher: str
    line: str
    words: tuple[str, ...]
    script: str = ""
    entry: Mapping[str, object] = {}

    def option(self, name: str) -> str:
        """Give what an option of the command line holds, "" where it has none."""
        rest = list(self.words)
        found = [after for word, after in zip(rest, [*rest[1:], ""], strict=True) if word == name]
        return next((word.partition("=")[2] for word in rest if word.startswith(f"{name}=")), found[0] if found else "")

    @property
    def launcher(self) -> str:
        """Give the launcher's path."""
        return next((word for word in self.words if os.path.basename(word) == LAUNCHER), "")


class Found(NamedTuple):
    """One file of a host. fault: why it cannot be read; is_there: it exists; text: of it, "" where it is not read."""

    path: str
    hooks: tuple[Hook, ...] = ()
    fault: str = ""
    is_there: bool = True
    text: str = ""


def look(path: str) -> Found:
    """Read a host's file. Raises nothing about it."""
    if not os.path.lexists(path):
        return Found(path, is_there=False)
    data = read_small(path, MOST_BYTES)
    if data is None:
        return Found(path, fault="it cannot be read")
    text = data.decode("utf-8", "replace")
    try:
        return Found(path, tuple(hooks_in(path, text)), text=text)
    except Malformed as error:
        return Found(path, fault=f"it is no JSON: {error}", text=text)
    except RecursionError:
        return Found(path, fault="it is nested too deeply", text=text)


def wanted(file: File) -> tuple[Hook, ...]:
    """Give the hooks that `memstile init` would put into a file."""
    return tuple(hooks_in(file.path, file.put(None)))


def hooks_in(path: str, text: str) -> Iterator[Hook]:
    """Give our hooks in the text of a file. Raises Malformed for what should be JSON and is none."""
    if path.endswith(".json"):
        yield from _listed(text)
    elif path.endswith(".js"):
        yield from _in_shim(text)
    elif not path.endswith((".yml", ".md")) and LAUNCHER in text:
        line = next(line for line in text.splitlines() if LAUNCHER in line)
        line = line.removeprefix("exec ").removesuffix(" && exit")
        yield Hook(os.path.basename(path), "", line, split(line), text)


def _listed(text: str) -> Iterator[Hook]:
    hooks = _mapping(parse(text).plain() if text.strip(" \t\r\n\ufeff") else {}).get("hooks")
    for event, rows in _mapping(hooks).items():
        for row in map(_mapping, rows if isinstance(rows, list) else ()):
            inner = row.get("hooks")
            for hook in map(_mapping, inner if isinstance(inner, list) else [row]):
                if is_ours(hook):
                    group = {key: value for key, value in row.items() if key != "hooks"}
                    yield _hook(str(event), row.get("matcher"), {**group, **hook})


def _hook(event: str, matcher: object, hook: Mapping[str, object]) -> Hook:
    command = next((str(hook[key]) for key in ("command", "bash") if isinstance(hook.get(key), str)), "")
    arguments = hook.get("args")
    named = matcher if isinstance(matcher, str) else ""
    if isinstance(arguments, list):
        return Hook(event, named, "", (command, *map(str, arguments)), entry=hook)
    return Hook(event, named, command, split(command), entry=hook)


def _in_shim(text: str) -> Iterator[Hook]:
    found = PLACEHOLDER.search(text)
    listed = re.search(r"\[.*\]", found.group(), re.DOTALL) if found else None
    try:
        words = json.loads(listed.group()) if listed else []
    except ValueError:
        return
    if is_ours(words):
        yield Hook("", "", "", tuple(map(str, words)))


def split(line: str) -> tuple[str, ...]:
    """Take a line for a shell apart, up to the first word that is the shell's own."""
    try:
        words = shlex.split(line)
    except ValueError:
        return (line,)
    ends = [number for number, word in enumerate(words) if word in ("||", "&&", ";", "|", "&")]
    return tuple(words[: ends[0]] if ends else words)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
