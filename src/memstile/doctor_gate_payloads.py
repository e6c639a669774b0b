"""What each host sends before a tool of an MCP server runs, such as one that makes a note in memory.

Recorded payloads are the models, those of Cursor and Windsurf their documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from memstile.doctor_payloads import called


class Served(NamedTuple):
    """A call of a server's tool. folder: where it is made; server, tool: by the names that they have themselves."""

    folder: str
    server: str
    tool: str
    arguments: Mapping[str, object]


class GateForm(NamedTuple):
    """How a host tells of the call. event: as its settings name it; payload: what it sends."""

    event: str
    payload: Callable[[Served], dict[str, object]]


def _claude_code(call: Served) -> dict[str, object]:
    return called(call.folder, f"mcp__{call.server}__{call.tool}", call.arguments, prompt_id="doctor")


def _dsh(call: Served) -> dict[str, object]:
    return called(call.folder, f"mcp__{call.server}__{call.tool}", call.arguments)


def _codex(call: Served) -> dict[str, object]:
    spelled = "".join(sign if sign.isalnum() else "_" for sign in call.server)
    return called(call.folder, f"mcp__{spelled}__{call.tool}", call.arguments, turn_id="doctor")


def _gemini(call: Served) -> dict[str, object]:
    told = called(call.folder, f"mcp_{call.server}_{call.tool}", call.arguments)
    context = {"server_name": call.server, "tool_name": call.tool}
    return {**told, "hook_event_name": "BeforeTool", "mcp_context": context}


def _copilot(call: Served) -> dict[str, object]:
    told = {"toolName": f"{call.server}-{call.tool}", "toolArgs": call.arguments}
    return {"sessionId": "doctor", "timestamp": 0, "cwd": call.folder, **told}


def _cursor(call: Served) -> dict[str, object]:
    told = called(call.folder, f"MCP:{call.tool}", call.arguments, generation_id="doctor")
    return {**told, "conversation_id": "doctor", "workspace_roots": [call.folder], "hook_event_name": "preToolUse"}


def _windsurf(call: Served) -> dict[str, object]:
    told = {"mcp_server_name": call.server, "mcp_tool_name": call.tool, "mcp_tool_arguments": call.arguments}
    ids = {"trajectory_id": "doctor", "execution_id": "doctor"}
    return {"agent_action_name": "pre_mcp_tool_use", **ids, "tool_info": told}


def _opencode(call: Served) -> dict[str, object]:
    told = {"tool": f"{call.server}_{call.tool}", "sessionID": "doctor", "callID": "doctor"}
    return {"hook": "before", "cwd": call.folder, "turn": "doctor", "input": told, "output": {"args": call.arguments}}


GATE_FORMS = {
    "claude-code": GateForm("PreToolUse", _claude_code),
    "dsh": GateForm("PreToolUse", _dsh),
    "codex": GateForm("PreToolUse", _codex),
    "gemini": GateForm("BeforeTool", _gemini),
    "copilot": GateForm("preToolUse", _copilot),
    "cursor": GateForm("preToolUse", _cursor),
    "windsurf": GateForm("pre_mcp_tool_use", _windsurf),
    "opencode": GateForm("", _opencode),
}
"""By host; one that the gate leaves alone has no row."""
