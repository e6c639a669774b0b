"""What a place does about a change: allow, warn, ask or deny; the stricter of two wins."""

from __future__ import annotations

from memstile.core.caps import Caps, Excess, grown_over_hard, over_hard, over_soft
from memstile.core.choice import IntEnum
from memstile.core.measure import Size
from memstile.core.record import NamedTuple


class Verdict(IntEnum):
    """Ordered: `max` of several verdicts is the strictest."""

    ALLOW = 0
    WARN = 1
    ASK = 2
    DENY = 3


class Judgement(NamedTuple):
    """A verdict on a size change. excess: the dimensions it rests on, () for ALLOW."""

    verdict: Verdict
    excess: tuple[Excess, ...]
    is_over_hard: bool


def judge(before: Size, after: Size, caps: Caps) -> Judgement:
    """Judge a change of an index by the growth rule.

    before: EMPTY for a new index; lines None where the base could not be read (then lines are not judged).
    DENY: over a hard cap and grown in that dimension. WARN: over a hard cap without growth, or over a soft cap.
    """
    grown = grown_over_hard(before, after, caps)
    if grown:
        return Judgement(Verdict.DENY, grown, is_over_hard=True)
    hard = over_hard(after, caps, before)
    if hard:
        return Judgement(Verdict.WARN, hard, is_over_hard=True)
    soft = over_soft(after, caps, before)
    return Judgement(Verdict.WARN if soft else Verdict.ALLOW, soft, is_over_hard=False)
