"""The core is pure: it touches no file, process, socket, clock or environment, and keeps no state.

Two witnesses. The source is read for calls and statements that a pure module has no use for. And every public
function of the core is called in an interpreter of its own while an audit hook listens (purity_probe.py): Python
tells the hook of each file opened, process started, socket made and module imported.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import memstile.core
from memstile.core.rules import RULES
from tests.purity_probe import Seen

CORE = Path(memstile.core.__file__).parent
SOURCES = {str(file.relative_to(CORE)): file.read_text(encoding="utf-8") for file in sorted(CORE.rglob("*.py"))}

IMPURE_CALLS = {
    "open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint", "globals", "locals", "vars",
    "exit", "quit", "delattr", "id", "hash",
}  # fmt: skip
"""id and hash differ from run to run, and so would a result made with them."""

TEXT_ONLY = {"basename", "commonpath", "dirname", "isabs", "join", "normpath", "split", "splitext"}
"""Functions of posixpath that look at nothing but their arguments."""

MUTATORS = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault",
    "sort", "update",
}  # fmt: skip


def impurities(text: str) -> list[str]:
    """Find what a pure module has no use for."""
    tree = ast.parse(text)
    own = {name for node in tree.body for name in bound(node)}
    return [what for node in ast.walk(tree) for what in impure(node, own)]


def bound(node: ast.stmt) -> set[str]:
    """Name what a statement at the top of a module assigns to."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def impure(node: ast.AST, own: set[str]) -> Iterator[str]:
    """Tell what is impure about one node. own: names of the module; a table among them never changes."""
    match node:
        case ast.Global() | ast.Nonlocal():
            yield ast.unparse(node)
        case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
            yield f"{name}()"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=verb)) if name in own and verb in MUTATORS:
            yield f"{name}.{verb}()"
        case ast.Attribute(value=ast.Name(id="posixpath"), attr=name) if name not in TEXT_ONLY:
            yield f"posixpath.{name}"
        case ast.ImportFrom(module="posixpath", names=names) if {alias.name for alias in names} - TEXT_ONLY:
            yield ast.unparse(node)
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            if root_name(node) in own:
                yield f"{ast.unparse(node)} is changed"
        case ast.FunctionDef(decorator_list=decorators):
            yield from (f"@{text}" for text in map(ast.unparse, decorators) if "cache" in text)


def root_name(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


# What a module may do all the same, and why.
EXCEPTIONS = {
    "record.py": ["eval()"],  # a constructor with the fields' names, as collections.namedtuple writes it
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_module_of_the_core_does_nothing_impure(name: str) -> None:
    assert impurities(SOURCES[name]) == EXCEPTIONS.get(name, [])


SEEN = [
    "def f(p):\n    return open(p)",
    "print('x')",
    "f = lambda x: eval(x)",
    "exec('x')",
    "x = __import__('os')",
    "def f():\n    return input()",
    "def f(x):\n    return hash(x)",
    "def f():\n    global N\n    N = 1",
    "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1",
    "SEEN = []\ndef f(x):\n    SEEN.append(x)",
    "SEEN: dict[str, int] = {}\ndef f(x):\n    SEEN[x] = 1",
    "SEEN = {}\ndef f(x):\n    SEEN[x][0] += 1",
    "SEEN = {}\ndef f(x):\n    del SEEN[x]",
    "SEEN, OTHER = set(), 1\ndef f(x):\n    SEEN.add(x)",
    "class C: pass\nSTATE = C()\ndef f(x):\n    STATE.x = x",
    "@lru_cache\ndef f(x):\n    return x",
    "@functools.cache\ndef f(x):\n    return x",
    "import posixpath\ndef f(p):\n    return posixpath.realpath(p)",
    "from posixpath import exists",
]


@pytest.mark.parametrize("text", SEEN)
def test_something_impure_is_seen(text: str) -> None:
    assert len(impurities(text)) == 1


PASSED = [
    "import re\nX = re.compile('x')",
    "TABLE = {'a': 1}\ndef f(x):\n    return TABLE[x]",
    "def f(x):\n    found = []\n    found.append(x)\n    return found",
    "def f(x):\n    seen = {}\n    seen[x] = 1\n    return seen",
    "import posixpath\ndef f(p):\n    return posixpath.normpath(p)",
    "class C:\n    def __init__(self, x):\n        self.x = x",
]


@pytest.mark.parametrize("text", PASSED)
def test_what_is_pure_passes(text: str) -> None:
    assert impurities(text) == []


# May raise, as their arguments have to fit together in a way that annotations do not say.
PRECONDITIONS = {
    "memstile.core.setting_rights.allowed": "value: what was read for this key",
    "memstile.core.loosening.strictest": "modes: vault modes, at least one",
}


@pytest.fixture(scope="module", name="seen")
def probe_the_core() -> dict[str, Seen]:
    """Call every public function of the core 200 times, each call twice, in an interpreter of its own."""
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(CORE.parent.parent), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.purity_probe"]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True, cwd=root)
    return {name: Seen(**row) for name, row in json.loads(done.stdout).items()}


def test_the_probe_hears_an_impure_function(seen: dict[str, Seen]) -> None:
    events = [event.partition(" ")[0] for event in seen["canary"].events]
    assert events == ["open", "os.listdir"]


def test_no_function_of_the_core_touches_the_world(seen: dict[str, Seen]) -> None:
    assert {name: row.events for name, row in seen.items() if row.events and name != "canary"} == {}


def test_each_function_answers_the_same_twice_and_leaves_its_arguments_alone(seen: dict[str, Seen]) -> None:
    assert {name: row.faults for name, row in seen.items() if row.faults} == {}


def test_no_function_of_the_core_raises_over_values_of_its_types(seen: dict[str, Seen]) -> None:
    raised = {name: row.raised for name, row in seen.items() if row.raised}
    assert {name: errors for name, errors in raised.items() if name not in PRECONDITIONS} == {}


def test_every_public_function_of_the_core_was_called(seen: dict[str, Seen]) -> None:
    assert set(public_functions()) - {name for name, row in seen.items() if row.calls > len(row.raised)} == set()


def public_functions() -> Iterator[str]:
    """Name the functions by reading the source, so that the probe cannot leave out a module unnoticed."""
    for name, text in SOURCES.items():
        module = ".".join(["memstile.core", *Path(name).with_suffix("").parts]).removesuffix(".__init__")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{module}.{node.name}"


def test_the_judging_functions_and_all_rules_had_something_to_say(seen: dict[str, Seen]) -> None:
    rules = {f"{rule.check.__module__}.check" for rule in RULES}
    others = {"measure.measure", "caps.over_hard", "caps.grown_over_hard", "verdict.judge", "check.check"}
    named = rules | {f"memstile.core.{name}" for name in others} | {"memstile.core.resolve.resolve"}
    assert {name for name in named if not seen[name].answers} == set()
