"""Guess which word a person meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_MAX_CHARS = 80
_NEAR = 0.7  # of five characters one may be wrong, of three none


def meant(word: str, words: Iterable[str]) -> str:
    """Write "did you mean check" from the words that are nearest, "" if none is near. word: as typed, any case."""
    typed = word.strip().lower()[:_MAX_CHARS]  # the time grows with the square of its length
    ratios = {known: SequenceMatcher(None, known.lower(), typed).ratio() for known in words}
    most = max(_NEAR, *ratios.values())
    near = sorted(known for known, ratio in ratios.items() if ratio == most)
    return f"did you mean {' or '.join(near)}" if near else ""
