"""What keeps text harmless on a stream: a terminal, a CI log, an encoding that lacks its characters."""

from __future__ import annotations

import json
import re

from memstile.report.model import Style

COLOURS = {"bold": "1", "error": "1;31", "warning": "33", "info": "36", "good": "32", "hint": "36"}

# A CI takes commands from its log. GitHub's: a line that starts with "::" after spaces, or has "##[name]"
# in it; source: actions/runner, src/Runner.Common/ActionCommand.cs. Azure: "##vso[", TeamCity: "##teamcity[".
_COMMAND = re.compile(r"^((?: |\x1b\[[0-9;]*m)*):(?=:)|#(?=#\w*\[)", re.MULTILINE)


def inert(text: str) -> str:
    """Escape what a CI runner would take for a command in these lines, whoever chose the words."""
    return _COMMAND.sub(lambda m: m[0][:-1] + f"\\x{ord(m[0][-1]):02x}", text)


def json_text(document: object) -> str:
    """Write a JSON document in ASCII, which no stream's encoding can break and no CI takes a command from.

    "#" stands in strings only, so that one of two may be written as an escape.
    """
    return json.dumps(document, indent=2).replace("##", "#\\u0023") + "\n"


def encodable(text: str, encoding: str) -> str:
    """Backslash-escape the characters an encoding lacks; an unknown encoding is taken for ASCII."""
    try:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except (LookupError, UnicodeError):
        return text.encode("ascii", "backslashreplace").decode("ascii")


def painted(text: str, colour: str, style: Style) -> str:
    """Colour a piece of a line, if the style has colour. colour: a key of COLOURS."""
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if style.use_colour and text else text
