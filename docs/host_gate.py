"""Render what a host's page says of the turn gate: what its events do for it, and a session to send by hand."""

from __future__ import annotations

import json
import textwrap

from docs.gate_pages import TOLD
from docs.host_tables import control_of, events_of, setup_of, table, tools
from memstile.core.answer import Channel
from memstile.core.request import Event, Kind
from memstile.core.shell_looks import READERS, SEARCHERS
from memstile.doctor_gate_payloads import GATE_FORMS, Served
from memstile.hosts import host_named
from memstile.hosts.host import Host
from memstile.installing_control import has_shell

_WIDTH = 116
_LAUNCHER = "~/.local/state/memstile/launcher/memstile_hook.py"
_NOTE = {"title": "Kettle", "directory": "home", "content": "hot"}
_SESSION = (("basic-memory", "write_note", _NOTE), ("memstile", "classify", {"task": "simple"}),
            ("basic-memory", "write_note", _NOTE))  # fmt: skip
_BY_EVENT = ("copilot", "cline")
"""Hosts whose payloads do not name their event: it stands on the command line."""


def gate_facts(name: str) -> str:
    """Say what a host's events do for the gate."""
    host = host_named(name)
    rows = [
        ("begins a turn", _turn(name)),
        ("a subagent", f"has turns of its own, by {TOLD[name].agent}" if TOLD[name].agent else _NO_AGENT),
        ("judged before they run", f"{_words(name, Event.TOOL_CALL)}: {_judged(name)}"),
        ("counts a search", _search(name, host)),
        ("a destructive call that `strict` refuses", _asked(host)),
        ("the turn is declared by", ", or ".join(_controls(name))),
    ]
    return table(("[the turn gate](../gate.md)", "here"), [row for row in rows if row[1]])


_NO_AGENT = "is not told apart: its calls count for the session they come with"


def _turn(name: str) -> str:
    starts, told = _words(name, Event.TURN_START), TOLD[name].turn
    return told if starts in told else f"{starts}; which turn it is, by {told}"


def _words(name: str, event: Event) -> str:
    return ", ".join(f"`{word}`" for word, seen in events_of(name) if seen is event)


def _judged(name: str) -> str:
    form = GATE_FORMS[name]
    tool = host_named(name).parse(form.payload(Served("/", "basic-memory", "write_note", {})), form.event).tool
    return f"`{tool}` and the like, of the servers in `gate.servers`; notes of a vault by {tools(name, Kind.WRITE)}"


def _search(name: str, host: Host) -> str:
    ends = _words(name, Event.BATCH_END)
    when = (
        f"from {ends} on, which ends a batch"
        if host.tells_batches
        else f"at its result, {_words(name, Event.TOOL_RESULT)}"
    )
    by_shell = f"; a lone {_programs()} of a note in its shell is one too" if host.reads_by_shell else ""
    return when + by_shell


def _programs() -> str:
    shown = [
        *(word for word in ("cat", "head") if word in READERS),
        *(word for word in ("grep", "rg") if word in SEARCHERS),
    ]
    return ", ".join(f"`{word}`" for word in shown[:-1]) + f" or `{shown[-1]}`"


def _asked(host: Host) -> str:
    return "is for the person to decide" if Channel.ASK in host.carries.get(Event.TOOL_CALL, ()) else "is refused"


def _controls(name: str) -> list[str]:
    setup = setup_of(name)
    has_server = setup is not None and any(file.lines for file in control_of(setup, is_project=False))
    return [
        *(["the tool `classify` of the MCP server"] if has_server else []),
        *(["`memstile classify simple` or `complex`, by itself, in a shell tool"] if has_shell(name) else []),
    ]


def gate_session(name: str) -> str:
    """Write a shell script that sends a session by hand: a write, the declaration, the write again."""
    form = GATE_FORMS[name]
    event = f" {form.event}" if name in _BY_EVENT else ""
    calls = [_call(name, f"c{number}", Served("$PWD", *row)) for number, row in enumerate(_SESSION, 1)]
    sent = "".join(f"ask <<END\n{call}\nEND\n" for call in calls)
    return (
        f"<!-- session: {name} -->\n```sh\nTRY=$(mktemp -d)\n"
        'printf \'[gate]\\nmode = "enforce"\\n\' > "$TRY/config.toml"\n'
        f"ask() {{\n  python3 -I -S {_LAUNCHER} {name}{event} \\\n"
        '    --config "$TRY/config.toml" --state "$TRY"\n  echo "exit code $?"\n}\n'
        f"{sent}```"
    )


def _call(name: str, number: str, served: Served) -> str:
    payload = GATE_FORMS[name].payload(served)
    payload.pop("transcript_path", None)
    text = json.dumps(payload)
    for key in ("tool_use_id", "callID"):
        text = text.replace(f'"{key}": "doctor"', f'"{key}": "{number}"')
    text = text.replace('"doctor"', '"by-hand"')
    return "\n ".join(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False))
