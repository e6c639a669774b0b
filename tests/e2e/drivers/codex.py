"""Codex, headless: `codex exec`. Once with tools called by the model itself, once from scripts (its code mode)."""

from __future__ import annotations

import json
import select
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.e2e.dialects import RESPONSES, Call
from tests.e2e.drivers.driver import FOREIGN, TASK, Driver
from tests.e2e.site import Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write

_CONFIG = """\
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""

_HOOKS = """\
{"hooks": {
   "PreToolUse": [ {"matcher": "^apply_patch$",
                    "hooks": [{"type": "command", "command": "touch FOREIGN"}]} ]
}}
"""

_APPROVAL_S = 20.0


def spell(step: Step) -> Call:
    """Put a step into a call of its tools: files are changed by patch envelopes alone."""
    match step:
        case Read(path, _):
            return Call("exec_command", {"cmd": f"cat {path}"})
        case Write(path, None, after):
            return Call("apply_patch", _envelope(f"*** Add File: {path}", "", after))
        case Write(path, before, after):
            return Call("apply_patch", _envelope(f"*** Update File: {path}\n@@", str(before), after))
        case Edit(path, old, new):
            return Call("apply_patch", _envelope(f"*** Update File: {path}\n@@", old, new))
        case Shell(command):
            return Call("exec_command", {"cmd": command})


def _envelope(head: str, old: str, new: str) -> str:
    rows = [*(f"-{line}" for line in old.splitlines()), *(f"+{line}" for line in new.splitlines())]
    return "\n".join(["*** Begin Patch", head, *rows, "*** End Patch", ""])


def spell_in_code(step: Step) -> Call:
    """Put a step into a script that calls the tool: newer models have no other way."""
    call = spell(step)
    return Call("exec", f"text(JSON.stringify(await tools.{call.tool}({json.dumps(call.arguments)})));")


def prepare(site: Site, programs: Path) -> None:
    """Write the settings, with a hook of somebody else."""
    site.write(site.home / ".codex/config.toml", _CONFIG)
    site.write(site.home / ".codex/hooks.json", _HOOKS.replace("FOREIGN", FOREIGN))


def environment(site: Site, url: str) -> Mapping[str, str]:
    """Give the variables that it needs."""
    return {"CODEX_HOME": str(site.home / ".codex"), "SCRIPTED_KEY": "none"}


def _words(model: str) -> Callable[[str], tuple[str, ...]]:
    def words(url: str) -> tuple[str, ...]:
        return ("exec", "--model", model, "--config", f'model_providers.scripted.base_url="{url}/v1"', TASK)

    return words


def approve(site: Site, programs: Path) -> None:
    """Trust every hook there is, as a person does with /hooks: Codex passes over the others without a word."""
    with subprocess.Popen(
        [programs / "codex", "app-server"],
        cwd=site.project,
        env={**site.environment(programs), **environment(site, "")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _ask(server, 0, "initialize", {"clientInfo": {"name": "memstile-e2e", "version": "1"}})
            listed = _ask(server, 1, "hooks/list", {"cwds": [str(site.project)]})
        finally:
            server.kill()
    rows = [
        f"\n[hooks.state.{json.dumps(hook['key'])}]\ntrusted_hash = {json.dumps(hook['currentHash'])}\n"
        for place in listed["data"]
        for hook in place["hooks"]
    ]
    config = site.home / ".codex/config.toml"
    config.write_text(config.read_text() + "".join(rows))


def _ask(server: subprocess.Popen[bytes], number: int, method: str, parameters: object) -> Any:
    assert server.stdin
    assert server.stdout
    server.stdin.write(json.dumps({"id": number, "method": method, "params": parameters}).encode() + b"\n")
    server.stdin.flush()
    while select.select([server.stdout], [], [], _APPROVAL_S)[0]:
        answer = json.loads(server.stdout.readline() or b"{}")
        if answer.get("id") == number:
            return answer["result"]
    raise AssertionError(f"codex app-server did not answer {method}")


DRIVERS = (
    Driver("codex", "codex", RESPONSES, spell, prepare, environment, _words("gpt-5.5"), approve=approve),
    Driver(
        "codex-code-mode",
        "codex",
        RESPONSES,
        spell_in_code,
        prepare,
        environment,
        _words("gpt-6.2-sol"),
        approve=approve,
    ),
)
