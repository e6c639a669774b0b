"""Make names from the outside safe to show, and paths safe to paste into a shell or a .gitignore."""

from __future__ import annotations


def shown(text: str) -> str:
    """Escape what a terminal, a log or an annotation would act on.

    text: a path or slug, surrogate escapes for undecodable bytes. Result: printable characters only; a byte that is
    no text shows as \\xNN, any other unprintable or bidirectional character as \\n, \\r, \\t, \\xNN, \\uNNNN or
    \\UNNNNNNNN. A backslash stays as it is: the result is for reading, never for opening a file.
    """
    return text if text.isprintable() else "".join(map(_shown_character, text))


def _shown_character(c: str) -> str:
    if c.isprintable():
        return c
    if 0xDC80 <= ord(c) <= 0xDCFF:
        return f"\\x{ord(c) - 0xDC00:02x}"
    return ascii(c)[1:-1]


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-")


def shell_quoted(text: str) -> str:
    """Quote one argument for a POSIX shell; $'...' (bash, zsh, ksh) where it holds unprintable characters or bytes.

    text: no NUL. Result: pasted as one word, it gives back the same bytes. "=" is quoted: zsh expands a word that
    begins with it.
    """
    if text and _PLAIN.issuperset(text):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "'\"'\"'") + "'"
    return "$'" + "".join(map(_quoted_character, text)) + "'"


def _quoted_character(c: str) -> str:
    if c in "\\'":
        return "\\" + c
    if c.isprintable():
        return c
    errors = "surrogateescape" if 0xDC80 <= ord(c) <= 0xDCFF else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in c.encode("utf-8", errors))


def ignore_pattern(path: str, *, is_directory: bool) -> str:
    """Write the .gitignore line that matches exactly this path.

    path: relative to the folder of the .gitignore, "/" between parts, no leading slash. A symlink is not a directory:
    a pattern with a trailing slash would not match it. A line break cannot be written in a pattern, so "?" stands
    for it. Source: gitignore(5).
    """
    escaped = "".join("\\" + c if c in "\\*?[" else "?" if c in "\n\r" else c for c in path)
    if escaped.endswith(" ") and not is_directory:
        escaped = escaped[:-1] + "\\ "
    return f"/{escaped}/" if is_directory else f"/{escaped}"


def grouped(number: int) -> str:
    """Write a number with groups of three: 25600 is 25,600."""
    return f"{number:,}"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: "1 line", "2,000 lines"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
