"""Read one value of a settings file, and write one for a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memstile.core.record import NamedTuple
from memstile.core.setting_key import Key, Kind
from memstile.core.text import grouped, shown

MAX_SHOWN_CHARS = 60
# str() of an int past 4,300 digits raises, and TOML can write one in hexadecimal.
_MAX_DIGITS = 18
_MAX_SHORT = 999_999_999_999_999_999


class Parsed(NamedTuple):
    """value: usable, or None; of a list the usable entries. problem: what is wrong, "" when nothing is."""

    value: object
    problem: str = ""


def parse(key: Key, value: object) -> Parsed:
    """Read a value for a key, as TOML gives it.

    value: anything; what is only text comes from `from_text`. Result: problem finishes a sentence that starts with the
    key's name. Raises nothing.
    """
    return _PARSERS[key.kind](key, value)


def from_text(key: Key, text: str) -> object:
    """Read what the environment has, which is text alone, as TOML would give it; spaces around do not count.

    Result: the text as it is where that would be no usable value; `parse` then says what is wrong.
    """
    read = _FROM_TEXT.get(key.kind)
    value = read(text.strip()) if read else None
    return text if value is None or parse(key, value).problem else value


def value_text(value: object) -> str:
    """Write a value as TOML would, escaped, cut to 60 characters; a table or a date by its kind alone."""
    if isinstance(value, str):
        return f'"{cut(value, MAX_SHOWN_CHARS - 2)}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) <= _MAX_SHORT else f"a number of more than {_MAX_DIGITS} digits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return _list_text(value)
    return "a table" if isinstance(value, Mapping) else "a date or a time"


def cut(text: str, max_chars: int = MAX_SHOWN_CHARS) -> str:
    """Escape a text and cut it to so many characters, "..." at its end where something is missing."""
    escaped = shown(text[: max_chars + 1])
    return escaped if len(escaped) <= max_chars else escaped[: max_chars - 3] + "..."


def _list_text(values: list[object] | tuple[object, ...]) -> str:
    if not all(isinstance(value, str) for value in values):
        return "a list"
    text = "[" + ", ".join(map(value_text, values[:MAX_SHOWN_CHARS])) + "]"
    return text if len(text) <= MAX_SHOWN_CHARS else text[: MAX_SHOWN_CHARS - 4] + "...]"


def _choice(key: Key, value: object) -> Parsed:
    if isinstance(value, str) and value in key.choices:
        return Parsed(value)
    return Parsed(None, f"is {value_text(value)}, not one of {', '.join(key.choices)}")


def _integer(key: Key, value: object) -> Parsed:
    if isinstance(value, int) and not isinstance(value, bool) and key.least <= value <= key.most:
        return Parsed(value)
    return Parsed(None, f"is {value_text(value)}, not a whole number from {_limits(key)}")


def _digits(text: str) -> int | None:
    # isdigit alone would take superscripts and other scripts' digits, int() signs and underscores
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def _seconds(key: Key, value: object) -> Parsed:
    # The comparison drops nan, and infinity is past any limit.
    if isinstance(value, int | float) and not isinstance(value, bool) and key.least <= value <= key.most:
        return Parsed(float(value))
    return Parsed(None, f"is {value_text(value)}, not a number of seconds from {_limits(key)}")


def _decimal(text: str) -> float | None:
    whole, _, fraction = text.partition(".")
    digits = _digits(whole + fraction)
    return None if digits is None else digits / 10 ** len(fraction)


def _limits(key: Key) -> str:
    return f"{key.least:g} to {grouped(int(key.most))}"


def _boolean(_key: Key, value: object) -> Parsed:
    return Parsed(value) if isinstance(value, bool) else Parsed(None, f"is {value_text(value)}, not true or false")


def _texts(key: Key, value: object) -> Parsed:
    if not isinstance(value, list | tuple):
        return Parsed(None, f"is {value_text(value)}, not a list of text")
    texts = tuple(entry for entry in value if isinstance(entry, str) and entry.strip())
    usable = tuple(dict.fromkeys(text for text in texts if not key.choices or text in key.choices))
    if len(texts) < len(value):
        return Parsed(usable, "holds an entry that is empty or no text")
    strange = next((text for text in texts if text not in usable), None)
    if strange is None:
        return Parsed(usable)
    return Parsed(usable, f"holds {value_text(strange)}, not one of {', '.join(key.choices)}")


def _file_name(_key: Key, value: object) -> Parsed:
    if isinstance(value, str) and _is_index_name(value):
        return Parsed(value)
    return Parsed(None, f"is {value_text(value)}, not the plain name of a .md file")


def _is_index_name(name: str) -> bool:
    # An empty name, or one with a slash, is equal to no file's name: the guard would be off.
    plain = name.isprintable() and name == name.strip() and not any(c in name for c in '/\\:*?[]"<>|')
    return plain and name.endswith(".md") and len(name) > len(".md") and len(name.encode()) <= 255


def _vaults(_key: Key, value: object) -> Parsed:
    return Parsed(value)  # setting_vaults.py reads it


_PARSERS: Mapping[Kind, Callable[[Key, object], Parsed]] = {
    Kind.CHOICE: _choice,
    Kind.INTEGER: _integer,
    Kind.SECONDS: _seconds,
    Kind.BOOLEAN: _boolean,
    Kind.TEXTS: _texts,
    Kind.FILE_NAME: _file_name,
    Kind.VAULTS: _vaults,
}

_FROM_TEXT: Mapping[Kind, Callable[[str], object]] = {
    Kind.CHOICE: str,
    Kind.INTEGER: _digits,
    Kind.SECONDS: _decimal,
    Kind.BOOLEAN: {"true": True, "false": False}.get,
}
