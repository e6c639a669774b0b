r"""Compile one ignore pattern to a regular expression: git's reading, pathspec's translation.

The two read some patterns differently: a bracket expression with a class, a range, an escape or a slash in it; a
bracket or backslash left open (git matches nothing, pathspec raises or drops the line); odd blanks at the end; `**`
beside other characters. So a pattern is first written anew, in words that both read alike.

Patterns and names are str with one latin-1 character a byte, since git compares bytes.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_ALL = frozenset(map(chr, range(1, 256)))

# Measured with git 2.39.5: ASCII alone, and "space" lacks the VT and FF that C counts.
_CLASSES = {
    "alnum": frozenset(string.ascii_letters + string.digits),
    "alpha": frozenset(string.ascii_letters),
    "blank": frozenset("\t "),
    "cntrl": frozenset(map(chr, [*range(1, 32), 127])),
    "digit": frozenset(string.digits),
    "graph": frozenset(map(chr, range(33, 127))),
    "lower": frozenset(string.ascii_lowercase),
    "print": frozenset(map(chr, range(32, 127))),
    "punct": frozenset(string.punctuation),
    "space": frozenset("\t\n\r "),
    "upper": frozenset(string.ascii_uppercase),
    "xdigit": frozenset(string.hexdigits),
}

# Groups that pathspec has no word for, carried through it by characters that no pattern or name can hold. A star
# that is not the last of its part, and a `**` that is not the last of its pattern, stop for good at the first place
# that fits: a later one never helps. Without them `*a*a*a*a*ab` takes 210 s on one name of 255 bytes.
_STAR, _STAR_END, _GAP, _GAP_END = "\ue000\ue001\ue002\ue003"
_GROUPS = str.maketrans({_STAR: "(?>[^/]*?", _STAR_END: ")", _GAP: "(?>(?:[^/]+/)*?", _GAP_END: "(?=/))"})

_WORD = re.compile(r"(?P<special>\*+|[?/])|(?P<bracket>\[)|\\(?P<escaped>.)|(?P<plain>[^\\])", re.DOTALL)
_RANGE = re.compile(r"-(?:\\(.)|([^]\\]))", re.DOTALL)
_CLASS = re.compile(r"\[:([^]]*):\]")
_MEMBER = re.compile(r"\\(.)|([^\\])", re.DOTALL)

_ANY_NAME = ["?", "*"]  # a lone star would do, but pathspec has an expression of its own for `**/*`


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str] | None:
    """Compile a pattern, given without its "!" and without the slash at its end.

    Result: for `fullmatch`, with the path below the ignore file's folder if the pattern holds a slash, else with
    the last part of the path. None: git matches nothing with this pattern.
    """
    parts = _parts(_words(pattern.removeprefix("/")))
    if [] in parts:
        return None
    blocks: list[list[str]] = [[]]
    for part in parts:
        if part == ["**"]:
            blocks.append([])
        else:
            blocks[-1].append(_part_text(part))
    regex, _ = GitIgnoreSpecPattern.pattern_to_regex(_joined(blocks))
    return None if regex is None else re.compile(regex.translate(_GROUPS), re.DOTALL)


def _joined(blocks: list[list[str]]) -> str:
    """Write the parts that stand between `**` and `**` as one pattern, anchored by the slash in front."""
    first, *rest = blocks
    if not rest:
        return "/" + "/".join(first)
    *middle, last = rest
    marked = [_GAP + "/".join(block) + _GAP_END for block in middle if block]
    return "/" + "/".join([*first, *marked, "**", *(last or [_part_text(_ANY_NAME)])])


def _part_text(part: list[str]) -> str:
    """Write the words between two slashes."""
    pieces = [""]
    for word in _ANY_NAME if part in (["*"], ["**"]) else part:
        if word in ("*", "**"):
            pieces.append("")
        else:
            pieces[-1] += word
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    return first + "".join(_STAR + piece + _STAR_END for piece in middle) + "*" + last


def _parts(words: list[str]) -> list[list[str]]:
    """Cut at the slashes. git lets `**` match no folder at all, but not in front of an escaped slash."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == r"\/" and parts[-1] == ["**"]:
            parts[-1:] = [_ANY_NAME, ["**"]]
        if word in ("/", r"\/"):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _words(pattern: str) -> list[str]:
    r"""Cut a pattern into words of pathspec: "*", "**" for two stars or more, "?", "/", "\/", a set, a character.

    Result: [] for a pattern that matches nothing: a bracket or backslash is left open, a set is empty.
    """
    words: list[str] = []
    at = 0
    while at < len(pattern):
        found = _WORD.match(pattern, at)
        if found is None:
            return []
        at = found.end()
        if found["special"]:
            words.append(found["special"][:2])
        elif found["bracket"]:
            members, at = _bracket(pattern, at)
            if not members:
                return []
            words.append(_set_text(members))
        else:
            words.append(_character_text(found["escaped"] or found["plain"]))
    return words


def _character_text(character: str) -> str:
    # At the end of a pattern pathspec cuts all that str.isspace counts, which takes the last byte off a UTF-8 "à".
    if character.isspace():
        return _set_text(frozenset(character))
    return character if character.isascii() and character.isalnum() else "\\" + character


def _set_text(members: frozenset[str]) -> str:
    """Write a set: "]" in front and "-" behind mean themselves; NUL, in no name, keeps "!", "^", "[" off the front."""
    middle = "".join(sorted(members - {"]", "-"}))
    return "[" + "]" * ("]" in members) + "\0" + middle + "-" * ("-" in members) + "]"


def _bracket(pattern: str, at: int) -> tuple[frozenset[str], int]:
    """Read a bracket expression from behind its "[": the characters it matches, never a slash, and where it ends.

    No characters: it is left open or names a class that git does not know; git then matches nothing.
    """
    is_negated = pattern[at : at + 1] in ("!", "^")
    at += is_negated
    members: set[str] = set()
    previous = ""
    is_open = True
    while is_open:
        if previous and (found := _RANGE.match(pattern, at)):
            members.update(map(chr, range(ord(previous), ord(found[1] or found[2]) + 1)))
            previous = ""
        elif found := _CLASS.match(pattern, at):
            if found[1] not in _CLASSES:
                return frozenset(), at
            members |= _CLASSES[found[1]]
            previous = ""
        elif found := _MEMBER.match(pattern, at):
            previous = found[1] or found[2]
            members.add(previous)
        else:
            return frozenset(), at
        at = found.end()
        is_open = not pattern.startswith("]", at)
    return (_ALL - members if is_negated else frozenset(members)) - {"/"}, at + 1
