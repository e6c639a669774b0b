"""Recorded payloads of hosts, and JSON that no host would send."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hypothesis import strategies as st

FOLDER = Path(__file__).parent.parent / "payloads"

_TEXT = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=10,
)


def recorded(host: str) -> dict[str, object]:
    """Give the recorded payloads of a host by their paths below its folder."""
    folder = FOLDER / host
    return {str(path.relative_to(folder)): json.loads(path.read_bytes()) for path in sorted(folder.rglob("*.json"))}


def altered(payloads: Iterable[object]) -> st.SearchStrategy[object]:
    """Give payloads in which any of the values became something else, or went away."""
    return st.sampled_from([payload for payload in payloads if isinstance(payload, dict)]).flatmap(
        lambda payload: st.fixed_dictionaries(
            {}, optional={key: st.just(value) | JSON for key, value in payload.items()}
        )
    )
