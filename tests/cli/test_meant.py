"""cli/meant.py: which word was meant."""

from __future__ import annotations

import pytest

from memstile.cli.meant import meant

# word: what is meant by it, of MS101, MS102 and index-over-cap
MEANT = {
    "": "",
    "x": "",
    "MS10x": "did you mean MS101 or MS102",
    "ms-101": "did you mean MS101",
    " INDEX-OVERCAP\n": "did you mean index-over-cap",
}


@pytest.mark.parametrize(("word", "words"), MEANT.items())
def test_what_is_meant_by_a_word(word: str, words: str) -> None:
    assert meant(word, ("MS102", "MS101", "index-over-cap")) == words
