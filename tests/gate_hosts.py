"""What each host tells of one session, in payloads as they were recorded; where none were, as its documentation says.

A client is asked for a step (a prompt, a call, its result) and gives the payloads that the host would send for it: one,
two, or none where the host is silent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from memstile.hosts.host import Reply, as_mapping
from tests.hosts.payload_tools import recorded


class At(NamedTuple):
    """Where a step happens: folder, session, turn and agent, "" for the agent of the session itself."""

    folder: str
    session: str = "s1"
    turn: str = "t1"
    agent: str = ""


class Tool(NamedTuple):
    """One call. server: "" for the host's own shell, whose arguments are then {"command": TEXT}."""

    server: str
    name: str
    arguments: Mapping[str, object]
    call: str


class Told(NamedTuple):
    """One payload, and the event that is on the hook's command line."""

    payload: Mapping[str, object]
    word: str = ""


_Prompt = Callable[[At], list[Told]]
_Call = Callable[[At, Tool], list[Told]]
_Result = Callable[[At, Tool, str], list[Told]]
_File = Callable[[At, str], list[Told]]


class Client(NamedTuple):
    """How a host tells each step.

    failed: of a call that failed, [] where nothing is told. batch: the end of a batch. wrote, looked: (where, path of a
    note) to what is told before the host's own tool writes it, and after one has read it; [] where that is not told.
    refused: (reason) to the reply that this host takes for a refusal. has_agents: a subagent has the session of its
    parent and an id of its own. server: the name under which the person gave the host its memory server.
    """

    host: str
    refused: Callable[[str], Reply]
    prompt: _Prompt
    before: _Call
    after: _Result
    failed: _Result
    wrote: _File
    looked: _File = lambda at, path: []
    batch: _Prompt = lambda at: []
    has_agents: bool = False
    server: str = "basic-memory"


def _payload(host: str, name: str, **fields: object) -> dict[str, object]:
    """Give a record with fields put in; they have to be in the record, so that nothing is made up."""
    record = as_mapping(recorded(host)[f"{name}.json"])
    record = as_mapping(record.get("payload", record))
    assert set(fields) <= set(record), set(fields) - set(record)
    return {**record, **fields}


def _silent(at: At, tool: Tool, text: str) -> list[Told]:
    return []


def _filled(value: object, reason: str) -> object:
    if isinstance(value, dict):
        return {key: _filled(inner, reason) for key, inner in value.items()}
    return reason if value == "@" else value


def _line(**body: object) -> Callable[[str], Reply]:
    """Give a maker of replies, with its reason in the place of each "@"."""
    return lambda reason: Reply(json.dumps(_filled(body, reason)))


_SPECIFIC = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "@"}
_HOOK_SPECIFIC = _line(hookSpecificOutput=_SPECIFIC)


# Claude Code.


def _claude_file(at: At, name: str, arguments: Mapping[str, object]) -> list[Told]:
    return _claude(at, None, name, tool_input=arguments)


def _claude(at: At, tool: Tool | None, name: str, **fields: object) -> list[Told]:
    ids: dict[str, object] = {"session_id": at.session, "prompt_id": at.turn, "cwd": at.folder}
    called: dict[str, object] = {}
    if tool:
        own = f"mcp__{tool.server}__{tool.name}" if tool.server else "Bash"
        called = {"tool_name": own, "tool_input": tool.arguments, "tool_use_id": tool.call}
        if tool.server:
            called["mcp_server"] = {"name": tool.server, "source": "dynamic"}
    payload = _payload("claude-code", name, **ids, **called, **fields)
    return [Told({**payload, **({"agent_id": at.agent, "agent_type": "general-purpose"} if at.agent else {})})]


_CLAUDE = Client(
    "claude-code",
    _HOOK_SPECIFIC,
    prompt=lambda at: _claude(at, None, "UserPromptSubmit"),
    before=lambda at, tool: _claude(
        at, tool, "PreToolUse.mcp__basic-memory__write_note" if tool.server else "PreToolUse.Bash"
    ),
    after=lambda at, tool, text: _claude(
        at,
        tool,
        "PostToolUse.mcp__basic-memory__search_notes",
        tool_response=[{"type": "text", "text": text}],
    ),
    failed=lambda at, tool, text: _claude(at, tool, "PostToolUseFailure.mcp__basic-memory__fail_note", error=text),
    wrote=lambda at, path: _claude_file(at, "PreToolUse.Write", {"file_path": path, "content": "x"}),
    looked=lambda at, path: _claude_file(at, "PostToolUse.Read", {"file_path": path}),
    batch=lambda at: _claude(at, None, "PostToolBatch"),
    has_agents=True,
)


def _patch(path: str) -> str:
    return f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n"


# Codex: it writes "_" for what is no letter or digit in the name of a server, as a run of 0.171.0 showed.


def _codex(at: At, tool: Tool | None, name: str, **fields: object) -> list[Told]:
    ids: dict[str, object] = {"session_id": at.session, "turn_id": at.turn, "cwd": at.folder}
    called: dict[str, object] = {}
    if tool:
        own = f"mcp__{tool.server.replace('-', '_')}__{tool.name}" if tool.server else "Bash"
        called = {"tool_name": own, "tool_input": tool.arguments, "tool_use_id": tool.call}
    payload = _payload("codex", name, **ids, **called, **fields)
    return [Told({**payload, **({"agent_id": at.agent} if at.agent else {})})]


_CODEX = Client(
    "codex",
    _HOOK_SPECIFIC,
    prompt=lambda at: _codex(at, None, "UserPromptSubmit"),
    before=lambda at, tool: _codex(at, tool, "PreToolUse-mcp__mem__memory_write" if tool.server else "PreToolUse-Bash"),
    after=lambda at, tool, text: _codex(
        at,
        tool,
        "PostToolUse-mcp__mem__memory_write",
        tool_response={"content": [{"type": "text", "text": text}], "isError": False},
    ),
    failed=_silent,
    wrote=lambda at, path: _codex(at, None, "PreToolUse-apply_patch", tool_input={"command": _patch(path)}),
    looked=lambda at, path: _codex(
        at, None, "PostToolUse-Bash", tool_input={"command": f"cat {path}"}, tool_response="# Index"
    ),
    has_agents=True,
    server="mem",
)


# dsh: the bridge to Claude Code's hooks tells all but the turn, which the one to Codex's hooks does.


def _dsh(at: At, tool: Tool | None, name: str, **fields: object) -> list[Told]:
    ids: dict[str, object] = {"session_id": at.session, "cwd": at.folder}
    called: dict[str, object] = {}
    if tool:
        own = f"mcp__{tool.server}__{tool.name}" if tool.server else "bash"
        called = {"tool_name": own, "tool_input": tool.arguments, "tool_use_id": tool.call}
    return [Told(_payload("dsh", name, **ids, **called, **fields))]


def _dsh_prompt(at: At) -> list[Told]:
    return _dsh(at, None, "13-two-turns-02-claude-code-UserPromptSubmit")


def _dsh_turn(at: At) -> list[Told]:
    ids = {"session_id": at.session, "cwd": at.folder, "turn_id": at.turn}
    return [Told(_payload("dsh", "13-two-turns-03-codex-UserPromptSubmit", **ids), "codex-bridge")]


_DSH_RESULT = "05-basic-memory-03-claude-code-PostToolUse-mcp__basic-memory__search_notes"
_DSH_ALONE = Client(
    "dsh",
    _HOOK_SPECIFIC,
    prompt=_dsh_prompt,
    before=lambda at, tool: _dsh(at, tool, "05-basic-memory-02-claude-code-PreToolUse-mcp__basic-memory__search_notes"),
    after=lambda at, tool, text: _dsh(at, tool, _DSH_RESULT, tool_response=text),
    failed=lambda at, tool, text: _dsh(at, tool, _DSH_RESULT, tool_response=f"Error: {text}"),
    wrote=lambda at, path: _dsh(
        at, None, "01-basic-06-claude-code-PreToolUse-write", tool_input={"file_path": path, "content": "x"}
    ),
    looked=lambda at, path: _dsh(
        at, None, "01-basic-03-claude-code-PostToolUse-read", tool_input={"file_path": path}, tool_response="x"
    ),
)
_DSH = _DSH_ALONE._replace(prompt=lambda at: [*_dsh_prompt(at), *_dsh_turn(at)])
_DSH_REVERSED = _DSH_ALONE._replace(prompt=lambda at: [*_dsh_turn(at), *_dsh_prompt(at)])


# Gemini CLI.


def _gemini(at: At, tool: Tool | None, name: str, **fields: object) -> list[Told]:
    called: dict[str, object] = {}
    if tool and tool.server:
        called = {"tool_name": f"mcp_{tool.server}_{tool.name}", "tool_input": tool.arguments}
        called["mcp_context"] = {"server_name": tool.server, "tool_name": tool.name, "command": "x", "args": []}
    elif tool:
        called = {"tool_input": tool.arguments}
    return [Told(_payload("gemini", name, session_id=at.session, cwd=at.folder, **called, **fields))]


_GEMINI = Client(
    "gemini",
    _line(decision="deny", reason="@"),
    prompt=lambda at: _gemini(at, None, "BeforeAgent"),
    before=lambda at, tool: _gemini(
        at, tool, "BeforeTool-mcp_mem_memory_write" if tool.server else "BeforeTool-run_shell_command"
    ),
    after=lambda at, tool, text: _gemini(
        at,
        tool,
        "AfterTool-mcp_mem_memory_write",
        tool_response={
            "llmContent": [{"text": f"<untrusted_context>\n{text}\n</untrusted_context>"}],
            "returnDisplay": text,
        },
    ),
    failed=lambda at, tool, text: _gemini(at, tool, "AfterTool-mcp_mem_memory_fail-fail"),
    wrote=lambda at, path: _gemini(at, None, "BeforeTool-write_file", tool_input={"file_path": path, "content": "x"}),
    looked=lambda at, path: _gemini(
        at,
        None,
        "AfterTool-write_file",
        tool_name="read_file",
        tool_input={"file_path": path},
        tool_response={"llmContent": "x", "returnDisplay": ""},
    ),
)


# Copilot CLI, in camelCase as `init` sets it up.


def _copilot(at: At, tool: Tool | None, name: str, **fields: object) -> list[Told]:
    called: dict[str, object] = {}
    if tool:
        own = f"{tool.server}-{tool.name}" if tool.server else "bash"
        called = {"toolName": own, "toolArgs": tool.arguments}
    payload = _payload("copilot", name, sessionId=at.session, cwd=at.folder, **called, **fields)
    return [Told({**payload, **({"agentId": at.agent} if at.agent else {})}, name.partition("-")[0])]


_COPILOT = Client(
    "copilot",
    _line(permissionDecision="deny", permissionDecisionReason="@"),
    prompt=lambda at: _copilot(at, None, "userPromptSubmitted"),
    before=lambda at, tool: _copilot(at, tool, "preToolUse-mem-memory_write" if tool.server else "preToolUse-bash"),
    after=lambda at, tool, text: _copilot(
        at,
        tool,
        "postToolUse-mem-memory_write",
        toolResult={"resultType": "success", "textResultForLlm": text},
    ),
    failed=lambda at, tool, text: _copilot(at, tool, "postToolUseFailure-mem-memory_fail-fail", error=text),
    wrote=lambda at, path: _copilot(at, None, "preToolUse-create", toolArgs={"path": path, "file_text": "x"}),
    looked=lambda at, path: _copilot(at, None, "postToolUse-create", toolName="view", toolArgs={"path": path}),
    has_agents=True,
)


# Cursor, from its documentation.


def _cursor(at: At, tool: Tool | None, event: str, **fields: object) -> list[Told]:
    payload: dict[str, object] = {
        "conversation_id": at.session,
        "generation_id": at.turn,
        "model": "m",
        "hook_event_name": event,
        "cursor_version": "3.12.29",
        "workspace_roots": [at.folder],
        "user_email": None,
        "transcript_path": None,
        **fields,
    }
    if tool:
        payload |= {"tool_name": f"MCP:{tool.name}" if tool.server else "Shell", "tool_input": tool.arguments}
        payload |= {"tool_use_id": tool.call, "cwd": at.folder}
    return [Told(payload)]


def _cursor_file(at: At, event: str, tool: str, arguments: Mapping[str, object]) -> list[Told]:
    return _cursor(at, None, event, tool_name=tool, tool_input=arguments, tool_use_id="f1", cwd=at.folder)


def _cursor_twice(at: At, tool: Tool) -> list[Told]:
    """Tell of a call by preToolUse, and by the event of its kind as well: a person may have a hook at both."""
    first = _cursor(at, tool, "preToolUse")
    if not tool.server:
        return first + _cursor(at, None, "beforeShellExecution", command=tool.arguments["command"], cwd=at.folder)
    text = json.dumps(tool.arguments)
    server = {"mcp_server_name": tool.server, "command": "python3 server.py"}
    return first + _cursor(at, None, "beforeMCPExecution", tool_name=tool.name, tool_input=text, **server)


_CURSOR = Client(
    "cursor",
    _line(permission="deny", user_message="@", agent_message="@"),
    prompt=lambda at: _cursor(at, None, "beforeSubmitPrompt", prompt="go"),
    before=lambda at, tool: _cursor(at, tool, "preToolUse"),
    after=lambda at, tool, text: _cursor(
        at, tool, "postToolUse", tool_output=json.dumps({"content": [{"type": "text", "text": text}]})
    ),
    failed=lambda at, tool, text: _cursor(
        at, tool, "postToolUseFailure", error_message=text, failure_type="error", is_interrupt=False
    ),
    wrote=lambda at, path: _cursor_file(at, "preToolUse", "Write", {"file_path": path, "content": "x"}),
    looked=lambda at, path: _cursor_file(at, "postToolUse", "Read", {"file_path": path}),
)


# Windsurf, from its documentation: there is no event after an MCP tool that failed.


def _windsurf(at: At, event: str, info: Mapping[str, object]) -> list[Told]:
    ids = {"agent_action_name": event, "trajectory_id": at.session, "execution_id": at.turn}
    return [Told({**ids, "timestamp": "2026-11-30T22:00:00Z", "model_name": "m", "tool_info": info})]


def _windsurf_tool(at: At, tool: Tool, when: str, **more: object) -> list[Told]:
    if not tool.server:
        return _windsurf(at, f"{when}_run_command", {"command_line": tool.arguments["command"], "cwd": at.folder})
    served = {"mcp_server_name": tool.server, "mcp_tool_name": tool.name, "mcp_tool_arguments": tool.arguments}
    return _windsurf(at, f"{when}_mcp_tool_use", {**served, **more})


_WINDSURF = Client(
    "windsurf",
    lambda reason: Reply(stderr=reason, exit_code=2),
    prompt=lambda at: _windsurf(at, "pre_user_prompt", {"user_prompt": "go"}),
    before=lambda at, tool: _windsurf_tool(at, tool, "pre"),
    after=lambda at, tool, text: _windsurf_tool(at, tool, "post", mcp_result=text),
    failed=_silent,
    wrote=lambda at, path: _windsurf(
        at, "pre_write_code", {"file_path": path, "edits": [{"old_string": "", "new_string": "x"}]}
    ),
    looked=lambda at, path: _windsurf(at, "post_read_code", {"file_path": path}),
)


# opencode, as our plugin tells of it: of a result it passes on that there was one.


def _opencode(at: At, hook: str, asked: Mapping[str, object], output: Mapping[str, object]) -> list[Told]:
    told = {"hook": hook, "cwd": at.folder, "turn": at.turn, "input": {"sessionID": at.session, **asked}}
    return [Told({**told, "output": output})]


def _opencode_tool(tool: Tool) -> dict[str, object]:
    return {"tool": f"{tool.server}_{tool.name}" if tool.server else "bash", "callID": tool.call}


_OPENCODE = Client(
    "opencode",
    _line(deny="@"),
    prompt=lambda at: _opencode(at, "chat.message", {}, {"message": {"id": at.turn}}),
    before=lambda at, tool: _opencode(at, "before", _opencode_tool(tool), {"args": tool.arguments}),
    after=lambda at, tool, text: _opencode(
        at,
        "after",
        {**_opencode_tool(tool), "args": tool.arguments},
        {"metadata": {}, "isError": False, "content": [{"type": "text", "text": text}]},
    ),
    failed=_silent,
    wrote=lambda at, path: _opencode(
        at, "before", {"tool": "write", "callID": "f1"}, {"args": {"filePath": path, "content": "x"}}
    ),
    looked=lambda at, path: _opencode(
        at, "after", {"tool": "read", "callID": "r1", "args": {"filePath": path}}, {"metadata": {}}
    ),
)


# The gate protocol.


def _generic(at: At, event: str, **fields: object) -> list[Told]:
    agent = {"agent": at.agent} if at.agent else {}
    return [Told({"event": event, "session": at.session, "turn": at.turn, "cwd": at.folder, **agent, **fields})]


def _generic_tool(tool: Tool) -> dict[str, object]:
    own = f"mcp__{tool.server}__{tool.name}" if tool.server else "shell"
    return {"call": tool.call, "tool": own, "arguments": tool.arguments}


_GENERIC = Client(
    "generic",
    lambda reason: Reply(reason),  # compared by its decision and its message: tests/hosts/test_generic.py has the rest
    prompt=lambda at: _generic(at, "turn_start"),
    before=lambda at, tool: _generic(at, "tool_call", **_generic_tool(tool)),
    after=lambda at, tool, text: _generic(at, "tool_result", **_generic_tool(tool), is_error=False),
    failed=lambda at, tool, text: _generic(at, "tool_result", **_generic_tool(tool), is_error=True),
    wrote=lambda at, path: _generic(
        at, "tool_call", call="f1", tool="Write", arguments={"file_path": path, "content": "x"}
    ),
    looked=lambda at, path: [
        *_generic(at, "tool_call", call="f2", tool="Read", arguments={"file_path": path}),
        *_generic(at, "tool_result", call="f2", tool="Read", arguments={"file_path": path}, is_error=False),
    ],
    has_agents=True,
)

CLIENTS = {
    "claude-code": _CLAUDE,
    "codex": _CODEX,
    "codex, a server with a dash": _CODEX._replace(server="basic-memory"),
    "dsh": _DSH,
    "dsh, its bridges the other way round": _DSH_REVERSED,
    "dsh, without the bridge that tells turns": _DSH_ALONE,
    "gemini": _GEMINI,
    "copilot": _COPILOT,
    "cursor": _CURSOR,
    "cursor, at two events for each call": _CURSOR._replace(before=_cursor_twice),
    "windsurf": _WINDSURF,
    "opencode": _OPENCODE,
    "generic": _GENERIC,
}
"""By a name for the tests; each host of HOSTS that gates has a row."""
