"""The guards of the turn gate: how strict each is, and what it finds in a memory write."""

from __future__ import annotations

from memstile.core.fixture_labels import has_fixture_label, may_hold_label
from memstile.core.gate_calls import Call
from memstile.core.gate_words import CREDENTIAL, DUPLICATE, FIXTURE, Level
from memstile.core.memory_servers import FIND_KEYS, WRITE_TARGET_KEYS, permalink
from memstile.core.note_names import folder_of, is_same_note, note_name
from memstile.core.record import NamedTuple
from memstile.core.secrets import secret_names
from memstile.core.settings import Settings
from memstile.core.turn import Turn
from memstile.core.turn_calls import written_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Guards(NamedTuple):
    """How strict each guard is, with the profile resolved. fixture_folders: where test labels are welcome."""

    is_create_named: bool = True
    overwrite: Level = Level.WARN
    duplicate: Level = Level.DENY
    secret: Level = Level.WARN
    fixture: Level = Level.WARN
    fixture_folders: tuple[str, ...] = ("tests/", "archive/policy-tests/")


_OF_PROFILE = {"compat": Level.WARN, "strict": Level.DENY}
_LEVELS = {"off": Level.OFF, "warn": Level.WARN, "deny": Level.DENY}


def guards_of(settings: Settings) -> Guards:
    """Resolve the profile: a guard's own key, when it is set, wins over it."""
    profile = _OF_PROFILE.get(settings.gate_profile, Level.DENY)
    return Guards(
        settings.gate_create_requires_search,
        _LEVELS.get(settings.gate_overwrite_requires_read, profile),
        _LEVELS.get(settings.gate_duplicate_write, Level.DENY),
        _LEVELS.get(settings.gate_secret_pattern, profile),
        _LEVELS.get(settings.gate_test_fixture, profile),
        settings.gate_test_fixture_allowed,
    )


def content_codes(turn: Turn, call: Call, guards: Guards) -> tuple[tuple[str, Level], ...]:
    """Give the codes that the guards on content raise over a write, with the level of each, in order of rank."""
    found = []
    texts = written_texts(call.arguments) if guards.secret or guards.fixture else ()
    if guards.secret and secret_names(texts):
        found.append((CREDENTIAL, guards.secret))
    if guards.fixture and may_hold_label("\n".join(texts)) and _is_fixture(call, guards.fixture_folders):
        found.append((FIXTURE, guards.fixture))
    if guards.duplicate and call.digest and written_as(call.tool, call.digest) in turn.written:
        found.append((DUPLICATE, guards.duplicate))
    return tuple(found)


def is_unread_overwrite(turn: Turn, call: Call) -> bool:
    """Tell whether a write replaces a note that was not read in this turn."""
    return call.is_overwrite and not any(is_same_note(call.target, name) for name in turn.read)


def written_texts(arguments: object) -> tuple[str, ...]:
    """Give every text that a call would put into a note, keys too; not the text that an edit looks for."""
    if not isinstance(arguments, dict):
        return tuple(_texts([_added(arguments) if isinstance(arguments, str) else arguments]))
    return tuple(_texts(list(_parts(arguments))))


_PATCH_KEYS = ("command", "patch", "patchText", "input", "diff")


def _parts(arguments: Mapping[str, object]) -> Iterator[object]:
    """Give what is written: not the text that an edit looks for, nor the lines that a patch takes out."""
    for key, value in arguments.items():
        if key in _FIND_KEYS:
            continue
        yield key
        if key == "edits" and isinstance(value, list):
            rows = (edit.items() if isinstance(edit, dict) else (("", edit),) for edit in value)
            yield from (part for row in rows for name, part in row if name not in _FIND_KEYS)
        else:
            yield _added(value) if key in _PATCH_KEYS and isinstance(value, str) else value


_FIND_KEYS = frozenset((*FIND_KEYS, "old_string", "oldString", "old_str", "oldStr", "old"))


def _texts(waiting: list[object]) -> Iterator[str]:
    while waiting:
        now = waiting.pop()
        if isinstance(now, str):
            yield now
        elif isinstance(now, dict):
            waiting += (*now, *now.values())
        elif isinstance(now, (list, tuple)):
            waiting += now


PATCH_BEGIN = "*** Begin Patch"


def _added(envelope: str) -> str:
    """Give what a patch puts in, and its headers; not the lines that it takes out or looks for. Other texts stay."""
    if not envelope.lstrip().startswith(PATCH_BEGIN):
        return envelope
    return "\n".join(line for line in envelope.split("\n") if line[:1] not in ("-", " "))


def _is_fixture(call: Call, folders: tuple[str, ...]) -> bool:
    if not isinstance(call.arguments, dict) or not has_fixture_label(call.arguments):
        return False
    folder = folder_of(call.target or note_name(call.arguments, WRITE_TARGET_KEYS))
    return not any(folder.startswith(_as_folder(allowed)) for allowed in folders if _as_folder(allowed) != "/")


def _as_folder(path: str) -> str:
    return permalink(path.strip().removeprefix("./").strip("/")) + "/"
