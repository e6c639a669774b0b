"""Edit a JSON text: add, replace and take out values; every other byte stays as it is.

What `add` put in, `cut` takes out without a trace, unless it went into an empty object or array: that one is left
without the blanks it may have had.
"""

from __future__ import annotations

import json
import re

from memstile.core.record import NamedTuple
from memstile.setups.json_source import Node, after_gap, blanks_only

_INDENT = "  "


class Style(NamedTuple):
    """How a text is laid out. unit: one level of indentation, "" where all is in one line; line_end: "\\n" or CRLF."""

    unit: str
    line_end: str
    colon: str = ": "
    comma: str = ", "


def style_of(text: str) -> Style:
    """See how a text is laid out."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    if "\n" not in text.strip():
        is_tight = re.search(r'"\s*:', text) is not None and not re.search(r'":\s', text)
        is_laid_out = not text.strip(" \t\r\n{}[]\ufeff")
        return Style(_INDENT if is_laid_out else "", line_end, *((":", ",") if is_tight else (": ", ", ")))
    found = re.search(r"[{\[,][ \t]*\r?\n([ \t]+)", text)
    return Style(found.group(1) if found else _INDENT, line_end)


def add(text: str, container: Node, value: object, name: str | None = None) -> str:
    """Add a value at the end of an array, or of an object with its name."""
    style = style_of(text)
    if container.members:
        last, first = container.members[-1], container.starts()[0]
        lead = text[container.start + 1 : first]
        is_broken = "\n" in lead
        indent = lead.rpartition("\n")[2] if is_broken and blanks_only(lead) else _line_indent(text, first)
        lead = style.line_end + indent if is_broken else style.comma[1:]
        new = "," + lead + _named(value, name, style if is_broken else style._replace(unit=""), indent)
        return text[: last.end] + new + text[last.end :]
    indent = _line_indent(text, container.start)
    inner = text[container.start + 1 : container.end - 1]
    new = _named(value, name, style, indent + style.unit)
    if style.unit:
        kept = inner.rstrip(" \t\r\n")
        new = f"{kept}{style.line_end}{indent}{style.unit}{new}{style.line_end}{indent}"
    return text[: container.start + 1] + (new if style.unit else inner + new) + text[container.end - 1 :]


def replace(text: str, node: Node, value: object) -> str:
    """Put a value in the place of another."""
    indent = _line_indent(text, node.start)
    style = style_of(text)
    if "\n" not in text[node.start : node.end]:
        style = style._replace(unit="")
    return text[: node.start] + _rendered(value, style, indent) + text[node.end :]


def cut(text: str, container: Node, position: int) -> str:
    """Take a member out, with its comma and, if no comment is between, the blanks beside it."""
    starts, ends = container.starts(), [node.end for node in container.members]
    start, end = starts[position], ends[position]
    if position and blanks_only(text[ends[position - 1] : start]):
        return text[: ends[position - 1]] + text[end:]
    if position:
        comma = after_gap(text, ends[position - 1])
        return text[:comma] + text[comma + 1 : start].rstrip(" \t") + text[end:]
    comma = after_gap(text, end)
    rest = text[end:comma] + text[comma + 1 :] if text[comma] == "," else text[end:]
    if len(starts) > 1:
        return text[:start] + (text[starts[1] :] if blanks_only(text[end : starts[1]]) else rest)
    if blanks_only(text[container.start + 1 : start]) and blanks_only(text[end : container.end - 1]):
        return text[: container.start + 1] + text[container.end - 1 :]
    return text[:start].rstrip(" \t") + rest.lstrip(" \t")


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _named(value: object, name: str | None, style: Style, indent: str) -> str:
    rendered = _rendered(value, style, indent)
    return rendered if name is None else json.dumps(name, ensure_ascii=False) + style.colon + rendered


def _rendered(value: object, style: Style, indent: str) -> str:
    if not style.unit:
        return json.dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))
    lines = json.dumps(value, ensure_ascii=False, indent=style.unit).split("\n")
    return (style.line_end + indent).join(lines)
