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


MAX_NAMED = 1_000
"""Nobody reads more names than this; an index may have millions of lines."""


class Unloaded(NamedTuple):
    """One line of an index that a host does not load whole. line: 1-based in the file; label: a slug or "line N"."""

    line: int
    label: str


class Lost(NamedTuple):
    """What a host does not load. rows: the first MAX_NAMED of them, in file order; total: how many there are."""

    rows: tuple[Unloaded, ...] = ()
    total: int = 0


def unloaded(window: Window, data: bytes) -> Lost:
    """Name the non-blank lines of an index that the host does not load.

    data: the index; bytes that are no UTF-8 count as one replacement character each, as in a host. A line cut in the
    middle counts as not loaded. Source: docs/hosts.md, "Host windows".
    """
    text = data.decode("utf-8", "replace")
    if text.count("\n") < window.max_lines and len(data) <= window.max_units:
        return Lost()  # every character is at least one byte and at most as many units as bytes
    body = text.strip(_TRIMMED)
    skipped = text[: text.find(body)].count("\n") if body else 0
    lines = body.split("\n")
    first = _loaded(window, lines)
    lost = [number for number in range(first, len(lines)) if lines[number].strip()]
    rows = (Unloaded(skipped + n + 1, label(lines[n], skipped + n + 1)) for n in lost[:MAX_NAMED])
    return Lost(tuple(rows), len(lost))


def _loaded(window: Window, lines: list[str]) -> int:
    """Count the lines at the start that are loaded whole."""
    end = 0
    for number, line in enumerate(lines[: window.max_lines]):
        end += _units(line)
        if end > window.max_units:
            return number
        end += 1
    return min(len(lines), window.max_lines)


def _units(line: str) -> int:
    # "utf-16" is built into the interpreter; "utf-16-le" would import a codec. It adds one unit, the byte order mark.
    return len(line) if line.isascii() else len(line.encode("utf-16", "surrogatepass")) // 2 - 1
