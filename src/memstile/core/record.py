"""NamedTuple without the cost of `typing` and `collections`, for the modules a hook loads at every tool call.

`import typing` alone doubles the start of `python -I -S`, `import collections` adds a third (measured;
docs/performance.md). Type checkers read the real `typing.NamedTuple`; at run time a metaclass builds the same tuple
class from the getter in C that `collections` uses. tests/core/test_record.py holds both to the same behaviour.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter

    def _new(name, fields, defaults):
        """Write the constructor out, so that a wrong call is refused by the interpreter, with its own words."""
        names = ", ".join(fields) + ("," if len(fields) == 1 else "")
        code = f"lambda _cls, {', '.join(fields)}: _tuple_new(_cls, ({names}))"
        new = eval(code, {"_tuple_new": tuple.__new__, "__builtins__": {}})  # noqa: S307 - names of our own fields
        new.__name__, new.__qualname__ = "__new__", f"{name}.__new__"
        new.__defaults__ = defaults
        return new

    def _made(name, module, fields, defaults):
        new = _new(name, fields, defaults)
        new.__doc__ = f"Create new instance of {name}({', '.join(fields)})"
        template = "(" + ", ".join(f"{field}=%r" for field in fields) + ")"

        def _make(cls, iterable):
            made = tuple.__new__(cls, iterable)
            if len(made) != len(fields):
                raise TypeError(f"Expected {len(fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = self._make(map(changes.pop, fields, self))
            if changes:
                error = ValueError if sys.version_info < (3, 13) else TypeError
                raise error(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _repr(self):
            return self.__class__.__name__ + template % self

        def _asdict(self):
            return dict(zip(fields, self, strict=True))

        def _getnewargs(self):
            return tuple(self)

        namespace = {
            "__doc__": f"{name}({', '.join(fields)})",
            "__slots__": (),
            "_fields": fields,
            "_field_defaults": dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True)),
            "__new__": new,
            "_make": classmethod(_make),
            "_replace": _replace,
            "__repr__": _repr,
            "_asdict": _asdict,
            "__getnewargs__": _getnewargs,
            "__match_args__": fields,
            "__module__": module,
        }
        if sys.version_info >= (3, 13):
            namespace["__replace__"] = _replace
        for at, field in enumerate(fields):
            namespace[field] = _tuplegetter(at, f"Alias for field number {at}")
        return type(name, (tuple,), namespace)

    class _Record(type):
        def __new__(mcls, name, bases, namespace):
            if not bases:
                return super().__new__(mcls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = tuple(namespace.pop(field) for field in fields if field in namespace)
            base = _made(name, namespace["__module__"], fields, defaults)
            for key, value in namespace.items():
                if key not in ("__module__", "__qualname__", "__dict__", "__weakref__"):
                    setattr(base, key, value)
            base.__qualname__ = namespace["__qualname__"]
            return base

    class NamedTuple(metaclass=_Record):
        """A tuple with named fields, from class annotations."""

        __slots__ = ()
