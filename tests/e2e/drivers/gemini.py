"""Gemini CLI, headless: `gemini -p`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.e2e.dialects import GEMINI, Call
from tests.e2e.drivers.driver import FOREIGN, TASK, Driver
from tests.e2e.site import Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write

_SETTINGS = """\
{
  // signed in by key
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "telemetry": {"enabled": false}, "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false},
  // else read_file does not read a vault that git ignores: "ignored by configured ignore patterns"
  "context": {"fileFiltering": {"respectGitIgnore": false}},
  "hooks": {
    "BeforeTool": [{"matcher": "write_file", "hooks": [{"type": "command", "command": "touch FOREIGN"}]}]
  }
}
"""


def spell(step: Step) -> Call:
    """Put a step into a call of its tools."""
    match step:
        case Read(path, _):
            return Call("read_file", {"file_path": path})
        case Write(path, _, after):
            return Call("write_file", {"file_path": path, "content": after})
        case Edit(path, old, new):
            return Call("replace", {"file_path": path, "instruction": "one more", "old_string": old, "new_string": new})
        case Shell(command):
            return Call("run_shell_command", {"command": command})


def prepare(site: Site, programs: Path) -> None:
    """Write the settings, which may hold comments, with a hook of somebody else."""
    site.write(site.home / ".gemini/settings.json", _SETTINGS.replace("FOREIGN", FOREIGN))


def environment(site: Site, url: str) -> Mapping[str, str]:
    """Give the variables that lead it to the model."""
    return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}


DRIVERS = (
    Driver(
        "gemini",
        "gemini",
        GEMINI,
        spell,
        prepare,
        environment,
        lambda url: ("--model", "gemini-2.5-pro", "--yolo", "-p", TASK),
    ),
)
