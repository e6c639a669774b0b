"""Copilot CLI, headless and without an account: `copilot -p` with a provider of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.e2e.dialects import COMPLETIONS, Call
from tests.e2e.drivers.driver import FOREIGN, TASK, Driver
from tests.e2e.site import Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write

_HOOKS = """\
{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "touch FOREIGN"}]}}
"""


def spell(step: Step) -> Call:
    """Put a step into a call of its tools: `create` refuses a file that is there."""
    match step:
        case Read(path, _):
            return Call("view", {"path": path})
        case Write(path, None, after):
            return Call("create", {"path": path, "file_text": after})
        case Write(path, before, after):
            return Call("edit", {"path": path, "old_str": before, "new_str": after})
        case Edit(path, old, new):
            return Call("edit", {"path": path, "old_str": old, "new_str": new})
        case Shell(command):
            return Call("bash", {"command": command, "description": "as scripted"})


def prepare(site: Site, programs: Path) -> None:
    """Write a hooks file of somebody else."""
    site.write(site.home / ".copilot/hooks/other.json", _HOOKS.replace("FOREIGN", FOREIGN))


def environment(site: Site, url: str) -> Mapping[str, str]:
    """Give the variables that lead it to the model, and to nobody else."""
    return {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_MODEL": "scripted",
        "COPILOT_AUTO_UPDATE": "false",
    }


DRIVERS = (
    Driver(
        "copilot",
        "copilot",
        COMPLETIONS,
        spell,
        prepare,
        environment,
        lambda url: ("-p", TASK, "--allow-all-tools", "--allow-all-paths", "--no-color"),
    ),
)
