"""Say at the start of a session, in a line or two, what is wrong with the vault; nothing where all is well."""

from __future__ import annotations

from memstile.core import reasons
from memstile.core.answer import Answer, joined
from memstile.core.caps import over_hard, over_soft
from memstile.core.request import Request
from memstile.core.verdict import Verdict
from memstile.disk import read_index
from memstile.hook_after import watched
from memstile.hook_place import Place
from memstile.hook_state import note_look
from memstile.hook_targets import Target

STATE = "VAULT_STATE"


def greet(request: Request, place: Place) -> Answer:
    """Look at the configured vaults; remember their sizes, and tell what is wrong."""
    return joined(_told(target, place) for target in watched(request, place))


def _told(target: Target, place: Place) -> Answer:
    reading = read_index(target.path)
    settings = target.settings
    if settings.index_mode == "off" or reading.size is None:
        return joined(())
    note_look(place.state, target.path, reading.size)
    caps = settings.caps
    excess = over_hard(reading.size, caps) or over_soft(reading.size, caps)
    told = [reasons.standing(target.name, excess, caps)] if excess else []
    lost = reasons.past_windows(target.name, reading.data or b"", settings.index_windows)
    told += [lost] if lost else []
    return Answer(Verdict.WARN, STATE, "memstile: " + "; ".join(told)) if told else joined(())
