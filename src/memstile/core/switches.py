"""Files that switch a guard on or off: memstile's own settings and the hook settings of the hosts, as data."""

from __future__ import annotations

SWITCHES = (
    ("memstile", "memstile.toml"),
    ("memstile", "memstile/config.toml"),
    ("claude-code", ".claude/settings.json"),
    ("claude-code", ".claude/settings.local.json"),
    ("claude-code", "managed-settings.json"),
    ("dsh", "cordis.patch.yml"),
    ("dsh", "cordis.yml"),
    ("codex", ".codex/hooks.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
    ("gemini", "gemini-cli/settings.json"),
    ("gemini", "GeminiCli/settings.json"),
    ("gemini", ".gemini/extensions/*/hooks/hooks.json"),
    ("copilot", ".copilot/hooks/*"),
    ("copilot", ".copilot/settings.json"),
    ("copilot", ".copilot/config.json"),
    ("copilot", ".github/hooks/*"),
    ("cursor", ".cursor/hooks.json"),
    ("cursor", "cursor/hooks.json"),
    ("cursor", "Cursor/hooks.json"),
    ("windsurf", ".windsurf/hooks.json"),
    ("windsurf", ".codeium/windsurf/hooks.json"),
    ("windsurf", "windsurf/hooks.json"),
    ("windsurf", "Windsurf/hooks.json"),
    ("cline", ".cline/hooks/*"),
    ("cline", ".clinerules/hooks/*"),
    ("cline", "Cline/Hooks/*"),
    ("opencode", ".opencode/plugins/*"),
    ("opencode", "opencode/plugins/*"),
    ("opencode", "opencode.json"),
    ("opencode", "opencode.jsonc"),
)
"""(whose, ending of the path): "/" between parts, "*" for any one name. Sources: the pages of the hosts in docs/."""


def is_switch(path: str) -> bool:
    """Tell whether a file is one of SWITCHES. path: absolute, "/" between parts."""
    parts = path.split("/")
    return any(_ends_with(parts, ending.split("/")) for _, ending in SWITCHES)


def _ends_with(parts: list[str], ending: list[str]) -> bool:
    tail = parts[-len(ending) :]
    return len(tail) == len(ending) and all(want in ("*", have) for want, have in zip(ending, tail, strict=True))
