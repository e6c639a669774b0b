"""Make short texts that stand for JSON values of any kind: ids of hosts, and arguments that must not be kept."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b  # hashlib takes 2 ms to load, this 0.2; the constructor is the same
    except ImportError:
        from hashlib import blake2b

_MOST_CHARACTERS = 200


def id_text(value: object) -> str:
    """Give the text of an id: no two ids of different value or type have the same.

    value: any JSON value; 0, "0", 1.0 and [] are ids. Result: the text itself, "" for None, and "#" with JSON or a
    digest for anything else: other types, texts of more than 200 characters, texts that start with "#".
    """
    if value is None:
        return ""
    if isinstance(value, str) and len(value) <= _MOST_CHARACTERS and not value.startswith("#"):
        return value
    if isinstance(value, bool):
        return "#true" if value else "#false"
    if isinstance(value, int) and -(10**18) < value < 10**18:
        return f"#{value}"
    return f"#={digest(value)}"


def told_id(value: object) -> str:
    """Give the text of an id of the protocol, where "" is an id, and only null is none."""
    return '#""' if value == "" and isinstance(value, str) else id_text(value)


def digest(value: object) -> str:
    """Give 32 hexadecimal digits that stand for a JSON value: equal for equal values, whatever the order of keys.

    Total: values may be nested to any depth, and NaN equals itself. true, 1 and 1.0 are three values.
    """
    parts: list[str] = []
    waiting = [value]
    while waiting:
        now = waiting.pop()
        if isinstance(now, str):
            parts.append(f"{len(now)}'{now}")
        elif isinstance(now, dict):
            parts.append(f"{len(now)}{{")
            for key in sorted(now, key=str):
                waiting += (now[key], str(key))
        elif isinstance(now, (list, tuple)):
            parts.append(f"{len(now)}[")
            waiting.extend(now)
        else:
            parts.append(_scalar(now))
    return blake2b("".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _scalar(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:x};"  # in decimal, Python refuses to write more than 4,300 digits
    plain = repr(value) if value is None or isinstance(value, (bool, float)) else type(value).__name__
    return f"={plain};"
