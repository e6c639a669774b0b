"""Judge a tool call before it runs: guard's switches first, then each index that it would write."""

from __future__ import annotations

import os

from memstile.core import patch
from memstile.core.answer import Answer, joined
from memstile.core.change import UNREAD, Applied, Change, Content, Move, Outcome, Patch, Whole, apply
from memstile.core.index_verdict import Index, judge_write
from memstile.core.matching import Matching
from memstile.core.measure import measure
from memstile.core.reading import Kind as Met
from memstile.core.reading import Reading
from memstile.core.record import NamedTuple
from memstile.core.request import Kind, Request, Write
from memstile.disk import read_index
from memstile.hook_place import Noted, Place
from memstile.hook_state import note_look
from memstile.hook_targets import Target, absolute, own_target, searched, target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_MOVED = 1_000
"""So many files are looked up for one envelope; in a longer one only those next to the index are read."""


class _Call(NamedTuple):
    """What is the same for all indexes of a call. names: see _names()."""

    matching: Matching
    place: Place
    names: Mapping[str, str]


def judge(request: Request, matching: Matching, place: Place) -> Answer:
    """Judge what a tool call would write. A read is never refused, and neither is a tool that is not known."""
    if request.kind is Kind.READ or not request.writes:
        return joined(())
    answers = [_switches_judged(request, matching, place)]
    call = _Call(matching, place, _names(request, place))
    for target, writes in _by_target(request, place):
        before = read_index(target.path)
        index = Index(target.name, before, target.is_by_name)
        for change in _readings(writes):
            applied = _applied(change, writes, before, call)
            answer = judge_write(index, applied, target.settings, is_known_tool=request.kind is Kind.WRITE)
            answers.append(answer)
            after = measure(applied.data or b"") if applied.outcome is Outcome.DONE else None
            mode = target.settings.index_mode
            if mode != "off":
                place.noted.append(Noted(target.path, answer.verdict, answer.code, before.size, after, mode))
        _note(target, before, place)
    return joined(answers)


def _switches_judged(request: Request, matching: Matching, place: Place) -> Answer:
    """Judge what may be a switch; a call about indexes alone, which is the usual one, loads nothing for it."""
    if request.kind is Kind.WRITE and all(_is_index_alone(write, place) for write in request.writes):
        return joined(())
    from memstile.hook_guard import judge_switches

    answer = judge_switches(request, matching, place)
    if answer.code:
        place.noted.append(Noted("", answer.verdict, answer.code, None, None, place.settings_of(place.cwd).index_mode))
    return answer


def _is_index_alone(write: Write, place: Place) -> bool:
    if isinstance(write.change, Move) or "\0" in write.path:  # what is moved away may be a switch
        return False
    real = os.path.realpath(absolute(write.path, place.cwd))
    return os.path.basename(real) == place.settings_of(place.cwd).index_name


def _by_target(request: Request, place: Place) -> list[tuple[Target, list[Write]]]:
    found: dict[str, tuple[Target, list[Write]]] = {}
    for write in request.writes:
        path = _landing(write, place)
        target = target_of(path, place.cwd, place.settings_of)
        if request.is_searched:
            target = searched(path, place.cwd, place.settings_of) or target
        target = target or own_target(path, place.cwd, request.own_vault, place.settings_of)
        if target:
            found.setdefault(target.path, (target, []))[1].append(write)
    return list(found.values())


def _landing(write: Write, place: Place) -> str:
    """Give the file that a write makes: what is moved onto a folder goes into it."""
    if not isinstance(write.change, Move) or not os.path.isdir(absolute(write.path, place.cwd)):
        return write.path
    return os.path.join(write.path, os.path.basename(write.change.source))


def _readings(writes: list[Write]) -> list[Change]:
    """Give the ways in which a call may be meant for one index, each once; they are never carried out one by one."""
    return list({(type(write.change), write.change): write.change for write in writes}.values())


def _applied(change: Change, writes: list[Write], before: Reading, call: _Call) -> Applied:
    """Say what a change makes of an index, with what lies in other files. writes: those of the index, as spelled."""
    if isinstance(change, Patch):
        change = _with_sources(change, tuple(write.path for write in writes), call)
    elif isinstance(change, Move):
        moved = _content(read_index(absolute(change.source, call.place.cwd)))
        if not isinstance(moved, bytes):
            return Applied(Outcome.REJECTED if moved is None else Outcome.UNKNOWN)
        change = Whole(moved)
    return apply(change, _content(before), matching=call.matching)


def _content(reading: Reading) -> Content:
    if reading.kind is Met.FILE:
        return reading.data
    return None if reading.kind is Met.MISSING else UNREAD


def _with_sources(change: Patch, spellings: tuple[str, ...], call: _Call) -> Patch:
    """Read the files that an envelope moves onto an index, straight or by way of others, however it spells them."""
    if patch.MOVE not in change.text:
        return change._replace(paths=spellings)
    moved = patch.moved_onto(patch.files(change.text), spellings, call.names)[-_MOST_MOVED:]
    sources = tuple((path, _content(read_index(_in_patch(path, call.place)))) for path in moved)
    return change._replace(paths=spellings, sources=sources, names=tuple(call.names.items()) if moved else ())


def _names(request: Request, place: Place) -> dict[str, str]:
    """Find the files that envelopes with moves spell in several ways, once for all indexes: each spelling's file."""
    texts = {write.change.text for write in request.writes if isinstance(write.change, Patch)}
    if not any(patch.MOVE in text for text in texts):
        return {}
    paths = [write.path for write in request.writes if "\0" not in write.path]
    named = os.path.realpath if len(paths) <= _MOST_MOVED else os.path.normpath
    names = {path: named(_in_patch(path, place)) for path in paths}
    spellings: dict[str, int] = {}
    for name in names.values():
        spellings[name] = spellings.get(name, 0) + 1
    return {path: name for path, name in names.items() if spellings[name] > 1}


def _in_patch(path: str, place: Place) -> str:
    """Follow a path of an envelope, in which "~" is a name as any other."""
    return absolute(path if os.path.isabs(path) else os.path.join(os.curdir, path), place.cwd)


def _note(target: Target, before: Reading, place: Place) -> None:
    """Remember how large the index was: what a shell does to it later is measured against that."""
    if before.data is not None:
        note_look(place.state, target.path, measure(before.data))
