"""Benchmark the hook through its launcher, against a bare interpreter and against a plain script in one run.

python benchmarks/hook.py [PYTHON]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from memstile import launcher
from timing import Timed, machine, medians, show

PLAIN = """import json, os, sys
payload = json.load(sys.stdin)
arguments = payload["tool_input"]
after = arguments["content"].encode()
with open(arguments["file_path"], "rb") as file:
    before = file.read()
grew = after.count(b"\\n") > max(200, before.count(b"\\n"))
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse"}}) if grew else "", end="")
"""


def index(lines: int) -> str:
    """Make an index of so many lines."""
    return "".join(f"- [note {number}](n{number}.md): what it is about\n" for number in range(lines))


def payload(folder: str, path: str, content: str) -> bytes:
    """Make the payload of a Write, as Claude Code sends it."""
    fields = {"session_id": "s", "prompt_id": "p", "cwd": folder, "hook_event_name": "PreToolUse"}
    call = {"tool_name": "Write", "tool_input": {"file_path": path, "content": content}, "tool_use_id": "t"}
    return json.dumps({**fields, **call}).encode()


def note(folder: str) -> bytes:
    """Make the payload of a write of a note by a memory server."""
    fields = {"session_id": "s", "prompt_id": "p", "cwd": folder, "hook_event_name": "PreToolUse", "tool_use_id": "n"}
    given = {"title": "Kettle", "content": "It boils.\n" * 50, "directory": "home"}
    return json.dumps({**fields, "tool_name": "mcp__basic-memory__write_note", "tool_input": given}).encode()


def rows(folder: str, python: str) -> list[Timed]:
    """Build a vault with a settings file, and give the commands to time."""
    os.mkdir(f"{folder}/vault")
    for name, text in (
        ("vault/MEMORY.md", index(120)),
        ("vault/n1.md", "a note\n"),
        ("memstile.toml", '[[vault]]\npath = "vault"\n'),
        ("config.toml", '[gate]\nmode = "off"\n'),
        ("silent.toml", '[gate]\nmode = "off"\n[audit]\nlevel = "off"\n'),
        ("gate.toml", '[gate]\nmode = "enforce"\n'),
        ("plain.py", PLAIN),
        ("launcher.py", launcher.script(os.path.dirname(launcher.package_folder()))),
    ):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    start: tuple[str, ...] = (python, *launcher.opening(f"{folder}/launcher.py"), "claude-code")
    hook = (*start, "--config", f"{folder}/config.toml", "--state", f"{folder}/state")
    silent = (*start, "--config", f"{folder}/silent.toml", "--state", f"{folder}/silent-state")
    gate = (*start, "--config", f"{folder}/gate.toml", "--state", f"{folder}/gate-state")
    at = f"{folder}/vault/MEMORY.md"
    return [
        Timed("bare", (python, "-I", "-S", "-c", "pass"), folder),
        Timed("none of ours", hook, folder, stdin=payload(folder, f"{folder}/src/a.py", "print(1)\n" * 50)),
        Timed("let through", hook, folder, stdin=payload(folder, at, index(130))),
        Timed("refused", silent, folder, stdin=payload(folder, at, index(230))),
        Timed("refused and logged", hook, folder, stdin=payload(folder, at, index(230))),
        Timed("gate: a note by MCP", gate, folder, stdin=note(folder)),
        Timed("gate: the index", gate, folder, stdin=payload(folder, at, index(130))),
        Timed("plain", (python, "plain.py"), folder, stdin=payload(folder, at, index(130))),
    ]


def main() -> None:
    """Print the figures of this run."""
    python = sys.argv[1] if len(sys.argv) > 1 else launcher.interpreter()
    version = subprocess.run((python, "-V"), capture_output=True, text=True, check=True).stdout.strip()
    print(f"{machine()}; hooks on {version}")
    subprocess.run((python, "-m", "compileall", "-q", launcher.package_folder()), check=True)
    with tempfile.TemporaryDirectory() as folder:
        took = {name: seconds * 1000 for name, seconds in medians(rows(folder, python), 41).items()}
    for name, base, budget in (
        ("none of ours", "bare", 1.3),
        ("let through", "bare", 2.6),
        ("refused", "bare", 2.6),
        ("let through", "plain", 1.0),
        ("refused", "plain", 1.0),
        ("refused and logged", "bare", 3.6),
        ("gate: a note by MCP", "bare", 3.6),
        ("gate: the index", "bare", 3.6),
    ):
        detail = f"{took[name]:.1f} ms against {took[base]:.1f} ms"
        show(f"hook, {name} / {base}", took[name] / took[base], budget, detail)


if __name__ == "__main__":
    main()
