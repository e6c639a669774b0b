"""examples/hosts/opencode-memstile.js: run by node, with programs that answer as ours does and as it must not."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memstile.setups.setup import Command
from memstile.setups.shim import PLACEHOLDER, filled

SHIM = Path(__file__).parent.parent.parent / "examples/hosts/opencode-memstile.js"
TEXT = SHIM.read_text(encoding="utf-8")
NODE = shutil.which("node") or ""
needs_node = pytest.mark.skipif(not NODE, reason="node is not here")

# What opencode does with a plugin: it calls each function that the file exports, then the hooks of the results.
_HOST = """\
import * as file from "./plugin.mjs"
const hooks = []
for (const made of Object.values(file)) hooks.push(await made({ directory: process.cwd(), worktree: process.cwd() }))
const left = []
for (const [name, input, output] of JSON.parse(process.argv[2])) {
  let error = null
  for (const hook of hooks) {
    try { await hook[name]?.(input, output) } catch (thrown) { error = thrown.message }
  }
  left.push({ error, output })
}
console.log(JSON.stringify(left))
"""
_ANSWER = """\
import sys, json, time
payload = json.load(sys.stdin)
with open("asked", "a") as file: file.write(json.dumps(payload) + "\\n")
answer = json.loads(sys.argv[1])
sys.stdout.write(answer.get(payload["hook"], ""))
sys.exit(int(answer.get("code", 0)))
"""


def play(folder: Path, command: Command, calls: Sequence[tuple[str, object, object]]) -> list[dict[str, Any]]:
    """Load the plugin with a command line, and give what each hook threw and left in its output."""
    (folder / "plugin.mjs").write_text(filled(TEXT, command))
    (folder / "host.mjs").write_text(_HOST)
    done = subprocess.run(
        [NODE, "host.mjs", json.dumps(calls)], cwd=folder, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    left: list[dict[str, Any]] = json.loads(done.stdout)
    return left


def answers(folder: Path, **answer: object) -> Command:
    """Make a program that answers each hook with a text, and ends with `code`."""
    (folder / "answer.py").write_text(_ANSWER)
    return Command(sys.executable, (str(folder / "answer.py"), json.dumps(answer)), ())


def asked(folder: Path) -> list[dict[str, Any]]:
    place = folder / "asked"
    return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


def before(tool: str, **args: object) -> tuple[str, object, object]:
    return "tool.execute.before", {"tool": tool, "sessionID": "s", "callID": "c"}, {"args": args}


def after(tool: str, args: object = None, **output: object) -> tuple[str, object, object]:
    return "tool.execute.after", {"tool": tool, "sessionID": "s", "callID": "c", "args": args or {}}, output


def message(identifier: str) -> tuple[str, object, object]:
    parts = [{"id": "prt_22e9dad6c001jbdRG9AWQdKh3T", "type": "text", "text": "private"}]
    return "chat.message", {"sessionID": "s"}, {"message": {"id": identifier}, "parts": parts}


WRITERS = ("write", "edit", "apply_patch", "fs_write_file", "no_such_tool")
FREE = ("read", "grep", "glob", "bash", "todowrite", "invalid")


def errors(left: list[dict[str, Any]]) -> list[str | None]:
    return [call["error"] for call in left]


@needs_node
def test_silence_lets_every_call_through_and_reads_are_not_asked_about(tmp_path: Path) -> None:
    left = play(tmp_path, answers(tmp_path), [before(tool) for tool in (*WRITERS, *FREE)])
    assert errors(left) == [None] * len(left)
    assert [payload["input"]["tool"] for payload in asked(tmp_path)] == [*WRITERS, "bash"]


@needs_node
def test_a_denial_is_thrown_with_its_reason(tmp_path: Path) -> None:
    command = answers(tmp_path, before='{"deny": "r 1\\nr 2"}')
    assert errors(play(tmp_path, command, [before("write", filePath="m")])) == ["r 1\nr 2"]
    assert asked(tmp_path) == [
        {
            "hook": "before",
            "cwd": str(tmp_path),
            "turn": "",
            "input": {"tool": "write", "sessionID": "s", "callID": "c"},
            "output": {"args": {"filePath": "m"}},
        }
    ]


FAILURES: dict[str, tuple[Command | dict[str, object], str]] = {
    "missing": (Command("/no/such/program", (), ()), "it could not be started (ENOENT)"),
    "exit code 1": ({"code": 1}, "it ended with exit code 1"),
    "exit code 2 with a reply": ({"code": 2, "before": "{}"}, "it ended with exit code 2"),
    "no JSON": ({"before": "Traceback"}, "its answer is no JSON object"),
    "half of a JSON": ({"before": '{"deny": "r'}, "its answer is no JSON object"),
    "a list": ({"before": "[]"}, "its answer is no JSON object"),
    "null": ({"before": "null"}, "its answer is no JSON object"),
}


@needs_node
@pytest.mark.parametrize("row", FAILURES)
def test_without_a_usable_answer_no_file_is_written_and_reading_works(row: str, tmp_path: Path) -> None:
    answer, why = FAILURES[row]
    command = answer if isinstance(answer, Command) else answers(tmp_path, **answer)
    told = (
        f"memstile was asked about this call and did not answer: {why}. So the call did not run; reading and the shell "
        "work. `memstile doctor` finds out why, `memstile init opencode` mends it."
    )
    left = play(tmp_path, command, [before(tool) for tool in ("write", "fs_write_file", "read", "bash", "task")])
    assert errors(left) == [told, told, None, None, None]


@needs_node
def test_a_program_that_is_too_slow_is_ended(tmp_path: Path) -> None:
    quick = TEXT.replace("TIMEOUT_MS = 30_000", "TIMEOUT_MS = 300")
    assert quick != TEXT
    (tmp_path / "plugin.mjs").write_text(filled(quick, Command(sys.executable, ("-c", "while True: pass"), ())))
    (tmp_path / "host.mjs").write_text(_HOST)
    done = subprocess.run(
        [NODE, "host.mjs", json.dumps([before("write"), before("bash")])],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=60,
    )
    first, second = errors(json.loads(done.stdout))
    assert first is not None
    assert "it gave no answer in time" in first
    assert second is None


@needs_node
def test_a_large_call_and_a_program_that_does_not_read_it(tmp_path: Path) -> None:
    large = before("write", content="x" * 100_000)  # more than a pipe holds
    deaf = Command(sys.executable, ("-c", "pass"), ())
    assert errors(play(tmp_path, deaf, [large])) == [None]


@needs_node
def test_a_text_is_added_to_a_result(tmp_path: Path) -> None:
    command = answers(tmp_path, after='{"context": "told"}')
    content = [{"type": "text", "text": "x"}]
    left = play(
        tmp_path,
        command,
        [
            after("write", output="Wrote file"),
            after("bash", output="out", metadata={"exit": 3, "output": "secret"}),
            after("fs_write_file", content=content, isError=False),
            after("read", output="as it was"),
            after("read", args={"filePath": "notes/a.md"}, output="a note"),
        ],
    )
    assert [(call["error"], call["output"].get("output"), call["output"].get("content")) for call in left] == [
        (None, "Wrote file\n\ntold", None),
        (None, "out\n\ntold", None),
        (None, None, [*content, {"type": "text", "text": "told"}]),
        (None, "as it was", None),
        (None, "a note\n\ntold", None),
    ]
    assert [payload["output"] for payload in asked(tmp_path)] == [
        {"metadata": {}},
        {"metadata": {"exit": 3}},
        {"metadata": {}, "isError": False, "content": content},
        {"metadata": {}},
    ]


@needs_node
def test_a_session_is_greeted_once_and_calls_know_their_turn(tmp_path: Path) -> None:
    command = answers(tmp_path, **{"session.start": '{"context": "state"}', "chat.message": '{"context": "turn"}'})
    left = play(tmp_path, command, [message("m1"), before("write"), message("m2"), before("write")])
    added = [call["output"]["parts"][1:] for call in left if "parts" in call["output"]]
    assert [[part["text"] for part in parts] for parts in added] == [["state\n\nturn"], ["turn"]]
    part = added[0][0]
    assert {**part, "id": ""} == {
        "id": "",
        "sessionID": "s",
        "messageID": "m1",
        "type": "text",
        "text": "state\n\nturn",
        "synthetic": True,
    }
    assert re.fullmatch(r"prt_22e9dad6c001zz[0-9a-f]{12}", part["id"])
    assert [(payload["hook"], payload["turn"]) for payload in asked(tmp_path)] == [
        ("session.start", "m1"),
        ("chat.message", "m1"),
        ("before", "m1"),
        ("chat.message", "m2"),
        ("before", "m2"),
    ]
    assert "private" not in (tmp_path / "asked").read_text()


@needs_node
def test_a_failure_says_nothing_where_nothing_can_be_refused(tmp_path: Path) -> None:
    command = answers(tmp_path, code=1)
    left = play(tmp_path, command, [message("m1"), after("write", output="Wrote file")])
    assert errors(left) == [None, None]
    assert left[1]["output"] == {"output": "Wrote file"}
    assert len(left[0]["output"]["parts"]) == 1


def test_the_file_has_one_line_to_fill_in_and_exports_the_plugin_alone() -> None:
    assert len(PLACEHOLDER.findall(TEXT)) == 1
    # opencode calls whatever a file exports, and drops the file in silence if that cannot be called.
    assert re.findall(r"^export .*?(?= =|$)", TEXT, re.MULTILINE) == ["export const Memstile"]
    assert "memstile" in TEXT.splitlines()[0]


def test_what_is_not_asked_about_is_what_the_host_takes_for_a_read() -> None:
    from memstile.core.request import Kind
    from memstile.hosts.opencode import TOOLS

    listed = re.search(r"const READS = new Set\(\[(.*?)\]\)", TEXT, re.DOTALL)
    assert listed
    named = set(re.findall(r'"(\w+)"', listed[1]))
    assert named == {tool for tool, row in TOOLS.items() if row.kind is Kind.READ}
