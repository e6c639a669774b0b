"""Replace whole lines of a file the way Codex does: the hunks of one `*** Update File:` section.

Hunks match in order, each after the one before, whole lines, the first place that fits. A hunk that only adds goes to
the end of the file, whatever its "@@" says. A patched file ends in a line end; kept lines keep theirs, new ones get
that of the first line. Source: Codex 0.171.0, run on each row of the tables in tests/core/test_patch.py.
"""

from __future__ import annotations

from memstile.core.matching import loosened
from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_RETRIES = 32
"""So many hunks may end in an empty line that the file does not have; each costs a pass over the file."""


class Hunk(NamedTuple):
    """One replacement.

    lines: each with its sign, " " kept, "-" removed or "+" added, and LF at its end, whatever the file has.
    header: a line to find first, in the same form without sign; b"" where there is none.
    """

    header: bytes
    lines: tuple[bytes, ...]
    is_at_end: bool = False


_Splice = tuple[int, int, bytes]
"""Where a replacement starts and ends, both at the start of a line, and what goes there."""


def updated(before: bytes, hunks: tuple[Hunk, ...]) -> bytes | None:
    """Make the replacements of an UPDATE section.

    before: the file, any bytes. Result: the file after; None where a hunk does not match line for line, which a host
    may still place by looking away from blanks and quotes.
    """
    if not hunks:
        return before
    lines = before.splitlines(keepends=True) if b"\r" in before else None
    text = b"".join([line.rstrip(b"\r\n") + b"\n" for line in lines]) if lines else _ended(before)
    splices = _splices(text, hunks)
    if splices is None:
        return None
    splices.sort(key=lambda splice: splice[0])
    return _spliced_lines(lines, text, splices) if lines else _spliced(text, splices)


def _ended(data: bytes) -> bytes:
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _splices(text: bytes, hunks: tuple[Hunk, ...]) -> list[_Splice] | None:
    """Find each hunk; None where one is not found as it stands."""
    splices: list[_Splice] = []
    cursor = retries = 0
    loose = ""
    for header, lines, is_at_end in hunks:
        cursor = _after(text, header, cursor)
        if cursor < 0:
            return None
        old = _old(lines)
        at = _find(text, old, cursor, is_at_end=is_at_end) if old else len(text)
        if at < 0 and _ends_empty(old) and retries < MAX_RETRIES:
            # Codex takes an empty last line of a hunk for the end of the file, once nothing else has matched.
            retries += 1
            loose = loose or "\n" + loosened(text)
            if "\n" + loosened(old) not in loose:
                lines, old = _without_empty_end(lines), old[:-1]
                at = _find(text, old, cursor, is_at_end=is_at_end) if old else cursor
        if at < 0:
            return None
        splices += _changes(lines, at)
        cursor = at + len(old) if at < len(text) else cursor
    return splices


def _old(lines: tuple[bytes, ...]) -> bytes:
    return b"".join([line[1:] for line in lines if not line.startswith(b"+")])


def _after(text: bytes, header: bytes, start: int) -> int:
    if not header:
        return start
    at = _find(text, header, start)
    return at if at < 0 else at + len(header)


def _find(text: bytes, block: bytes, start: int, *, is_at_end: bool = False) -> int:
    """Find whole lines at or after `start`, itself the start of a line; -1 where they are not."""
    if is_at_end:
        start = max(start, len(text) - len(block))
    if text.startswith(block, start):
        return start if start == 0 or text.startswith(b"\n", start - 1) else -1
    return text.find(b"\n" + block, start) + 1 or -1


def _ends_empty(block: bytes) -> bool:
    return block.endswith(b"\n\n") or block == b"\n"


def _without_empty_end(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Drop the empty last one of the old lines, and that of the new lines if it is empty as well."""
    kept = list(lines)
    for side, other in ((b"-", b"+"), (b"+", b"-")):
        last = next((n for n in range(len(kept) - 1, -1, -1) if not kept[n].startswith(other)), None)
        if last is not None and kept[last][1:] == b"\n":
            kept[last : last + 1] = [] if kept[last].startswith(side) else [other + b"\n"]
    return tuple(kept)


def _changes(lines: tuple[bytes, ...], at: int) -> Iterator[_Splice]:
    """Give a hunk found at `at` as splices of the lines it changes; lines it keeps lie between them."""
    start, added = at, list[bytes]()
    for line in (*lines, b" "):
        sign, rest = line[:1], line[1:]
        if sign == b"+":
            added.append(rest)
            continue
        if sign == b" ":
            if added or start < at:
                yield start, at, b"".join(added)
            start, added = at + len(rest), []
        at += len(rest)


def _spliced(text: bytes, splices: list[_Splice]) -> bytes:
    pieces: list[bytes] = []
    at = 0
    for start, end, new in splices:
        pieces += text[at:start], new
        at = end
    return b"".join((*pieces, text[at:]))


def _spliced_lines(lines: list[bytes], text: bytes, splices: list[_Splice]) -> bytes:
    """Splice a file whose line ends are not all LF. text: its lines, each with LF; what the splices are about."""
    line_end = lines[0][len(lines[0].rstrip(b"\r\n")) :] or b"\n"
    if lines[-1].rstrip(b"\r\n") == lines[-1]:
        lines[-1] += line_end
    pieces: list[bytes] = []
    at = offset = 0
    for start, end, new in splices:
        first = at + text.count(b"\n", offset, start)
        pieces += *lines[at:first], new.replace(b"\n", line_end)
        at, offset = first + text.count(b"\n", start, end), end
    return b"".join((*pieces, *lines[at:]))
