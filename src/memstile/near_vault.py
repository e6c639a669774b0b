"""Guess which vault a configured path was meant for: a typo in it looks like a vault that is not in this checkout."""

from __future__ import annotations

import os
from collections.abc import Iterable

from memstile.outcome import Vault

_NEAR = 0.8  # of five characters one may be missing; one that is another is a name of its own


def meant(vault: Vault, others: Iterable[Vault]) -> str:
    """Write "; did you mean .agent-memory?" behind a vault that is not there, "" if none that was found is near.

    Near is a vault that no table names and whose path differs in one part, by little.
    """
    if vault.is_present or not vault.is_configured:
        return ""
    ratios = {other.shown: _ratio(vault.real, other.real) for other in others if _may_be_meant(other)}
    best = max(ratios.values(), default=0.0)
    near = sorted(shown for shown, ratio in ratios.items() if ratio == best)
    return f"; did you mean {' or '.join(near)}?" if best >= _NEAR else ""


def _may_be_meant(vault: Vault) -> bool:
    return vault.is_present and not vault.is_configured


def _ratio(path: str, other: str) -> float:
    """Compare the one part in which two paths differ: 0 for nothing in common, and where more than one part differs."""
    parts, others = path.split(os.sep), other.split(os.sep)
    different = [pair for pair in zip(parts, others, strict=False) if pair[0] != pair[1]]
    if len(parts) != len(others) or len(different) != 1:
        return 0.0
    from difflib import SequenceMatcher  # only where a vault is missing and others were found

    return SequenceMatcher(None, *different[0], autojunk=False).ratio()
