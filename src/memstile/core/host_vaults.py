"""Where hosts and people keep vaults, and whether they mean them to be committed."""

from __future__ import annotations

from memstile.core.record import NamedTuple


class HostVault(NamedTuple):
    """A place a host uses. parts: folder names from some root down, "*" stands for any one name."""

    host: str
    parts: tuple[str, ...]
    mode: str  # the vault mode when nothing is configured
    source: str


HOST_VAULTS = (
    HostVault("claude-code", (".claude", "agent-memory", "*"), "shared", "Claude Code sub-agents, memory: project"),
    HostVault("claude-code", (".claude", "agent-memory-local", "*"), "auto", "Claude Code sub-agents, memory: local"),
    HostVault("claude-code", (".claude", "projects", "*", "memory"), "auto", "Claude Code auto-memory"),
    HostVault("any", (".agent-memory",), "auto", "a name people give to a vault in a project"),
    HostVault("any", (".memory",), "auto", "likewise"),
    HostVault("engramory", (".engramory-memory",), "auto", "its project store"),
)


def host_vault(folder: str) -> HostVault | None:
    """Tell whether a folder is a place where a host keeps a vault.

    folder: a path with "/" between parts, absolute or not; its last parts are compared.
    """
    parts = tuple(part for part in folder.split("/") if part not in ("", "."))
    for row in HOST_VAULTS:
        tail = parts[-len(row.parts) :]
        if len(tail) == len(row.parts) and all(want in ("*", have) for want, have in zip(row.parts, tail, strict=True)):
            return row
    return None
