"""Look for MCP servers of Claude Code that look like a memory's, and that the turn gate has not been told of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memstile.core.text import shown
from memstile.doctor_check import Check, ok, unknown
from memstile.doctor_subject import ANY, Subject
from memstile.doctor_switches import settings_in
from memstile.hook_settings import Source, settings_of
from memstile.settings_places import shown_path, user_file

_HOST = "claude-code"
_WORDS = ("memory", "notes")
"""In the name of a server that keeps notes, as people call them."""
_PROGRAM = "basic-memory"


def servers(row: Subject) -> Iterator[Check]:
    """Compare the servers in Claude Code's files with gate.servers. Nothing is said where no name looks like one's."""
    if row.setup.host != _HOST:
        return
    environment = row.standing.environment
    settings = settings_of(row.standing.cwd, Source(environment)).settings
    paths = [row.setup.control(row.where._replace(is_project=scope), ANY)[0].path for scope in (False, True)]
    named = list(dict.fromkeys(name for path in paths for name in _named(path, row.where.project)))
    tried = f"look for MCP servers in {', '.join(shown(shown_path(path, environment)) for path in paths)}"
    known = {_spelled(name) for name in settings.gate_servers}
    if settings.gate_mode == "off" or not named:
        return
    for name in (name for name in named if _spelled(name) not in known):
        seen = f"{shown(name)} looks like a memory's, and is not in gate.servers: its writes are not gated"
        place = shown(shown_path(user_file(environment), environment))
        yield unknown("servers", tried, seen, f"if its tools are basic-memory's, add it to gate.servers in {place}")
    if all(_spelled(name) in known for name in named):
        yield ok("servers", tried, f"{', '.join(map(shown, named))}: in gate.servers")


def _named(path: str, project: str) -> Iterator[str]:
    """Give the names in a file of servers, for everywhere and for the project at hand, that look like a memory's."""
    settings = settings_in(path) or {}
    own = _mapping(_mapping(settings.get("projects")).get(project))
    for holder in (settings, own):
        for name, entry in _mapping(holder.get("mcpServers")).items():
            if any(word in name.lower() for word in _WORDS) or _PROGRAM in str(entry):
                yield name


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _spelled(name: str) -> str:
    """Spell a server's name as Claude Code does in the names of its tools."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "_" for sign in name)
