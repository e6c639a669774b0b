"""The runtime NamedTuple of core/record.py does what typing.NamedTuple does, on the same class body."""

from __future__ import annotations

import ast
import copy
import importlib
import importlib.util
import inspect
import pickle
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

import pytest

import memstile.core.record

BODY = '''
from __future__ import annotations

from {home} import NamedTuple


class Point(NamedTuple):
    """A place.

    x: to the right.
    """

    x: int
    y: int | None = 0
    name: str = "here"

    UNIT = "cm"

    @property
    def is_origin(self) -> bool:
        """Tell whether both are 0."""
        return self.x == 0 and self.y == 0

    def moved(self, by: int) -> Point:
        return self._replace(x=self.x + by)

    @classmethod
    def at(cls, text: str) -> Point:
        return cls(*map(int, text.split(",")))

    @staticmethod
    def unit() -> str:
        return "mm"

    def __str__(self) -> str:
        return f"{{self.x}}/{{self.y}}"


class Bare(NamedTuple):
    lines: int
    bytes: int


class Tree(NamedTuple):
    children: tuple[Tree, ...] = ()


class Empty(NamedTuple):
    """Nothing in it."""


class Outer:
    class Inner(NamedTuple):
        x: int


class Special(Bare):
    @property
    def both(self) -> int:
        return self.lines + self.bytes
'''


@pytest.fixture(scope="module", name="modules")
def same_body_twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, ModuleType]]:
    """Import BODY twice: made with typing's class, and with ours."""
    folder = tmp_path_factory.mktemp("record")
    made = []
    for home in ("typing", "memstile.core.record"):
        name = f"body_on_{home.replace('.', '_')}"
        file = folder / f"{name}.py"
        file.write_text(BODY.format(home=home))
        made.append(imported(name, file))
    yield made[0], made[1]
    for module in made:
        del sys.modules[module.__name__]


def imported(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickle finds a class by its module's name
    spec.loader.exec_module(module)
    return module


def matched(m: ModuleType) -> object:
    match m.Point(1, 2):
        case m.Point(x, y, name):
            return (x, y, name)
    return "no match"


def parameters(record: type) -> object:
    """List what the class takes; typing alone repeats the annotations there."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(record).parameters.values()]


def pickled(value: object, protocol: int | None = None) -> object:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own bytes


# What one may do with a record; the result is a plain value, so that both modules can be compared.
OBSERVATIONS: dict[str, Callable[[ModuleType], object]] = {
    "fields": lambda m: m.Point._fields,
    "defaults": lambda m: m.Point._field_defaults,
    "no fields": lambda m: (m.Empty._fields, m.Empty()),
    "docstring": lambda m: m.Point.__doc__,
    "docstring where none is written": lambda m: m.Bare.__doc__,
    "docstring of a field": lambda m: m.Point.x.__doc__,
    "match args": lambda m: m.Point.__match_args__,
    "match statement": matched,
    "names": lambda m: (m.Point.__name__, m.Point.__qualname__, m.Outer.Inner.__qualname__),
    "the module's name": lambda m: m.Point.__module__ == m.__name__,
    "bases": lambda m: (m.Point.__bases__, type(m.Point), m.Special.__bases__ == (m.Bare,)),
    "no instance dictionary": lambda m: (m.Point.__slots__, hasattr(m.Point(1), "__dict__")),
    "parameters": lambda m: parameters(m.Point),
    "resolved type hints": lambda m: str(typing.get_type_hints(m.Point)),
    "a hint that names its own class": lambda m: (
        typing.get_args(typing.get_type_hints(m.Tree)["children"])[0] is m.Tree
    ),
    "by position": lambda m: m.Point(1, 2, "there"),
    "by keyword": lambda m: m.Point(name="there", x=1),
    "attributes": lambda m: (m.Point(1).x, m.Point(1).y, m.Point(1).name),
    "unpacked": lambda m: [*m.Point(1)],
    "a field named like a builtin": lambda m: m.Bare(bytes=2, lines=1).bytes,
    "repr": lambda m: repr(m.Point(1, None)),
    "repr of a nested class": lambda m: repr(m.Outer.Inner(1)),
    "repr of a subclass": lambda m: repr(m.Special(1, 2)),
    "its own str": lambda m: str(m.Point(1)),
    "equality": lambda m: (
        m.Point(1) == (1, 0, "here"),
        m.Point(1) == m.Point(2),
        m.Bare(1, 2) == m.Special(1, 2),
    ),
    "hash": lambda m: hash(m.Point(1)) == hash((1, 0, "here")),
    "order": lambda m: (m.Bare(1, 9) < m.Bare(2, 0), max(m.Bare(1, 1), m.Bare(1, 2))),
    "replace": lambda m: (m.Point(1)._replace(y=5), type(m.Point(1)._replace(y=5)) is m.Point),
    "replace in a subclass": lambda m: type(m.Special(1, 2)._replace(bytes=3)) is m.Special,
    "asdict": lambda m: m.Point(1)._asdict(),
    "make": lambda m: m.Point._make([1, 2, "there"]),
    "property": lambda m: (m.Point(0).is_origin, m.Point(1).is_origin, m.Point.is_origin.__doc__),
    "property of a subclass": lambda m: m.Special(1, 2).both,
    "method": lambda m: m.Point(1).moved(2),
    "class method": lambda m: m.Point.at("3,4"),
    "static method": lambda m: m.Point.unit(),
    "attribute without annotation": lambda m: (m.Point.UNIT, "UNIT" in m.Point._fields),
    "pickled": lambda m: [pickled(m.Point(1), protocol) for protocol in range(6)],
    "class of the pickled": lambda m: (
        type(pickled(m.Point(1))) is m.Point,
        type(pickled(m.Special(1, 2))) is m.Special,
    ),
    "pickled, of a nested class": lambda m: pickled(m.Outer.Inner(1)),
    "copied": lambda m: (
        copy.copy(m.Point(1)),
        copy.deepcopy(m.Point(1)),
        type(copy.copy(m.Point(1))) is m.Point,
    ),
}

REFUSALS: dict[str, Callable[[ModuleType], object]] = {
    "an argument is missing": lambda m: m.Point(),
    "two arguments are missing": lambda m: m.Bare(),
    "too many arguments": lambda m: m.Point(1, 2, "there", 4),
    "unknown keyword": lambda m: m.Point(1, z=2),
    "argument given twice": lambda m: m.Point(1, x=2),
    "replace an unknown field": lambda m: m.Point(1)._replace(z=2),
    "make with too few": lambda m: m.Bare._make([1]),
    "assign a field": lambda m: setattr(m.Point(1), "x", 2),
    "assign a new attribute": lambda m: setattr(m.Point(1), "z", 2),
    "delete a field": lambda m: delattr(m.Point(1), "x"),
    "no such attribute": lambda m: m.Point(1).z,
}


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_a_record_does_what_typings_does(name: str, modules: tuple[ModuleType, ModuleType]) -> None:
    theirs, ours = (OBSERVATIONS[name](module) for module in modules)
    assert ours == theirs


@pytest.mark.parametrize("name", REFUSALS)
def test_a_record_refuses_what_typings_refuses(name: str, modules: tuple[ModuleType, ModuleType]) -> None:
    theirs, ours = (refusal(REFUSALS[name], module) for module in modules)
    assert ours == theirs


def refusal(act: Callable[[ModuleType], object], module: ModuleType) -> tuple[type, str]:
    with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
        act(module)
    return caught.type, str(caught.value)


def test_type_checkers_read_typings_class_and_the_runtime_does_not() -> None:
    tree = ast.parse(inspect.getsource(memstile.core.record))
    choice = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(choice.test) == "TYPE_CHECKING"
    assert [ast.unparse(node) for node in choice.body] == ["from typing import NamedTuple as NamedTuple"]
    assert memstile.core.record.NamedTuple is not typing.NamedTuple


def is_record(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["NamedTuple"]


CORE = Path(memstile.core.record.__file__).parent
RECORDS = [
    pytest.param("memstile.core." + ".".join(file.relative_to(CORE).with_suffix("").parts), node, id=node.name)
    for file in sorted(CORE.rglob("*.py"))
    for node in ast.parse(file.read_text(encoding="utf-8")).body
    if is_record(node)
]


# Ours takes bodies that typing refuses: a field without default after one with (the default moves to the last
# field), a method named __new__, _make and the like, a second base. No record of the core may be such a body.
@pytest.mark.parametrize(("module_name", "body"), RECORDS)
def test_each_record_of_the_core_is_the_class_typing_would_make(module_name: str, body: ast.ClassDef) -> None:
    module = importlib.import_module(module_name)
    names = {**vars(module), "NamedTuple": typing.NamedTuple}
    exec(compile(ast.Module([body], []), module_name, "exec"), names)  # noqa: S102 - our own source
    assert described(vars(module)[body.name]) == described(names[body.name])


def described(record: type) -> dict[str, object]:
    """Tell what a user of the class sees; __orig_bases__ and parsed annotations are typing's alone."""
    return {
        "attributes": vars(record).keys() - {"__orig_bases__", "__annotations__"},
        "name": (record.__module__, record.__qualname__),
        "docstring": record.__doc__,
        "bases": record.__bases__,
        "parameters": parameters(record),
        "defaults": vars(record)["_field_defaults"],
        "match args": vars(record)["__match_args__"],
    }
