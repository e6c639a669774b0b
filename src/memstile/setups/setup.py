"""What a setup is: which files of a host `memstile init` changes, and how each is changed and changed back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memstile.core.record import NamedTuple
from memstile.core.text import shell_quoted

LAUNCHER = "memstile_hook.py"
"""Name of the launcher's file, in a folder `launcher`. A command line with a word of that ending is ours."""

TIMEOUT_S = 30
"""How long a host is to wait. The hook answers by itself after 5 seconds, and a machine under load may stretch that."""


class Unmergeable(ValueError):
    """A file that cannot be changed without guessing. message: what is wrong with it; hint: what helps."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Where(NamedTuple):
    """The folders a setup may go to, absolute.

    is_project: into the project, not for the person everywhere. texts: files of the package, by name. found: what was
    looked for on the machine, by name, as a URL.
    """

    home: str
    project: str
    is_project: bool
    environment: Mapping[str, str]
    texts: Mapping[str, str] = {}
    found: Mapping[str, str] = {}

    def folder(self, variable: str, *usual: str) -> str:
        """Give the folder that a variable names, where it holds an absolute path, else a place below home."""
        named = self.environment.get(variable, "")
        return named if named.startswith("/") else "/".join((self.home, *usual))

    def own(self, variable: str, name: str) -> str:
        """Give a host's own folder: `name` in the project or in home, there unless a variable says otherwise."""
        return f"{self.project}/{name}" if self.is_project else self.folder(variable, name)


class Command(NamedTuple):
    """The command line of a hook. program: absolute path; words: what comes before EVENT; options: what comes after."""

    program: str
    words: tuple[str, ...]
    options: tuple[str, ...]
    is_closed: bool = False

    def arguments(self, event: str = "") -> list[str]:
        """Give what follows the program, for a host that starts it without a shell."""
        return [*self.words, *([event] if event else []), *self.options]

    def line(self, event: str = "") -> str:
        """Give the whole as a line for a shell."""
        return " ".join(map(shell_quoted, (self.program, *self.arguments(event))))

    def closing_line(self, event: str = "") -> str:
        """Give a line that refuses when the program cannot be started, if our failures are to refuse.

        Exit code 2 is a refusal; a shell that finds no program ends with 127, which these hosts take for "go on".
        """
        return f"{self.line(event)} || exit 2" if self.is_closed else self.line(event)


class File(NamedTuple):
    """One file that a setup changes.

    path: absolute. put: the text before, None where there is no file, to the text after; take: back again, None where
    nothing is left to keep. Both raise Unmergeable. lines: what goes in, in short. is_own: nobody else writes in it.
    """

    path: str
    put: Callable[[str | None], str]
    take: Callable[[str], str | None]
    lines: tuple[str, ...] = ()
    is_own: bool = False
    is_executable: bool = False


class Setup(NamedTuple):
    """One row of SETUPS.

    program: what is asked for its version, "" where nothing can be. files: what is changed. skill: where the skill's
    file goes, "" where the host has no skills. notes: what is left to the person, a line each. has_project: whether a
    project can have settings of its own. texts: files of the package it needs. modules: npm packages that have to be
    beside the program, or it does not start with what is written. optional: such that are looked for, and used if they
    are there. former: files that an earlier `memstile init` wrote, and that are to go. control: what is changed so that
    the host starts memstile's MCP server, given the server's command line, and lets its tools run; nothing where that
    cannot be in this scope. control_notes: what is left to the person then. gateless: why the turn gate cannot enforce
    here, "" where it can.
    """

    host: str
    program: str
    files: Callable[[Where, Command], tuple[File, ...]]
    skill: Callable[[Where], str]
    notes: Callable[[Where], tuple[str, ...]] = lambda where: ()
    has_project: bool = True
    texts: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    former: Callable[[Where], tuple[File, ...]] = lambda where: ()
    optional: tuple[str, ...] = ()
    control: Callable[[Where, Command], tuple[File, ...]] = lambda where, command: ()
    control_notes: Callable[[Where], tuple[str, ...]] = lambda where: ()
    gateless: str = ""


def own_file(path: str, text: str, lines: tuple[str, ...] = (), *, is_executable: bool = False) -> File:
    """Describe a file that is ours alone. One that lies there and does not speak of memstile is left alone."""

    def put(before: str | None) -> str:
        if before and "memstile" not in before:
            raise Unmergeable("there is a file of somebody else in its place", "move it away, or call memstile from it")
        return text

    return File(path, put, lambda before: None if "memstile" in before else before, lines, True, is_executable)
