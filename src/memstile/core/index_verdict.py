"""Decide about a tool call that writes an index: the table of DESIGN, "A change before it lands", row by row."""

from __future__ import annotations

from memstile.core import reasons
from memstile.core.answer import SILENT, Answer, joined
from memstile.core.caps import over_hard
from memstile.core.change import Applied, Outcome
from memstile.core.measure import EMPTY, Size, measure
from memstile.core.reading import Kind, Reading
from memstile.core.record import NamedTuple
from memstile.core.settings import Settings
from memstile.core.verdict import Verdict, judge
from memstile.core.wiped import is_wiped


class Index(NamedTuple):
    """An index that a call would write. name: for messages, the vault's folder and the file. is_by_name: nothing but
    its name says that it is one."""

    name: str
    before: Reading
    is_by_name: bool = False


def judge_write(index: Index, applied: Applied, settings: Settings, *, is_known_tool: bool = True) -> Answer:
    """Decide about one write to one index.

    applied: what the call makes of the file. is_known_tool: False for a tool that may or may not write it, which is
    never refused. In audit mode nothing is refused; what would have been is told.
    """
    if settings.index_mode == "off" or applied.outcome is Outcome.REJECTED:
        return SILENT
    if applied.outcome is Outcome.UNKNOWN:
        answer = _unknown(index, settings, is_known_tool=is_known_tool)
    else:
        answer = _known(index, applied.data, settings)
    if answer.verdict is Verdict.DENY and settings.index_mode == "audit":
        answer = answer._replace(verdict=Verdict.WARN, to_model=_AUDIT + answer.to_model)
    if answer.verdict is Verdict.DENY and index.is_by_name:
        answer = answer._replace(to_model=f"{answer.to_model}\n{reasons.BY_NAME_ALONE}")
    return answer


_AUDIT = 'Let through, since index.mode is "audit"; it would have been refused:\n'


def _unknown(index: Index, settings: Settings, *, is_known_tool: bool) -> Answer:
    before = index.before
    if not is_known_tool:
        why = "the tool is not known, so what it leaves in the index is not either"
        return Answer(Verdict.WARN, reasons.UNVERIFIED, reasons.unverified(index.name, why))
    excess = over_hard(before.size, settings.caps) if before.size else ()
    if excess:
        return Answer(Verdict.DENY, reasons.NOT_COMPUTABLE, reasons.not_computable(index.name, excess))
    return _if_unread(index)


def _if_unread(index: Index) -> Answer:
    if index.before.kind in (Kind.FILE, Kind.MISSING):
        return SILENT
    told = reasons.unverified(index.name, f"it could not be read ({index.before.why})")
    return Answer(Verdict.WARN, reasons.UNVERIFIED, told, told)


def _known(index: Index, after: bytes | None, settings: Settings) -> Answer:
    before = index.before.size
    if before is None:
        return _if_unread(index)
    data = after or b""
    size = EMPTY if after is None else measure(data)
    judgement = judge(before, size, settings.caps)
    if judgement.verdict is Verdict.DENY:
        return Answer(Verdict.DENY, reasons.GREW, reasons.grew(index.name, judgement.excess, data))
    told = [_if_unread(index), _warned(index, size, data, settings)]
    if is_wiped(before, size):
        words = (reasons.size_text(*before), reasons.size_text(*size))
        told.append(Answer(Verdict.WARN, reasons.SHRANK, reasons.shrank(index.name, *words)))
    return joined(told)


def _warned(index: Index, size: Size, data: bytes, settings: Settings) -> Answer:
    judgement = judge(size, size, settings.caps)
    if judgement.is_over_hard:
        return Answer(Verdict.WARN, reasons.OVER_HARD, reasons.over_hard(index.name, judgement.excess, data))
    told = []
    if judgement.excess:
        told.append(Answer(Verdict.WARN, reasons.OVER_SOFT, reasons.over_soft(index.name, judgement.excess, data)))
    lost = reasons.past_windows(index.name, data, settings.index_windows)
    if lost:
        told.append(Answer(Verdict.WARN, reasons.PAST_WINDOW, lost))
    return joined(told)
