"""What the hook's own process loads: each path of it has a list, and a module outside the list fails the test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent_tools import SOURCE, call, event, write
from tests.vault_tools import index, vault

PROBE = f"""
import sys
before = set(sys.modules)
sys.path.insert(0, {str(SOURCE)!r})
from memstile import hook
def leave(stdout, stderr, code):
    loaded = sorted(set(sys.modules) - before)
    import json
    print(json.dumps([loaded, stdout, stderr, code]))
    sys.stdout.flush()
    hook.system._exit(0)
hook._leave = leave
hook.main()
"""

STDLIB = {"_abc", "_collections", "_collections_abc", "_json", "_signal", "_stat", "__future__", "abc", "binascii",
          "encodings.ascii", "genericpath", "os", "os.path", "posixpath", "stat", "time"}  # fmt: skip
"""What a judged tool call may load of the standard library: not json, re, enum, collections or typing."""

GATE = {"_blake2", "_collections", "_functools", "_operator", "_sqlite3", "collections", "errno", "functools",
        "itertools", "keyword", "operator", "reprlib", "types"}  # fmt: skip
"""What the turn gate loads beside them: the store, and what the library of SQLite takes along."""

GLANCE = {"__future__", "memstile", "memstile.hook", "memstile.hook_glance"}


def loaded(home: Path, payload: dict[str, object]) -> tuple[set[str], list[object]]:
    command = [sys.executable, "-I", "-S", "-c", PROBE, "claude-code"]
    options = ["--config", str(home / "config.toml"), "--state", str(home / "state")]
    for _ in range(2):  # the first run compiles the settings, which takes a parser
        done = subprocess.run(
            [*command, *options], input=json.dumps(payload).encode(), capture_output=True, check=True, cwd=home
        )
    names, *left = json.loads(done.stdout)
    return set(names), left


def project(tmp_path: Path, gate: str = "off") -> Path:
    vault(tmp_path / "vault", index(120))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    (tmp_path / "config.toml").write_text(f'[gate]\nmode = "{gate}"\n')
    return tmp_path


def test_a_call_that_is_none_of_our_business_loads_nothing_more(tmp_path: Path) -> None:
    home = project(tmp_path)
    names, left = loaded(home, write(home / "a.py", b"print(1)\n", home))
    assert (names - {"_signal"}, left) == (GLANCE, ["", "", 0])


@pytest.mark.parametrize("gate", ["off", "audit"])
@pytest.mark.parametrize("lines", [130, 215])
def test_a_judged_write_loads_only_what_is_on_the_list(lines: int, gate: str, tmp_path: Path) -> None:
    home = project(tmp_path, gate)
    names, left = loaded(home, write(home / "vault" / "MEMORY.md", index(lines), home))
    others = {name for name in names if not name.startswith("memstile")} - STDLIB
    assert others == set() if (gate, lines) == ("off", 130) else others <= GATE
    assert ("deny" in str(left[0])) is (lines == 215)


def test_a_look_after_a_shell_loads_only_what_is_on_the_list(tmp_path: Path) -> None:
    home = project(tmp_path)
    payload = event("PostToolUse", home, tool_name="Bash", tool_input={"command": "x"}, tool_response={})
    names, _ = loaded(home, payload)
    assert {name for name in names if not name.startswith("memstile")} - STDLIB == set()


def test_reading_an_index_loads_no_judge(tmp_path: Path) -> None:
    home = project(tmp_path)
    names, left = loaded(home, call("Read", {"file_path": str(home / "vault" / "MEMORY.md")}, home))
    assert left == ["", "", 0]
    assert "memstile.config" not in names
