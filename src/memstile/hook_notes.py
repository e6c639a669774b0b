"""Find the files that a memory server's calls write, by the server's own configuration, and what will be in them."""

from __future__ import annotations

import os

from memstile.core.change import Move, Opaque, Whole
from memstile.core.json_text import loads
from memstile.core.matching import encoded
from memstile.core.memory_servers import (
    FOLDER_KEYS,
    TARGET_FOLDER_KEYS,
    TARGET_KEYS,
    Project,
    file_name,
    folder_path,
    permalink,
    project_of,
)
from memstile.core.notes import edited, written
from memstile.core.request import Kind, Request, Write
from memstile.core.tool_shapes import note_tool, text
from memstile.disk import read_index, read_small
from memstile.hook_place import Place
from memstile.hook_targets import configured_indexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Arguments = Mapping[str, object]

_MAX_ENTRIES = 10_000


def with_notes(request: Request, place: Place) -> Request:
    """Add the file that a call of a memory server would write; the request as it was where that is not known."""
    arguments = request.arguments
    tool = note_tool(request.tool)
    if arguments is None or not tool or request.kind is Kind.READ:
        return request
    configuration = _configuration(place)
    project = project_of(arguments, configuration, place.environment.get("BASIC_MEMORY_MCP_PROJECT", ""))
    if not project:
        return request
    project = project._replace(folder=os.path.expanduser(project.folder))
    if tool == "write_note":
        write = _new(arguments, project, configuration)
    elif tool == "edit_note":
        write = _edit(arguments, project, place)
    else:
        write = _move(arguments, project, place)
    return request._replace(kind=Kind.WRITE, writes=(write,)) if write else request


def _configuration(place: Place) -> Mapping[str, object]:
    """Read config.json. A server whose own environment puts it elsewhere is not found."""
    named = place.environment.get("BASIC_MEMORY_CONFIG_DIR")
    shared = place.environment.get("XDG_CONFIG_HOME")
    folder = named or (shared and f"{shared}/basic-memory") or os.path.expanduser("~/.basic-memory")
    found = loads((read_small(os.path.join(folder, "config.json")) or b"").decode("utf-8", "replace"))
    return found if isinstance(found, dict) else {}


def _new(arguments: Arguments, project: Project, configuration: Mapping[str, object]) -> Write | None:
    title, content, directory = (text(arguments, "title"), text(arguments, "content"), text(arguments, *FOLDER_KEYS))
    folder = None if directory is None else folder_path(directory)
    if title is None or content is None or folder is None:
        return None
    name = file_name(title)
    if configuration.get("kebab_filenames") is True:
        name = f"{permalink(name.removesuffix('.md'))}.md"
    path = f"{folder}/{name}" if folder else name
    target = os.path.join(project.folder, path)
    overwrite = arguments.get("overwrite")
    overwrite = configuration.get("write_note_overwrite_default") if overwrite is None else overwrite
    if overwrite not in (True, "true") and os.path.lexists(target):
        return None  # the server refuses it
    before = _text(target)
    return Write(target, Whole(encoded(written(arguments, title, path, before, project))))


def _edit(arguments: Arguments, project: Project, place: Place) -> Write | None:
    identifier = text(arguments, "identifier") or ""
    target = _existing(identifier, project, place)
    if not target:
        return _made_by_edit(arguments, identifier, project)
    before = _text(target)
    operation = text(arguments, "operation")
    if before is None or operation == "replace_section":
        return Write(target, Opaque("a section of a note is replaced"))
    after = edited(arguments, os.path.relpath(target, project.folder), before, project)
    return Write(target, Whole(encoded(after))) if after is not None else None


def _made_by_edit(arguments: Arguments, identifier: str, project: Project) -> Write | None:
    """Read an append to a note that is not there: the server makes it, with the identifier for its path."""
    if text(arguments, "operation") not in ("append", "prepend"):
        return None
    path = _below(identifier, project)[-1]
    folder, _, title = path.rpartition("/")
    made = {"title": title, "directory": folder, "content": text(arguments, "content") or ""}
    return _new(made, project, {}) if title else None


def _move(arguments: Arguments, project: Project, place: Place) -> Write | None:
    source = _existing(text(arguments, "identifier") or "", project, place)
    if not source or arguments.get("is_directory") in (True, "true"):
        return None
    folder = text(arguments, *TARGET_FOLDER_KEYS)
    path = text(arguments, *TARGET_KEYS) or ("" if folder is None else f"{folder}/{os.path.basename(source)}")
    target = os.path.join(project.folder, path.strip().strip("/"))
    if not path or ".." in path.split("/") or os.path.lexists(target):
        return None  # the server refuses it
    return Write(target, Move(source))


def _existing(identifier: str, project: Project, place: Place) -> str:
    """Find the file of a note by its permalink, its path or its title; "" where there is none, or several."""
    for path in _below(identifier, project):
        found = project.folder
        *folders, name = path.split("/")
        for part in folders:
            found = _entry(found, part, "")
        found = found and _entry(found, name.removesuffix(".md"), ".md")
        if found:
            return found
    titled = [index for index in _indexes(project, place) if _is_called(index, identifier)]
    return titled[0] if len(titled) == 1 else ""


def _below(identifier: str, project: Project) -> tuple[str, ...]:
    """Give the paths below the project that an identifier may mean, the likeliest last."""
    path = identifier.strip().removeprefix("memory://").strip("/")
    first, _, rest = path.partition("/")
    is_routed = bool(rest) and permalink(first) == permalink(project.name)
    return (path, rest) if is_routed else (path,)


def _entry(folder: str, name: str, ending: str) -> str:
    """Find an entry of a folder by its name, or by a name with the same permalink; "" where there is none."""
    if not folder or "\0" in name:
        return ""
    plain = os.path.join(folder, name + ending)
    if os.path.lexists(plain):
        return plain
    wanted = permalink(name)
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MAX_ENTRIES), entries, strict=False):
                if entry.name.endswith(ending) and permalink(entry.name.removesuffix(ending)) == wanted:
                    return entry.path
    except OSError:
        pass
    return ""


def _indexes(project: Project, place: Place) -> Iterator[str]:
    inside = os.path.realpath(project.folder) + os.sep
    for settings in dict.fromkeys((place.settings_of(place.cwd), place.settings_of(project.folder))):
        for index in configured_indexes(settings):
            if os.path.realpath(index).startswith(inside) and os.path.exists(index):
                yield os.path.realpath(index)


def _is_called(index: str, title: str) -> bool:
    return permalink(os.path.basename(index).removesuffix(".md")) == permalink(title)


def _text(path: str) -> str | None:
    data = read_index(path).data
    return None if data is None else data.decode("utf-8", "replace")
