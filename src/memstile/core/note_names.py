"""Which note a call is about, as basic-memory names notes: file, permalink, memory:// URL, or folder and title."""

from __future__ import annotations

from memstile.core.gate_ids import digest
from memstile.core.memory_servers import FOLDER_KEYS, file_name, folder_path, permalink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_CHARACTERS = 300


def note_name(arguments: Mapping[str, object], keys: Sequence[str]) -> str:
    """Name the note: "project|folder/title" as permalinks, "|folder/title" where no project is given, "" for none.

    keys: those that hold a name or a path, first wins; else folder and title do. A name of more than 300 characters
    is a digest.
    """
    link = next((_link(value) for key in keys if isinstance(value := arguments.get(key), str) and value.strip()), "")
    if not link:
        link = _by_title(arguments)
    if not link:
        return ""
    project = arguments.get("project")
    name = f"{permalink(project) if isinstance(project, str) else ''}|{link}"
    return name if len(name) <= _MOST_CHARACTERS else f"|{digest(name)}"


def is_same_note(one: str, other: str) -> bool:
    """Compare two names. Where one has no project it may be any; a permalink may begin with its project's."""
    if not one or not other:
        return False
    project, _, link = one.partition("|")
    other_project, _, other_link = other.partition("|")
    if link == other_link:
        return project == other_project or not project or not other_project
    return _full(project, link) == _full(other_project, other_link)


def folder_of(name: str) -> str:
    """Give the folder of a named note, as a permalink that ends in "/", "" at the top."""
    folder, slash, _ = name.partition("|")[2].rpartition("/")
    return folder + slash


def _full(project: str, link: str) -> str:
    return f"{project}/{link}" if project else link


def _link(text: str) -> str:
    path = text.strip().removeprefix("memory://").replace("\\", "/").strip("/")
    while path.startswith("./"):
        path = path[2:]
    return permalink(path[:-3] if path.lower().endswith(".md") else path)


def _by_title(arguments: Mapping[str, object]) -> str:
    title = arguments.get("title")
    if not isinstance(title, str) or not title.strip():
        return ""
    given = next((value for key in FOLDER_KEYS if isinstance(value := arguments.get(key), str)), "")
    folder = folder_path(given)
    if folder is None:
        return ""  # the server refuses it
    return permalink((f"{folder}/" if folder else "") + file_name(title.strip()).removesuffix(".md"))
