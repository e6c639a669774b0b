"""The canary: a write that has to be refused, as each host would tell it, with state in a folder that is thrown away.

It goes through the very command line that the host has, started as the host does; only the value of `--state` is
another folder, so that no size, turn, row of the log, waiting text or time of a call is left behind. The host's own
form of a denial has to come back.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import NamedTuple

from memstile.core.answer import Answer, carried
from memstile.core.request import Event
from memstile.core.settings import Settings
from memstile.core.text import shell_quoted
from memstile.core.verdict import Verdict
from memstile.doctor_found import Hook
from memstile.doctor_payloads import Canary
from memstile.doctor_process import Ran, run
from memstile.hosts.host import Host, Reply
from memstile.installing_version import on_path
from memstile.paths import state_folder

LIMIT_S = 10.0
"""The hook answers by itself after 5 seconds."""

_NOTES = 3
_MARK = "memstile-doctor"
_STATE = "state"


def planted(folder: str, settings: Settings) -> Canary:
    """Write a vault that is looked upon as one, and think of a write that takes it past its cap."""
    vault = os.path.join(folder, "vault")
    os.makedirs(vault)
    index = os.path.join(vault, settings.index_name)
    names = [f"note-{number}.md" for number in range(1, _NOTES + 1)]
    for name in names:
        with open(os.path.join(vault, name), "w", encoding="utf-8") as file:
            file.write(f"---\nname: {name}\ndescription: of memstile doctor\n---\n")
    rows = ["# Index", *(f"- [Note]({name})" for name in names), "- last"]
    caps = settings.caps
    # Past one of the two caps, the one that takes fewer bytes.
    by_lines = 2 * caps.hard_lines < caps.hard_bytes
    grown = [rows[-1], *(["-"] * (caps.hard_lines + 1))] if by_lines else [rows[-1], "-" * (caps.hard_bytes + 1)]
    with open(index, "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    return Canary(vault, index, rows[-1], "\n".join(grown), "\n".join([*rows[:-1], *grown]) + "\n")


class Call(NamedTuple):
    """A call that a hook is asked about. payload: as its host sends it; cwd: where the hook is started."""

    payload: Mapping[str, object]
    cwd: str


def send(host: Host, hook: Hook, call: Call, folder: str, environment: Mapping[str, str]) -> Ran | None:
    """Send a call through a hook's command line. Result: None where its state folder cannot be exchanged.

    folder: it is thrown away; the hook keeps its state in it, where `state_of` says.
    """
    state = os.path.join(folder, _STATE)
    moved = _elsewhere(hook, state)
    if moved is None:
        return None
    words = moved.words
    if hook.script:
        path = os.path.join(folder, hook.event)
        with open(path, "w", encoding="utf-8") as file:
            file.write(moved.script)
        os.chmod(path, 0o700)
        words = (path,)
    elif hook.line:
        words = (_shell(host.name, environment), "-c", moved.line)
    # A line without --state keeps its state where this says.
    outside = {**environment, "XDG_STATE_HOME": state}
    return run(words, call.cwd, outside, stdin=json.dumps(call.payload).encode(), seconds=LIMIT_S)


def state_of(hook: Hook, folder: str) -> str:
    """Give the state folder of a hook that was sent a call with this folder."""
    state = os.path.join(folder, _STATE)
    return state if hook.option("--state") else state_folder({"XDG_STATE_HOME": state})


def _shell(host: str, environment: Mapping[str, str]) -> str:
    name = "bash" if host == "copilot" else "sh"
    return on_path(name, environment) or "/bin/sh"


def _elsewhere(hook: Hook, state: str) -> Hook | None:
    """Give a hook with another state folder, and not a sign changed beside it."""
    named = hook.option("--state")
    if not named:
        return hook
    if not hook.line:
        exchanged = {named: state, f"--state={named}": f"--state={state}"}
        pairs = zip(("", *hook.words), hook.words, strict=False)
        after = [exchanged.get(word, word) if word != named or last == "--state" else word for last, word in pairs]
        return hook._replace(words=tuple(after))
    spellings = dict.fromkeys((shell_quoted(named), named, f'"{named}"', f"'{named}'"))
    options = "|".join(re.escape(spelling) for spelling in spellings)
    pattern = re.compile(rf"(--state[= ]+)(?:{options})(?=[ \t\n\r;|&]|$)")
    new = shell_quoted(state)
    line, count = pattern.subn(lambda found: found.group(1) + new, hook.line)
    script = pattern.sub(lambda found: found.group(1) + new, hook.script)
    return hook._replace(line=line, script=script) if count else None


def denial(host: Host, hook: Hook, call: Call) -> Reply:
    """Give the host's own form of a denial of a call, with a mark for the reason."""
    request = host.parse(call.payload, hook.event)
    answer = carried(Answer(Verdict.DENY, "", _MARK, ""), host.carries.get(Event.TOOL_CALL, ())).answer
    return host.reply(answer, request)


def is_denied(expected: Reply, ran: Ran, word: str) -> bool:
    """Tell whether a run left the form of a denial, for its reason's sake and not for a failure's. word: in it."""
    is_about_it = word in ran.out + ran.err or json.dumps(word)[1:-1] in ran.out
    if ran.code != expected.exit_code or not is_about_it:
        return False
    if not expected.stdout:
        return bool(ran.err.strip()) is bool(expected.stderr)
    try:
        return _is_alike(json.loads(expected.stdout), json.loads(ran.out))
    except (ValueError, RecursionError):
        return False


def _is_alike(wanted: object, seen: object) -> bool:
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return wanted.keys() == seen.keys() and all(_is_alike(wanted[key], seen[key]) for key in wanted)
    if isinstance(wanted, str) and isinstance(seen, str) and _MARK in wanted:
        return bool(seen.strip())
    return wanted == seen
