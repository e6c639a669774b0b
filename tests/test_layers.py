"""The architecture as tests: who imports whom, and how large a module is. The source is read, nothing runs.

core <- hosts <- setups, core <- report; all of them <- root <- cli: a module imports from its own layer or from one to
the left of it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import memstile

PACKAGE = Path(memstile.__file__).parent


class Import(NamedTuple):
    """One import. target: dotted name. is_deferred: inside a function. is_typing: for type checkers only."""

    target: str
    is_deferred: bool = False
    is_typing: bool = False


class Module(NamedTuple):
    """A module of the package, by dotted name."""

    name: str
    text: str
    is_package: bool = False

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def layer(self) -> str:
        """Name the layer: the sub-package, or "root"; `python -m memstile` is the command line by another name."""
        below = self.name.removeprefix("memstile").lstrip(".").partition(".")[0]
        return "cli" if below == "__main__" else below if below in SUB_PACKAGES else "root"


SUB_PACKAGES = ("core", "hosts", "setups", "report", "cli")

MAY_IMPORT = {
    "core": {"core"},
    "hosts": {"hosts", "core"},
    "setups": {"setups", "hosts", "core"},
    "report": {"report", "core"},
    "root": {"root", "report", "setups", "hosts", "core"},
    "cli": {"cli", "root", "report", "setups", "hosts", "core"},
}

# What a report may know of the root: modules that import nothing but the core and hold values only.
ROOT_VALUES = {"memstile": "the version", "memstile.errors": "exit codes and GuardError"}

# None of these touches a file, the clock, the environment or a process.
CORE_STDLIB = {
    "__future__",
    "_blake2",  # the digest of hashlib by itself: core/gate_ids.py
    "_collections",  # the getter of named tuples: core/record.py
    "_json",  # the scanner of json: core/json_text.py
    "collections",
    "collections.abc",
    "difflib",
    "enum",
    "functools",
    "hashlib",
    "itertools",
    "json",
    "operator",
    "posixpath",  # for the functions that look at text only: tests/test_purity.py
    "re",
    "sys",  # the version alone: core/record.py
    "unicodedata",
}

# A dependency has one home, so that it can be exchanged, and so that the hook never loads it.
HOMES = {
    "click": ("memstile.cli",),
    "mcp": ("memstile.mcp_server",),
    "watchdog": ("memstile.watcher",),
    "yaml": ("memstile.setups.yaml_edit",),
    "pathspec": ("memstile.ignore", "memstile.ignore_pattern"),  # the second compiles one pattern for the first
}

# Files of rules/ and hosts/ that the others of the same folder may import: what a rule is, what a host is.
SHARED = {"memstile.core.rules.rule", "memstile.hosts.host"}

# A module that imports inside functions, and why. Everywhere else an import belongs to the top of the file.
DEFERRED = {
    "memstile.report": "a format is imported when it is used",
    "memstile.core.resolve": "difflib, which guesses a misspelt key, is slow to load and seldom needed",
    "memstile.core.secrets": "re takes 5 ms to load, and few texts hold the marker of a secret",
    "memstile.near_vault": "difflib is slow to load, and needed only where a vault is missing and others were found",
    "memstile.git": "tempfile is slow to load, and needed only where there is no memfd_create",
    "memstile.ignore": "pathspec is a sixth of the start of a commit hook, and a commit without a vault needs none",
    "memstile.configured": "re takes 5 ms to load, which a hook pays at each call, and few tables have a *",
    "memstile.hook": "each call loads only what its path needs: the budgets of the hook",
    "memstile.hook_call": "likewise",
    "memstile.hook_failure": "likewise",
    "memstile.hook_gate": "likewise",
    "memstile.hook_note_calls": "few calls are of a shell that looks at notes",
    "memstile.hook_turn_store": "old rows are looked for at the start of a session alone",
    "memstile.hook_guard": "likewise",
    "memstile.hook_run": "likewise",
    "memstile.hook_settings": "likewise",
    "memstile.hook_start": "git and the rules are for the start of a session alone",
    "memstile.hook_targets": "likewise",
    "memstile.on_disk": "hashlib takes 5 ms to load, and a commit hook seldom has to name a blob",
    "memstile.hosts": "a host is imported when it is asked for",
    "memstile.installing": "only the host that is set up is loaded",
    "memstile.installing_control": "likewise",
    "memstile.cli.mcp": "the SDK may not be there, and takes a second to load: --help needs none",
    "memstile.cli.main": "a command loads its own modules only, so that --help and status stay quick",
}

# A module that is longer than MAX_LINES, and why: tables only.
MAX_LINES = 250
LONG_TABLES: dict[str, str] = {}


def modules() -> Iterator[Module]:
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = ["memstile", *file.relative_to(PACKAGE).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        yield Module(".".join(parts[:-1] if is_package else parts), file.read_text(encoding="utf-8"), is_package)


MODULES = {module.name: module for module in modules()}
EACH_MODULE = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)


def imports(module: Module) -> list[Import]:
    """List what a module imports, by statement or by name at run time, at the top and inside functions."""
    return list(_imports(module, module.tree, is_deferred=False, is_typing=False))


def _imports(module: Module, node: ast.AST, *, is_deferred: bool, is_typing: bool) -> Iterator[Import]:
    for target in _targets(module, node):
        yield Import(target, is_deferred, is_typing)
    is_deferred = is_deferred or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    for_checkers = node.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" else []
    for child in ast.iter_child_nodes(node):
        is_for_checkers = is_typing or child in for_checkers
        yield from _imports(module, child, is_deferred=is_deferred, is_typing=is_for_checkers)


def _targets(module: Module, node: ast.AST) -> list[str]:
    """Name what this one statement or call imports; "?" where a name is made at run time."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        source = _absolute(module, node)
        return [_submodule(source, alias.name) for alias in node.names]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in RUN_TIME_IMPORTS:
        first = node.args[0] if node.args else None
        return [first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else "?"]
    return []


RUN_TIME_IMPORTS = {"__import__", "import_module", "importlib.import_module"}


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.name.split(".")[: None if module.is_package else -1]
    return ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])


def _submodule(source: str, name: str) -> str:
    """Tell whether `from source import name` takes a module or a name out of a module."""
    is_module = f"{source}.{name}" in MODULES or (source == "memstile" and name in SUB_PACKAGES)
    return f"{source}.{name}" if is_module else source


def is_ours(target: str) -> bool:
    return target == "memstile" or target.startswith("memstile.")


def layer_faults(module: Module) -> list[str]:
    """Find imports against the order of the layers."""
    return [
        f"{module.name} imports {target}"
        for target, _, _ in imports(module)
        if is_ours(target)
        and Module(target, "").layer not in MAY_IMPORT[module.layer]
        and not (module.layer == "report" and target in ROOT_VALUES)
    ]


def stdlib_faults(module: Module) -> list[str]:
    """Find what a module of the core imports beyond the core and its list."""
    return [
        f"{module.name} imports {target}"
        for target, _, is_typing in imports(module)
        if module.layer == "core"
        and not is_ours(target)
        and target not in CORE_STDLIB
        and not (is_typing and target == "typing")
    ]


def dependency_faults(module: Module) -> list[str]:
    """Find third-party imports outside the one place each has."""
    faults = []
    for target, _, _ in imports(module):
        top = target.partition(".")[0]
        homes = HOMES.get(top, ())
        is_home = any(f"{module.name}.".startswith(f"{home}.") for home in homes)
        if target != "?" and top not in sys.stdlib_module_names and not is_ours(target) and not is_home:
            faults.append(f"{module.name} imports {target}, which belongs to {homes or 'nobody'}")
    return faults


def sibling_faults(module: Module) -> list[str]:
    """Find a rule that imports a rule, a host that imports a host; a folder's __init__ may list them all."""
    return [
        f"{module.name} imports {target}"
        for folder in ("memstile.core.rules", "memstile.hosts")
        for target, _, _ in imports(module)
        if module.name.startswith(f"{folder}.") and (target + ".").startswith(f"{folder}.") and target not in SHARED
    ]


def deferred_faults(module: Module) -> list[str]:
    """Find imports inside functions."""
    deferred = [target for target, is_deferred, _ in imports(module) if is_deferred]
    return [f"{module.name} imports {target} in a function" for target in deferred if module.name not in DEFERRED]


CHECKS = (layer_faults, stdlib_faults, dependency_faults, sibling_faults, deferred_faults)


def faults(module: Module) -> list[str]:
    return [fault for check in CHECKS for fault in check(module)]


@EACH_MODULE
def test_imports_keep_to_the_layers(module: Module) -> None:
    assert faults(module) == []


# Each row is a fault that has to be seen: a checker that finds nothing proves nothing.
SEEN = [
    ("memstile.core.x", "import os", stdlib_faults),
    ("memstile.core.x", "import os.path as p", stdlib_faults),
    ("memstile.core.x", "from typing import NamedTuple", stdlib_faults),
    ("memstile.core.x", "if TYPE_CHECKING:\n    import os", stdlib_faults),
    ("memstile.core.x", "if TYPE_CHECKING:\n    pass\nelse:\n    import typing", stdlib_faults),
    ("memstile.core.x", "def f():\n    import time", stdlib_faults),
    ("memstile.core.x", "from importlib import import_module", stdlib_faults),
    ("memstile.core.x", "import click", stdlib_faults),
    ("memstile.core.x", "from memstile.git import Git", layer_faults),
    ("memstile.core.x", "from memstile.errors import GuardError", layer_faults),
    ("memstile.core.x", "from memstile import __version__", layer_faults),
    ("memstile.core.x", "from .. import git", layer_faults),
    ("memstile.core.x", "if TYPE_CHECKING:\n    from memstile.cli import main", layer_faults),
    ("memstile.core.rules.x", "from ...report import model", layer_faults),
    ("memstile.hosts.x", "from memstile.report import model", layer_faults),
    ("memstile.hosts.x", "from memstile.git import Git", layer_faults),
    ("memstile.hosts.x", "from memstile.errors import ExitCode", layer_faults),
    ("memstile.report.x", "from memstile.git import Git", layer_faults),
    ("memstile.report.x", "from memstile.hosts import host", layer_faults),
    ("memstile.service", "from memstile import cli", layer_faults),
    ("memstile.service", "from memstile.cli.main import main", layer_faults),
    ("memstile.service", "import_module('memstile.cli.main')", layer_faults),
    ("memstile.service", "import click", dependency_faults),
    ("memstile.git", "import pathspec", dependency_faults),
    ("memstile.watchers", "import watchdog.events", dependency_faults),
    ("memstile.cli.watch", "from watchdog.observers import Observer", dependency_faults),
    ("memstile.cli.watch", "import requests", dependency_faults),
    ("memstile.core.rules.x", "from memstile.core.rules import ms101_index_grew_over_cap", sibling_faults),
    (
        "memstile.core.rules.x",
        "from memstile.core.rules.ms101_index_grew_over_cap import check",
        sibling_faults,
    ),
    ("memstile.core.rules.x", "from . import RULES", sibling_faults),
    ("memstile.core.rules.x", "from memstile.core.rules import RULES", sibling_faults),
    ("memstile.hosts.x", "from memstile.hosts.y import reply", sibling_faults),
    ("memstile.hosts.x", "from . import y", sibling_faults),
    ("memstile.disk", "def f():\n    import json", deferred_faults),
    ("memstile.disk", "class C:\n    async def f(self):\n        from json import loads", deferred_faults),
    ("memstile.disk", "def f(name):\n    return importlib.import_module(name)", deferred_faults),
    ("memstile.disk", "f = lambda: __import__('json')", deferred_faults),
]


@pytest.mark.parametrize(("name", "text", "check"), SEEN, ids=[f"{n}: {t!r}" for n, t, _ in SEEN])
def test_an_import_against_the_layers_is_seen(name: str, text: str, check: Callable[[Module], list[str]]) -> None:
    assert len(check(Module(name, text))) == 1


PASSED = [
    (
        "memstile.core.x",
        "import re\nfrom collections.abc import Iterator\nfrom memstile.core.caps import Caps",
    ),
    ("memstile.core.x", "if TYPE_CHECKING:\n    from typing import Protocol"),
    ("memstile.core.rules.x", "from memstile.core.rules.rule import Rule"),
    ("memstile.hosts.x", "from memstile.core.change import Whole\nfrom memstile.hosts.host import Request"),
    ("memstile.report.x", "from memstile import __version__\nfrom memstile.report.model import Report"),
    ("memstile.service", "import os\nfrom memstile.hosts import HOSTS\nfrom memstile.report import model"),
    ("memstile.watcher", "import watchdog.events"),
    ("memstile.ignore", "from pathspec import GitIgnoreSpec"),
    ("memstile.cli.check", "import click\nfrom memstile import git\nfrom memstile.cli import options"),
    ("memstile.hook", "def main():\n    import json"),
]


@pytest.mark.parametrize(("name", "text"), PASSED)
def test_an_import_within_the_layers_passes(name: str, text: str) -> None:
    assert faults(Module(name, text)) == []


def test_the_package_was_found() -> None:
    assert {"memstile", "memstile.errors", "memstile.core", "memstile.core.measure"} <= MODULES.keys()
    assert {module.layer for module in MODULES.values()} <= MAY_IMPORT.keys()


def test_no_exception_is_left_in_the_tables_without_need() -> None:
    deferring = {name for name, module in MODULES.items() if any(row.is_deferred for row in imports(module))}
    assert [name for name in DEFERRED if name in MODULES.keys() - deferring] == []
    own = [row.target for name in ROOT_VALUES for row in imports(MODULES[name]) if is_ours(row.target)]
    assert [target for target in own if Module(target, "").layer != "core"] == []


@EACH_MODULE
def test_each_module_says_what_it_is_for(module: Module) -> None:
    assert ast.get_docstring(module.tree)


@EACH_MODULE
def test_a_module_is_short_unless_it_is_a_table(module: Module) -> None:
    count = len(module.text.splitlines())
    has_functions = any(isinstance(node, ast.FunctionDef) for node in ast.walk(module.tree))
    assert (count > MAX_LINES) is (module.name in LONG_TABLES), f"{module.name} has {count} lines"
    assert not (has_functions and module.name in LONG_TABLES)


@EACH_MODULE
def test_annotations_are_never_evaluated(module: Module) -> None:
    """Evaluated, an annotation runs at each import, and may need a module that the hook must not load."""
    has_annotations = any(isinstance(node, (ast.AnnAssign, ast.arg)) for node in ast.walk(module.tree))
    assert not has_annotations or Import("__future__") in imports(module)
