"""Fill the command line into the shim for opencode: examples/hosts/opencode-memstile.js."""

from __future__ import annotations

import json
import re

from memstile.setups.setup import Command, Unmergeable

PLACEHOLDER = re.compile(r"^(?:export )?const COMMAND = \[[^\]]*\].*$", re.MULTILINE)
"""The one line of the shim that names the program and its arguments, as a list for a start without a shell."""


def filled(shim: str, command: Command) -> str:
    """Give the shim with our command line. Raises Unmergeable for a shim without the line."""
    words = json.dumps([command.program, *command.arguments()], ensure_ascii=False)
    text, count = PLACEHOLDER.subn(lambda _: f"const COMMAND = {words}", shim, count=1)
    if not count:
        raise Unmergeable("the shim has no line `const COMMAND = [...]`", "this is a fault of memstile: report it")
    return text
