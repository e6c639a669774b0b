"""What it takes to drive a client through the turn gate: a memory server mounted in it, its tools, a second prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memstile.setups.mcp_server import SERVER
from tests.e2e.basic_memory import NAME, Server
from tests.e2e.dialects import Call
from tests.e2e.site import Site

SECOND_TASK = "And again."


class Served(NamedTuple):
    """A call of a tool of an MCP server. tool: as the server calls it."""

    tool: str
    arguments: dict[str, object]
    server: str = NAME


class Gated(NamedTuple):
    """How a driver of DRIVERS is driven here.

    mount: (site, the client's folder, server) registers the server, as a person does. spell: puts the calls of one
    answer into the model's words. again: what follows the program for a second prompt in the same session, (model's
    address) to words; None where the first process goes on by itself. environment: more variables, that make it wait
    for the server. tells_batches: the client tells hooks when all calls of an answer have run.
    """

    mount: Callable[[Site, Path, Server], None]
    spell: Callable[[Sequence[Served]], list[Call]]
    again: Callable[[str], Sequence[str]] | None = None
    environment: Mapping[str, str] = {}
    tells_batches: bool = False


def _by_full_name(calls: Sequence[Served]) -> list[Call]:
    return [Call(f"mcp__{call.server}__{call.tool}", call.arguments) for call in calls]


# Claude Code


def _mount_in_claude_code(site: Site, programs: Path, server: Server) -> None:
    path = site.home / ".claude.json"
    command, *arguments = server.words
    row = {"type": "stdio", "command": command, "args": arguments, "env": server.environment}
    path.write_text(json.dumps({**json.loads(path.read_text()), "mcpServers": {NAME: row}}))
    settings = site.project / ".claude/settings.json"
    settings.write_text(settings.read_text().replace('["Bash"]', f'["Bash", "mcp__{NAME}"]'))
    # A person's yes to the question whether to start the server of the project's .mcp.json.
    said = {"enabledMcpjsonServers": [SERVER]}
    site.write(site.project / ".claude/settings.local.json", json.dumps(said))


_CLAUDE_CODE = Gated(
    _mount_in_claude_code,
    _by_full_name,
    lambda url: ("-p", "--continue", "--permission-mode", "acceptEdits", "--", SECOND_TASK),
    # Else it asks the model while the server still starts, and a call finds no such tool.
    environment={"MCP_CONNECTION_NONBLOCKING": "false", "MCP_TIMEOUT": "60000"},
    tells_batches=True,
)


# Codex. It writes the server's name with "_" where that is no sign of a name in JavaScript.


def _space(call: Served) -> str:
    return f"mcp__{call.server.replace('-', '_')}"


def _mount_in_codex(site: Site, programs: Path, server: Server) -> None:
    path = site.home / ".codex/config.toml"
    command, *arguments = server.words
    rows = {"command": command, "args": arguments, "required": True, "startup_timeout_sec": 60}
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in rows.items())
    variables = "".join(f"{key} = {json.dumps(value)}\n" for key, value in server.environment.items())
    path.write_text(f"{path.read_text()}\n[mcp_servers.{NAME}]\n{table}\n[mcp_servers.{NAME}.env]\n{variables}")


def _in_namespace(calls: Sequence[Served]) -> list[Call]:
    return [Call(call.tool, call.arguments, _space(call)) for call in calls]


def _in_code(calls: Sequence[Served]) -> list[Call]:
    lines = (
        f"text(JSON.stringify(await tools.{_space(call)}__{call.tool}({json.dumps(call.arguments)})));"
        for call in calls
    )
    return [Call("exec", "\n".join(lines))]


def _resumed(model: str) -> Callable[[str], Sequence[str]]:
    return lambda url: (
        "exec", "resume", "--last", "--model", model,
        "--config", f'model_providers.scripted.base_url="{url}/v1"', SECOND_TASK,
    )  # fmt: skip


# DeepSeek Harness. Headless, it has one prompt; a plugin gives it the second.

_FOLLOW_UP = """\
export const name = "second-prompt"
export const inject = ["tools"]
export function apply(ctx, config) {
  const left = [config.prompt]
  ctx.on("agent/turn-stopping", async ({ agent }) => {
    const text = left.shift()
    if (text === undefined) return
    const { createUserMessage } = await import(config.llm)
    agent.followup(createUserMessage({ content: [{ type: "text", text }], source: { kind: "user" } }))
  })
}
"""


def _mount_in_dsh(site: Site, programs: Path, server: Server) -> None:
    modules = programs.parent / "node_modules/@deepseek-ai"
    plugin = site.home / ".dsh/second-prompt.mjs"
    site.write(plugin, _FOLLOW_UP)
    command, *arguments = server.words
    started = {
        "serverName": NAME,
        "transport": "stdio",
        "command": command,
        "args": arguments,
        "cwd": str(server.notes),
        "env": server.environment,
    }
    follow_up = {"prompt": SECOND_TASK, "llm": (modules / "dsh-llm/lib/index.js").as_uri()}
    rows = [
        {"id": NAME, "name": (modules / "dsh-mcp-client/lib/index.js").as_uri(), "config": started},
        {"id": "second-prompt", "name": plugin.as_uri(), "config": follow_up},
    ]
    path = site.home / ".dsh/cordis.patch.yml"
    path.write_text(path.read_text() + "".join(f"  - {json.dumps(row)}\n" for row in rows))


GATED = {
    "claude-code": _CLAUDE_CODE,
    "codex": Gated(_mount_in_codex, _in_namespace, again=_resumed("gpt-5.5")),
    "codex-code-mode": Gated(_mount_in_codex, _in_code, again=_resumed("gpt-6.2-sol")),
    "dsh": Gated(_mount_in_dsh, _by_full_name),
}
"""By the name of a row of DRIVERS."""
