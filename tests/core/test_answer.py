"""core/answer.py: several answers become one, and one is fitted to what a host can carry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.answer import SILENT, Answer, Carried, Channel, carried, joined
from memstile.core.verdict import Verdict

ALLOW, WARN, ASK, DENY = Verdict
EVERY = frozenset(Channel)

CARRIED = [
    pytest.param(SILENT, EVERY, Carried(SILENT), id="silence"),
    pytest.param(Answer(DENY, "C", "why"), EVERY, Carried(Answer(DENY, "C", "why")), id="deny"),
    pytest.param(Answer(ASK, "C", "why"), EVERY, Carried(Answer(ASK, "C", "why")), id="ask"),
    pytest.param(Answer(ASK, "C", "why"), {Channel.DENY}, Carried(Answer(DENY, "C", "why")), id="nobody to ask"),
    pytest.param(Answer(ASK, "C", "why"), {Channel.MODEL}, Carried(Answer(WARN, "C", "why")), id="ask, too late"),
    pytest.param(Answer(DENY, "C", "why"), {Channel.MODEL}, Carried(Answer(WARN, "C", "why")), id="deny, too late"),
    pytest.param(Answer(DENY, "C", "why"), (), Carried(Answer(ALLOW, "C"), "why"), id="deny, nothing carried"),
    pytest.param(Answer(WARN, "C", "look"), EVERY, Carried(Answer(WARN, "C", "look")), id="warn"),
    pytest.param(
        Answer(WARN, "C", "look", "see"), {Channel.DENY}, Carried(Answer(ALLOW, "C", "", "see"), "look"), id="waits"
    ),
]


@pytest.mark.parametrize(("answer", "channels", "expected"), CARRIED)
def test_an_answer_is_fitted_to_the_channels(answer: Answer, channels: set[Channel], expected: Carried) -> None:
    assert carried(answer, channels) == expected


ANSWERS = st.builds(Answer, st.sampled_from(list(Verdict)), st.just("C"), st.sampled_from(["", "model"]), st.just(""))
CHANNELS = st.sets(st.sampled_from(list(Channel)))


@given(ANSWERS, CHANNELS)
def test_no_text_for_the_model_is_lost(answer: Answer, channels: set[Channel]) -> None:
    sent, waiting = carried(answer, channels)
    assert (sent.to_model or waiting) == answer.to_model


@given(ANSWERS, CHANNELS)
def test_a_refusal_stays_one_where_the_host_can_refuse(answer: Answer, channels: set[Channel]) -> None:
    sent = carried(answer, {*channels, Channel.DENY}).answer
    assert (sent.verdict >= ASK) is (answer.verdict >= ASK)


@given(ANSWERS, CHANNELS)
def test_a_warning_never_becomes_a_refusal(answer: Answer, channels: set[Channel]) -> None:
    if answer.verdict < ASK:
        assert carried(answer, channels).answer.verdict < ASK


JOINED = [
    pytest.param([], SILENT, id="none"),
    pytest.param([SILENT, SILENT], SILENT, id="silence"),
    pytest.param([Answer(WARN, "W", "w"), SILENT], Answer(WARN, "W", "w"), id="one speaks"),
    pytest.param(
        [Answer(WARN, "W", "w"), Answer(DENY, "D", "d")], Answer(DENY, "D", "d\n\nw"), id="the strictest first"
    ),
    pytest.param([Answer(WARN, "A", "x"), Answer(WARN, "B", "x")], Answer(WARN, "A", "x"), id="said once"),
]


@pytest.mark.parametrize(("answers", "expected"), JOINED)
def test_several_answers_become_one(answers: list[Answer], expected: Answer) -> None:
    assert joined(answers) == expected
