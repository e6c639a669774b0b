"""Read a call of a file tool for the turn gate: a write of a note below a vault, or a look into the vault."""

from __future__ import annotations

import os

from memstile.core.change import Move, Whole
from memstile.core.gate_calls import Call
from memstile.core.gate_ids import digest
from memstile.core.gate_words import CallClass
from memstile.core.host_vaults import host_vault
from memstile.core.memory_servers import permalink
from memstile.core.removers import is_remover, texts_in
from memstile.core.request import Event, Kind, Request
from memstile.core.settings import Settings
from memstile.core.tool_shapes import own_name
from memstile.hook_place import Place
from memstile.hook_targets import absolute, configured_indexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstile.core.change import Change

NOTE_ENDING = ".md"
_PATH_KEYS = ("file_path", "path", "filePath", "absolute_path", "target_file", "dir_path", "directory", "folder")
_COMMAND_KEYS = ("command", "cmd", "command_line")
_NAMES_ALONE = frozenset(("LS", "ls", "list", "list_directory", "list_files", "get_file_info"))
"""Tools that read names and sizes alone: no search."""

_TEXTS = frozenset(
    ("Read", "read", "read_file", "read_text_file", "read_files", "ReadFile", "view", "View", "view_file", "read_code",
     "str_replace_editor", "get_file_contents")
)  # fmt: skip
"""Tools that give the whole text of a file: what they read may be replaced. A search gives lines of it."""

_MOST_REMOVED = 64


def note_call(request: Request, place: Place, settings: Settings, *, by_shell: bool) -> Call | None:
    """Read the call, None for one that has nothing to do with notes. by_shell: the host's reads are shell commands."""
    return (
        _removal(request, place, settings)
        or _write(request, place, settings)
        or _look(request, place, settings, by_shell=by_shell)
    )


def _write(request: Request, place: Place, settings: Settings) -> Call | None:
    """Read a write. A call about several notes is taken for one about the first."""
    if request.kind is not Kind.WRITE:
        return None
    for write in request.writes:
        source = write.change.source if isinstance(write.change, Move) else ""
        gone = next(_notes(source, request, place, settings), None) if source else None
        if gone:
            return _called(CallClass.DESTRUCTIVE, gone, request, is_create=False, is_overwrite=False)
        notes = _notes(write.path, request, place, settings, is_whatever=bool(source))
        note = next(notes, None) or (_found(write.path, request, place, settings) if request.is_searched else None)
        if note:
            return _written(note, write.change, request, settings)
    return None


_MOST_FILES = 10_000


def _found(path: str, request: Request, place: Place, settings: Settings) -> tuple[str, str] | None:
    """Find the note that a host takes a relative path for which leads nowhere: one whose path ends as it does."""
    if os.path.isabs(path) or "\0" in path or os.path.lexists(absolute(path, place.cwd)):
        return None
    ending, number = os.path.normpath(path), 0
    for vault in _vaults(request, settings):
        for folder, _, names in os.walk(vault):
            number += len(names)
            for name in names:
                if name.lower().endswith(NOTE_ENDING) and os.path.join(folder, name).endswith(ending):
                    return os.path.join(folder, name), vault
            if number > _MOST_FILES:
                return vault, vault  # there are too many to tell: it may be one of them
    return None


def _written(note: tuple[str, str], change: Change, request: Request, settings: Settings) -> Call:
    is_there, is_index = os.path.lexists(note[0]), os.path.basename(note[0]) == settings.index_name
    is_emptied = is_there and isinstance(change, Whole) and not change.data
    kind = CallClass.DESTRUCTIVE if is_emptied else CallClass.WRITE
    is_overwrite = is_there and not is_index and isinstance(change, (Whole, Move))
    return _called(kind, note, request, is_create=not is_there, is_overwrite=is_overwrite)


def _removal(request: Request, place: Place, settings: Settings) -> Call | None:
    """Read a removal of a note or of a folder with notes; what such a tool removes is under one key or another."""
    if not is_remover(request.tool):
        return None
    for text in list(texts_in(request.arguments))[:_MOST_REMOVED]:
        for note in _notes(text, request, place, settings, is_whatever=os.path.isdir(absolute(text, place.cwd))):
            if os.path.lexists(note[0]):
                return _called(CallClass.DESTRUCTIVE, note, request, is_create=False, is_overwrite=False)
    return None


def _called(kind: CallClass, note: tuple[str, str], request: Request, *, is_create: bool, is_overwrite: bool) -> Call:
    return Call(
        kind,
        request.tool,
        arguments=request.arguments,
        is_create=is_create,
        is_overwrite=is_overwrite,
        target=_named(*note),
        digest=_digest(request),
    )


def _look(request: Request, place: Place, settings: Settings, *, by_shell: bool) -> Call | None:
    """Read a look at a note or at the index, or a search in the vault; what lists names alone is neither."""
    if not request.arguments or request.tool in _NAMES_ALONE or own_name(request.tool, _NAMES_ALONE):
        return None
    path = ""
    if request.kind is Kind.READ:
        path = next((text for key in _PATH_KEYS if isinstance(text := request.arguments.get(key), str) and text), "")
    elif by_shell and request.kind is Kind.SHELL and request.event is Event.TOOL_RESULT:
        path = _shell_path(request, place)
    for real, vault in _notes(path, request, place, settings, is_whatever=True):
        is_text = real.lower().endswith(NOTE_ENDING)
        is_read = is_text and (request.kind is Kind.SHELL or request.tool in _TEXTS or own_name(request.tool, _TEXTS))
        if is_text or os.path.isdir(real):
            target = _named(real, vault) if is_read else ""
            return Call(CallClass.SEARCH, request.tool, target=target, digest=_digest(request))
    return None


def _shell_path(request: Request, place: Place) -> str:
    """Give the first path that a shell command has looked at and that is there; "" for a command that does more."""
    from memstile.core.shell_looks import has_shown, looked_at

    command = next((text for key in _COMMAND_KEYS if isinstance(text := (request.arguments or {}).get(key), str)), "")
    paths = looked_at(command)
    is_there = bool(paths) and all(os.path.exists(absolute(path, place.cwd)) for path in paths)
    return paths[0] if is_there and has_shown(command, request.opening) else ""


def _notes(
    path: str, request: Request, place: Place, settings: Settings, *, is_whatever: bool = False
) -> Iterator[tuple[str, str]]:
    """Give the notes below a vault that a path may mean, each with its vault.

    Hosts tidy ".." in the text, the system follows links first: both readings count. is_whatever: folders and files of
    other endings too.
    """
    if not path or "\0" in path:
        return
    spelled = absolute(path, place.cwd)
    for reading in dict.fromkeys((os.path.realpath(spelled), os.path.realpath(os.path.normpath(spelled)))):
        if is_whatever or reading.lower().endswith(NOTE_ENDING):
            is_folder = is_whatever and os.path.isdir(reading)
            vault = _vault_of(reading if is_folder else os.path.dirname(reading), request, settings)
            if vault:
                yield reading, vault


def _digest(request: Request) -> str:
    return digest(request.arguments) if isinstance(request.arguments, dict) else ""


def _named(real: str, vault: str) -> str:
    """Name a note as core/note_names.py does; a digest stands for the vault, so that no path of the machine is kept."""
    return f"{digest(vault)[:8]}|{permalink(os.path.relpath(real, vault).removesuffix(NOTE_ENDING))}"


def _vault_of(folder: str, request: Request, settings: Settings) -> str:
    """Give the vault that a folder is or lies in, "" for none: a configured one, the host's own, or a host's place."""
    for vault in _vaults(request, settings):
        if (folder + os.sep).startswith(vault.rstrip(os.sep) + os.sep):
            return vault
    parts = folder.split(os.sep)
    heads = ("/".join(parts[:end]) for end in range(2, len(parts) + 1))
    return next((head for head in heads if host_vault(head)), "")


def _vaults(request: Request, settings: Settings) -> Iterator[str]:
    for index in configured_indexes(settings):
        yield os.path.realpath(os.path.dirname(index))
    if request.own_vault:
        yield os.path.realpath(request.own_vault)
