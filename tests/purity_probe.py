"""Call every public function of the core while an audit hook listens; `python -m tests.purity_probe` prints JSON.

An interpreter of its own, as an audit hook can never be taken off again. The arguments are made from the functions'
annotations, the same ones in every run. A value the annotation does not narrow down enough has a row in BY_NAME or
BY_TYPE.
"""

from __future__ import annotations

import difflib  # noqa: F401 - core/resolve.py imports it where it needs it; loading it is no act of the core's
import importlib
import inspect
import json
import os
import pkgutil
import sys
import types
import typing
from collections import abc
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from random import Random

import memstile.core
from memstile.core import choice
from memstile.core.gate_step import GateAnswer, GateRow
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.setting_key import Key, Kind
from memstile.core.setting_keys import KEYS, VAULT_MODES
from memstile.core.settings import DEFAULTS, Settings

EXAMPLES = 200

HARMLESS = {"object.__getattr__"}
"""Audit events that touch nothing outside the interpreter."""


class Subject(typing.NamedTuple):
    """Something of the core that can be called. owner: the record it is a method or property of."""

    name: str
    function: Callable[..., object]
    owner: type | None = None


class Seen(typing.NamedTuple):
    """What was seen of one subject. answers: calls that gave something that is not empty."""

    calls: int
    answers: int
    events: list[str]
    raised: list[str]
    faults: list[str]


FRAGMENTS = (
    "MEMORY.md", "a.md", "memory", ".claude", "agent-memory", "/", "..", ".", "~", "*", "-x", "#", "|", "'", "\\", " ",
    "[a](b.md)", "[[c]]", "[", "](", "\n", "\r", "\t", "\x1b[31m", "\u2028", "\u202e", "日本語", "e\u0301", "🧠",
    "\udcff", "\udc92", "\ud800", "0", "200", "true", "---\n", "name: a\n", "type: project\n", "*** Begin Patch\n",
)  # fmt: skip


def text(random: Random) -> str:
    return "".join(random.choices(FRAGMENTS, k=random.choice((0, 1, 1, 1, 2, 6))))


def content(random: Random) -> bytes:
    pieces = ("- [a](a.md) about\n", "- [[b]]\r\n", "x" * 90, "🧠\n", "\udcff", "\ufeff", "\n", "\n\n")
    head = random.choice(("", "", "---\nname: a\ndescription: b\nmetadata:\n  type: project\n---\n"))
    body = random.choices(pieces, k=random.choice((0, 1, 5, 40, 250)))
    return (head + "".join(body)).encode("utf-8", "surrogateescape")


def number(random: Random) -> int:
    return random.choice((0, 1, 2, 150, 199, 200, 201, 20_481, 25_600, 25_601, 9_000_000, -1))


def plain(random: Random) -> object:
    """Make what JSON, TOML, the environment or a payload may hold."""
    return random.choice((
        None, True, False, number(random), 10**5000, 0.5, float("nan"), float("inf"), text(random), [text(random)],
        [{"path": text(random), "mode": "auto"}], {"mode": random.choice(("off", "audit", 3)), text(random): None}, {},
        [], [None, [[]]],
    ))  # fmt: skip


def settings(random: Random) -> Settings:
    """Make settings as core/resolve.py may give them: each value is one its key allows."""
    values = {key.field: SETTINGS[key.kind](random, key) for key in KEYS if key.kind in SETTINGS}
    return Settings._make(values.get(field, old) for field, old in DEFAULTS._asdict().items())


SETTINGS: dict[Kind, Callable[[Random, Key], object]] = {
    Kind.CHOICE: lambda random, key: random.choice(key.choices),
    Kind.INTEGER: lambda random, key: random.randint(int(key.least), 300),
    Kind.TEXTS: lambda random, key: (random.choice(key.choices or FRAGMENTS),),
    Kind.BOOLEAN: lambda random, key: random.choice((False, True)),
}

BY_NAME: dict[str, tuple[str, ...]] = {
    "mode": VAULT_MODES,
    "folder": ("memory", "/home/a/.claude/projects/-a/memory", "a/.claude/agent-memory/b", ""),
    "unit": ("memory", ""),
    "unit_kind": ("folder", "symlink", "repository"),
    "Asked.path": ("memory", "memory/a.md", "memory/日本語 .md"),
    "Tracked.path": ("memory", "memory/a.md", "memory/\udc92\n.md"),
    "Tracked.mode": ("100644", "120000", "160000"),
    "Match.pattern": ("/memory/", "!a.md", "*"),
}
"""Words for an argument or a field, by its name or by record and name."""

BY_TYPE: dict[object, Callable[[Random], object]] = {
    str: text,
    bytes: content,
    int: number,
    float: lambda random: random.choice((0.0, 0.3, 5.0)),
    bool: lambda random: random.choice((False, True)),
    type(None): lambda random: None,
    object: plain,
    Key: lambda random: random.choice(KEYS),
    Rule: lambda random: random.choice(RULES),
    Settings: settings,
}


def made(hint: object, random: Random, name: str = "", depth: int = 0) -> object:
    """Make a value of a type. name: of the argument, or of record and field, that it is for."""
    words = BY_NAME.get(name) or BY_NAME.get(name.rpartition(".")[2])
    if words:
        return random.choice(words)
    if hint in BY_TYPE:
        return BY_TYPE[hint](random)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return made(random.choice(parts), random, "", depth)
    if origin is typing.Literal:
        return random.choice(parts)
    if isinstance(origin, type):
        return collected(origin, parts, random, depth + 1)
    if isinstance(hint, type) and issubclass(hint, (Enum, choice.Enum)):
        return random.choice(list(hint))
    if isinstance(hint, type) and is_record(hint):
        return hint(*(made(of, random, f"{hint.__name__}.{field}", depth + 1) for field, of in fields(hint).items()))
    raise TypeError(f"no way to make {hint}: give it a row in BY_TYPE")


COLLECTIONS: dict[type, Callable[[list[object]], object]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    abc.Sequence: tuple,
    abc.Iterable: tuple,
    abc.Collection: tuple,
    abc.Container: frozenset,
    abc.Set: frozenset,
}


def collected(origin: type, parts: tuple[object, ...], random: Random, depth: int) -> object:
    count = random.choice((0, 1, 1, 2, 3)) if depth < 6 else 0
    if origin is tuple and parts[-1] is not Ellipsis:
        return tuple(made(part, random, "", depth) for part in parts)
    if origin in (dict, abc.Mapping):
        return {made(parts[0], random, "", depth): made(parts[1], random, "", depth) for _ in range(count)}
    if origin in COLLECTIONS:
        return COLLECTIONS[origin]([made(parts[0], random, "", depth) for _ in range(count)])
    raise TypeError(f"no way to make {origin}{parts}: give it a row in collected()")


def is_record(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


@cache
def fields(record: type) -> dict[str, object]:
    hints = hints_of(record)
    return {name: hints[name] for name in inspect.signature(record).parameters}


def subjects() -> Iterator[Subject]:
    """Give each public function of the core, and each public method and property of its records."""
    for info in pkgutil.walk_packages(memstile.core.__path__, "memstile.core."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", "") != module.__name__ or module is choice:
                continue
            if isinstance(value, types.FunctionType):
                yield Subject(f"{module.__name__}.{name}", value)
            if isinstance(value, type) and (is_record(value) or issubclass(value, (Enum, choice.Enum))):
                yield from members(value)


def members(owner: type) -> Iterator[Subject]:
    for name, value in vars(owner).items():
        function = value.fget if isinstance(value, property) else value
        if not name.startswith("_") and isinstance(function, types.FunctionType):
            yield Subject(f"{owner.__module__}.{owner.__qualname__}.{name}", function, owner)


# Names that the light modules import for type checkers alone.
FOR_CHECKERS = {**vars(abc), "GateRow": GateRow, "Arguments": abc.Mapping[str, object], "GateAnswer": GateAnswer}


@cache
def hints_of(thing: Callable[..., object]) -> dict[str, object]:
    return typing.get_type_hints(thing, localns=FOR_CHECKERS)


def arguments(subject: Subject, random: Random) -> inspect.BoundArguments:
    signature = inspect.signature(subject.function)
    hints = dict(hints_of(subject.function))
    if subject.owner is not None:
        hints[next(iter(signature.parameters))] = subject.owner
    bound = signature.bind_partial()
    bound.arguments = {name: made(hints[name], random, name) for name in signature.parameters}
    return bound


def drive(subject: Subject, calls: list[inspect.BoundArguments], heard: list[str]) -> Seen:
    """Make the calls, each twice: the second answer must be the first's, and no argument may have changed."""
    heard.clear()
    raised, faults, answers = set(), set(), 0
    for call in calls:
        before = written(call.arguments)
        try:
            first, second = (answer(subject.function(*call.args, **call.kwargs)) for _ in range(2))
        except Exception as error:  # whatever it is, it is reported
            raised.add(f"{error!r} on {before[:300]}")
            continue
        answers += bool(first)
        if written(first) != written(second):
            faults.add(f"a second answer on {before[:300]}")
        if written(call.arguments) != before:
            faults.add(f"changed its arguments {before[:300]}")
    return Seen(len(calls), answers, sorted(set(heard)), sorted(raised), sorted(faults))


def written(value: object) -> str:
    """Write a value with all its parts; unlike `==`, a NaN in it is the same as itself."""
    sys.set_int_max_str_digits(0)
    try:
        return repr(value)
    finally:
        sys.set_int_max_str_digits(4300)


def answer(result: object) -> object:
    return list(result) if isinstance(result, abc.Iterator) else result


def canary() -> None:
    """Do what the core must not, so that the silence of the others means something."""
    with open(os.devnull, "rb"):
        os.listdir(".")


def main() -> None:
    work = []
    for subject in (*subjects(), Subject("canary", canary)):
        random = Random(subject.name)  # noqa: S311 - the same values in every run, on purpose
        work.append((subject, [arguments(subject, random) for _ in range(EXAMPLES)]))
    heard: list[str] = []
    sys.addaudithook(lambda event, details: None if event in HARMLESS else heard.append(f"{event} {details!r:.80}"))
    seen = {subject.name: drive(subject, calls, heard)._asdict() for subject, calls in work}
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
