"""How hosts find text in a file and write text into one: encoding, line ends, and what counts as the same."""

from __future__ import annotations

from memstile.core.choice import Enum


class Matching(Enum):
    """How a host finds old text that the file does not hold byte for byte.

    EXACT: not at all. TYPOGRAPHIC: Claude Code 2.1.332 also takes straight for curly quotes and the reverse, \\uXXXX
    for its character and the reverse, short for long names of tags, and reads a file that begins with FF FE as UTF-16;
    nothing else was seen to match. LOOSE: across indentation and more (Gemini CLI, Copilot CLI, opencode), or a host
    that was not looked at.
    """

    EXACT = "exact"
    TYPOGRAPHIC = "typographic"
    LOOSE = "loose"


_REWRITTEN = (b"\\u", b"<", b"\n\nH:", b"\n\nA:")  # what Claude Code writes out before it looks again

_STRAIGHT = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}


def may_match(old: bytes, data: bytes, matching: Matching) -> bool:
    """Tell whether a host may find text that the data does not hold byte for byte; True where in doubt."""
    if matching is not Matching.TYPOGRAPHIC:
        return matching is Matching.LOOSE
    if b"\\u" in data or any(mark in old for mark in _REWRITTEN):
        return True
    if data.startswith(b"\xff\xfe") and str(old, "utf-8", "replace").encode("utf-16-le") in data:
        return True
    return _straightened(old) in _straightened(data)


def _straightened(data: bytes) -> str:
    return str(data, "utf-8", "replace").translate(_STRAIGHT)


# Blanks, dashes and quotes that Codex 0.171.0 evens out when a line of a patch is not found as it stands. Here they
# are dropped, which makes more texts equal than Codex does: enough to tell that it cannot find one.
_EVENED_OUT = dict.fromkeys(
    (
        *map(ord, "\t\v\f\r -'\"\x85\xa0\u1680\u2028\u2029\u202f\u205f\u2212\u3000"),
        *range(0x2000, 0x2016),
        *range(0x2018, 0x2020),
    )
)


def loosened(data: bytes) -> str:
    """Reduce text to what Codex does not overlook: lines that it takes for the same become equal."""
    return str(data, "utf-8", "replace").translate(_EVENED_OUT)


def encoded(text: str) -> bytes:
    """Encode the text of a payload as hosts write it: UTF-8, a lone surrogate as U+FFFD, which is three bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.translate(dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)).encode()


def is_blank(data: bytes) -> bool:
    """Tell whether a file holds white space alone; Claude Code takes it for an empty one."""
    return not str(data, "utf-8", "replace").replace("\ufeff", "").strip()


def with_lf(data: bytes) -> bytes:
    """Turn each CRLF into LF; a lone CR stays."""
    return data.replace(b"\r\n", b"\n")


_HEAD = 4096


def with_line_ends_of(before: bytes, data: bytes) -> bytes:
    """Give text with LF the line ends of the file it goes into.

    CRLF where the file's first 4,096 bytes have more CRLF than LF alone: the rule of Claude Code 2.1.332 and of dsh
    0.1.0-rc.8 (`edit`). Every line end of the file changes with it, not those of the new text only.
    """
    head = before[:_HEAD]
    crlf = head.count(b"\r\n")
    return data.replace(b"\n", b"\r\n") if crlf > head.count(b"\n") - crlf else data
