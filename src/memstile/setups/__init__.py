"""How memstile is set up in a host, one file each: which of its files change, and how. All pure."""

from __future__ import annotations

SETUPS = {
    "claude-code": "memstile.setups.claude_code",
    "dsh": "memstile.setups.dsh",
    "codex": "memstile.setups.codex",
    "gemini": "memstile.setups.gemini",
    "copilot": "memstile.setups.copilot",
    "cursor": "memstile.setups.cursor",
    "windsurf": "memstile.setups.windsurf",
    "cline": "memstile.setups.cline",
    "opencode": "memstile.setups.opencode",
}
"""Name on the command line: module with a `SETUP`. It is imported only when it is asked for."""
