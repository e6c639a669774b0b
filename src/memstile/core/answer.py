"""What a hook answers, before it is put into a host's words, and what becomes of it where a host cannot carry it."""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.record import NamedTuple
from memstile.core.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstile.core.gate_step import GateAnswer


class Channel(Enum):
    """A way an answer can reach somebody at one event of one host.

    DENY refuses the call, and its reason reaches the model. ASK has the person decide. MODEL, PERSON: a text reaches
    the model, or the person alone, and the call goes on.
    """

    DENY = "deny"
    ASK = "ask"
    MODEL = "model"
    PERSON = "person"


class Answer(NamedTuple):
    """A verdict with its texts. code: reason code, "" for silence. to_model: what the model reads; with DENY and ASK
    it is the reason. to_person: for the person, where the host can show it. Both hold no note text. gated: what the
    turn gate said of a call, for a host that tells it; None where it was not asked.
    """

    verdict: Verdict = Verdict.ALLOW
    code: str = ""
    to_model: str = ""
    to_person: str = ""
    gated: GateAnswer | None = None


SILENT = Answer()


class Carried(NamedTuple):
    """What a host can be told now, and the texts that have to wait for an event that can carry them."""

    answer: Answer
    waiting: str = ""


def joined(answers: Iterable[Answer]) -> Answer:
    """Make one answer of several: the strictest verdict with its code, the texts of that verdict, then the others'."""
    spoken = [answer for answer in answers if answer != SILENT]
    if not spoken:
        return SILENT
    spoken.sort(key=lambda answer: -answer.verdict)
    return Answer(
        spoken[0].verdict,
        spoken[0].code,
        _paragraphs(answer.to_model for answer in spoken),
        _paragraphs(answer.to_person for answer in spoken),
        next((answer.gated for answer in spoken if answer.gated), None),
    )


def carried(answer: Answer, channels: Iterable[Channel]) -> Carried:
    """Fit an answer to what a host can carry at this event; it never gets weaker than it can be.

    ASK becomes DENY where nobody can be asked. A refusal that comes too late becomes a text. A text for the model that
    cannot be sent waits; it never becomes a refusal.
    """
    can = frozenset(channels)
    verdict, code, to_model, to_person, gated = answer
    if verdict is Verdict.ASK and Channel.ASK not in can:
        verdict = Verdict.DENY
    if verdict is Verdict.DENY and Channel.DENY not in can:
        verdict = Verdict.WARN
    if verdict < Verdict.ASK and to_model and Channel.MODEL not in can:
        return Carried(Answer(Verdict.ALLOW, code, "", to_person, gated), to_model)
    return Carried(Answer(verdict, code, to_model, to_person, gated))


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(dict.fromkeys(text for text in texts if text))
