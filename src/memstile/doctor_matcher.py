"""Tell whether a matcher can fire, by the grammar of its host.

Claude Code compares a matcher of plain names whole and case-sensitively; anything else is an unanchored regex, and one
that is no regex switches its hook off in silence. The others take every matcher for an unanchored regex. Codex is
written in Rust, the rest in JavaScript; a matcher is tried with Python's grammar, so that what others lack of it is
looked for first. In Claude Code 2.1.332 `(?i)^(write)$` and `^(Write)\\Z` let a write through. Sources: docs/hosts.md;
ECMA-262, "Patterns"; the syntax of the crate "regex".
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from enum import Enum

_NAMES = re.compile(r"[a-zA-Z0-9_|, -]+")
_ANYTHING = ("", "*", ".*", "^.*$")


class Grammar(Enum):
    """How a host reads a matcher. NAMES: plain names whole, else JavaScript."""

    NAMES = "names"
    JAVASCRIPT = "JavaScript"
    RUST = "Rust"


# An escape, a class of characters, the start of a special group, a quantifier that never gives back.
_TOKEN = re.compile(r"\\.|\[\^?\](?:\\.|[^\]\\])*\]|\[(?:\\.|[^\]\\])*\]|\(\?.?|[*+?}]\+", re.DOTALL)
_NOT_JAVASCRIPT = re.compile(r"\\[AZaUN]|\(\?(?![:=!<])|\[\^?\]|[*+?}]\+", re.DOTALL)
_NOT_RUST = re.compile(r"\\[Z1-9]|\(\?[=!<(#aLu]|[*+?}]\+", re.DOTALL)


SAMPLE = "server__tool"
"""What stands for the `.*` of a matcher when it is tried on the name of a tool."""


def tools_of(matcher: str) -> tuple[str, ...]:
    """Give names of tools that a matcher of `memstile init` is there for, one an alternative."""
    inner = matcher.removeprefix("^(").removesuffix(")$")
    return tuple(name.replace(".*", SAMPLE) for name in inner.split("|") if name)


def is_foreign(matcher: str, grammar: Grammar) -> bool:
    """Tell whether a matcher holds what Python's grammar alone understands, or understands otherwise."""
    foreign = _NOT_RUST if grammar is Grammar.RUST else _NOT_JAVASCRIPT
    return any(foreign.match(token.group()) for token in _TOKEN.finditer(matcher))


def fires(matcher: str, tool: str, grammar: Grammar) -> bool | None:
    """Tell whether a matcher fires for a tool; None where it is no regex of the host's."""
    if matcher.strip() in _ANYTHING:
        return True
    if grammar is Grammar.NAMES and _NAMES.fullmatch(matcher):
        return tool in [name.strip() for name in re.split(r"[|,]", matcher)]
    if is_foreign(matcher, grammar):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # "[[": what another Python may read otherwise
            return re.search(matcher, tool) is not None
    except (re.error, OverflowError, RecursionError):
        return None


def fault(matcher: str, wanted: str, tools: Sequence[str], grammar: Grammar) -> str:
    """Say what is wrong with a matcher, "" if nothing. wanted: that of `memstile init`; tools: that it is there for."""
    if matcher == wanted or matcher.strip() in _ANYTHING:
        return ""
    if not wanted:
        return f'"{matcher}" narrows a hook that is there for everything'
    answers = {tool: fires(matcher, tool, grammar) for tool in tools}
    if None in answers.values():
        if is_foreign(matcher, grammar):
            language = "Rust" if grammar is Grammar.RUST else "JavaScript"
            return f'"{matcher}" means something else, or nothing, in {language}: the hook may never run'
        return f'"{matcher}" is no regular expression: the hook never runs'
    missed = [tool.replace(SAMPLE, "*") for tool, answer in answers.items() if not answer]
    if len(missed) == len(tools):
        return f'"{matcher}" can never fire for a tool that writes{_why(matcher, tools, grammar)}'
    return f'"{matcher}" does not fire for: {", ".join(missed)}' if missed else ""


def _why(matcher: str, tools: Sequence[str], grammar: Grammar) -> str:
    if any(fires(matcher.lower(), tool.lower(), grammar) for tool in tools):
        return ": capital and small letters count"
    if grammar is Grammar.NAMES and _NAMES.fullmatch(matcher) and matcher.startswith("mcp__"):
        return f": a plain name is compared whole; {matcher}__.* is a server's tools"
    return ""
