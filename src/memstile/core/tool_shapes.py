"""Read the arguments of file tools whose keys are not known: those of MCP servers, and of hosts without documentation.

Such arguments can be read in several ways, and each of them is told as a write of its own: of the writes of one file
one will happen, and the strictest verdict counts. So no argument that is added makes a verdict looser, but for those
that say what kind of call it is: command, mode, append, dryRun. A host's own tools are read by core/own_shapes.py.
"""

from __future__ import annotations

from memstile.core import patch
from memstile.core.change import Added, Change, Edit, Insertion, Move, Opaque, Patch, Substitutions, Whole
from memstile.core.file_uri import local_path
from memstile.core.matching import encoded
from memstile.core.request import Write
from memstile.core.tool_keys import (
    ALL_KEYS,
    CONTENT_KEYS,
    EDIT_KEYS,
    KNOWN,
    NAME_KEYS,
    PATCH_KEYS,
    PATH_KEYS,
    SOURCE_KEYS,
    TARGET_KEYS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Arguments = Mapping[str, object]
    Shape = Callable[[Arguments], tuple[Write, ...]]
    """Gives the files that a call with these arguments would write; () where it names none. Total."""


NOT_SAID = Opaque("the tool does not say what will be in the file")


def text(arguments: Arguments, *keys: str) -> str | None:
    """Give the first of these keys that holds text, None where none does."""
    return next((value for key in keys if isinstance(value := arguments.get(key), str)), None)


def whole(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that writes a file anew, or in a mode that appends.

    mode: "append" is Desktop Commander's, "a" Python's; append: true is said by others.
    """
    mode = text(arguments, "mode") or ""
    is_appending = mode.lower() in ("append", "a") or arguments.get("append") in (True, "true")
    return _writes(arguments, _contents(arguments, Added if is_appending else Whole))


def added(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that appends to a file."""
    return _writes(arguments, _contents(arguments, Added))


def _contents(arguments: Arguments, change: type[Whole] | type[Added]) -> Iterator[Change]:
    """Give the longest content, and the one with the most lines where that is another: each may be over a cap.

    Beside a content that is known, a text under a key that is not may be the whole file. It is not added to one: a
    remark on what is appended would fill an index that is near its cap.
    """
    texts = {key: encoded(value) for key, value in arguments.items() if isinstance(value, str)}
    contents = [texts[key] for key in CONTENT_KEYS if key in texts]
    if not contents:
        yield Opaque("no content key is known")
        return
    if change is Whole:
        contents += [value for key, value in texts.items() if key not in KNOWN]
    largest = (max(contents, key=len), max(contents, key=lambda content: content.count(b"\n")))
    yield from (change(content) for content in dict.fromkeys(largest))


def edit(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that replaces text: a list of replacements under `edits`, a single one, or both; () for neither."""
    listed = arguments.get("edits")
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    readings: list[Change] = list(_substitutions(rows))
    if isinstance(listed, list) and readings and len(rows) < len(listed):
        readings = [Opaque("some of the edits are not understood")]
    return _writes(arguments, (*readings, *_substitutions([arguments])))


def served_edit(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that has an MCP server replace text. Such servers look for it loosely, across indentation.

    dryRun, with a list of edits and nothing else: the server shows what would change, and writes nothing.
    Source: @modelcontextprotocol/server-filesystem, edit_file.
    """
    is_dry = isinstance(arguments.get("edits"), list) and arguments.get("dryRun") in (True, "true")
    if is_dry and arguments.keys() <= {"path", "edits", "dryRun"}:
        return ()
    writes = edit(arguments) or _writes(arguments, (Opaque("no edit is understood"),))
    return tuple(
        write._replace(change=write.change._replace(is_loose=True))
        if isinstance(write.change, Substitutions)
        else write
        for write in writes
    )


def opaque(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that writes a file in a way that cannot be computed."""
    return _writes(arguments, (NOT_SAID,))


def editor(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call of a `str_replace_editor`: one of several commands. `view` writes nothing."""
    match text(arguments, "command"):
        case "create":
            return whole(arguments)
        case "str_replace":
            # Without new_str the old text is removed.
            return served_edit({"new_str": "", **arguments})
        case "insert":
            line = arguments.get("insert_line")
            texts = (value for key in ("new_str", "insert_text") if isinstance(value := arguments.get(key), str))
            inserted = [Insertion(line, encoded(value)) for value in texts] if isinstance(line, int) else []
            return _writes(arguments, inserted) or opaque(arguments)
        case "view":
            return ()
        case _:
            return opaque(arguments)


def envelope(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that carries a Codex patch envelope. Where there is none, the files that it names are patched."""
    texts = dict.fromkeys(value for key in PATCH_KEYS if isinstance(value := arguments.get(key), str))
    writes = [write for envelope_text in texts for write in envelope_writes(envelope_text)]
    return tuple(writes) or _writes(arguments, (Opaque("the patch is no envelope"),))


def envelope_writes(envelope_text: str) -> tuple[Write, ...]:
    """Give one write for each file that an envelope touches, by its spelling there."""
    sections = patch.files(envelope_text)
    paths = dict.fromkeys(path for section in sections for path in (section.path, section.target))
    return tuple(Write(path, Patch(envelope_text)) for path in paths)


def by_any_keys(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call of a tool that writes in a way not known: by replacements, a patch or the whole content."""
    new_texts = {new_key for _, new_key in EDIT_KEYS}
    contents = whole({key: value for key, value in arguments.items() if key not in new_texts})
    others = (write for write in (*envelope(arguments), *contents) if not isinstance(write.change, Opaque))
    return (*edit(arguments), *others) or contents


def moved(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call that puts a file in the place of another; what is in it has to be read where it lies."""
    sources, names = _paths(arguments, SOURCE_KEYS), _paths(arguments, NAME_KEYS)
    beside = [f"{''.join(source.rpartition('/')[:2])}{name}" for source in sources for name in names]
    moves: list[Change] = [Move(source) for source in sources] or [Opaque("a file is moved there")]
    targets = dict.fromkeys((*_paths(arguments, TARGET_KEYS), *names, *beside))
    return tuple(Write(target, move) for target in targets for move in moves)


def naming(arguments: Arguments) -> tuple[Write, ...]:
    """Read a call of a tool that is not known: the files that it names may be written."""
    paths = dict.fromkeys((*_paths(arguments, PATH_KEYS), *_paths(arguments, TARGET_KEYS)))
    return tuple(Write(path, Opaque("the tool is not known")) for path in paths)


def _paths(arguments: Arguments, keys: Iterable[str]) -> list[str]:
    values = (local_path(value) for key in keys if isinstance(value := arguments.get(key), str))
    return list(dict.fromkeys(path for path in values if path))


def _writes(arguments: Arguments, changes: Iterable[Change]) -> tuple[Write, ...]:
    """Give each reading of a call for each path that it names."""
    readings = tuple(changes)
    return tuple(Write(path, change) for path in _paths(arguments, PATH_KEYS) for change in readings)


def _substitutions(rows: Iterable[Arguments]) -> Iterator[Substitutions | Opaque]:
    """Read rows of edits. Each spelling of the keys is a reading: its rows by it, others by the first they have."""
    found = [_edits(row) for row in rows]
    if any(found) and not all(found):
        yield Opaque("some of the edits are not understood")
    elif found and all(found):
        spellings = dict.fromkeys(key for row in found for key in row)
        readings = (tuple(row.get(key) or next(iter(row.values())) for row in found) for key in spellings)
        yield from dict.fromkeys(map(Substitutions, readings))


def _edits(row: Arguments) -> dict[str, Edit]:
    """Give the edit of a row by each spelling of the keys, under the key of its old text."""
    is_all = any(row.get(key) in (True, "true") for key in ALL_KEYS)
    return {
        old_key: Edit(encoded(old), encoded(new), is_all)
        for old_key, new_key in EDIT_KEYS
        if isinstance(old := row.get(old_key), str) and isinstance(new := row.get(new_key), str)
    }


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
