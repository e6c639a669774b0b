"""Read the arguments of file tools: which file, and what will be in it. Hosts and MCP servers share these shapes.

A host's table says which tool has which shape; what is here is the spelling of the keys.
"""

from __future__ import annotations

from memstile.core import patch
from memstile.core.change import Added, Change, Edit, Insertion, Move, Opaque, Patch, Substitutions, Whole
from memstile.core.matching import encoded
from memstile.core.request import Write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Arguments = Mapping[str, object]
    Shape = Callable[[Arguments], tuple[Write, ...]]
    """Gives the files that a call with these arguments would write; () where it names none. Total."""


PATH_KEYS = ("file_path", "path", "filePath", "filepath", "target_file", "file", "filename", "notebook_path", "uri")
CONTENT_KEYS = ("content", "file_text", "contents", "text", "new_text", "fileContent", "data")
_EDIT_KEYS = (
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldString", "newString"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
)
_ALL_KEYS = ("replace_all", "replaceAll", "allow_multiple")
_SOURCE_KEYS = ("source", "source_path", "src", "old_path", "oldPath", "from", "path")
_TARGET_KEYS = ("destination", "destination_path", "target", "new_path", "newPath", "to")
_PATCH_KEYS = ("patchText", "patch", "input", "command", "patch_text", "diff")


def text(arguments: Arguments, *keys: str) -> str | None:
    """Give the first of these keys that holds text, None where none does."""
    return next((value for key in keys if isinstance(value := arguments.get(key), str)), None)


def whole(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that writes a file anew."""
    content = text(arguments, *CONTENT_KEYS)
    return _write(arguments, Opaque("no content key is known") if content is None else Whole(encoded(content)))


def edit(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that replaces text: one replacement, or a list of them under `edits`; a broken one is passed over.

    Edits that are no list, or in which nothing is understood, change nothing: no host runs them.
    """
    listed = arguments.get("edits")
    rows = listed if isinstance(listed, list) else [arguments]
    edits = tuple(edit for row in rows if isinstance(row, dict) and (edit := _edit(row)))
    if len(edits) < len(rows) and edits:
        return _write(arguments, Opaque("some of the edits are not understood"))
    return _write(arguments, Substitutions(edits)) if edits else ()


def served_edit(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that has an MCP server replace text. Such servers look for it loosely, across indentation.

    dryRun, with a list of edits: the server shows what would change, and writes nothing.
    Source: @modelcontextprotocol/server-filesystem, edit_file.
    """
    if isinstance(arguments.get("edits"), list) and arguments.get("dryRun") in (True, "true"):
        return ()
    return tuple(
        write._replace(change=write.change._replace(is_loose=True))
        if isinstance(write.change, Substitutions)
        else write
        for write in edit(arguments)
    )


def added(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that appends to a file."""
    content = text(arguments, *CONTENT_KEYS)
    return _write(arguments, Opaque("no content key is known") if content is None else Added(encoded(content)))


def opaque(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that writes a file in a way that cannot be computed."""
    return _write(arguments, Opaque("the tool does not say what will be in the file"))


def editor(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call of a `str_replace_editor`: one of several commands. `view` writes nothing."""
    match text(arguments, "command"):
        case "create":
            return whole(arguments)
        case "str_replace":
            # Without new_str the old text is removed.
            return edit({"new_str": "", **arguments})
        case "insert":
            line, content = arguments.get("insert_line"), text(arguments, "new_str", "insert_text")
            if isinstance(line, int) and content is not None:
                return _write(arguments, Insertion(line, encoded(content)))
            return opaque(arguments)
        case "undo_edit":
            return opaque(arguments)
        case _:
            return ()


def envelope(arguments: Arguments | str) -> tuple[Write, ...]:
    """Read a call that carries a Codex patch envelope, as text or under one of several keys."""
    found = arguments if isinstance(arguments, str) else text(arguments, *_PATCH_KEYS)
    return envelope_writes(found or "")


def envelope_writes(envelope_text: str) -> tuple[Write, ...]:
    """Give one write for each file that an envelope touches, by its spelling there."""
    sections = patch.files(envelope_text)
    paths = dict.fromkeys(path for section in sections for path in (section.path, section.target))
    return tuple(Write(path, Patch(envelope_text)) for path in paths)


def moved(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that puts a file in the place of another; what is in it has to be read where it lies."""
    source, target = text(arguments, *_SOURCE_KEYS), text(arguments, *_TARGET_KEYS)
    return (Write(target, Move(source) if source else Opaque("a file is moved there")),) if target else ()


def naming(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call of a tool that is not known: the files that it names may be written."""
    return tuple(Write(path, Opaque("the tool is not known")) for path in _paths(arguments))


def _paths(arguments: Arguments) -> Iterator[str]:
    for key in PATH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            yield value


def _write(arguments: Arguments, change: Change) -> tuple[Write, ...]:
    path = text(arguments, *PATH_KEYS)
    return (Write(path, change),) if path else ()


def _edit(row: Mapping[str, object]) -> Edit | None:
    for old_key, new_key in _EDIT_KEYS:
        old, new = row.get(old_key), row.get(new_key)
        if isinstance(old, str) and isinstance(new, str):
            is_all = any(row.get(key) in (True, "true") for key in _ALL_KEYS)
            return Edit(encoded(old), encoded(new), is_all)
    return None


WRITE_TOOLS: Mapping[str, Shape] = {
    **dict.fromkeys(("write_file", "create_file", "write_text_file", "create_text_file", "save_file"), whole),
    **dict.fromkeys(("write_to_file", "put_content"), whole),
    **dict.fromkeys(("edit_file", "replace_in_file"), served_edit),
    "str_replace_editor": editor,
    **dict.fromkeys(("move_file", "rename_file", "copy_file"), moved),
    "apply_patch": envelope,
    **dict.fromkeys(("append_content", "append_file", "append_to_file"), added),
    **dict.fromkeys(("insert_content", "patch_content", "update_file"), opaque),
}
"""File tools by their own names, whichever host or MCP server offers them."""

READ_TOOLS = frozenset(
    ("read_file", "read_text_file", "read_media_file", "read_multiple_files", "read_content", "get_file_contents",
     "get_file_info", "view_file", "read_note", "view_note", "search_files")
)  # fmt: skip
"""Tools that only look, by their own names: what they name is not written."""

_JOINTS = "_-:/."


def own_name(tool: str, names: frozenset[str] = READ_TOOLS | WRITE_TOOLS.keys()) -> str:
    """Give the own name of a tool that is called by its server's name and its own: the longest of `names` at its end.

    Between them stands one of "__" (Claude Code, Cline), "_" (Gemini CLI, opencode), "-" (Copilot CLI), ":" (Cursor),
    and either name may hold one too. Result: "" where none fits; "mcp__fs__write_file" is "write_file".
    """
    ends = (tool[at + 1 :] for at, sign in enumerate(tool) if sign in _JOINTS)
    return next((end for end in ends if end in names), "")


NOTE_TOOLS = frozenset(("write_note", "edit_note", "move_note"))


def note_tool(tool: str) -> str:
    """Give the own name of a memory server's tool that writes notes, "" for any other: hook_notes.py finds its file."""
    return tool if tool in NOTE_TOOLS else own_name(tool, NOTE_TOOLS)
