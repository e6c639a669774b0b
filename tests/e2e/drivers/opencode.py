"""opencode, headless: `opencode run`. Its hook is a plugin, which starts ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.dialects import COMPLETIONS, Call
from tests.e2e.drivers.driver import FOREIGN, TASK, Driver
from tests.e2e.site import Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write

_PLUGIN = """\
import { writeFileSync } from "node:fs"
export const Other = async ({ directory }) => ({
  "tool.execute.before": async () => writeFileSync(directory + "/FOREIGN", ""),
})
"""


def spell(step: Step) -> Call:
    """Put a step into a call of its tools."""
    match step:
        case Read(path, _):
            return Call("read", {"filePath": path})
        case Write(path, _, after):
            return Call("write", {"filePath": path, "content": after})
        case Edit(path, old, new):
            return Call("edit", {"filePath": path, "oldString": old, "newString": new})
        case Shell(command):
            return Call("bash", {"command": command, "description": "as scripted"})


def prepare(site: Site, programs: Path) -> None:
    """Write its settings, and a plugin of somebody else."""
    model = {"name": "scripted", "tool_call": True, "limit": {"context": 100_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": "{env:SCRIPTED_URL}", "apiKey": "none"},
        "models": {"scripted": model},
    }
    settings = {
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "share": "disabled",
        "autoupdate": False,
        "provider": {"scripted": provider},
        "permission": {"edit": "allow", "bash": "allow"},
    }
    site.write(site.project / "opencode.json", json.dumps(settings, indent=2))
    site.write(site.project / ".opencode/plugins/other.js", _PLUGIN.replace("FOREIGN", FOREIGN))


def environment(site: Site, url: str) -> Mapping[str, str]:
    """Give the variables that lead it to the model, and to nobody else."""
    return {
        "SCRIPTED_URL": f"{url}/v1",
        "OPENCODE_DISABLE_AUTOUPDATE": "true",
        "OPENCODE_DISABLE_MODELS_FETCH": "true",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "true",
    }


DRIVERS = (
    Driver(
        "opencode",
        "opencode",
        COMPLETIONS,
        spell,
        prepare,
        environment,
        lambda url: ("run", TASK),
        is_project=True,
    ),
)
