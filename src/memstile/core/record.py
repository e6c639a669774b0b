"""NamedTuple without the cost of `typing`, for the modules a hook loads at every tool call.

`import typing` alone doubles the start of `python -I -S` (measured; docs/performance.md). Type checkers read the
real `typing.NamedTuple`; at run time a metaclass builds the same tuple class from `collections`, which `json`
has loaded already. tests/core/test_record.py holds both to the same behaviour.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Record(type):
        def __new__(mcls, name, bases, namespace):
            if not bases:
                return super().__new__(mcls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            base = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            for key, value in namespace.items():
                if key not in ("__module__", "__qualname__", "__dict__", "__weakref__"):
                    setattr(base, key, value)
            base.__qualname__ = namespace["__qualname__"]
            return base

    class NamedTuple(metaclass=_Record):
        """A tuple with named fields, from class annotations."""

        __slots__ = ()
