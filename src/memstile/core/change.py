"""Say what a file will hold after a tool call that has not run yet."""

from __future__ import annotations

from memstile.core import hunks, patch
from memstile.core.choice import Enum
from memstile.core.matching import Matching, is_blank, may_match, with_lf, with_line_ends_of
from memstile.core.record import NamedTuple

MAX_RESULT_BYTES = 64 * 1024 * 1024
"""What would become longer is not built: the outcome is UNKNOWN. No tool call that fits in a payload has to."""

MAX_WORK_BYTES = 256 * 1024 * 1024
"""So much text is searched for one tool call, which takes a good second at worst; after it the outcome is UNKNOWN."""


class Unread(Enum):
    """Stands for the content of a file that exists and was not read."""

    UNREAD = "unread"


UNREAD = Unread.UNREAD

Content = bytes | None | Unread
"""What a file holds. None: there is no such file."""


class Whole(NamedTuple):
    """The file will hold exactly this.

    Not followed: Claude Code keeps a byte order mark that the file has, 3 bytes more than the call says, and writes
    UTF-16 where the file begins with FF FE.
    """

    data: bytes


class Edit(NamedTuple):
    """One replacement of text. An empty `old` means the whole file, and is for a file that is missing or blank."""

    old: bytes
    new: bytes
    replace_all: bool = False


class Substitutions(NamedTuple):
    """Edits in order, each on the result of the one before; one that fails leaves the file as it was.

    Line ends: Claude Code and dsh (`edit`) read CRLF as LF, replace, and write back the line ends that most of the
    file's head has; dsh (`str_replace_editor`) replaces in the bytes as they are. A file with CRLF is tried both ways,
    and the longer result counts: no host writes more. A file without CRLF is edited byte for byte.
    Not followed: Claude Code removes the LF after a deleted line too, and writes UTF-16 back as UTF-16.
    Source: Claude Code 2.1.332 run on the tables of tests/core/test_change.py; dsh 0.1.0-rc.8, dsh-fs-local.
    is_loose: a server edits, and looks loosely whatever the host does. if_missing: what a missing file is made of.
    """

    edits: tuple[Edit, ...]
    is_loose: bool = False
    if_missing: bytes | None = None


class Insertion(NamedTuple):
    """Text put after the first `line` lines, on lines of its own: `insert` of dsh's `str_replace_editor`.

    line: 0 is the top. One LF is added, also to a text that ends in one: then an empty line follows it.
    Source: dsh 0.1.0-rc.8, dsh-tool-str-replace-editor.
    """

    line: int
    text: bytes


class Added(NamedTuple):
    """Text put after all that a file holds. A line break that the tool puts between is not counted."""

    data: bytes


class Move(NamedTuple):
    """Another file put in the place of this one: UNKNOWN until it is read. source: as the payload spells it."""

    source: str


class Patch(NamedTuple):
    """A Codex envelope, seen from one of the files that it touches; core/patch.py.

    paths: every spelling in the envelope that means this file; () where the envelope touches one file only.
    sources: content of other files by their spelling: those that patch.moved_onto() names are needed. names: spellings
    of other files that have several, each with the one that stands for the file.
    """

    text: str
    paths: tuple[str, ...] = ()
    sources: tuple[tuple[str, Content], ...] = ()
    names: tuple[tuple[str, str], ...] = ()


class Opaque(NamedTuple):
    """A write whose result cannot be computed. why: for a log, no content."""

    why: str = ""


Change = Whole | Substitutions | Insertion | Added | Move | Patch | Opaque


class Outcome(Enum):
    """DONE: the content after is known. REJECTED: the host will refuse the call. UNKNOWN: neither can be said."""

    DONE = "done"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


class Applied(NamedTuple):
    """What a change makes of a file. data: content after, for DONE alone; None: there will be no file."""

    outcome: Outcome
    data: bytes | None = None


REJECTED = Applied(Outcome.REJECTED)
UNKNOWN = Applied(Outcome.UNKNOWN)


def apply(change: Change, before: Content, *, matching: Matching = Matching.EXACT) -> Applied:
    """Tell what a file will hold after a change.

    before: the file now. matching: how the host finds text that is not there byte for byte; an envelope is always
    matched loosely. Total: any bytes, any text. Work and memory are bounded: MAX_RESULT_BYTES, MAX_WORK_BYTES,
    patch.MAX_LINES; past a bound the outcome is UNKNOWN.
    """
    match change:
        case Whole(data):
            return Applied(Outcome.DONE, data)
        case Substitutions(edits, is_loose, if_missing):
            if before is None and if_missing is not None:
                return Applied(Outcome.DONE, if_missing)
            return _substituted(edits, before, Matching.LOOSE if is_loose else matching)
        case Insertion(line, text):
            return _inserted(line, text, before)
        case Added(data) if not isinstance(before, Unread):
            return Applied(Outcome.DONE, (before or b"") + data)
        case Patch():
            return _patched(change, before)
        case _:
            return UNKNOWN


def _substituted(edits: tuple[Edit, ...], before: Content, matching: Matching) -> Applied:
    if isinstance(before, Unread):
        return UNKNOWN
    as_is = _edited(before, edits, matching)
    if before is None or b"\r\n" not in before:
        return as_is
    with_lf_edits = tuple(Edit(with_lf(old), with_lf(new), replace_all) for old, new, replace_all in edits)
    outcome, data = _edited(with_lf(before), with_lf_edits, matching)
    both = (as_is, Applied(outcome, data and with_line_ends_of(before, data)))
    for wanted in (Outcome.DONE, Outcome.UNKNOWN):
        if any(applied.outcome is wanted for applied in both):
            return max((a for a in both if a.outcome is wanted), key=lambda applied: len(applied.data or b""))
    return REJECTED


def _edited(data: bytes | None, edits: tuple[Edit, ...], matching: Matching) -> Applied:
    work = 0
    for edit in edits:
        work += len(data or b"") + len(edit.old) + len(edit.new)
        if work > MAX_WORK_BYTES:
            return UNKNOWN
        applied = _replaced(data, edit, matching)
        if applied.outcome is not Outcome.DONE:
            return applied
        data = applied.data
    return Applied(Outcome.DONE, data)


def _replaced(data: bytes | None, edit: Edit, matching: Matching) -> Applied:
    old, new, replace_all = edit
    refused = UNKNOWN if matching is Matching.LOOSE else REJECTED
    if old == new:
        return REJECTED
    if not old:
        return Applied(Outcome.DONE, new) if data is None or is_blank(data) else refused
    if data is None:
        return REJECTED
    count = data.count(old)
    if not count:
        return UNKNOWN if may_match(old, data, matching) else REJECTED
    if count > 1 and not replace_all:
        return refused
    if len(data) + count * (len(new) - len(old)) > MAX_RESULT_BYTES:
        return UNKNOWN
    return Applied(Outcome.DONE, data.replace(old, new))


def _inserted(line: int, text: bytes, before: Content) -> Applied:
    if isinstance(before, Unread):
        return UNKNOWN
    if before is None or not 0 <= line <= before.count(b"\n") + 1:
        return REJECTED
    lines = before.split(b"\n", line)
    return Applied(Outcome.DONE, b"\n".join((*lines[:line], text, *lines[line:])))


_THIS = ""  # stands for the file among the paths of an envelope, which are never empty


def _patched(change: Patch, before: Content) -> Applied:
    """Play the sections in order on the files that are known.

    A section that the host refuses stops it. Codex checks all sections before it writes; a host that does not would
    leave what the earlier ones did, so that after one of them the outcome is unknown.
    """
    sections = patch.files(change.text)
    touched = {path for section in sections for path in (section.path, section.target)}
    if not touched or (len(touched) > 1 and not change.paths):
        return UNKNOWN
    names = {**dict(change.names), **dict.fromkeys(change.paths or touched, _THIS)}
    contents = {**{names.get(path, path): data for path, data in change.sources}, _THIS: before}
    is_changed = False
    for section in sections:
        source, target = (names.get(path, path) for path in (section.path, section.target))
        outcome, data = _section(section, contents.get(source, UNREAD))
        if outcome is Outcome.REJECTED and _THIS in (source, target):
            return UNKNOWN if is_changed else REJECTED
        contents[target] = data if outcome is Outcome.DONE else UNREAD
        if section.move_to:
            contents[source] = None  # the source is removed last, even where it is the target
        is_changed = is_changed or _THIS in (source, target)
    after = contents[_THIS]
    return UNKNOWN if isinstance(after, Unread) else Applied(Outcome.DONE, after)


def _section(section: patch.FilePatch, before: Content) -> Applied:
    match section.operation:
        case patch.Operation.ADD:
            return Applied(Outcome.DONE, section.added)
        case patch.Operation.DELETE:
            return REJECTED if before is None else Applied(Outcome.DONE)
        case patch.Operation.UPDATE if before is None:
            return REJECTED
        case patch.Operation.UPDATE if isinstance(before, bytes):
            after = hunks.updated(before, section.hunks)
            return UNKNOWN if after is None else Applied(Outcome.DONE, after)
        case _:
            return UNKNOWN
