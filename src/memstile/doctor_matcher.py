"""Tell whether a matcher can fire, by the grammar of its host.

Claude Code compares a matcher of plain names whole and case-sensitively; anything else is an unanchored regex, and one
that is no regex switches its hook off in silence. The others take every matcher for an unanchored regex. Source:
docs/hosts.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAMES = re.compile(r"[a-zA-Z0-9_|, -]+")
_ANYTHING = ("", "*", ".*", "^.*$")
SAMPLE = "server__tool"
"""What stands for the `.*` of a matcher when it is tried on the name of a tool."""


def tools_of(matcher: str) -> tuple[str, ...]:
    """Give names of tools that a matcher of `memstile init` is there for, one an alternative."""
    inner = matcher.removeprefix("^(").removesuffix(")$")
    return tuple(name.replace(".*", SAMPLE) for name in inner.split("|") if name)


def fires(matcher: str, tool: str, *, has_names: bool) -> bool | None:
    """Tell whether a matcher fires for a tool; None where it is no regex. has_names: plain names are compared whole."""
    if matcher.strip() in _ANYTHING:
        return True
    if has_names and _NAMES.fullmatch(matcher):
        return tool in [name.strip() for name in re.split(r"[|,]", matcher)]
    try:
        return re.search(matcher, tool) is not None
    except (re.error, OverflowError, RecursionError):
        return None


def fault(matcher: str, wanted: str, tools: Sequence[str], *, has_names: bool) -> str:
    """Say what is wrong with a matcher, "" if nothing. wanted: that of `memstile init`; tools: that it is there for."""
    if matcher == wanted or matcher.strip() in _ANYTHING:
        return ""
    if not wanted:
        return f'"{matcher}" narrows a hook that is there for everything'
    answers = {tool: fires(matcher, tool, has_names=has_names) for tool in tools}
    if None in answers.values():
        return f'"{matcher}" is no regular expression: the hook never runs'
    missed = [tool.replace(SAMPLE, "*") for tool, answer in answers.items() if not answer]
    if len(missed) == len(tools):
        return f'"{matcher}" can never fire for a tool that writes{_why(matcher, tools, has_names=has_names)}'
    return f'"{matcher}" does not fire for: {", ".join(missed)}' if missed else ""


def _why(matcher: str, tools: Sequence[str], *, has_names: bool) -> str:
    if any(fires(matcher.lower(), tool.lower(), has_names=has_names) for tool in tools):
        return ": capital and small letters count"
    if has_names and _NAMES.fullmatch(matcher) and matcher.startswith("mcp__"):
        return f": a plain name is compared whole; {matcher}__.* is a server's tools"
    return ""
