"""The hosts, one file each: payload in, request out; answer in, the host's reply out. All pure and total."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memstile.hosts.host import Host

HOSTS = {
    "claude-code": "memstile.hosts.claude_code",
    "dsh": "memstile.hosts.dsh",
    "codex": "memstile.hosts.codex",
    "gemini": "memstile.hosts.gemini",
    "copilot": "memstile.hosts.copilot",
    "cursor": "memstile.hosts.cursor",
    "windsurf": "memstile.hosts.windsurf",
    "cline": "memstile.hosts.cline",
    "opencode": "memstile.hosts.opencode",
    "generic": "memstile.hosts.generic",
}
"""Name on the command line: module with a `HOST`. It is imported only when it is asked for."""


def host_named(name: str) -> Host:
    """Load one host by a name of HOSTS."""
    __import__(HOSTS[name])  # importlib loads warnings, which takes a millisecond
    host: Host = sys.modules[HOSTS[name]].HOST
    return host
