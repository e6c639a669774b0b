"""Render the tables of hosts from their rows and their setups: what each sees, carries and lets slip past."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping

from memstile import launcher
from memstile.core.answer import Channel
from memstile.core.request import Event, Kind
from memstile.doctor_found import hooks_in
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import Host
from memstile.installing import package_text
from memstile.setups import SETUPS
from memstile.setups.setup import Command, File, Setup, Where

HOME = "/home/you"
_STATE = f"{HOME}/.local/state/memstile"

_EVENTS = {
    Event.SESSION_START: "session start",
    Event.TURN_START: "prompt",
    Event.TOOL_CALL: "before a call",
    Event.TOOL_RESULT: "after a call",
    Event.BATCH_END: "after a batch",
    Event.SETTINGS_CHANGE: "settings change",
}
_CHANNELS = {
    Channel.DENY: "refuse",
    Channel.ASK: "ask the person",
    Channel.MODEL: "tell the model",
    Channel.PERSON: "tell the person",
}


def setup_of(name: str) -> Setup | None:
    """Load the setup of a host, None for one that is no program of its own."""
    if name not in SETUPS:
        return None
    __import__(SETUPS[name])
    found: Setup = sys.modules[SETUPS[name]].SETUP
    return found


def where_of(setup: Setup, *, is_project: bool) -> Where:
    """Give the folders of a person whose home is HOME."""
    texts = {name: package_text(name) for name in setup.texts}
    beside = "file:///usr/lib/node_modules/@deepseek-ai/dsh/node_modules/{}/lib/index.js"
    found = {name: beside.format(name.replace("@", "%40")) for name in (*setup.modules, *setup.optional)}
    return Where(HOME, f"{HOME}/project", is_project, {}, texts, found)


def control_of(setup: Setup, *, is_project: bool) -> tuple[File, ...]:
    """Give what `memstile init` would write for that person so that the host starts the MCP server."""
    command = Command("/opt/memstile/bin/memstile", ("mcp",), ("--config", f"{HOME}/.config/memstile/config.toml"))
    return setup.control(where_of(setup, is_project=is_project), command)


def files_of(setup: Setup, *, is_project: bool = False) -> tuple[File, ...]:
    """Give what `memstile init` would write for that person."""
    words = (*launcher.opening(launcher.place(_STATE)), setup.host)
    options = ("--config", f"{HOME}/.config/memstile/config.toml", "--state", _STATE)
    return setup.files(where_of(setup, is_project=is_project), Command("/usr/bin/python3", words, options))


def _hooked(name: str) -> tuple[str, ...]:
    """List the events of a host at which we have a hook, in its words; all that it knows, if its files do not tell."""
    setup = setup_of(name)
    files = files_of(setup) if setup else ()
    named = [hook.event for file in files for hook in hooks_in(file.path, file.put(None)) if hook.event]
    return tuple(dict.fromkeys(named)) or tuple(sys.modules[HOSTS[name]].EVENTS)  # opencode, generic


def events_of(name: str) -> Iterator[tuple[str, Event]]:
    """Give the events at which there is a hook, in the host's words and in ours."""
    host_named(name)
    known: Mapping[str, Event] = sys.modules[HOSTS[name]].EVENTS
    return ((event, known[event]) for event in _hooked(name) if known.get(event, Event.SESSION_END) in _EVENTS)


def can(host: Host, event: Event) -> str:
    """Say what a host can carry at an event."""
    channels = host.carries.get(event, frozenset())
    return ", ".join(word for channel, word in _CHANNELS.items() if channel in channels) or "nothing"


def tools(name: str, kind: Kind) -> str:
    """List the tools of a kind."""
    host_named(name)
    rows = sys.modules[HOSTS[name]].TOOLS
    return " ".join(f"`{tool}`" for tool, row in rows.items() if row.kind is kind)


def versions(host: Host) -> str:
    """Say which versions are supported."""
    first, end = host.supported
    return f"{first} to below {end}" if end else "any" if not first else f"{first} and later"


def evidence(host: Host) -> str:
    """Say what is known of a host, and from where."""
    if host.name not in SETUPS:
        return "a protocol of memstile's own"
    return "recorded from the client" if host.evidence == "recorded" else "documentation alone, **not run**"


def _linked(host: Host) -> str:
    return f"[{host.title}](hosts/{host.name}.md)"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Lay out a markdown table."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def hosts_table() -> str:
    """Render what each host is set up by, and what is known of it."""
    hosts = map(host_named, HOSTS)
    rows = (
        (
            _linked(host),
            f"`memstile init {host.name}`" if host.name in SETUPS else "your own program",
            ", ".join(host.verified) or "none",
            versions(host),
            evidence(host),
        )
        for host in hosts
    )
    return table(("host", "set up by", "tried with", "supported", "evidence"), rows)


def carries_table() -> str:
    """Render what each host sees of a write, and what it can carry at which event."""
    shown = [event for event in _EVENTS if event not in (Event.BATCH_END, Event.SETTINGS_CHANGE)]

    def cells(name: str) -> tuple[str, ...]:
        host, has = host_named(name), {event for _, event in events_of(name)}
        return tuple(can(host, event) if event in has else "no event" for event in shown)

    rows = ((_linked(host_named(name)), tools(name, Kind.WRITE), *cells(name)) for name in HOSTS)
    return table(("host", "writes it sees before", *(_EVENTS[event] for event in shown)), rows)


def slips_table() -> str:
    """Render what gets past each host's hooks."""
    rows = (
        (_linked(host) if number == 0 else "", line)
        for host in map(host_named, HOSTS)
        for number, line in enumerate(host.slips)
    )
    return table(("host", "what slips past"), rows)


def readme_table() -> str:
    """Render the README's short table of hosts."""
    names = [host_named(name) for name in SETUPS]
    rows = (
        (
            f"[{host.title}](docs/hosts/{host.name}.md)",
            f"`{host.name}`",
            ", ".join(host.verified) or "not run: set up by its documentation",
            can(host, Event.TOOL_CALL),
            can(host, Event.TOOL_RESULT),
        )
        for host in names
    )
    return table(("host", "`memstile init`", "tried with", "before a call it can", "after one"), rows)
