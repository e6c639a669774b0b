"""The modules a hook loads stay light: a bare interpreter imports each, and all it loads is on a list.

`json` is the base line: no tool call can be judged without it, and it loads re, enum, functools and collections.
What is never loaded costs half of an interpreter's start or more, each: docs/performance.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import memstile
from memstile.hosts import HOSTS

PACKAGE = Path(memstile.__file__).parent

ON_THE_HOOKS_PATH = (
    "memstile.core.record",
    "memstile.core.measure",
    "memstile.core.caps",
    "memstile.core.verdict",
    "memstile.core.change",
    "memstile.core.text",
    "memstile.core.settings",
    "memstile.core.windows",
    "memstile.core.gate_step",
    "memstile.core.gate_protocol",
    "memstile.core.turn_state",
    *HOSTS.values(),
)

# What may be loaded beside json and the modules json loads itself.
ALLOWED = {
    "__future__": "a few lines; the first import of each of our modules",
    "_blake2": "a digest, 0.2 ms where hashlib takes 2",
}

# The list above stops these too; named here, so that adding one to it takes a second thought.
NEVER = {
    "argparse",
    "click",
    "dataclasses",
    "pathlib",
    "pathspec",
    "subprocess",
    "tomllib",
    "typing",
    "watchdog",
}

PROBE = """
import sys
import json
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
__import__(sys.argv[2])
print(json.dumps([sorted(before), sorted(set(sys.modules) - before)]))
"""


def loaded_by(source: Path, name: str) -> tuple[set[str], set[str]]:
    """Import a module in a bare interpreter; return what was loaded with json, and what came on top."""
    command = [sys.executable, "-I", "-S", "-B", "-c", PROBE, str(source), name]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    before, after = json.loads(done.stdout)
    return set(before), set(after)


def exists(name: str) -> bool:
    file = PACKAGE.joinpath(*name.split(".")[1:])
    return file.with_suffix(".py").is_file() or (file / "__init__.py").is_file()


STANDING = [name for name in ON_THE_HOOKS_PATH if exists(name)]
EACH_MODULE = pytest.mark.parametrize("name", STANDING)
OF_THE_CORE = pytest.mark.parametrize("name", [name for name in STANDING if name.startswith("memstile.core.")])
OF_A_HOST = pytest.mark.parametrize("name", [name for name in STANDING if name in HOSTS.values()])


def heavy(loaded: set[str]) -> set[str]:
    """Pick what is neither ours nor allowed."""
    return {name for name in loaded if name.partition(".")[0] != "memstile"} - ALLOWED.keys()


@EACH_MODULE
def test_a_module_on_the_hooks_path_loads_only_what_is_on_the_list(name: str) -> None:
    _, loaded = loaded_by(PACKAGE.parent, name)
    assert name in loaded
    assert heavy(loaded) == set()


def beside_the_core(name: str) -> set[str]:
    """Import a module; list what of ours it loads that is not below it in the core."""
    _, loaded = loaded_by(PACKAGE.parent, name)
    ours = {module for module in loaded if module.startswith("memstile.")}
    rules = {module for module in ours if module.startswith("memstile.core.rules")}
    return {module for module in ours if not module.startswith("memstile.core")} | rules


@OF_THE_CORE
def test_a_module_on_the_hooks_path_loads_no_more_of_ours_than_the_core_below_it(name: str) -> None:
    assert beside_the_core(name) == set()


@OF_A_HOST
def test_a_host_loads_no_other_host(name: str) -> None:
    assert beside_the_core(name) == {"memstile.hosts", "memstile.hosts.host", name}


def test_the_list_lets_in_nothing_heavy() -> None:
    before, _ = loaded_by(PACKAGE.parent, "memstile")
    assert NEVER & (before | ALLOWED.keys()) == set()


def test_the_modules_that_stand_are_looked_at() -> None:
    assert {"memstile.core.record", "memstile.core.measure", "memstile.core.settings"} <= set(STANDING)


@pytest.mark.parametrize("name", sorted(NEVER - {"click", "pathspec", "watchdog"}))
def test_a_heavy_import_is_seen(name: str, tmp_path: Path) -> None:
    (tmp_path / "memstile").mkdir()
    (tmp_path / "memstile" / "__init__.py").write_text(f"import {name}\n")
    _, loaded = loaded_by(tmp_path, "memstile")
    assert name in heavy(loaded)
