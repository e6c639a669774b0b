"""The runtime Enum and IntEnum of core/choice.py do what those of `enum` do, on the same class bodies."""

from __future__ import annotations

import ast
import copy
import importlib.util
import inspect
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import memstile.core.choice

BODY = '''
from __future__ import annotations

from {home} import Enum, IntEnum


class Kind(Enum):
    """What it is."""

    FILE = "file"
    FOLDER = "a folder"

    @property
    def is_file(self) -> bool:
        return self is Kind.FILE


class Level(IntEnum):
    LOW = 1
    HIGH = 3
'''


@pytest.fixture(scope="module", name="modules")
def same_body_twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, ModuleType]]:
    """Import BODY twice: made with the classes of enum, and with ours."""
    folder = tmp_path_factory.mktemp("choice")
    made = []
    for home in ("enum", "memstile.core.choice"):
        name = f"choices_of_{home.replace('.', '_')}"
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
    match m.Kind.FOLDER:
        case m.Kind.FILE:
            return "file"
        case m.Kind.FOLDER:
            return "folder"
    return "no match"


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


OBSERVATIONS: dict[str, Callable[[ModuleType], object]] = {
    "names and values": lambda m: [(member.name, member.value) for member in m.Kind],
    "numbers": lambda m: [(member.name, member.value, int(member)) for member in m.Level],
    "how many": lambda m: (len(m.Kind), len(m.Level)),
    "identity": lambda m: (m.Kind.FILE is m.Kind.FILE, m.Kind("file") is m.Kind.FILE, m.Level(3) is m.Level.HIGH),
    "by name": lambda m: m.Kind["FILE"] is m.Kind.FILE,
    "equality": lambda m: (m.Kind.FILE == m.Kind.FOLDER, m.Kind.FILE == "file", m.Level.LOW == 1),
    "order": lambda m: (m.Level.LOW < m.Level.HIGH, max(m.Level.LOW, m.Level.HIGH) is m.Level.HIGH, -m.Level.HIGH),
    "in a set": lambda m: len({m.Kind.FILE, m.Kind.FILE, m.Kind.FOLDER, m.Level.LOW, 1}),
    "as a key": lambda m: {m.Kind.FILE: 1}[m.Kind("file")],
    "membership": lambda m: (m.Kind.FILE in m.Kind, m.Level.LOW in m.Level),
    "repr": lambda m: (repr(m.Kind.FILE), repr(m.Level.HIGH)),
    "str": lambda m: (str(m.Kind.FILE), str(m.Level.HIGH), f"{m.Level.HIGH:>3}"),
    "truth": lambda m: (bool(m.Kind.FILE), bool(m.Level.LOW)),
    "instance": lambda m: (isinstance(m.Kind.FILE, m.Kind), isinstance(m.Level.LOW, int), isinstance("file", m.Kind)),
    "property": lambda m: (m.Kind.FILE.is_file, m.Kind.FOLDER.is_file),
    "docstring": lambda m: m.Kind.__doc__,
    "match statement": matched,
    "in a union": lambda m: isinstance(m.Kind.FILE, int | m.Kind),
    "pickled": lambda m: (pickled(m.Kind.FILE) is m.Kind.FILE, pickled(m.Level.LOW) is m.Level.LOW),
    "copied": lambda m: (copy.copy(m.Kind.FILE) is m.Kind.FILE, copy.deepcopy(m.Level.LOW) is m.Level.LOW),
    "arithmetic": lambda m: m.Level.HIGH + 1,
}

REFUSALS: dict[str, Callable[[ModuleType], object]] = {
    "a value that is none": lambda m: m.Kind("link"),
    "a number that is none": lambda m: m.Level(2),
    "an order": lambda m: m.Kind.FILE < m.Kind.FOLDER,
    "another member": lambda m: setattr(m.Kind, "FILE", "other"),
    "another value": lambda m: setattr(m.Kind.FILE, "value", "other"),
    "no such name": lambda m: m.Kind["LINK"],
    "no such attribute": lambda m: m.Kind.LINK,
}


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_a_choice_does_what_enums_does(name: str, modules: tuple[ModuleType, ModuleType]) -> None:
    theirs, ours = (OBSERVATIONS[name](module) for module in modules)
    assert ours == theirs


@pytest.mark.parametrize("name", REFUSALS)
def test_a_choice_refuses_what_enums_refuses(name: str, modules: tuple[ModuleType, ModuleType]) -> None:
    theirs, ours = (refusal(REFUSALS[name], module) for module in modules)
    assert ours is theirs


def refusal(act: Callable[[ModuleType], object], module: ModuleType) -> type:
    with pytest.raises((TypeError, ValueError, AttributeError, KeyError)) as caught:
        act(module)
    return caught.type


def test_type_checkers_read_enums_classes_and_the_runtime_does_not() -> None:
    tree = ast.parse(inspect.getsource(memstile.core.choice))
    choice = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(choice.test) == "TYPE_CHECKING"
    assert [ast.unparse(node) for node in choice.body] == [
        "from enum import Enum as Enum",
        "from enum import IntEnum as IntEnum",
    ]
