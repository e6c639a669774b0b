"""Say at the start of a session, in a line or two, what is wrong with the vault; nothing where all is well."""

from __future__ import annotations

import os

from memstile.core import reasons
from memstile.core.answer import Answer, joined
from memstile.core.caps import over_hard, over_soft
from memstile.core.request import Request
from memstile.core.text import shown
from memstile.core.verdict import Verdict
from memstile.disk import read_index
from memstile.hook_after import watched
from memstile.hook_place import Place
from memstile.hook_state import note_look
from memstile.hook_targets import Target
from memstile.hook_told import take_told

STATE = "VAULT_STATE"


def greet(request: Request, place: Place) -> Answer:
    """Look at the configured vaults; remember their sizes, and tell what is wrong."""
    targets = list(watched(request, place))
    return joined([*(_told(target, place) for target in targets), _git_told(targets, place)])


def _told(target: Target, place: Place) -> Answer:
    reading = read_index(target.path)
    settings = target.settings
    by_watcher = take_told(place.state, target.path)
    told = [by_watcher] if by_watcher else []
    if settings.index_mode == "off" or reading.size is None:
        return Answer(Verdict.WARN, STATE, by_watcher) if by_watcher else joined(())
    note_look(place.state, target.path, reading.size)
    caps = settings.caps
    excess = over_hard(reading.size, caps) or over_soft(reading.size, caps)
    told += [reasons.standing(target.name, excess, caps)] if excess else []
    lost = reasons.past_windows(target.name, reading.data or b"", settings.index_windows)
    told += [lost] if lost else []
    return Answer(Verdict.WARN, STATE, "memstile: " + "; ".join(told)) if told else joined(())


def _git_told(targets: list[Target], place: Place) -> Answer:
    """Tell what git would carry of the vaults, as `memstile check` finds it. Its parts are loaded here alone."""
    folders = tuple(os.path.dirname(target.path) for target in targets if target.settings.git_mode != "off")
    if not folders:
        return joined(())
    from memstile.core.check import check, selected
    from memstile.core.finding import Severity
    from memstile.core.rules import RULES
    from memstile.errors import GuardError
    from memstile.outcome import Request as Check
    from memstile.standing import Standing
    from memstile.tree import check_tree

    try:
        facts = check_tree(Check(folders), Standing(place.cwd, place.environment)).facts
    except GuardError as error:
        return Answer(Verdict.WARN, STATE, f"memstile: the vault was not checked: {shown(error.message)}")
    found = [row for row in check(facts, selected(RULES, ["MS2"])) if row.severity is Severity.ERROR]
    told = dict.fromkeys(f"{shown(row.path)}: {row.message} ({row.code})" for row in found)
    if not told:
        return joined(())
    return Answer(Verdict.WARN, STATE, f"memstile: {'; '.join(list(told)[:3])}; `memstile fix` mends it")
