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
from memstile.core.request import Kind, Request, Write
from memstile.disk import read_index
from memstile.hook_guard import judge_switches
from memstile.hook_place import Place
from memstile.hook_state import note_look
from memstile.hook_targets import Target, absolute, searched, target_of


def judge(request: Request, matching: Matching, place: Place) -> Answer:
    """Judge what a tool call would write. A read is never refused, and neither is a tool that is not known."""
    if request.kind is Kind.READ or not request.writes:
        return joined(())
    answers = [judge_switches(request, matching, place)]
    for target, writes in _by_target(request, place):
        before = read_index(target.path)
        applied = _applied(writes, before, matching, request, place)
        index = Index(target.name, before, target.is_by_name)
        answers.append(judge_write(index, applied, target.settings, is_known_tool=request.kind is Kind.WRITE))
        _note(target, before, place)
    return joined(answers)


def _by_target(request: Request, place: Place) -> list[tuple[Target, list[Write]]]:
    found: dict[str, tuple[Target, list[Write]]] = {}
    for write in request.writes:
        target = target_of(write.path, place.cwd, place.settings_of)
        if request.is_searched:
            target = searched(write.path, place.cwd, place.settings_of) or target
        if target:
            found.setdefault(target.path, (target, []))[1].append(write)
    return list(found.values())


def _applied(writes: list[Write], before: Reading, matching: Matching, request: Request, place: Place) -> Applied:
    """Say what all writes of a call make of one index; several that are no envelope cannot be told apart."""
    content = _content(before)
    change: Change = writes[0].change
    if isinstance(change, Patch):
        spellings = tuple(write.path for write in writes)
        change = change._replace(paths=spellings, sources=_sources(change.text, spellings, place))
    elif len(writes) > 1:
        return Applied(Outcome.UNKNOWN)
    elif isinstance(change, Move):
        moved = _content(read_index(absolute(change.source, place.cwd)))
        if not isinstance(moved, bytes):
            return Applied(Outcome.REJECTED if moved is None else Outcome.UNKNOWN)
        change = Whole(moved)
    return apply(change, content, matching=matching)


def _content(reading: Reading) -> Content:
    if reading.kind is Met.FILE:
        return reading.data
    return None if reading.kind is Met.MISSING else UNREAD


def _sources(envelope: str, spellings: tuple[str, ...], place: Place) -> tuple[tuple[str, Content], ...]:
    moved = patch.moved_onto(patch.files(envelope), spellings)
    return tuple((path, _content(read_index(os.path.join(place.cwd, path)))) for path in moved)


def _note(target: Target, before: Reading, place: Place) -> None:
    """Remember how large the index was: what a shell does to it later is measured against that."""
    if before.data is not None:
        note_look(place.state, target.path, measure(before.data))
