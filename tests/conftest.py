"""Settings for every test: a busy machine must not fail a property test by its clock; how to make our choices."""

from __future__ import annotations

import hypothesis
from hypothesis import strategies as st

from memstile.core import turn_calls
from memstile.core.answer import Channel
from memstile.core.change import Outcome, Unread
from memstile.core.gate_words import CallClass, Classification, Level, Recall
from memstile.core.matching import Matching
from memstile.core.patch import Operation
from memstile.core.request import Event, Kind
from memstile.core.turn import Signal
from memstile.core.verdict import Verdict

hypothesis.settings.register_profile("memstile", deadline=None, print_blob=True)
hypothesis.settings.load_profile("memstile")

# Hypothesis knows the classes of `enum`, not those of core/choice.py.
for choice in (
    CallClass,
    Channel,
    Classification,
    Event,
    Kind,
    Level,
    Matching,
    Operation,
    Outcome,
    Recall,
    Signal,
    turn_calls.Outcome,
    Unread,
    Verdict,
):
    st.register_type_strategy(choice, st.sampled_from(list(choice)))
