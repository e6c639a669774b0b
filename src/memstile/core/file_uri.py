"""Paths that a server takes as the address of a file: file:///folder/My%20Note.md, RFC 8089."""

from __future__ import annotations

from memstile.core.matching import encoded

_HEX = frozenset("0123456789abcdefABCDEF")


def local_path(spelled: str) -> str:
    """Give the path that a file URI names, decoded; whatever is no file URI stays as it is. Total.

    Result: whose machine it is, a query and a fragment are left out; a percent sign before anything but two hexadecimal
    digits stands for itself.
    """
    if spelled[:5].lower() != "file:":
        return spelled
    path = spelled[5:].partition("#")[0].partition("?")[0]
    if path.startswith("//"):
        path = "/" + path[2:].partition("/")[2]
    first, *rest = path.split("%")
    return b"".join((encoded(first), *map(_decoded, rest))).decode("utf-8", "surrogateescape")


def _decoded(piece: str) -> bytes:
    """Decode what follows a percent sign."""
    digits = piece[:2]
    if len(digits) < 2 or not _HEX.issuperset(digits):
        return encoded("%" + piece)
    return bytes((int(digits, 16),)) + encoded(piece[2:])
