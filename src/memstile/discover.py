"""Find vaults: the configured ones, the ones given, and those that look like one below a folder."""

from __future__ import annotations

import os

from memstile.core.pointers import files_pointed_at, notes_further_down, notes_pointed_at
from memstile.core.vault import (
    has_memory_frontmatter,
    holds_no_notes,
    is_host_vault,
    looks_like_vault,
    notes_among,
)
from memstile.disk import is_regular, note_heads, read_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SKIPPED = frozenset((".git", "node_modules"))
_ENVIRONMENT = frozenset(("bin", "lib", "lib64", "include", "share", "Scripts", "Lib", "Include"))
"""What `python -m venv` makes; somebody may have made one of their project's root."""
_MAX_HEADS = 50
_MAX_LISTED = 10_000


def vaults_below(
    start: str,
    index_name: str,
    tick: Callable[[], None] = lambda: None,
    missed: Callable[[str], None] = lambda folder: None,
    unnamed: Callable[[str], None] = lambda folder: None,
    nested: Callable[[str], None] = lambda folder: None,
) -> Iterator[str]:
    """Walk the folders below a start folder and give those that look like a vault, sorted within each folder.

    Dot-folders and ignored folders are walked; repositories' inner folders, what tools put into a virtual environment
    and node_modules are not; links to folders are looked at, not walked. tick is called once a folder, missed with
    each folder that could not be listed, unnamed with each whose index does not look like a vault's, nested with each
    that has a .git of its own.
    """
    todo = [start]
    while todo:
        folder = todo.pop()
        tick()
        try:
            names, folders, links = _listed(folder)
        except OSError:
            missed(folder)
            continue
        if ".git" in names and folder != start:
            nested(folder)
        if index_name in names:
            if is_vault(folder, index_name, names):
                yield folder
            else:
                unnamed(folder)
        for link in links:
            if is_vault(link, index_name):
                yield link
        skipped = _ENVIRONMENT if "pyvenv.cfg" in names else frozenset[str]()
        todo += [inner for inner in reversed(folders) if os.path.basename(inner) not in skipped]


def is_vault(folder: str, index_name: str, names: set[str] | None = None) -> bool:
    """Tell whether a folder holds an index that looks like a vault's.

    names: what the folder holds, if known. A host's own vault place needs nothing but the index; an index that cannot
    be read needs a note beside it. A folder that cannot be listed is none.
    """
    index = os.path.join(folder, index_name)
    if not os.path.lexists(index):
        return False
    shown = folder.replace(os.sep, "/")
    if is_host_vault(shown):
        return True
    try:
        every = names if names is not None else _listed(folder)[0]
    except OSError:
        return False
    notes, data = notes_among(every, index_name), read_index(index).data
    if looks_like_vault(data, notes, note_heads(folder, iter(notes[:_MAX_HEADS])), folder=shown):
        return True
    below = _below(folder, data)
    heads = note_heads(folder, iter(below))
    return looks_like_vault(data, (), heads, has_below=bool(below), folder=shown, others=_other_files(folder))


def is_vault_for_sure(folder: str, index_name: str) -> bool:
    """Tell whether more than a file name in prose, or a list of files below, says that a folder is a vault."""
    if is_host_vault(folder.replace(os.sep, "/")):
        return True
    try:
        notes = notes_among(_listed(folder)[0], index_name)
    except OSError:
        return False
    data = read_index(os.path.join(folder, index_name)).data
    linked = {name.lower() for name in notes_pointed_at(data or b"")}
    if any(note.lower() in linked for note in notes):
        return True
    heads = note_heads(folder, iter([*notes[:_MAX_HEADS], *_below(folder, data)]))
    return not holds_no_notes(folder.replace(os.sep, "/")) and any(map(has_memory_frontmatter, heads))


def linked_files(folder: str, index_name: str) -> set[str]:
    """Give the files in a folder and below that its index links to, relative to it."""
    return files_pointed_at(read_index(os.path.join(folder, index_name)).data or b"")


def has_only_notes_beside(folder: str) -> bool:
    """Tell whether no file beside an index is anything but markdown, a dot-file or settings of ours."""
    try:
        with os.scandir(folder) as rows:
            files = [row.name for row in rows if not row.is_dir(follow_symlinks=False)]
    except OSError:
        return False
    return all(name.lower().endswith(".md") or name.startswith(".") or name == "memstile.toml" for name in files)


def _other_files(folder: str) -> Iterator[str]:
    """Give what stands in a folder and below that is no markdown, but for dot-files as editors leave them.

    A folder that cannot be listed, or a place with too much in it, counts as such a thing.
    """
    todo, seen = [folder], 0
    while todo:
        place = todo.pop()
        try:
            with os.scandir(place) as rows:
                listed = [(row, row.is_dir(follow_symlinks=False)) for row in rows if not row.name.startswith(".")]
        except OSError:
            yield place
            return
        seen += len(listed)
        if seen > _MAX_LISTED:
            yield place
        yield from (row.path for row, is_folder in listed if not is_folder and not row.name.lower().endswith(".md"))
        todo += [row.path for row, is_folder in listed if is_folder]


def _below(folder: str, index: bytes | None) -> list[str]:
    """List notes in folders below that an index names and the disk has, of the first few it names."""
    names = notes_further_down(index or b"")[:_MAX_HEADS]
    return [name for name in names if "\0" not in name and is_regular(os.path.join(folder, name))]


def _listed(folder: str) -> tuple[set[str], list[str], list[str]]:
    names: set[str] = set()
    folders, links = [], []
    with os.scandir(folder) as rows:
        for row in sorted(rows, key=lambda row: row.name):
            names.add(row.name)
            if row.is_dir(follow_symlinks=False):
                folders += [row.path] if row.name not in _SKIPPED else []
            elif row.is_symlink() and _leads_to_a_folder(row):
                links.append(row.path)
    return names, folders, links


def _leads_to_a_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:  # a loop, or a name too long: no reason to look at nothing else here
        return False
