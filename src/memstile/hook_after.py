"""Look at the configured indexes after something ran that no hook can compute: a shell, a tool that is not known."""

from __future__ import annotations

import os

from memstile.core import reasons
from memstile.core.answer import Answer, joined
from memstile.core.caps import grown_over_hard
from memstile.core.reading import Reading
from memstile.core.request import Request
from memstile.core.verdict import Verdict
from memstile.disk import read_index
from memstile.hook_place import Place
from memstile.hook_state import last_look, note_look
from memstile.hook_targets import Target, configured_indexes, target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def look(request: Request, place: Place) -> Answer:
    """Tell of each index that grew past its cap since it was last looked at. Nothing can be refused any more."""
    return joined(_told(target, place) for target in watched(request, place))


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


def _told(target: Target, place: Place) -> Answer:
    before = last_look(place.state, target.path)
    now: Reading = read_index(target.path)
    if now.size is None or target.settings.index_mode == "off":
        return joined(())
    note_look(place.state, target.path, now.size)
    grown = grown_over_hard(before, now.size, target.settings.caps) if before else ()
    if not grown:
        return joined(())
    return Answer(Verdict.WARN, reasons.GREW_UNSEEN, reasons.grew_unseen(target.name, grown, now.data or b""))
