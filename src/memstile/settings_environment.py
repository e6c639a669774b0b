"""Take settings out of the environment."""

from __future__ import annotations

from collections.abc import Mapping

from memstile.core.resolve import unknown_faults
from memstile.core.setting_key import Kind
from memstile.core.setting_keys import KEYS
from memstile.core.setting_values import from_text
from memstile.core.settings import Fault

ENVIRONMENT_KEYS = {f"MEMSTILE_{key.field.upper()}": key for key in KEYS if key.kind is not Kind.VAULTS}
"""Variables that are settings: MEMSTILE_INDEX_HARD_LINES is index.hard_lines; a list is split at commas."""

# Ours, but no settings; MEMSTILE_HOOK_ and more is what a launcher hands to the hook.
_OTHER_NAMES = ("MEMSTILE_CONFIG", "MEMSTILE_STATE")
_OTHER_PREFIX = "MEMSTILE_HOOK_"


def environment_values(environment: Mapping[str, str]) -> tuple[Mapping[str, object], tuple[Fault, ...]]:
    """Give the settings of an environment, and a fault for every other MEMSTILE_ variable.

    Result: values by dotted key, as TOML would give them.
    """
    values: dict[str, object] = {}
    unknown = []
    for name, text in environment.items():
        key = ENVIRONMENT_KEYS.get(name)
        if key is not None:
            values[key.name] = _entries(text) if key.kind is Kind.TEXTS else from_text(key, text)
        elif name.startswith("MEMSTILE_") and not _is_other(name):
            unknown.append(name)
    return values, tuple(unknown_faults("environment", sorted(unknown), tuple(ENVIRONMENT_KEYS)))


def _entries(text: str) -> list[str]:
    # An empty text is the empty list: there is no other way to write one in a variable.
    return [entry.strip() for entry in text.split(",")] if text.strip() else []


def _is_other(name: str) -> bool:
    return name in _OTHER_NAMES or name.startswith(_OTHER_PREFIX)
