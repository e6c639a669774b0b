"""Read one settings file: bounded bytes, then TOML, then our table of it."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from functools import lru_cache

from memstile.core.setting_values import cut
from memstile.core.settings import UNUSABLE, Fault
from memstile.errors import GuardError

MAX_SETTINGS_BYTES = 1024 * 1024

# tomllib is quadratic in the parts of a dotted key: one of 32 KB took 4.3 s (CPython 3.11), longer than a
# hook may take. A key is on one line, so the dots of a line bound its parts.
_MAX_DOTS = 200

_NONBLOCKING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
UNUSED = "none of its settings is used until this is mended"
"""The hint for a file that is there and cannot be read."""

_NO_FILE = "the settings file is not a regular file"


def read_file(path: str) -> bytes | None:
    """Read at most MAX_SETTINGS_BYTES + 1 bytes of a regular file; parse_text refuses one that is longer.

    Result: None where nothing is there, or where nobody may look. Raises GuardError for what is there and cannot
    be read; a FIFO or a device is not opened, it would hang or act.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # ValueError: a NUL in the path
        if os.path.islink(path):
            raise GuardError("the settings file is a symlink that leads nowhere", UNUSED) from None
        return None
    if not stat.S_ISREG(mode):
        raise GuardError(_NO_FILE, UNUSED)
    try:
        with open(os.open(path, _NONBLOCKING), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # replaced since stat; it would read as empty
                raise GuardError(_NO_FILE, UNUSED)
            return file.read(MAX_SETTINGS_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise GuardError(f"the settings file cannot be read: {reason}", UNUSED) from error


def parse_text(data: bytes, name: str) -> tuple[Mapping[str, object], tuple[Fault, ...]]:
    """Read the content of a settings file, from disk or from git.

    data: its bytes; a BOM is passed over. name: as shown; of a pyproject.toml only [tool.memstile] counts.
    Result: our keys as TOML gives them, or no keys and one fault about the whole file. Raises nothing.
    """
    document = _document(data, name)
    if isinstance(document, Fault):
        return {}, (document,)
    if not _is_pyproject(name):
        return document, ()
    table = _tool(document).get("memstile", {})
    if isinstance(table, Mapping):
        return table, ()
    return {}, (Fault(name, "tool.memstile", "tool.memstile is not a table", UNUSED, UNUSABLE),)


def holds_settings(data: bytes, name: str) -> bool:
    """Tell whether a file is a settings file: a pyproject.toml is one only with a [tool.memstile] table.

    One that is no TOML counts if it has a line that opens our table: it is told, not passed over.
    """
    if not _is_pyproject(name):
        return True
    if b"memstile" not in data:
        return False
    document = _document(data, name)
    if isinstance(document, Fault):
        return b"[tool.memstile" in data.replace(b" ", b"")
    return "memstile" in _tool(document)


def _is_pyproject(name: str) -> bool:
    return os.path.basename(name) == "pyproject.toml"


def _tool(document: Mapping[str, object]) -> Mapping[str, object]:
    tool = document.get("tool")
    return tool if isinstance(tool, Mapping) else {}


def _document(data: bytes, name: str) -> Mapping[str, object] | Fault:
    read = _parsed(data)
    return read._replace(name=name) if isinstance(read, Fault) else read


@lru_cache(maxsize=8)  # a file is asked what it is and what it says; 1 MiB takes 50 ms to parse
def _parsed(data: bytes) -> Mapping[str, object] | Fault:
    if len(data) > MAX_SETTINGS_BYTES:
        return _broken("the file is larger than 1 MiB")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return _broken("the file is not UTF-8", data.count(b"\n", 0, error.start) + 1)
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.count(b".") > _MAX_DOTS:
            return _broken(f"the file has a line with more than {_MAX_DOTS} dots", number)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # plain ValueError: a number past 4,300 digits
        reason, line_number = _reason(error)
        return _broken(f"the file is not valid TOML: {reason}", line_number)


def _broken(message: str, line: int | None = None) -> Fault:
    where = f", line {line}" if line else ""
    return Fault("", "", message + where, UNUSED, UNUSABLE, line)


def _reason(error: Exception) -> tuple[str, int | None]:
    """Take "Invalid value (at line 2, column 5)" apart."""
    if isinstance(error, RecursionError):
        return "nested too deeply", None
    reason, _, place = str(error).rpartition(" (at ")
    digits = place.removeprefix("line ").partition(",")[0]
    return cut(reason[:1].lower() + reason[1:] or str(error)), int(digits) if digits.isdigit() else None
