"""Claude Code, headless: `claude -p`. Hooks in the project's settings, beside the person's own entries there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.dialects import ANTHROPIC, Call
from tests.e2e.drivers.driver import FOREIGN, TASK, Driver
from tests.e2e.site import Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write

# As people's files are: no order, no one way to indent.
_SETTINGS = """\
{
    "permissions": {"allow": ["Bash"]},
  "hooks": { "PreToolUse": [
        { "matcher": "Write|Edit", "hooks": [ {"type": "command", "command": "touch FOREIGN"} ] }
  ]},
    "cleanupPeriodDays":   30
}
"""


def spell(step: Step) -> Call:
    """Put a step into a call of its tools."""
    match step:
        case Read(path, _):
            return Call("Read", {"file_path": path})
        case Write(path, _, after):
            return Call("Write", {"file_path": path, "content": after})
        case Edit(path, old, new):
            return Call("Edit", {"file_path": path, "old_string": old, "new_string": new})
        case Shell(command):
            return Call("Bash", {"command": command, "description": "as scripted"})


def prepare(site: Site, programs: Path) -> None:
    """Write the settings; a folder that was not trusted has no permissions of its own."""
    projects = {str(site.project): {"hasTrustDialogAccepted": True}}
    site.write(site.home / ".claude.json", json.dumps({"hasCompletedOnboarding": True, "projects": projects}))
    site.write(site.project / ".claude/settings.json", _SETTINGS.replace("FOREIGN", FOREIGN))


def environment(site: Site, url: str) -> Mapping[str, str]:
    """Give the variables that lead it to the model, and to nobody else."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


DRIVERS = (
    Driver(
        "claude-code",
        "claude-code",
        ANTHROPIC,
        spell,
        prepare,
        environment,
        lambda url: ("-p", "--permission-mode", "acceptEdits", "--", TASK),
        is_project=True,
    ),
)
