"""Guard the guard's own switches: memstile's settings, state and launcher, and the hook settings of each host."""

from __future__ import annotations

import os

from memstile.core import patch
from memstile.core.answer import SILENT, Answer
from memstile.core.change import UNREAD, Change, Content, Move, Outcome, Patch, Whole, apply
from memstile.core.matching import Matching
from memstile.core.reasons import SETTINGS_WRITE, settings_write
from memstile.core.removers import is_remover, texts_in
from memstile.core.request import Kind, Request, Write
from memstile.core.verdict import Verdict
from memstile.hook_place import Place
from memstile.hook_switches import is_in_force, known
from memstile.hook_targets import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_NAMED = 64


def judge_switches(request: Request, matching: Matching, place: Place) -> Answer:
    """Have the person decide about a write or a removal of a switch, while the index or the gate enforces."""
    removes = is_remover(request.tool)
    if not (request.kind is Kind.WRITE or removes) or not _enforces(place):
        return SILENT
    switches = _Switches(place)
    written = (path for write in request.writes for path in _changed(write, request, matching, place, switches))
    removed = _removed(request, place, switches) if removes else ()
    path = next((path for paths in (removed, written) for path in paths), "")
    return Answer(Verdict.ASK, SETTINGS_WRITE, settings_write(os.path.basename(path))) if path else SILENT


def _enforces(place: Place) -> bool:
    settings = place.settings_of(place.cwd)
    return "enforce" in (settings.index_mode, settings.gate_mode)


class _Switches:
    """The switches in force. Where links lead is looked for once, and not for an index."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.state = os.path.realpath(place.state) + os.sep if place.state else ""
        self._known: set[str] | None = None

    @property
    def known(self) -> set[str]:
        """Give the places of switches, by name."""
        if self._known is None:
            self._known = known(self.place)
        return self._known

    def __contains__(self, path: str) -> bool:
        if self.state and (path + os.sep).startswith(self.state):
            return True
        if is_in_force(path, self.place):
            return True
        folder, name = os.path.split(path)
        is_index = name == self.place.settings_of(self.place.cwd).index_name
        return not is_index and (path in self.known or folder + "/" in self.known)

    def below(self, folder: str) -> bool:
        """Tell whether a folder holds a switch."""
        above = folder.rstrip(os.sep) + os.sep
        return self.state.startswith(above) or any(
            path.startswith(above) and os.path.lexists(path) for path in self.known
        )


def _readings(path: str, place: Place) -> tuple[str, ...]:
    if not path or "\0" in path:
        return ()
    spelled = absolute(path, place.cwd)
    return tuple(dict.fromkeys((os.path.normpath(spelled), os.path.realpath(spelled))))


def _changed(write: Write, request: Request, matching: Matching, place: Place, switches: _Switches) -> Iterator[str]:
    """Give the switches that a write would change."""
    for path in _readings(write.path, place):
        if isinstance(write.change, Move) and os.path.isdir(path):
            path = os.path.join(path, os.path.basename(write.change.source))
        if os.path.basename(path) == "pyproject.toml":
            if _changes_our_table(path, write.change, request, matching, place):
                yield path
        elif path in switches:
            yield path


def _removed(request: Request, place: Place, switches: _Switches) -> Iterator[str]:
    """Give the switches that would not be there any more. What such a tool removes is under one key or another."""
    for named in list(texts_in(request.arguments))[:_MOST_NAMED]:
        for path in _readings(named, place):
            is_table = os.path.basename(path) == "pyproject.toml" and _has_our_table(path)
            if is_table or path in switches or switches.below(path):
                yield path


def _has_our_table(path: str) -> bool:
    from memstile.disk import read_small
    from memstile.settings_file import holds_settings

    data = read_small(path)
    return data is not None and holds_settings(data, path)


def _changes_our_table(path: str, change: Change, request: Request, matching: Matching, place: Place) -> bool:
    """Tell whether [tool.memstile] of a pyproject.toml would change; a project edits the rest of it all day."""
    from memstile.disk import read_small
    from memstile.settings_file import holds_settings, parse_text

    before = read_small(path)
    outcome, after = apply(_told(change, path, request, place), before, matching=matching)
    if outcome is Outcome.REJECTED:
        return False
    if outcome is Outcome.UNKNOWN:
        return (before is not None and holds_settings(before, path)) or _may_bring_it(change, request, place)
    tables = [parse_text(data, path) if data and holds_settings(data, path) else None for data in (before, after)]
    return tables[0] != tables[1]


def _told(change: Change, path: str, request: Request, place: Place) -> Change:
    """Complete a change whose result takes more than the file: spellings of it in an envelope, or what is moved."""
    match change:
        case Move(source):
            moved = _content(source, place)
            return Whole(moved) if isinstance(moved, bytes) else change
        case Patch(text):
            spellings = tuple(row.path for row in request.writes if path in _readings(row.path, place))
            sources = patch.moved_onto(patch.files(text), spellings)
            return change._replace(paths=spellings, sources=tuple((name, _content(name, place)) for name in sources))
        case _:
            return change


def _content(path: str, place: Place) -> Content:
    from memstile.disk import read_small

    spelled = absolute(path, place.cwd)
    data = read_small(spelled)
    return UNREAD if data is None and os.path.lexists(spelled) else data


def _may_bring_it(change: Change, request: Request, place: Place) -> bool:
    """Tell whether our name is in the text of a call, or its text lies in a file that cannot be read."""
    if isinstance(change, Move):
        return _content(change.source, place) is not None
    try:
        return "memstile" in repr((change, request.arguments))
    except RecursionError:
        return True


def judge_change(request: Request, place: Place) -> Answer:
    """Refuse that a host takes up hook settings which changed under it, while the index or the gate enforces."""
    if not _enforces(place):
        return SILENT
    return Answer(
        Verdict.DENY, SETTINGS_WRITE, settings_write(os.path.basename(request.settings_file) or "a settings file")
    )
