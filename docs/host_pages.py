"""Render docs/hosts.md, docs/hooks.md and docs/hosts/*.md: from the tables of hosts, and from runs of the hook itself.

docs/generate.py writes the pages. What a hook answers is shown by running it, `python -I -S`, as a host would.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import partial

from docs.host_gate import gate_facts, gate_session
from docs.host_runs import Answered, refused, verdict_rows
from docs.host_tables import (
    HOME,
    can,
    carries_table,
    control_of,
    events_of,
    evidence,
    files_of,
    hosts_table,
    setup_of,
    slips_table,
    table,
    tools,
    versions,
    where_of,
)
from memstile.core.answer import Channel
from memstile.core.matching import Matching
from memstile.core.request import Event, Kind
from memstile.doctor_gate_payloads import GATE_FORMS
from memstile.doctor_payloads import FORMS
from memstile.hosts import HOSTS, host_named
from memstile.setups import SETUPS
from memstile.setups.setup import File, Setup

HERE = os.path.dirname(os.path.abspath(__file__))

_DOES = {
    Event.SESSION_START: "says how the vault stands, if something is wrong",
    Event.TURN_START: "brings what had to wait",
    Event.TOOL_CALL: "judges what would be written",
    Event.TOOL_RESULT: "looks whether an index grew past its cap",
    Event.BATCH_END: "looks whether an index grew past its cap",
    Event.SETTINGS_CHANGE: "refuses changed hook settings while the guard enforces",
}
_GATE_DOES = {
    Event.TURN_START: "begins a turn of the gate",
    Event.TOOL_CALL: "takes a declaration, and judges memory writes",
    Event.TOOL_RESULT: "takes in how a memory search or write ended",
    Event.BATCH_END: "lets the searches of the batch count",
}
"""What an event does for the turn gate besides."""
_FINDS = {
    Matching.EXACT: "only where it stands exactly",
    Matching.TYPOGRAPHIC: "also with other quotes; such edits are not computed",
    Matching.LOOSE: "also where it does not stand exactly, or that is not known; such edits are not computed",
}


def _short(path: str) -> str:
    project = f"{HOME}/project/"
    return path.removeprefix(project) if path.startswith(project) else path.replace(HOME, "~", 1)


def _facts(name: str) -> str:
    host, setup = host_named(name), setup_of(name)
    rows = [
        ("evidence", evidence(host)),
        ("tried with", ", ".join(host.verified) or "none"),
        ("supported", versions(host)),
        ("version asked of", f"`{setup.program} --version`" if setup and setup.program else "nothing tells it"),
        ("judged before they run", tools(name, Kind.WRITE)),
        ("looked at afterwards", tools(name, Kind.SHELL) + " and every tool that is in no table"),
        ("the host finds old text", _FINDS[host.matching]),
    ]
    return table(
        ("", ""), [row for row in rows if setup or row[0] not in ("tried with", "supported", "version asked of")]
    )


def _event_rows(name: str) -> str:
    host = host_named(name)
    waits = "nothing: it waits for an event that can tell it"
    can_tell = any(Channel.MODEL in channels for channels in host.carries.values())
    rows = []
    for word, event in events_of(name):
        told = can(host, event)
        does = f"{_DOES[event]}; {_GATE_DOES[event]}" if host.gates and event in _GATE_DOES else _DOES[event]
        rows.append((f"`{word}`", does, waits if told == "nothing" and can_tell else told))
    return table(("event", "what memstile does", "what it can do there"), rows)


def _file_rows(name: str) -> str:
    setup = setup_of(name)
    assert setup, name  # noqa: S101 - only asked of hosts that have one
    scopes = [False, True] if setup.has_project else [False]
    each = [(*files_of(setup, is_project=scope), *_skill(setup, is_project=scope)) for scope in scopes]
    rows = (
        (*(f"`{_short(file.path)}`" for file in files), "; ".join(f"`{line}`" for line in files[0].lines))
        for files in zip(*each, strict=True)
    )
    heads = ("with `--user` (the default)", "with `--project`")[: len(scopes)]
    return table((*heads, "what goes in"), rows)


def _control(name: str) -> str:
    """List the files that register the MCP server, in each scope, and say what is left to the person."""
    setup = setup_of(name)
    assert setup, name  # noqa: S101 - only asked of hosts that have one
    scopes = [False, True] if setup.has_project else [False]
    rows = [
        (
            "with `--project`" if scope else "with `--user`",
            f"`{_short(file.path)}`",
            "; ".join(f"`{line}`" for line in file.lines),
        )
        for scope in scopes
        for file in control_of(setup, is_project=scope)
    ]
    notes = dict.fromkeys(note for scope in scopes for note in setup.control_notes(where_of(setup, is_project=scope)))
    gateless = (f'`gate.mode = "enforce"` is refused: {setup.gateless}.',) if setup.gateless else ()
    told = [f"{note[0].upper()}{note[1:]}." for note in notes]
    return "\n\n".join((table(("", "file", "what goes in"), rows), *told, *gateless))


def _skill(setup: Setup, *, is_project: bool) -> tuple[File, ...]:
    path = setup.skill(where_of(setup, is_project=is_project))
    return (File(path, lambda before: "", lambda before: None, ("the vault's rules, for the model",)),) if path else ()


def _written(name: str) -> str:
    """Show the entry of the event that judges, as `memstile init` writes it."""
    setup = setup_of(name)
    assert setup, name  # noqa: S101 - only asked of hosts that have one
    event, blocks = FORMS[name].event, []
    for file in files_of(setup):
        text = file.put(None)
        if file.path.endswith(".json") and event in (document := json.loads(text))["hooks"]:
            document["hooks"] = {event: document["hooks"][event]}
            blocks.append((file.path, "json", json.dumps(document, indent=2) + "\n"))
        elif file.path.endswith(".js"):
            blocks.append((file.path, "text", next(row for row in text.splitlines(True) if "COMMAND =" in row)))
        elif file.path.endswith((".yml", f"/{event}")):
            blocks.append((file.path, "text", text))
    return "\n\n".join(f"`{_short(path)}`:\n\n```{language}\n{text}```" for path, language, text in blocks)


def _reply_block(answer: Answered, reason: str) -> str:
    code = f"exit code {answer.code}"
    if not answer.stdout:
        return f"```text\nstderr: REASON\n{code}\n```"
    document = json.dumps(json.loads(answer.stdout), indent=2).replace(json.dumps(reason), '"REASON"')
    return f"```text\n{document}\n{code}\n```"


def host_page(name: str) -> str:
    """Render one host's page."""
    answer, reason = refused(name)
    parts = {
        "{facts}": _facts(name),
        "{events}": _event_rows(name),
        "{reply}": _reply_block(answer, reason),
        "{reason}": reason,
        "{slips}": "\n".join(f"- {line}" for line in host_named(name).slips),
    }
    if name in SETUPS:
        parts |= {"{files}": _file_rows(name), "{written}": _written(name), "{control}": _control(name)}
    if name in GATE_FORMS:
        parts |= {"{gate}": gate_facts(name), "{gate_session}": gate_session(name)}
    text = _read(f"hosts/{name}.in.md")
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def _read(name: str) -> str:
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def hosts_page() -> str:
    """Render the page of all hosts."""
    text = _read("hosts.in.md")
    for mark, render in {"{hosts}": hosts_table, "{carries}": carries_table, "{slips}": slips_table}.items():
        text = text.replace(mark, render())
    return text


def hooks_page() -> str:
    """Render the page on how the hooks work."""
    rows = table(("what is called", "what the hook answers", "reason code"), verdict_rows())
    return _read("hooks.in.md").replace("{verdicts}", rows)


PAGES: Mapping[str, Callable[[], str]] = {
    "hosts.md": hosts_page,
    "hooks.md": hooks_page,
    **{f"hosts/{name}.md": partial(host_page, name) for name in HOSTS},
}
"""By the page's path below docs: what renders it."""
