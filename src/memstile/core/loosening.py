"""Compare two settings: which keys guard less than before."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping

from memstile.core.setting_key import Key, Kind, Tighter
from memstile.core.setting_keys import GUARD_LEVELS, KEYS
from memstile.core.setting_values import cut, value_text
from memstile.core.settings import Loosening, Settings, VaultSetting
from memstile.core.vault import default_mode

PROFILE_LEVEL = {"compat": "warn", "strict": "deny"}
"""What "profile" stands for in a guard's key. Source: DESIGN, the turn gate."""

_MODE_RANK = {"shared": 0, "dedicated": 1, "outside": 1, "auto": 2, "ignored": 3}


def mode_rank(mode: str) -> int:
    """Order vault modes by what they ask of git: shared nothing, auto what it finds, ignored everything."""
    return _MODE_RANK[mode]


def strictest(modes: Iterable[str]) -> str:
    """Give the mode that asks most of git. auto leaves the word to any other; modes: at least one."""
    return max(modes, key=lambda mode: (mode != "auto", mode_rank(mode)))


def is_looser(key: Key, before: Settings, after: Settings) -> bool:
    """Tell whether a key guards less in `after` than in `before`; never one that has no tighter side."""
    return _LOOSER[key.tighter](key, before, after)


def loosened(before: Settings, after: Settings) -> tuple[Loosening, ...]:
    """Name every key that moved in its loosening direction, in the order of KEYS.

    A vault is known by its path as written: where the file that names it lies does not count. One that `before` does
    not name had the default mode: a table that comes with a looser one takes the vault out of the git rules.
    """
    return tuple(row for key in KEYS for row in _loosenings(key, before, after))


def _loosenings(key: Key, before: Settings, after: Settings) -> Iterator[Loosening]:
    if key.kind is Kind.VAULTS:
        yield from _vault_loosenings(before.vaults, after.vaults)
    elif is_looser(key, before, after):
        yield Loosening(key.name, _text(key, before), _text(key, after))


def _text(key: Key, settings: Settings) -> str:
    return value_text(getattr(settings, key.field))


def _vault_loosenings(before: tuple[VaultSetting, ...], after: tuple[VaultSetting, ...]) -> Iterator[Loosening]:
    old, new = _modes(before), _modes(after)
    for path in dict.fromkeys((*old, *new)):
        mode, left = old.get(path) or default_mode(f"/{path}"), new.get(path)
        if left is None or mode_rank(left) < mode_rank(mode):
            name = cut(path, 40)
            yield Loosening("vault", f'"{name}" ({mode})', f'"{name}" ({left})' if left else "none")


def _modes(vaults: tuple[VaultSetting, ...]) -> dict[str, str]:
    modes: dict[str, str] = {}
    for vault in vaults:
        path = posixpath.normpath(vault.path)
        modes[path] = max(vault.mode, modes.get(path, vault.mode), key=mode_rank)
    return modes


def _earlier(key: Key, before: Settings, after: Settings) -> bool:
    return key.choices.index(getattr(after, key.field)) < key.choices.index(getattr(before, key.field))


def _lower_level(key: Key, before: Settings, after: Settings) -> bool:
    if getattr(after, key.field) == getattr(before, key.field):
        return False  # a change of the profile is told once, as gate.profile
    return _level(key, after) < _level(key, before)


def _level(key: Key, settings: Settings) -> int:
    level = getattr(settings, key.field)
    return GUARD_LEVELS.index(PROFILE_LEVEL[settings.gate_profile] if level == "profile" else level)


def _higher(key: Key, before: Settings, after: Settings) -> bool:
    return bool(getattr(after, key.field) > getattr(before, key.field))


def _no_longer(key: Key, before: Settings, after: Settings) -> bool:
    return bool(getattr(before, key.field) and not getattr(after, key.field))


def _entry_gone(key: Key, before: Settings, after: Settings) -> bool:
    return not set(getattr(before, key.field)).issubset(getattr(after, key.field))


def _entry_new(key: Key, before: Settings, after: Settings) -> bool:
    return _entry_gone(key, after, before)


def _vault_looser(_key: Key, before: Settings, after: Settings) -> bool:
    return any(_vault_loosenings(before.vaults, after.vaults))


def _never(_key: Key, _before: Settings, _after: Settings) -> bool:
    return False


_LOOSER: Mapping[Tighter, Callable[[Key, Settings, Settings], bool]] = {
    Tighter.LATER: _earlier,
    Tighter.LEVEL: _lower_level,
    Tighter.LOWER: _higher,
    Tighter.TRUE: _no_longer,
    Tighter.MORE: _entry_gone,
    Tighter.FEWER: _entry_new,
    Tighter.VAULTS: _vault_looser,
    Tighter.NONE: _never,
}
