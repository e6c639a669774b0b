"""Run the hook, `memstile init` and `memstile doctor` for the documentation, each in a folder that is thrown away."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memstile import launcher
from memstile.cli.doctor import lines as doctor_lines
from memstile.doctor import examined
from memstile.doctor_payloads import FORMS, Canary
from memstile.hosts import host_named
from memstile.hosts.host import Host
from memstile.installing import Plan, Request, plan_install
from memstile.setups import SETUPS
from memstile.standing import Standing


class Answered(NamedTuple):
    """What a run of the hook left behind."""

    stdout: str
    stderr: str
    code: int


def entries(count: int) -> str:
    """Make an index of so many lines."""
    rows = (f"- [Topic {n:03}](topic-{n:03}.md): what it is about, in one line" for n in range(1, count))
    return "# Index\n" + "".join(f"{row}\n" for row in rows)


def answered(folder: str, words: tuple[str, ...], payload: object) -> Answered:
    """Run the hook in a folder. words: host and options."""
    program = os.path.join(folder, "launcher.py")
    with open(program, "w", encoding="utf-8") as file:
        file.write(launcher.script(os.path.dirname(launcher.package_folder())))
    options = ("--config", f"{folder}/none", "--state", f"{folder}/s")
    done = subprocess.run(
        [launcher.interpreter(), *launcher.opening(program), *words, *options],
        input=json.dumps(payload).encode(),
        cwd=folder,
        env={"HOME": folder},
        capture_output=True,
        check=False,
    )
    return Answered(done.stdout.decode(), done.stderr.decode(), done.returncode)


def refused(name: str) -> tuple[Answered, str]:
    """Run a host's hook on a write that takes an index from 199 lines to 203. Result: the answer, and its reason."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        vault = os.path.join(folder, ".agent-memory")
        os.mkdir(vault)
        path, old = os.path.join(vault, "MEMORY.md"), entries(199).splitlines()[-1]
        for place, text in ((path, entries(199)), (os.path.join(vault, "topic-001.md"), "# Topic 001\n")):
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
        new = "\n".join(entries(203).splitlines()[198:])
        answer = answered(folder, *_call(name, Canary(vault, path, old, new, entries(203))))
    return answer, _reason(answer)


def _call(name: str, canary: Canary) -> tuple[tuple[str, ...], dict[str, object]]:
    """Give the words of the command line and the payload that tell a host's hook of a write."""
    if name in FORMS:
        event = (FORMS[name].event,) if name in ("copilot", "cline") else ()
        return (name, *event), FORMS[name].payload(canary)
    arguments: object = {"path": canary.path, "content": canary.content}
    call = {"event": "tool_call", "session": "s1", "call": "c1", "tool": "write_file", "arguments": arguments}
    return (name,), call


def _reason(answer: Answered) -> str:
    if not answer.stdout:
        return answer.stderr
    texts = [text for text in _strings(json.loads(answer.stdout)) if text.startswith("INDEX_") and " " in text]
    return texts[0] if texts else ""


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


class _Row(NamedTuple):
    """One row of the verdict table. lines: of the index before, 0 for none; call: (index, its text) to event and call.

    after: what a shell leaves in the index between the hook's look at it and this event, None where it is no shell.
    """

    says: str
    lines: int
    call: Callable[[str, str], dict[str, object]]
    after: int | None = None


def _tool(name: str, **arguments: object) -> dict[str, object]:
    return {"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": arguments}


def _write(lines: int) -> Callable[[str, str], dict[str, object]]:
    return lambda path, text: _tool("Write", file_path=path, content=entries(lines))


ROWS = (
    _Row("a write of the index, 100 to 120 lines", 100, _write(120)),
    _Row("100 to 160 lines: over the soft cap", 100, _write(160)),
    _Row("199 to 203 lines: past the hard cap", 199, _write(203)),
    _Row("no index yet, a write of 203 lines", 0, _write(203)),
    _Row("210 to 211 lines: over it, and larger", 210, _write(211)),
    _Row("210 to 210 lines", 210, _write(210)),
    _Row("210 to 205 lines: over it, and smaller", 210, _write(205)),
    _Row("160 to 40 lines: more than half goes", 160, _write(40)),
    _Row(
        "an edit whose old text is not there (the host itself refuses it)",
        210,
        lambda path, text: _tool("Edit", file_path=path, old_string="not there", new_string="x"),
    ),
    _Row(
        "a write that cannot be computed, to a healthy index",
        100,
        lambda path, text: _tool("NotebookEdit", notebook_path=path, new_source="x"),
    ),
    _Row(
        "the same, to an index over its cap",
        210,
        lambda path, text: _tool("NotebookEdit", notebook_path=path, new_source="x"),
    ),
    _Row(
        "a tool that nobody knows, with the index over its cap",
        210,
        lambda path, text: _tool("mcp__other__do_something", file_path=path),
    ),
    _Row("a read of an index over its cap", 210, lambda path, text: _tool("Read", file_path=path)),
    _Row(
        "a file server's `mcp__fs__write_file`, 199 to 203 lines",
        199,
        lambda path, text: _tool("mcp__fs__write_file", path=path, content=entries(203)),
    ),
    _Row(
        "a write of `memstile.toml`, or of the host's hook settings",
        100,
        lambda path, text: _tool("Write", file_path=os.path.join(path, "../../memstile.toml"), content=""),
    ),
    _Row(
        "hook settings that changed in a running session (Claude Code)",
        100,
        lambda path, text: {"hook_event_name": "ConfigChange", "file_path": "/p/.claude/settings.json"},
    ),
    _Row(
        "after a shell that took the index from 199 to 220 lines",
        199,
        lambda path, text: {**_tool("Bash", command="x"), "hook_event_name": "PostToolUse"},
        after=220,
    ),
)


def verdict_rows() -> Iterator[tuple[str, str, str]]:
    """Run the hook for Claude Code on each row. Gives what is called, what is answered, and the reason code."""
    for row in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            answer = _verdict(row, os.path.realpath(folder))
        document = json.loads(answer.stdout) if answer.stdout else {}
        told = document.get("hookSpecificOutput", {})
        verdict = told.get("permissionDecision") or document.get("decision")
        words = {"deny": "refused", "block": "refused", "ask": "the person is asked, else refused"}
        text = " ".join(_strings(document))
        code = next((word.strip(":") for word in text.split() if word.isupper() and "_" in word), "")
        yield (
            row.says,
            words.get(str(verdict), "goes on; the model is told" if text else "nothing"),
            f"`{code}`" if code else "",
        )


def _verdict(row: _Row, folder: str) -> Answered:
    vault = os.path.join(folder, ".agent-memory")
    os.mkdir(vault)
    path = os.path.join(vault, "MEMORY.md")
    _put(os.path.join(folder, "memstile.toml"), '[[vault]]\npath = ".agent-memory"\n')
    call = {"session_id": "s", "cwd": folder, **row.call(path, "")}
    if row.lines:
        _put(path, entries(row.lines))
    if row.after:
        answered(folder, ("claude-code",), {"session_id": "s", "cwd": folder, **_write(row.lines)(path, "")})
        _put(path, entries(row.after))
    return answered(folder, ("claude-code",), call)


def _put(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _standing(folder: str, host: Host) -> Standing:
    """Give a person in an empty home, with a program on PATH that says it is the host in the version tried."""
    program = os.path.join(folder, "bin", importlib.import_module(SETUPS[host.name]).SETUP.program)
    os.mkdir(os.path.dirname(program))
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho {host.verified[0]}\n")
    os.chmod(program, 0o755)  # noqa: S103 - it is a program
    os.mkdir(os.path.join(folder, "project"))
    path = os.pathsep.join((os.path.dirname(program), "/usr/bin", "/bin"))
    return Standing(os.path.join(folder, "project"), {"HOME": folder, "PATH": path})


def _plan_lines(plan: Plan) -> Iterator[str]:
    steps = [step for step in plan.steps if not step.title.startswith("compile ")]
    yield from plan.heading
    for number, step in enumerate(steps, 1):
        yield f"{number}. {step.title}"
        yield from (f"     {line}".replace(launcher.interpreter(), "/usr/bin/python3") for line in step.lines)


def set_up(name: str) -> tuple[str, str]:
    """Set a host up in an empty home. Result: the steps as `memstile init` shows them; what `memstile doctor` says."""
    with tempfile.TemporaryDirectory() as folder:
        standing = _standing(os.path.realpath(folder), host_named(name))
        plan = plan_install(Request(name, is_forced=True), standing)
        shown = "\n".join(_plan_lines(plan)) + "\n"
        for step in plan.steps:
            step.do()
        told = "\n".join(doctor_lines(examined((name,), standing))) + "\n"
    return shown, told
