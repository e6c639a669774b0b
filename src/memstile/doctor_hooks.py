"""Compare a host's files with what `memstile init` writes: readable, whole, every event, matchers that fire."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from memstile.core.text import counted, shown
from memstile.doctor_check import Check, State, bad, ok
from memstile.doctor_entry import fault as entry_fault
from memstile.doctor_found import Found, Hook, wanted
from memstile.doctor_matcher import Grammar, fault, tools_of
from memstile.doctor_subject import ANY, Subject
from memstile.setups.setup import File, Unmergeable
from memstile.setups.shim import PLACEHOLDER

_GRAMMARS = {"claude-code": Grammar.NAMES, "codex": Grammar.RUST}


def readable(row: Subject) -> Iterator[Check]:
    """Check that each file is there, and is what its host can read."""
    for found in row.found:
        tried = f"read {shown(found.path)}"
        if found.fault:
            yield bad("settings", tried, found.fault, f"correct it, then {row.mend}")
    for file, found in zip(row.files, row.found, strict=False):
        tried = f"read {shown(file.path)}"
        if not found.is_there and not _elsewhere(row):
            yield bad("settings", tried, "it is not there", row.mend)
        elif found.is_there and not found.fault and (why := _fault(file, found)):
            yield bad("settings", tried, why, row.mend)


def _is_another_shim(wanted: str, text: str) -> bool:
    """Compare all of a plugin but its command line."""
    whole = PLACEHOLDER.sub("", wanted)
    return bool(whole.strip()) and PLACEHOLDER.sub("", text) != whole


def _elsewhere(row: Subject) -> bool:
    return any(found.hooks for found in row.found[len(row.files) :])


def _fault(file: File, found: Found) -> str:
    """Say what keeps a file from being what `memstile init` writes, where that is more than hooks; "" if nothing."""
    try:
        if file.path.endswith(".yml"):
            return "" if file.put(found.text) == found.text else "it lacks rows that mount the hooks, or has old ones"
        if file.path.endswith(".js") and _is_another_shim(file.put(None), found.text):
            return "it is the plugin of another version"
    except Unmergeable as error:
        return error.message
    return "the file is not executable" if file.is_executable and not os.access(file.path, os.X_OK) else ""


def events(row: Subject) -> Iterator[Check]:
    """Check that there is a hook of ours at each event, and that its matcher fires."""
    for number, file in enumerate(row.files):
        wants = {hook.event: hook for hook in wanted(file)}
        found = row.found[number]
        have = (*found.hooks, *(hook for one in row.found[len(row.files) :] for hook in one.hooks))
        if not wants or found.fault or not (found.is_there or have):
            continue
        tried = f"compare with what `{row.mend}` writes"
        faults = list(_faults(row, wants, have))
        for name, state, why in faults:
            yield Check(name, state, tried, why, row.mend)
        if not faults:
            names = ", ".join(event or "all" for event in wants)
            yield ok("hooks", tried, f"{counted(len(wants), 'event')}: {names}")


_Fault = tuple[str, State, str]


def _faults(row: Subject, wants: dict[str, Hook], have: Sequence[Hook]) -> Iterator[_Fault]:
    missing = [event for event in wants if event not in {hook.event for hook in have}]
    if missing:
        yield "events", State.BAD, f"no hook of ours at {', '.join(missing)}"
    tools = next((tools_of(hook.matcher) for hook in wants.values() if hook.matcher), ())
    for event, want in wants.items():
        hooks = [hook for hook in have if hook.event == event]
        faults = [_of_hook(row, hook, want, tools) for hook in hooks]
        if faults and all(why for _, _, why in faults):
            mildest = next((fault for fault in faults if fault[1] is State.UNKNOWN), faults[0])
            yield mildest[0], mildest[1], f"{event}: {shown(mildest[2])}"
        kinds = [hook.entry["type"] for hook in hooks if hook.entry.get("type", "command") != "command"]
        if kinds:
            yield "events", State.BAD, f"{event}: a hook of type {shown(str(kinds[0]))} starts no program"


def _of_hook(row: Subject, hook: Hook, want: Hook, tools: Sequence[str]) -> _Fault:
    """Say what keeps one hook from refusing, "" if nothing is seen."""
    why = fault(hook.matcher, want.matcher, tools, _GRAMMARS.get(row.setup.host, Grammar.JAVASCRIPT))
    return ("matcher", State.BAD, why) if why else ("entry", *entry_fault(hook.entry, want.entry))


def closing(row: Subject) -> Iterator[Check]:
    """Check that the host refuses by itself when the hook does not start, where that was asked for."""
    closed = [hook for hook in row.hooks if hook.option("--on-error") == "closed"]
    files = row.setup.files(row.where, ANY._replace(is_closed=True)) if closed else ()
    wants = {hook.event: hook for file in files for hook in wanted(file)}
    open_ = [hook.event for hook in closed if hook.event in wants and _closes(wants[hook.event]) - _closes(hook)]
    tried = "look for the switch that refuses when the hook does not start"
    if open_:
        yield bad("closing", tried, f"on_error is closed, and {', '.join(open_)} goes on without the hook", row.mend)
    elif closed:
        yield ok("closing", tried, "on_error is closed, and so is the host")


def _closes(hook: Hook) -> set[str]:
    keys = {key for key in ("onFailure", "failClosed") if hook.entry.get(key) in ("block", True)}
    lines = {"exit 2"} if hook.line.rstrip().endswith("|| exit 2") else set()
    return keys | lines | ({"cancel"} if '"cancel"' in hook.script else set())
