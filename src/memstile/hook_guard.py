"""Guard the guard's own switches: memstile's settings, state and launcher, and the hook settings of each host."""

from __future__ import annotations

import os

from memstile.core.answer import SILENT, Answer
from memstile.core.change import Outcome, apply
from memstile.core.matching import Matching
from memstile.core.reasons import SETTINGS_WRITE, settings_write
from memstile.core.request import Kind, Request, Write
from memstile.core.switches import is_switch
from memstile.core.verdict import Verdict
from memstile.hook_place import Place
from memstile.hook_targets import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def judge_switches(request: Request, matching: Matching, place: Place) -> Answer:
    """Have the person decide about a write to a switch, while the index or the gate enforces."""
    if request.kind is not Kind.WRITE:
        return SILENT
    for write in request.writes:
        if write.path and "\0" not in write.path:
            for path in _readings(write, place):
                if _is_guarded(path, write, matching, place) and _enforces(path, place):
                    return Answer(Verdict.ASK, SETTINGS_WRITE, settings_write(os.path.basename(path)))
    return SILENT


def _readings(write: Write, place: Place) -> Iterator[str]:
    spelled = absolute(write.path, place.cwd)
    yield from dict.fromkeys((os.path.normpath(spelled), os.path.realpath(spelled)))


def _enforces(path: str, place: Place) -> bool:
    settings = place.settings_of(place.cwd)
    return "enforce" in (settings.index_mode, settings.gate_mode)


def _is_guarded(path: str, write: Write, matching: Matching, place: Place) -> bool:
    if place.state and (path + os.sep).startswith(os.path.realpath(place.state) + os.sep):
        return True
    if os.path.basename(path) == "pyproject.toml":
        return _changes_our_table(path, write, matching)
    return is_switch(path.replace(os.sep, "/"))


def _changes_our_table(path: str, write: Write, matching: Matching) -> bool:
    """Tell whether [tool.memstile] of a pyproject.toml would change; a project edits the rest of it all day."""
    from memstile.disk import read_small
    from memstile.settings_file import holds_settings, parse_text

    before = read_small(path)
    applied = apply(write.change, before, matching=matching)
    if applied.outcome is Outcome.REJECTED:
        return False
    if applied.outcome is Outcome.UNKNOWN:
        return before is not None and holds_settings(before, path)
    tables = [
        parse_text(data, path) if data and holds_settings(data, path) else None for data in (before, applied.data)
    ]
    return tables[0] != tables[1]


def judge_change(request: Request, place: Place) -> Answer:
    """Refuse that a host takes up hook settings which changed under it, while the index or the gate enforces."""
    if not _enforces(place.cwd, place):
        return SILENT
    return Answer(
        Verdict.DENY, SETTINGS_WRITE, settings_write(os.path.basename(request.settings_file) or "a settings file")
    )
