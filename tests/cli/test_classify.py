"""cli/classify.py: the declaration as a shell command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memstile.core.gate_calls import classify_call
from memstile.core.gate_words import Classification
from tests.git_tools import environment
from tests.run_tools import Ran, memstile

FOLLOWS = {
    "simple": "memory writes pass without a search",
    "complex": "memory writes pass after a memory search that came back in this turn",
}


def run(*words: str, folder: Path) -> Ran:
    return memstile("classify", *words, cwd=folder, environment=environment(folder / "home"))


@pytest.mark.parametrize("task", FOLLOWS)
def test_a_declaration_is_one_line_and_one_that_hooks_recognise(task: str, tmp_path: Path) -> None:
    line = f"declared {task}: {FOLLOWS[task]}. It counts where a hook of the host sees this very call.\n"
    assert run(task, folder=tmp_path) == Ran(0, line.encode(), "")
    call = classify_call("Bash", {"command": f"memstile classify {task}"}, ())
    assert call.task is Classification(task)


@pytest.mark.parametrize("words", [("hard",), ("Simple",), ("",), (), ("simple", "complex")])
def test_any_other_word_ends_in_2_with_a_hint(words: tuple[str, ...], tmp_path: Path) -> None:
    ran = run(*words, folder=tmp_path)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.endswith("\n  hint: see `memstile classify --help`\n")


def test_it_loads_neither_settings_nor_the_sdk() -> None:
    code = "import json, sys, memstile.cli.main, memstile.cli.classify; print(json.dumps(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    heavy = {"mcp", "pydantic", "asyncio", "memstile.config", "tomllib", "pathspec", "yaml", "memstile.git"}
    assert heavy & set(json.loads(out)) == set()
