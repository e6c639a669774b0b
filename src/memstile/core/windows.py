"""Host windows: how much of an index each host really loads, and the entries that fall outside."""

from __future__ import annotations

from memstile.core.pointers import label
from memstile.core.record import NamedTuple


class Window(NamedTuple):
    """What one host loads: the first max_lines lines and max_units UTF-16 code units of the trimmed index."""

    name: str
    max_lines: int
    max_units: int
    source: str
    seen: str  # date of the observation


WINDOWS = {
    window.name: window
    for window in (
        Window("claude-code", 200, 25_000, "Claude Code 2.1.332, observed: lines are newlines + 1", "2026-11-30"),
    )
}
"""Every window `index.windows` may name. A host is added by a row."""

# What JavaScript's String.prototype.trim takes away: ECMA-262, WhiteSpace and LineTerminator.
_TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


class Unloaded(NamedTuple):
    """One line of an index that a host does not load whole. line: 1-based in the file; label: a slug or "line N"."""

    line: int
    label: str


def unloaded(window: Window, data: bytes) -> tuple[Unloaded, ...]:
    """Name the non-blank lines of an index that the host does not load.

    data: the index; bytes that are no UTF-8 count as one replacement character each, as in a host.
    Result: in file order; a line cut in the middle counts as not loaded.
    Source: docs/hosts.md, "Host windows".
    """
    text = data.decode("utf-8", "replace")
    if text.count("\n") < window.max_lines and len(data) <= window.max_units:
        return ()  # every character is at least one byte and at most as many units as bytes
    body = text.strip(_TRIMMED)
    skipped = text[: text.find(body)].count("\n") if body else 0
    lost = []
    end = 0
    for number, line in enumerate(body.split("\n")):
        end += _units(line)
        if (number >= window.max_lines or end > window.max_units) and line.strip():
            lost.append(Unloaded(skipped + number + 1, label(line, skipped + number + 1)))
        end += 1
    return tuple(lost)


def _units(line: str) -> int:
    # "utf-16" is built into the interpreter; "utf-16-le" would import a codec. It adds one unit, the byte order mark.
    return len(line) if line.isascii() else len(line.encode("utf-16", "surrogatepass")) // 2 - 1
