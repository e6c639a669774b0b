"""JSON without the `json` package, which doubles the start of a bare interpreter: its scanner in C, by itself.

`import json` takes 9 ms where `import _json` takes 0.3 (docs/performance.md), since it loads re, enum and functools. An
interpreter without that module gets the package, and the same answers: tests/core/test_json_text.py holds both to it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import json
    from collections.abc import Callable

    _loads: Callable[[str], object] = json.loads
    _quoted: Callable[[str], str] = json.dumps
else:
    try:
        from _json import encode_basestring_ascii as _quoted
        from _json import make_scanner

        class _Context:
            strict = False  # a tab or a line break as it stands in a text: hosts in JavaScript never write one
            object_hook = None
            object_pairs_hook = None
            parse_float = float
            parse_int = int
            parse_constant = float  # NaN and Infinity, as json takes them

        _scan = make_scanner(_Context())

        def _loads(text: str) -> object:
            value, end = _scan(text, 0)
            if end != len(text):
                raise ValueError("more than one value")
            return value

    except ImportError:
        from json import dumps as _quoted
        from json import loads as _loads

_BLANKS = " \t\n\r"


class Unreadable:
    """Stands for a text that is no JSON: `null` is a value of its own."""


UNREADABLE = Unreadable()


def loads(text: str) -> object:
    """Read one JSON value.

    text: without a byte order mark; blanks around it are fine. Result: dict, list, str, int, float, bool or None;
    UNREADABLE for text that is no JSON, is nested too deeply, or holds a number of more than 4,300 digits. Total.
    """
    try:
        return _loads(text.strip(_BLANKS))
    except (ValueError, StopIteration, RecursionError, MemoryError, SystemError):
        return UNREADABLE  # SystemError: 3.11 looks for the class of its error in json.decoder, which is not loaded


def dumps(value: object) -> str:
    """Write a value as JSON in ASCII. value: of texts, numbers, booleans, None, mappings with text keys, sequences.

    A number that JSON has no way to write is null: NaN, Infinity, and one of more than 3,600 digits.
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(str(key))}: {dumps(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(dumps, value)) + "]"
    if value is None or isinstance(value, (bool, int, float)):
        return _scalar(value)
    return _quoted(value if isinstance(value, str) else str(value))


def _scalar(value: float | None) -> str:
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    is_written = value.bit_length() < 12_000 if isinstance(value, int) else value - value == 0
    return repr(value) if is_written else "null"
