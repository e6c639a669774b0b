"""Enum and IntEnum without the cost of `enum`, for the modules a hook loads at every tool call.

`import enum` takes 5 ms, six tenths of the start of `python -I -S` (docs/performance.md): more than all else a hook
loads. Type checkers read the real classes; at run time this makes members that are compared by identity, or as numbers,
have a name and a value, and are listed by iteration. tests/core/test_choice.py holds both to the same behaviour.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enum import Enum as Enum
    from enum import IntEnum as IntEnum
else:

    class _Choices(type):
        """The class of a closed set of members, made from the plain values in a class body."""

        def __new__(mcls, name, bases, namespace):
            values = {
                key: value
                for key, value in namespace.items()
                if bases and key != "_" and not key.startswith("__") and not hasattr(value, "__get__")
            }
            body = {key: value for key, value in namespace.items() if key not in values}
            cls = super().__new__(mcls, name, bases, body)
            members = {}
            for key, value in values.items():
                member = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
                object.__setattr__(member, "_name_", key)
                object.__setattr__(member, "_value_", value)
                type.__setattr__(cls, key, member)
                members[key] = member
            type.__setattr__(cls, "_members", members)
            return cls

        def __call__(cls, value):
            for member in cls._members.values():
                if member is value or member._value_ == value:
                    return member
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

        def __iter__(cls):
            return iter(cls._members.values())

        def __len__(cls):
            return len(cls._members)

        def __contains__(cls, value):
            return any(member is value or member._value_ == value for member in cls)

        def __getitem__(cls, name):
            return cls._members[name]

        def __setattr__(cls, name, value):
            if name in cls.__dict__.get("_members", ()):
                raise AttributeError(f"cannot reassign member {name!r}")
            type.__setattr__(cls, name, value)

    class Enum(metaclass=_Choices):
        """One of a closed set of values."""

        @property
        def name(self):
            """Give the name in the class body."""
            return self._name_

        @property
        def value(self):
            """Give the value in the class body."""
            return self._value_

        def __repr__(self):
            return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

        def __str__(self):
            return f"{self.__class__.__name__}.{self._name_}"

        def __reduce_ex__(self, protocol):
            return self.__class__, (self._value_,)

        def __hash__(self):
            return self._name_.__hash__()

        def __copy__(self):
            return self

        def __deepcopy__(self, memo):
            return self

    class IntEnum(int, Enum):
        """One of a closed set of numbers, ordered as they are."""

        def __str__(self):
            return int.__repr__(self)

        __repr__ = Enum.__repr__
        __hash__ = int.__hash__
        __format__ = int.__format__
