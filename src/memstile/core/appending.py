"""Append a rule to the content of an ignore file; every byte before it stays as it is."""

from __future__ import annotations

_BOM = b"\xef\xbb\xbf"


def appended(data: bytes, line: bytes) -> bytes:
    """Give the content with one more line, on a line of its own, ended as the lines before it are.

    data: the file, b"" for none. line: without line end.
    """
    return data + opening(data) + line + line_end(data)


def opening(data: bytes) -> bytes:
    """Give what has to stand before an appended line: a line end, if the last line has none."""
    is_open = data.removeprefix(_BOM) != b"" and not data.endswith(b"\n")
    return line_end(data) if is_open else b""


def line_end(data: bytes) -> bytes:
    """Give the line end of the last line that has one, LF where none has."""
    before = data.rpartition(b"\n")[0]
    return b"\r\n" if before.endswith(b"\r") else b"\n"
