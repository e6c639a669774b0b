"""The Codex patch envelope, `apply_patch`: which files it touches, and how.

Grammar and habits are those of Codex 0.171.0, run on each line of the table in tests/core/test_patch.py:

    *** Begin Patch                     outermost lines: blanks around them, blank lines outside, and a heredoc
    *** Environment ID: NAME            <<EOF ... EOF around all are let through; optional
    *** Add File: PATH                  then lines with "+"; the file may exist and is overwritten
    *** Delete File: PATH
    *** Update File: PATH               blanks after a path are dropped, those before it belong to it
    *** Move to: PATH                   optional; the target is overwritten, the source removed, even if it is the same
    @@ LINE                             "@@" alone, or a line to look for first; optional before the first hunk
     kept / -removed / +added           an empty line is an empty kept one
    *** End of File                     optional: the hunk has to match at the very end
    *** End Patch

What the hunks of a section do to a file is core/hunks.py.
"""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.hunks import Hunk
from memstile.core.matching import encoded
from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LINES = 200_000
"""A longer envelope is not parsed: its files are UNCLEAR. At this length one takes up to half a second."""


class Operation(Enum):
    """What an envelope does to one file. UNCLEAR: it names the file, but the envelope could not be understood."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    UNCLEAR = "unclear"


class FilePatch(NamedTuple):
    """One section of an envelope. path, move_to: as spelled there; move_to "" where the file stays."""

    operation: Operation
    path: str
    move_to: str = ""
    added: bytes = b""
    hunks: tuple[Hunk, ...] = ()

    @property
    def target(self) -> str:
        """Where the content of this section goes."""
        return self.move_to or self.path


_HEADS = {
    "*** Add File: ": Operation.ADD,
    "*** Update File: ": Operation.UPDATE,
    "*** Delete File: ": Operation.DELETE,
}
MOVE = "*** Move to: "


def files(text: str) -> tuple[FilePatch, ...]:
    """Parse an envelope into its sections, in order; a file can have several. Total.

    Result: () where no file is named. An envelope that Codex would refuse, or longer than MAX_LINES, gives one UNCLEAR
    section for each path that it names anywhere: other hosts read the format more freely.
    """
    lines = _body(text)
    sections = None if lines is None else _sections(lines)
    return _named(text) if sections is None else tuple(sections)


def moved_onto(
    sections: tuple[FilePatch, ...], paths: tuple[str, ...], names: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """List the files whose content moves put in the place of `paths`, straight or by way of other files, as spelled.

    It is what a caller has to read. names: other spellings of a file, and the one that stands for it.
    """
    names = names or {}
    wanted = {names.get(path, path) for path in paths}
    these, sources = frozenset(wanted), list[str]()
    for section in reversed(sections):  # content is moved on by later sections
        path, move_to = (names.get(spelled, spelled) for spelled in (section.path, section.move_to))
        if section.move_to and move_to in wanted and path not in these:
            wanted.add(path)
            sources.append(section.path)
    return tuple(dict.fromkeys(reversed(sources)))


def _named(text: str) -> tuple[FilePatch, ...]:
    pieces = [piece for mark in (*_HEADS, MOVE) for piece in text.split(mark)[1:]]
    paths = dict.fromkeys(piece.split("\n", 1)[0].rstrip() for piece in pieces)
    return tuple(FilePatch(Operation.UNCLEAR, path) for path in paths if path)


def _body(text: str) -> list[str] | None:
    text = text.strip()
    if text.count("\n") >= MAX_LINES:
        return None
    lines = [line.rstrip("\r") for line in text.split("\n")]
    if lines[0] in ("<<EOF", "<<'EOF'", '<<"EOF"') and lines[-1].endswith("EOF"):
        lines = lines[1:-1]
    ends = [line.strip() for line in (*lines[:1], *lines[-1:])]
    if len(lines) < 2 or ends != ["*** Begin Patch", "*** End Patch"]:
        return None
    has_environment = len(lines) > 2 and lines[1].strip().startswith("*** Environment ID: ")
    return lines[2 if has_environment else 1 : -1]


def _sections(lines: list[str]) -> list[FilePatch] | None:
    sections = []
    at = 0
    while at < len(lines):
        head = _head(lines[at].strip())
        if head is None:
            return None
        operation, path = head
        end = at + 1
        if operation is Operation.UPDATE:
            # Inside hunks an indented head is a kept line; elsewhere it is a head.
            while end < len(lines) and not _head(lines[end].rstrip()):
                end += 1
        elif operation is Operation.ADD:
            while end < len(lines) and lines[end].startswith("+"):
                end += 1
        section = _section(operation, path, lines[at + 1 : end])
        if section is None:
            return None
        sections.append(section)
        at = end
    return sections


def _head(line: str) -> tuple[Operation, str] | None:
    for mark, operation in _HEADS.items():
        if line.startswith(mark):
            return operation, line[len(mark) :]
    return None


def _section(operation: Operation, path: str, lines: list[str]) -> FilePatch | None:
    if operation is not Operation.UPDATE:
        return FilePatch(operation, path, added=encoded("".join([line[1:] + "\n" for line in lines])))
    move = lines[0].rstrip() if lines else ""
    move_to = move[len(MOVE) :] if move.startswith(MOVE) else ""
    hunks = _hunks(lines[1:] if move_to else lines)
    # Codex refuses a move without hunks. The grammar has it, and a host that takes it renames the file.
    return None if hunks is None else FilePatch(operation, path, move_to, hunks=hunks)


def _hunks(lines: list[str]) -> tuple[Hunk, ...] | None:
    """Split the lines of one file at "@@". None where a line has no place."""
    hunks: list[Hunk] = []
    header, body, is_at_end = "", list[str](), False
    has_mark = False  # before the first "@@": lines need none, and no lines are no fault
    for line in lines:
        mark = line.rstrip()
        if mark == "@@" or mark.startswith("@@ "):
            if body:
                hunks.append(_hunk(header, body, is_at_end=is_at_end))
            elif has_mark:
                return None
            header = mark[3:] and mark[3:] + "\n"
            body, is_at_end, has_mark = [], False, True
        elif mark == "*** End of File" and body and not is_at_end:
            is_at_end = True
        elif is_at_end:
            if line:
                return None
        elif line[:1] in ("", " ", "-", "+"):
            body.append(line)
        else:
            return None
    if body:
        hunks.append(_hunk(header, body, is_at_end=is_at_end))
    return tuple(hunks) if body or not has_mark else None


def _hunk(header: str, lines: list[str], *, is_at_end: bool) -> Hunk:
    return Hunk(encoded(header), tuple([encoded((line or " ") + "\n") for line in lines]), is_at_end)
