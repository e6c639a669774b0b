"""Look at the keys of a hook's entry: one that `memstile init` does not write may keep the hook from refusing.

In Claude Code 2.1.332 a write went through with `"async": true`, with `"if": "Bash(git *)"` and with `"timeout": 0`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memstile.core.text import shown
from memstile.doctor_check import State

_KNOWN = frozenset(
    ("type", "command", "bash", "args", "matcher", "timeout", "timeoutSec", "name", "description", "statusMessage",
     "onFailure", "failClosed")
)  # fmt: skip
"""Keys that are looked at elsewhere, or are for the eye."""


def _is_no_time(value: object) -> bool:
    return isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0


_BREAKS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "async": (lambda value: value is not False, "the host does not wait for its answer"),
    "if": (lambda value: True, "it runs for some calls only"),
    "timeout": (_is_no_time, "the host does not wait for its answer"),
    "timeoutSec": (_is_no_time, "the host does not wait for its answer"),
}


def fault(entry: Mapping[str, object], wanted: Mapping[str, object]) -> tuple[State, str]:
    """Say what is wrong with an entry, "" and OK if nothing. wanted: that of `memstile init`.

    A key that is not known is UNKNOWN: what a host does about it was not tried.
    """
    for key, (is_broken, why) in _BREAKS.items():
        if key in entry and is_broken(entry[key]):
            return State.BAD, f'with "{key}" as it is, {why}'
    strange = [key for key in entry if key not in _KNOWN and key not in wanted and key not in _BREAKS]
    if strange:
        return State.UNKNOWN, f'what "{shown(strange[0])}" does to the hook was not tried'
    return State.OK, ""
