"""Make one of several settings for the turn gate: of each key the strictest, of vaults and servers all."""

from __future__ import annotations

from memstile.core.settings import DEFAULTS, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeVar

    T = TypeVar("T")

_MODES = ("off", "audit", "enforce")
_LEVELS = ("off", "warn", "deny")
_OF_PROFILE = {"compat": "warn", "strict": "deny"}


def strictest(several: Sequence[Settings]) -> Settings:
    """Join settings that may all hold for one call; what is not of the gate is the first's. Of none: the defaults."""
    if len(several) < 2:
        return several[0] if several else DEFAULTS
    first = several[0]
    return first._replace(
        vaults=_all(row.vaults for row in several),
        gate_mode=max((row.gate_mode for row in several), key=_MODES.index),
        gate_profile="strict" if any(row.gate_profile == "strict" for row in several) else first.gate_profile,
        gate_servers=_all(row.gate_servers for row in several),
        gate_vault_files=any(row.gate_vault_files for row in several),
        gate_create_requires_search=any(row.gate_create_requires_search for row in several),
        gate_overwrite_requires_read=_level((row.gate_overwrite_requires_read, row.gate_profile) for row in several),
        gate_duplicate_write=_level((row.gate_duplicate_write, row.gate_profile) for row in several),
        gate_secret_pattern=_level((row.gate_secret_pattern, row.gate_profile) for row in several),
        gate_test_fixture=_level((row.gate_test_fixture, row.gate_profile) for row in several),
        gate_test_fixture_allowed=tuple(
            folder
            for folder in first.gate_test_fixture_allowed
            if all(folder in row.gate_test_fixture_allowed for row in several)
        ),
        gate_on_error="closed" if any(row.gate_on_error == "closed" for row in several) else first.gate_on_error,
    )


def _all(several: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(row for rows in several for row in rows))


def _level(several: Iterable[tuple[str, str]]) -> str:
    """Give the strictest level of a guard. several: its key and the profile of each."""
    levels = (_OF_PROFILE.get(profile, "deny") if key == "profile" else key for key, profile in several)
    return max(levels, key=_LEVELS.index)
