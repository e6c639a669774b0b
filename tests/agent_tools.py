"""Payloads of Claude Code for tests, and the hook as a process of its own, as hosts run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import memstile

SOURCE = Path(memstile.__file__).parent.parent

LAUNCHER = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); from memstile.hook import main; main()"


class Replied(NamedTuple):
    """What a hook left behind. reply: its output as JSON, None where it was silent."""

    code: int
    reply: Any
    err: str

    @property
    def decision(self) -> str:
        """Name what Claude Code does about it: deny, ask, context or silent."""
        told = (self.reply or {}).get("hookSpecificOutput", {})
        return str(told.get("permissionDecision") or ("context" if "additionalContext" in told else "silent"))

    @property
    def text(self) -> str:
        """Give what the model reads."""
        told = (self.reply or {}).get("hookSpecificOutput", {})
        return str(told.get("permissionDecisionReason") or told.get("additionalContext") or "")


def hook(
    home: Path,
    payload: bytes | Mapping[str, object],
    *words: str,
    host: str = "claude-code",
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Replied:
    """Run the hook in a bare interpreter. home: holds its state folder, and config.toml if there is one."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload, ensure_ascii=False).encode()
    options = ["--config", str(home / "config.toml"), "--state", str(home / "state")]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LAUNCHER, host, *words, *options],
        input=data,
        capture_output=True,
        check=False,
        cwd=cwd or home,
        env={"HOME": str(home), "PATH": os.environ["PATH"], **(environment or {})},
    )
    reply = json.loads(done.stdout) if done.stdout else None
    return Replied(done.returncode, reply, done.stderr.decode("utf-8", "replace"))


def call(tool: str, arguments: object, cwd: Path, **fields: object) -> dict[str, object]:
    """Make the payload of a tool call before it runs."""
    return event("PreToolUse", cwd, tool_name=tool, tool_input=arguments, tool_use_id="t1", **fields)


def event(name: str, cwd: Path, **fields: object) -> dict[str, object]:
    """Make the payload of any event."""
    return {"session_id": "s1", "prompt_id": "p1", "cwd": str(cwd), "hook_event_name": name, **fields}


def write(path: Path | str, content: bytes, cwd: Path) -> dict[str, object]:
    """Make the payload of a Write."""
    return call("Write", {"file_path": str(path), "content": content.decode()}, cwd)
