"""Look at the configured indexes after something ran that no hook can compute: a shell, a tool that is not known."""

from __future__ import annotations

import os

from memstile.core import reasons
from memstile.core.answer import SILENT, Answer, joined
from memstile.core.caps import grown_over_hard
from memstile.core.reading import Kind as Met
from memstile.core.reading import Reading
from memstile.core.request import Kind, Request
from memstile.core.verdict import Verdict
from memstile.core.wiped import is_wiped
from memstile.disk import read_index
from memstile.hook_place import Noted, Place
from memstile.hook_state import last_look, note_look
from memstile.hook_targets import Target, configured_indexes, target_of
from memstile.hook_told import take_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def look(request: Request, place: Place) -> Answer:
    """Tell of each index that grew past its cap, lost more than half, or is gone, since it was last looked at.

    Nothing can be refused any more. What a tool that writes made smaller was told before it ran.
    """
    foretold = _foretold(request, place)
    targets = (*watched(request, place), *_own_gone(request, place))
    return joined(_told(target, place, is_foretold=target.path in foretold) for target in targets)


def watched(request: Request, place: Place) -> Iterator[Target]:
    """Give the indexes to look at: the configured ones, the host's own, and those that the call names."""
    settings = place.settings_of(place.cwd)
    own = [os.path.join(request.own_vault, settings.index_name)] if request.own_vault else []
    paths = [*configured_indexes(settings), *filter(os.path.exists, own), *(write.path for write in request.writes)]
    seen = set()
    for path in paths:
        target = target_of(path, place.cwd, place.settings_of)
        if target and target.path not in seen:
            seen.add(target.path)
            yield target


def _own_gone(request: Request, place: Place) -> Iterator[Target]:
    """Give the index of the host's own vault where it is not there: nothing but its place says what it was."""
    settings = place.settings_of(request.own_vault or place.cwd)
    own = os.path.join(request.own_vault, settings.index_name)
    if request.own_vault and not os.path.lexists(own):
        yield Target(os.path.realpath(own), settings)


def _foretold(request: Request, place: Place) -> set[str]:
    """Give the indexes that the call was judged for before it ran."""
    if request.kind is not Kind.WRITE:
        return set()
    targets = (target_of(write.path, place.cwd, place.settings_of) for write in request.writes)
    return {target.path for target in targets if target}


def _told(target: Target, place: Place, *, is_foretold: bool) -> Answer:
    before = last_look(place.state, target.path)
    now: Reading = read_index(target.path)
    after = now.size
    if after is None or target.settings.index_mode == "off":
        return SILENT
    note_look(place.state, target.path, after)
    told = []
    if before is None:
        before = after
    grown = grown_over_hard(before, after, target.settings.caps)
    if grown:
        text = reasons.grew_unseen(target.name, grown, now.data or b"")
        told.append(Answer(Verdict.WARN, reasons.GREW_UNSEEN, text))
    if is_wiped(before, after) and not is_foretold:
        left = "" if now.kind is Met.MISSING else reasons.size_text(*after)
        text = reasons.shrank_unseen(target.name, reasons.size_text(*before), left)
        told.append(Answer(Verdict.WARN, reasons.SHRANK, text))
    by_watcher = take_told(place.state, target.path)
    told += [Answer(Verdict.WARN, "", by_watcher)] if by_watcher else []
    answer = joined(told)
    if answer.code:
        mode = target.settings.index_mode
        place.noted.append(Noted(target.path, answer.verdict, answer.code, before, after, mode))
    return answer
