"""What a source of settings may change.

A project's file comes with a clone, so it may only tighten what stands below it; so may the environment of a
hook, which a project can set. The person's own file and flags may do anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from memstile.core.loosening import is_looser
from memstile.core.record import NamedTuple
from memstile.core.setting_key import Authority, Key, Tighter
from memstile.core.settings import Settings


class Origin(Enum):
    """Who speaks in a source."""

    BUILTIN = "built-in"
    USER = "user"
    PROJECT = "project"
    ENVIRONMENT = "environment"
    FLAGS = "flags"


class Source(NamedTuple):
    """One source of settings.

    name: as shown in messages. values: as TOML gives them, {"index": {"hard_lines": 200}, "vault": [...]}.
    base: the absolute folder its relative vault paths start from.
    """

    origin: Origin
    name: str
    values: Mapping[str, object]
    base: str = ""


class Right(Enum):
    """How far a source may go."""

    ANYTHING = "a person's own"
    PROJECT = "a project's file: what each key's row allows"
    TIGHTEN = "the environment of a hook"


def allowed(key: Key, value: object, floor: Settings, right: Right) -> object:
    """Give what a source gets of the value it asks for.

    floor: the settings without this source. value: a usable one.
    """
    old = getattr(floor, key.field)
    if right is Right.ANYTHING or (right is Right.PROJECT and key.authority is Authority.OWN):
        return value
    if not may_tighten(key, right):
        return old
    if key.tighter is Tighter.MORE:
        return union(old, value)
    if key.tighter is Tighter.FEWER:
        return _both(value, old)
    # Against the floor, not what this source has changed so far: the order of a file's lines says nothing.
    return old if is_looser(key, floor, changed(floor, {key.field: value})) else value


def may_tighten(key: Key, right: Right) -> bool:
    """Tell whether a source that is not the person's may move a key at all."""
    is_open = right is Right.TIGHTEN or key.authority is not Authority.USER_ONLY
    return is_open and key.tighter is not Tighter.NONE


def changed(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Replace the fields that values names."""
    pairs = zip(Settings._fields, settings, strict=True)
    return Settings._make(values.get(field, old) for field, old in pairs)


def union(old: object, new: object) -> tuple[object, ...]:
    """Add the entries of a list to those of another; what is no list holds none."""
    return tuple(dict.fromkeys([*_entries(old), *_entries(new)]))


def _both(new: object, old: object) -> tuple[object, ...]:
    return tuple(entry for entry in _entries(new) if entry in _entries(old))


def _entries(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()
