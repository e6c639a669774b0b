"""Send a memory write of an undeclared turn through each hook: the turn gate has to refuse it, or record that it would.

The settings are those of the folder at hand. Turn and log are kept in a folder that is thrown away.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from memstile.audit_read import reading, rows
from memstile.core.gate_words import CLASSIFICATION_REQUIRED
from memstile.core.settings import Settings
from memstile.core.text import shown
from memstile.doctor_canary import Call, denial, is_denied, send, state_of
from memstile.doctor_check import Check, bad, off, ok, unknown
from memstile.doctor_found import Hook
from memstile.doctor_gate_payloads import GATE_FORMS, Served
from memstile.doctor_process import Ran
from memstile.doctor_subject import Subject
from memstile.hook_settings import Source, settings_of
from memstile.store import StoreError

_NAME = "gate"
_TOOL = "write_note"
_NOTE = {"title": "memstile doctor", "directory": "memstile-doctor", "content": "of memstile doctor"}


def gated(row: Subject) -> Iterator[Check]:
    """Check that a memory write which nobody declared is judged, in each hook that could refuse it.

    Nothing is said where gate.mode is off, which is told once, and of a host that the gate leaves alone.
    """
    form = GATE_FORMS.get(row.setup.host)
    hooks = [hook for hook in row.hooks if form and hook.event == form.event]
    if form and not hooks and _settings(row, None).gate_mode != "off":
        yield bad(_NAME, "send a memory write of an undeclared turn", "there is no hook to send it to", row.mend)
    for hook in hooks:
        settings = _settings(row, hook)
        if settings.gate_mode != "off":
            yield _sent(row, hook, settings)


def _settings(row: Subject, hook: Hook | None) -> Settings:
    """Give the settings as a hook reads them at hand; no state folder, so that nothing is written."""
    config = hook.option("--config") if hook else ""
    return settings_of(row.standing.cwd, Source(row.standing.environment, config, "")).settings


def _sent(row: Subject, hook: Hook, settings: Settings) -> Check:
    if not settings.gate_servers:
        return off(_NAME, "read the settings", "gate.servers names no memory server", "add one to servers in [gate]")
    server = settings.gate_servers[0]
    tried = f"the command line of {hook.event or 'the plugin'}: {shown(server)}'s {_TOOL}, in a turn nobody declared"
    cwd = row.standing.cwd
    call = Call(GATE_FORMS[row.setup.host].payload(Served(cwd, server, _TOOL, _NOTE)), cwd)
    with tempfile.TemporaryDirectory(prefix="memstile-doctor-") as folder:
        ran = send(row.host, hook, call, folder, row.standing.environment)
        if ran is None:
            return unknown(_NAME, tried, "its --state cannot be exchanged for another, so it was not run", row.mend)
        if settings.gate_mode == "enforce":
            return _refused(row, hook, call, tried, ran)
        return _recorded(row, settings, tried, ran, state_of(hook, folder))


def _refused(row: Subject, hook: Hook, call: Call, tried: str, ran: Ran) -> Check:
    if is_denied(denial(row.host, hook, call), ran, CLASSIFICATION_REQUIRED):
        return ok(_NAME, tried, f"refused in {ran.ms:.0f} ms, {CLASSIFICATION_REQUIRED}")
    return bad(_NAME, tried, f"gate.mode is enforce, and it was not refused: {shown(ran.last)}", row.mend)


def _recorded(row: Subject, settings: Settings, tried: str, ran: Ran, state: str) -> Check:
    """Look for the row that audit mode leaves. state: the folder that this very run had for its state."""
    hint = 'set level = "decision" in [audit]'
    if settings.audit_level == "off":
        return off(_NAME, tried, "audit.level is off: what audit mode lets through is recorded nowhere", hint)
    try:
        with reading(state) as log:
            found = [entry for entry in rows(log) if entry.reason_code == CLASSIFICATION_REQUIRED] if log else []
    except StoreError as error:
        return bad(_NAME, tried, f"the log of this run cannot be read: {error}", row.mend)
    if found:
        return ok(_NAME, tried, f"let through and recorded in {ran.ms:.0f} ms, {found[-1].reason_code}")
    return bad(_NAME, tried, f"gate.mode is audit, and nothing was recorded: {shown(ran.last)}", row.mend)
