"""Files that switch a guard on or off: memstile's own settings and the hook settings of the hosts, as data."""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Where(Enum):
    """In which folder a file of that name is read. Elsewhere a project may have one of its own that means nothing.

    ANYWHERE: the name is the host's alone, and read wherever a session is started. UPWARDS: the folder of the session
    or one above it. SHARED: a folder where programs keep settings, as ~/.config. PROFILE: the host's own, or below.
    """

    ANYWHERE = "anywhere"
    UPWARDS = "upwards"
    SHARED = "shared"
    PROFILE = "profile"


class Switch(NamedTuple):
    """A file that switches a guard. ending: of its path, "/" between parts, "*" for any one name."""

    whose: str
    ending: str
    where: Where = Where.ANYWHERE


SWITCHES = (
    Switch("memstile", "memstile.toml", Where.UPWARDS),
    Switch("memstile", "memstile/config.toml", Where.SHARED),
    Switch("claude-code", ".claude/settings.json"),
    Switch("claude-code", ".claude/settings.local.json"),
    Switch("claude-code", "managed-settings.json"),
    Switch("dsh", "cordis.patch.yml"),
    Switch("dsh", "cordis.yml", Where.PROFILE),
    Switch("codex", ".codex/hooks.json"),
    Switch("codex", ".codex/config.toml"),
    Switch("gemini", ".gemini/settings.json"),
    Switch("gemini", "gemini-cli/settings.json", Where.SHARED),
    Switch("gemini", "GeminiCli/settings.json", Where.SHARED),
    Switch("gemini", ".gemini/extensions/*/hooks/hooks.json"),
    Switch("copilot", ".copilot/hooks/*"),
    Switch("copilot", ".copilot/settings.json"),
    Switch("copilot", ".copilot/config.json"),
    Switch("copilot", ".github/hooks/*"),
    Switch("cursor", ".cursor/hooks.json"),
    Switch("cursor", "cursor/hooks.json", Where.SHARED),
    Switch("cursor", "Cursor/hooks.json", Where.SHARED),
    Switch("windsurf", ".windsurf/hooks.json"),
    Switch("windsurf", ".codeium/windsurf/hooks.json"),
    Switch("windsurf", "windsurf/hooks.json", Where.SHARED),
    Switch("windsurf", "Windsurf/hooks.json", Where.SHARED),
    Switch("cline", ".cline/hooks/*"),
    Switch("cline", ".clinerules/hooks/*"),
    Switch("cline", "Cline/Hooks/*", Where.SHARED),
    Switch("opencode", ".opencode/plugins/*"),
    Switch("opencode", "opencode/plugins/*", Where.SHARED),
    *(
        Switch("opencode", f"{folder}{name}", where)
        for name in ("opencode.json", "opencode.jsonc")
        for folder, where in (("", Where.UPWARDS), ("opencode/", Where.SHARED), (".opencode/", Where.ANYWHERE))
    ),
)
"""Sources: the pages of the hosts in docs/."""

_ENDINGS = tuple((switch, switch.ending.split("/")) for switch in SWITCHES)

SHARED_FOLDERS = frozenset((".config", "etc", "xdg", "Application Support", "ProgramData", "Roaming", "Documents"))
"""Names of folders where programs keep settings, for a person or for the machine. ~/Documents: Cline."""

PROFILE_FOLDER = ".dsh"

FOLDER_VARIABLES = (
    (".claude", "CLAUDE_CONFIG_DIR"),
    (".codex", "CODEX_HOME"),
    (".copilot", "COPILOT_HOME"),
    (PROFILE_FOLDER, "DSH_HOME"),
)
"""(a host's own folder below home, the variable that names another one)."""

FILE_VARIABLES = ("MEMSTILE_CONFIG", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "OPENCODE_CONFIG")
"""Variables that name a switch itself."""

PROJECT_VARIABLES = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
"""Variables that tell a hook where the session was started, wherever its shell has gone since."""


def is_switch(path: str) -> bool:
    """Tell whether a file is called as one of SWITCHES. path: absolute, "/" between parts."""
    return any(True for _ in alike(path))


def alike(path: str) -> Iterator[tuple[Switch, str]]:
    """Give the switches that a file is called as, each with what comes before its ending: the folder to judge by."""
    parts = path.split("/")
    for switch, ending in _ENDINGS:
        if ending[-1] in ("*", parts[-1]) and len(parts) > len(ending):
            tail = parts[-len(ending) :]
            if all(want in ("*", have) for want, have in zip(ending, tail, strict=True)):
                yield switch, "/".join(parts[: -len(ending)]) or "/"
