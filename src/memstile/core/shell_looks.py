"""Read a shell command that does nothing but look at files: `cat notes/a.md`, `grep -n word notes`.

For hosts without a tool that reads. What holds any sign of a second command, a redirection or an expansion is no such
command: it is not looked at closer.
"""

from __future__ import annotations

READERS = frozenset(("cat", "head", "tail", "less", "more", "nl", "bat"))
"""Programs that print files, and do not write any."""

SEARCHERS = frozenset(("grep", "egrep", "fgrep", "rg", "ag"))
"""Programs that search files and folders. Each takes its pattern first: what is searched comes after it."""

_UNSAFE = frozenset("|&;<>`$\n\r(){}*?[]~#!\\")
_MOST_CHARACTERS = 1_000


def looked_at(command: str) -> tuple[str, ...]:
    """Give the paths that a command looks at, as they are spelled; () where it does more, or something else."""
    if len(command) > _MOST_CHARACTERS or _UNSAFE & set(command):
        return ()
    words = [word.strip("'\"") for word in command.split()]
    program = words[0].rpartition("/")[2] if words else ""
    paths = tuple(word for word in words[1:] if word and not word.startswith("-"))
    if program in READERS:
        return paths
    return paths[1:] if program in SEARCHERS else ()


def has_shown(command: str, output: str) -> bool:
    """Tell whether what a command printed can be what it looked for. output: its beginning.

    Without a word on its exit code, silence may be a failure, and so may a line that begins as its program's errors do.
    """
    program = command.split()[0] if command.split() else ""
    names = (f"{program}: ", f"{program.rpartition('/')[2]}: ")
    return bool(output.strip()) and not output.startswith(names) and "command not found" not in output
