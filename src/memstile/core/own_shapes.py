"""Read the arguments of a host's own file tools by that host's own keys, which a table in the host's file names.

A host passes over a key that it does not know, or refuses the call: no such key changes what is read here. The tools of
servers, whose keys are not known, are in core/tool_shapes.py.
"""

from __future__ import annotations

from memstile.core.change import Edit, Insertion, Opaque, Substitutions, Whole
from memstile.core.matching import encoded
from memstile.core.record import NamedTuple
from memstile.core.request import Write
from memstile.core.tool_shapes import NOT_SAID, envelope_writes, text, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memstile.core.change import Change
    from memstile.core.tool_shapes import Arguments


class WholeBy(NamedTuple):
    """The shape of a tool that writes a file anew. path, content: its keys.

    A call that names its file and lacks the content comes from another version of the host, and is read as a server's.
    """

    path: str
    content: str

    def writes(self, arguments: Arguments) -> tuple[Write, ...]:
        """Give the file that a call would write, () where it writes none."""
        if text(arguments, self.path) and text(arguments, self.content) is None:
            return whole(arguments)
        return _write(arguments, self.path, _whole(arguments, self.content))


class EditKeys(NamedTuple):
    """The keys of one replacement. replace_all: "" where the host replaces in one place only."""

    old: str
    new: str
    replace_all: str = ""


class EditBy(NamedTuple):
    """The shape of a tool that replaces text once. Where a text is missing nothing changes: no host runs it."""

    path: str
    keys: EditKeys

    def writes(self, arguments: Arguments) -> tuple[Write, ...]:
        """Give the file that a call would write, () where it writes none."""
        return _write(arguments, self.path, _substitutions([arguments], self.keys))


class EditsBy(NamedTuple):
    """The shape of a tool with a list of replacements; with none, or none that is understood, nothing changes."""

    path: str
    keys: EditKeys
    listed: str = "edits"

    def writes(self, arguments: Arguments) -> tuple[Write, ...]:
        """Give the file that a call would write, () where it writes none."""
        return _write(arguments, self.path, _substitutions(arguments.get(self.listed), self.keys))


class OpaqueBy(NamedTuple):
    """The shape of a tool that writes a file in a way that cannot be computed."""

    path: str

    def writes(self, arguments: Arguments) -> tuple[Write, ...]:
        """Give the file that a call would write, () where it writes none."""
        return _write(arguments, self.path, NOT_SAID)


class EnvelopeBy(NamedTuple):
    """The shape of a tool that carries a Codex patch envelope."""

    envelope: str

    def writes(self, arguments: Arguments) -> tuple[Write, ...]:
        """Give the files that a call would write."""
        return envelope_writes(text(arguments, self.envelope) or "")


_EDITOR = EditKeys("old_str", "new_str")


def editor(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call of the `str_replace_editor` of dsh and Copilot CLI: one of several commands. `view` writes nothing.

    Source: dsh 0.1.0-rc.8, dsh-tool-str-replace-editor.
    """
    return _write(arguments, "path", _edited(arguments))


def _edited(arguments: Arguments) -> Change | None:
    match text(arguments, "command"):
        case "create":
            return _whole(arguments, "file_text")
        case "str_replace":
            # Without new_str the old text is removed.
            return _substitutions([{"new_str": "", **arguments}], _EDITOR)
        case "insert":
            line, inserted = arguments.get("insert_line"), text(arguments, "new_str")
            if isinstance(line, int) and inserted is not None:
                return Insertion(line, encoded(inserted))
            return NOT_SAID
        case "undo_edit":
            return NOT_SAID
        case _:
            return None


def _write(arguments: Arguments, key: str, change: Change | None) -> tuple[Write, ...]:
    path = text(arguments, key)
    return (Write(path, change),) if path and change else ()


def _whole(arguments: Arguments, key: str) -> Change:
    content = text(arguments, key)
    return Opaque("no content key is known") if content is None else Whole(encoded(content))


def _substitutions(rows: object, keys: EditKeys) -> Change | None:
    given = rows if isinstance(rows, list) else []
    found = tuple(edit for row in given if isinstance(row, dict) and (edit := _edit(row, keys)))
    if len(found) < len(given) and found:
        return Opaque("some of the edits are not understood")
    return Substitutions(found) if found else None


def _edit(row: Arguments, keys: EditKeys) -> Edit | None:
    old, new = row.get(keys.old), row.get(keys.new)
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    is_all = keys.replace_all != "" and row.get(keys.replace_all) in (True, "true")
    return Edit(encoded(old), encoded(new), is_all)
