"""Send the canary through each hook that could refuse it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from memstile.core.text import shown
from memstile.doctor_canary import Call, denial, is_denied, planted, send
from memstile.doctor_check import Check, bad, off, ok, unknown
from memstile.doctor_found import Hook
from memstile.doctor_payloads import FORMS
from memstile.doctor_subject import Subject
from memstile.hook_settings import Source, settings_of

_OWN_LIMIT_MS = 5_000
"""How long the hook takes at most: hook.DEADLINE_S."""


def denials(row: Subject) -> Iterator[Check]:
    """Check that a write past the cap is refused, in the host's own words, well before the host stops waiting."""
    event = FORMS[row.setup.host].event
    hooks = [hook for hook in row.hooks if hook.event == event]
    if not hooks:
        yield bad("denial", "send a write that grows an index past its cap", "there is no hook to send it to", row.mend)
    for hook in hooks:
        yield _sent(row, hook)


def _sent(row: Subject, hook: Hook) -> Check:
    environment = row.standing.environment
    with tempfile.TemporaryDirectory(prefix="memstile-doctor-") as folder:
        settings = settings_of(folder, Source(environment, hook.option("--config"), "")).settings
        canary = planted(folder, settings)
        form = "through a shell" if hook.line and not hook.script else "without a shell"
        tried = f"the command line of {hook.event or 'the plugin'}, {form}: a write past the cap"
        call = Call(FORMS[row.setup.host].payload(canary), canary.folder)
        ran = send(row.host, hook, call, folder, environment)
        if ran is None:
            return unknown("denial", tried, "its --state cannot be exchanged for another, so it was not run", row.mend)
        if settings.index_mode != "enforce":
            return off("denial", tried, f"let through: index.mode is {settings.index_mode}", "see `memstile status`")
        if not is_denied(denial(row.host, hook, call), ran, settings.index_name):
            return bad("denial", tried, f"not refused: {shown(ran.last)}", row.mend)
        late = _limit_ms(hook)
        if late is not None and late < max(ran.ms * 2, _OWN_LIMIT_MS):
            return bad("denial", tried, f"refused in {ran.ms:.0f} ms, but the host waits only {late:,} ms", row.mend)
        return ok("denial", tried, f"refused in {ran.ms:.0f} ms")


def _limit_ms(hook: Hook) -> int | None:
    """Give how long a host waits for a hook, None where its entry does not say. Gemini CLI counts milliseconds."""
    value = hook.entry.get("timeout", hook.entry.get("timeoutSec"))
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    return int(value * (1 if hook.event in ("BeforeTool", "AfterTool", "BeforeAgent") else 1000))
