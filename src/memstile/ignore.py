"""Give git's ignore decision without git, on top of pathspec.

For the staged `.gitignore` of a commit, the watcher's filter and machines without git; elsewhere git is asked.
git decides level by level: the folders above a path are asked from the top, the first excluded one decides for all
below it; at each level the deepest file wins, in a file the last line. pathspec's own matcher lets a pattern reach
all that lies below what it matches, and so lets files under an excluded folder back in; here only its translation
of patterns is used, for one line and one level at a time.

Names are compared byte by byte, as git does on Linux, where core.ignoreCase is off.

Departures from `git check-ignore --no-index`; tests/test_ignore_property.py leaves out these and no others:

- core.ignoreCase is on. Here case counts, but in negated lines if `negates_any_case`. Errs to "not ignored"; about a
  negated line without that, to "ignored".
- `foo**/bar` and `/foo**` (`**` right behind literal text) before git 2.52. Here `**` is then a plain `*`, as in
  gitignore(5) and in git since 2.52; older ones also match `foobar` and `foo1/2/bar`. Errs the same way.
- A file that could not be read, or one past MAX_FILE_BYTES or MAX_LINES, or with a line, no comment, past
  MAX_LINE_BYTES. Here neither it nor a file it outranks excludes anything. Errs to "not ignored" only.

Sources: gitignore(5), git-check-ignore(1), git's release notes 2.52, and git itself, which the tests ask.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from memstile.core.facts import Asked, Match

MAX_FILE_BYTES = 1024 * 1024
MAX_LINES = 20_000
MAX_LINE_BYTES = 4096  # as long as the longest path on Linux


class IgnoreFile(NamedTuple):
    """The content of one ignore file.

    folder: what it governs, relative to the top of the work tree, without a slash at its ends; "" for the top, for
    info/exclude and for the user-wide file. source: the file as git names it. data: raw bytes, None if they are not
    known. A `.gitignore` that is a symlink does not count: git does not follow it.
    """

    folder: str
    source: str
    data: bytes | None


class IgnoreRules:
    """The ignore rules of one work tree: a file is read when first needed, decisions about folders are kept."""

    def __init__(
        self, files: Sequence[IgnoreFile], outer: Sequence[IgnoreFile] = (), *, negates_any_case: bool = False
    ) -> None:
        """Take the ignore files.

        files: the `.gitignore` files, one a folder, in any order.
        outer: those that every one of `files` outranks, the strongest first: info/exclude, then the user-wide file.
        negates_any_case: a negated line matches names that differ in case.
        """
        self._negates_any_case = negates_any_case
        self._files = {_as_latin(file.folder): _Lines(file) for file in files}
        self._outer = tuple(map(_Lines, outer))
        self._excluded: dict[str, Match | None] = {}

    def ask(self, path: str, *, is_directory: bool = False) -> Asked:
        """Find the rule that decides about a path; it need not exist.

        path: relative to the top of the work tree, "/" between parts, none at its ends.
        is_directory: a symlink is none; a rule that ends in a slash does not match it.
        """
        name = _as_latin(path)
        for folder in _folders_above(name):
            if folder not in self._excluded:
                match = self._last_match(folder, is_directory=True)
                self._excluded[folder] = None if match and match.is_negated else match
            if match := self._excluded[folder]:
                return Asked(path, match)
        return Asked(path, self._last_match(name, is_directory=is_directory))

    def _last_match(self, name: str, *, is_directory: bool) -> Match | None:
        for file, relative in self._in_scope(name):
            if file.lines is None:
                return None
            for line in file.lines:
                any_case = self._negates_any_case and line.text.startswith("!")
                if line.may_match(relative, any_case=any_case) and line.matches(
                    relative, is_directory=is_directory, any_case=any_case
                ):
                    return Match(file.source, line.number, _as_path(line.text))
        return None

    def _in_scope(self, name: str) -> Iterator[tuple[_Lines, str]]:
        """Give each file that governs a name, the strongest first, and the name relative to its folder."""
        for folder in reversed([*_folders_above(name)]):
            if file := self._files.get(folder):
                yield file, name[len(folder) + 1 :]
        if top := self._files.get(""):
            yield top, name
        for file in self._outer:
            yield file, name


class _Line(NamedTuple):
    """A line that may match. text: as git shows it. pattern: that without "!" and the slash at its end.

    needle: what every name it matches contains; settles most lines, which then are never compiled.
    """

    number: int
    text: str
    pattern: str
    needle: str
    only_directories: bool

    def may_match(self, relative: str, *, any_case: bool) -> bool:
        """Tell fast whether a look is worth it."""
        return self.needle.lower() in relative.lower() if any_case else self.needle in relative

    def matches(self, relative: str, *, is_directory: bool, any_case: bool) -> bool:
        """Tell whether it matches this very name; a folder above it does not count."""
        if self.only_directories and not is_directory:
            return False
        from memstile.ignore_pattern import compiled  # loads pathspec, which many a run does not need

        regex = compiled(self.pattern)
        if regex and any_case:  # git folds ASCII alone
            regex = re.compile(regex.pattern, regex.flags & re.DOTALL | re.IGNORECASE | re.ASCII)
        name = relative if "/" in self.pattern else relative.rpartition("/")[2]
        return regex is not None and regex.fullmatch(name) is not None


class _Lines:
    """An ignore file, cut into lines when first needed."""

    def __init__(self, file: IgnoreFile) -> None:
        self.source = file.source
        self._data = file.data

    @cached_property
    def lines(self) -> tuple[_Line, ...] | None:
        """The lines that may match, the last one first; None if the file is past a limit."""
        if self._data is None or len(self._data) > MAX_FILE_BYTES:
            return None
        lines = self._data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        rules = [(n, line) for n, line in enumerate(lines, 1) if not line.startswith(b"#")]
        if len(lines) > MAX_LINES or any(len(line) > MAX_LINE_BYTES for _, line in rules):
            return None
        texts = [(n, _trimmed(line)) for n, line in rules]
        return tuple(_line(n, text) for n, text in reversed(texts) if text)


def _trimmed(line: bytes) -> str:
    """Cut what git cuts: a CR at the end, all from a NUL on, blanks (no tabs) at the end unless escaped."""
    text = line.removesuffix(b"\r").partition(b"\0")[0].decode("latin-1")
    bare = text.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return text[: len(bare) + 1] if backslashes % 2 else bare


def _line(number: int, text: str) -> _Line:
    pattern = text.removeprefix("!").removesuffix("/")
    # Behind a backslash or an open bracket a character need not mean itself.
    literal = re.split(r"[\\\[]", pattern, maxsplit=1)[0]
    return _Line(number, text, pattern, max(re.split(r"[*?/]", literal), key=len), text.endswith("/"))


def _folders_above(name: str) -> Iterator[str]:
    """Give the folders a name lies in, the outermost first; the top of the work tree is not among them."""
    return (name[: slash.start()] for slash in re.finditer("/", name))


def _as_latin(path: str) -> str:
    """Write a path with one character a byte."""
    return os.fsencode(path).decode("latin-1")


def _as_path(text: str) -> str:
    return os.fsdecode(text.encode("latin-1"))
