"""Say where memstile keeps what is neither settings nor a vault."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def state_folder(environment: Mapping[str, str]) -> str:
    """Say where the state folder is, whether or not it exists: below $XDG_STATE_HOME, else ~/.local/state."""
    above = environment.get("XDG_STATE_HOME", "")
    if not os.path.isabs(above):
        above = os.path.join(environment.get("HOME") or os.path.expanduser("~"), ".local", "state")
    return os.path.join(above, "memstile")
