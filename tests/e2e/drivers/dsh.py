"""DeepSeek Harness, headless, in its sandbox mode workspace-write: hooks run inside of it, too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.e2e.dialects import COMPLETIONS, Call
from tests.e2e.drivers.driver import FOREIGN, TASK, Driver
from tests.e2e.site import Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write

_HOOKS = """\
{"hooks": {"PreToolUse": [{"matcher": "write", "hooks": [{"type": "command", "command": "touch FOREIGN"}]}]}}
"""

_PATCH = """\
# The person's own rows.
- insert:
  - id: other
    name: "{bridge}"   # by its path: dsh looks for packages in its own profile folder
    config: {{ configPath: "{hooks}" }}
"""


def spell(step: Step) -> Call:
    """Put a step into a call of its tools."""
    match step:
        case Read(path, _):
            return Call("read", {"file_path": path})
        case Write(path, _, after):
            return Call("write", {"file_path": path, "content": after})
        case Edit(path, old, new):
            return Call("edit", {"file_path": path, "old_string": old, "new_string": new})
        case Shell(command):
            return Call("bash", {"command": command, "description": "as scripted"})


def prepare(site: Site, programs: Path) -> None:
    """Mount the bridge with a hook of somebody else."""
    bridge = programs.parent / "node_modules/@deepseek-ai/dsh-hooks-claude-code/lib/index.js"
    hooks = site.home / ".dsh/other-hooks.json"
    site.write(hooks, _HOOKS.replace("FOREIGN", FOREIGN))
    site.write(site.home / ".dsh/cordis.patch.yml", _PATCH.format(bridge=bridge.as_uri(), hooks=hooks))


def environment(site: Site, url: str) -> Mapping[str, str]:
    """Give the variables that lead it to the model."""
    return {
        "DSH_HOME": str(site.home / ".dsh"),
        "DEEPSEEK_API_KEY": "none",
        "DEEPSEEK_BASE_URL": url,
        "DSH_PERMISSION_MODE": "workspace-write",
        "DSH_TELEMETRY_DISABLED": "1",
    }


DRIVERS = (
    Driver(
        "dsh",
        "dsh",
        COMPLETIONS,
        spell,
        prepare,
        environment,
        lambda url: ("--profile", "headless", TASK),
    ),
)
