"""Recognise a vault: does this index look like one, and what is its relation to git."""

from __future__ import annotations

from memstile.core.host_vaults import host_vault
from memstile.core.pointers import is_document, lists_notes, notes_named, notes_pointed_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# Pairs, since one alone is common elsewhere: documentation sites write title and description.
_MEMORY_PAIRS = (
    (b"name:", b"description:"),
    (b"name:", b"metadata:"),
    (b"description:", b"type:"),
    (b"title:", b"permalink:"),
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
    return any(keys.issuperset(pair) for pair in _MEMORY_PAIRS)


def notes_among(names: Iterable[str], index_name: str) -> list[str]:
    """Pick the file names that may be notes of a vault, sorted: markdown, not the index, not a project's README."""
    return sorted(
        name for name in names if name.lower().endswith(".md") and name != index_name and not is_document(name)
    )


def looks_like_vault(
    index: bytes | None, siblings: Collection[str], heads: Iterable[bytes], *, has_below: bool = False
) -> bool:
    """Tell a vault from a folder with an unrelated file that happens to have the index's name.

    index: its content, None if it is there and could not be read: then any note beside it will do, or an index would
    leave the guard by growing past what is read. siblings: as notes_among gives them. heads: openings of notes beside
    it, and of those below that it names; read one by one, so pass a generator and stop early. has_below: whether there
    is a note in a folder below that the index names: as pages of documentation name others too, the index has to be a
    list of notes then.
    """
    if index is None:
        return bool(siblings)
    return (
        points_to_siblings(index, siblings)
        or any(map(has_memory_frontmatter, heads))
        or (has_below and lists_notes(index))
    )


def default_mode(folder: str) -> str:
    """Give the mode of a vault that no settings name: its host's, else auto."""
    row = host_vault(folder)
    return row.mode if row else "auto"
