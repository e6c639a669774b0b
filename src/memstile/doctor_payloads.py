"""What each host sends before a tool writes: here the canary's write, in the fields that its payloads have.

Recorded payloads are the models, those of Cursor and Windsurf their documentation: docs/hosts.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Canary(NamedTuple):
    """A vault that is thrown away, and the write that is to be refused.

    folder: the vault's. old: a line of the index, new: what it grows to; content: the whole index after it.
    """

    folder: str
    path: str
    old: str
    new: str
    content: str


class Form(NamedTuple):
    """How a host tells of the write. event: in the host's words, as its settings name it; payload: what it sends."""

    event: str
    payload: Callable[[Canary], dict[str, object]]


def _claude_code(canary: Canary) -> dict[str, object]:
    return called(canary.folder, "Write", {"file_path": canary.path, "content": canary.content}, prompt_id="doctor")


def _dsh(canary: Canary) -> dict[str, object]:
    return called(canary.folder, "write", {"file_path": canary.path, "content": canary.content})


def _codex(canary: Canary) -> dict[str, object]:
    added = "\n".join(f"+{line}" for line in canary.new.split("\n"))
    patch = f"*** Begin Patch\n*** Update File: {canary.path}\n@@\n-{canary.old}\n{added}\n*** End Patch\n"
    return called(canary.folder, "apply_patch", {"command": patch}, turn_id="doctor")


def _gemini(canary: Canary) -> dict[str, object]:
    call = called(canary.folder, "write_file", {"file_path": canary.path, "content": canary.content})
    return {**call, "hook_event_name": "BeforeTool"}


def _copilot(canary: Canary) -> dict[str, object]:
    arguments = {"path": canary.path, "old_str": canary.old, "new_str": canary.new}
    return {"sessionId": "doctor", "timestamp": 0, "cwd": canary.folder, "toolName": "edit", "toolArgs": arguments}


def _cursor(canary: Canary) -> dict[str, object]:
    call = called(canary.folder, "Write", {"file_path": canary.path, "content": canary.content}, generation_id="doctor")
    roots = {"conversation_id": "doctor", "workspace_roots": [canary.folder]}
    return {**call, **roots, "hook_event_name": "preToolUse"}


def _windsurf(canary: Canary) -> dict[str, object]:
    edits = [{"old_string": canary.old, "new_string": canary.new}]
    told = {"file_path": canary.path, "edits": edits}
    return {
        "agent_action_name": "pre_write_code",
        "trajectory_id": "doctor",
        "execution_id": "doctor",
        "tool_info": told,
    }


def _cline(canary: Canary) -> dict[str, object]:
    given = {"path": canary.path, "old_text": canary.old, "new_text": canary.new}
    return {
        "hookName": "tool_call",
        "taskId": "doctor",
        "sessionContext": {"rootSessionId": "doctor"},
        "workspaceRoots": [canary.folder],
        "iteration": 1,
        "tool_call": {"id": "doctor", "name": "editor", "input": given},
        "preToolUse": {"toolName": "editor", "parameters": given},
    }


def _opencode(canary: Canary) -> dict[str, object]:
    return {
        "hook": "before",
        "cwd": canary.folder,
        "input": {"tool": "write", "sessionID": "doctor", "callID": "doctor"},
        "output": {"args": {"filePath": canary.path, "content": canary.content}},
    }


def called(folder: str, tool: str, arguments: Mapping[str, object], **ids: str) -> dict[str, object]:
    """Give a call in the fields that Claude Code brought up, and several hosts have. folder: where it is made."""
    return {
        "session_id": "doctor",
        "transcript_path": os.path.join(folder, "transcript"),
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        **ids,
        "tool_name": tool,
        "tool_input": arguments,
        "tool_use_id": "doctor",
    }


FORMS = {
    "claude-code": Form("PreToolUse", _claude_code),
    "dsh": Form("PreToolUse", _dsh),
    "codex": Form("PreToolUse", _codex),
    "gemini": Form("BeforeTool", _gemini),
    "copilot": Form("preToolUse", _copilot),
    "cursor": Form("preToolUse", _cursor),
    "windsurf": Form("pre_write_code", _windsurf),
    "cline": Form("PreToolUse", _cline),
    "opencode": Form("", _opencode),
}
