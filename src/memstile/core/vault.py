"""Recognise a vault: does this index look like one, and what is its relation to git."""

from __future__ import annotations

from memstile.core.host_vaults import host_vault
from memstile.core.pointers import NO_NOTES, entries_for_notes, is_document, lists_notes, notes_named, notes_pointed_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SETTINGS_FOLDERS = frozenset(
    (".claude", ".codex", ".cursor", ".gemini", ".github", ".gitlab", ".idea", ".opencode", ".vscode", ".windsurf")
)
DOCS = frozenset(("doc", "docs", "documentation"))
_FEW_ENTRIES = 2

# Several, since one alone is common elsewhere: documentation sites write title and description, and those made with
# Jekyll title and permalink, where basic-memory writes a type besides.
_MEMORY_PAIRS = (
    (b"name:", b"description:"),
    (b"name:", b"metadata:"),
    (b"description:", b"type:"),
    (b"title:", b"permalink:", b"type:"),
    (b"title:", b"permalink:", b"tags:"),
)


def is_host_vault(folder: str) -> bool:
    """Tell whether a host keeps vaults at this place: there the name of the index is enough."""
    return host_vault(folder) is not None


def points_to_siblings(index: bytes, siblings: Collection[str]) -> bool:
    """Tell whether an index points to at least one note beside it, or at least writes the file name of one.

    index: its content. siblings: names of the files in the same folder. Case does not count: hosts find the note of
    "[[Note]]" in note.md, and so do the file systems of macOS and Windows.
    """
    names = {name.lower() for name in siblings}
    return bool(names) and any(
        not names.isdisjoint(map(str.lower, find(index))) for find in (notes_pointed_at, notes_named)
    )


def has_memory_frontmatter(head: bytes) -> bool:
    """Tell whether a note opens with frontmatter that holds a pair of keys memory tools write.

    head: the note's first MAX_HEAD_BYTES. A BOM and CRLF line ends are fine.
    """
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[0].rstrip() != b"---":
        return False
    keys = set()
    for line in lines[1:]:
        if line.rstrip() == b"---":
            break
        keys.add(line[: line.find(b":") + 1])
    return b"layout:" not in keys and any(keys.issuperset(pair) for pair in _MEMORY_PAIRS)


def holds_no_notes(folder: str) -> bool:
    """Tell whether a host keeps agents, skills or commands at this place: they open as notes do, and are none."""
    parts = folder.rstrip("/").split("/")
    return parts[-1] in NO_NOTES or any(
        name in NO_NOTES and parts[above] in SETTINGS_FOLDERS for above, name in enumerate(parts[1:])
    )


def notes_among(names: Iterable[str], index_name: str) -> list[str]:
    """Pick the file names that may be notes of a vault, sorted: markdown, not the index, not a project's README."""
    return sorted(
        name for name in names if name.lower().endswith(".md") and name != index_name and not is_document(name)
    )


def looks_like_vault(
    index: bytes | None,
    siblings: Collection[str],
    heads: Iterable[bytes],
    *,
    has_below: bool = False,
    folder: str = "",
    others: Iterable[str] | None = None,
) -> bool:
    """Tell a vault from a folder with an unrelated file that happens to have the index's name.

    index: its content, None if it is there and could not be read: then any note beside it will do, or an index would
    leave the guard by growing past what is read. siblings: as notes_among gives them. heads: openings of notes beside
    it, and of those below that it names; read one by one, so pass a generator and stop early. has_below: whether there
    is a note in a folder below that the index names: as pages of documentation name others too, the index has to be a
    list of notes then, or its folder one where memory is kept: a dot-folder, or one of notes alone with two entries for
    them. folder: with "/" between parts. others: what stands in it and below and is no markdown, None where nobody
    knows; of a generator at most one is taken.
    """
    if index is None:
        return bool(siblings)
    return (
        points_to_siblings(index, siblings)
        or (not holds_no_notes(folder) and any(map(has_memory_frontmatter, heads)))
        or (has_below and (lists_notes(index) or _names_memory(index, folder, others)))
    )


def _names_memory(index: bytes, folder: str, others: Iterable[str] | None) -> bool:
    """Tell whether an index that names notes below, among other things, is in a folder of nothing but memory."""
    name = folder.rstrip("/").rpartition("/")[2]
    if name.startswith(".") and name not in SETTINGS_FOLDERS:
        return True
    if others is None or name in DOCS or entries_for_notes(index) < _FEW_ENTRIES:
        return False
    return next(iter(others), None) is None


def default_mode(folder: str) -> str:
    """Give the mode of a vault that no settings name: its host's, else auto."""
    row = host_vault(folder)
    return row.mode if row else "auto"
