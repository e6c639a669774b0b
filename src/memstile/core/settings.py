"""The settings as one flat value, with the built-in defaults.

Only values live here, because every hook call loads this module. Which keys there are is in setting_keys.py,
how several sources become one value in resolve.py, which of two settings is looser in loosening.py.
"""

from __future__ import annotations

from memstile.core.caps import Caps
from memstile.core.record import NamedTuple


class VaultSetting(NamedTuple):
    """One [[vault]] table.

    path: as written; "~" and "*" are not expanded. mode: auto, outside, ignored, dedicated or shared.
    base: the absolute folder a relative path starts from: that of the file that holds the table.
    """

    path: str
    mode: str = "auto"
    base: str = ""


class Settings(NamedTuple):
    """Every setting; a field is its key with underscores for dots ("index.hard_lines" is index_hard_lines).

    Units are in the names: _s seconds, _bytes raw bytes, _chars characters, _days days. A field's meaning and
    its allowed values: its row of KEYS.
    """

    index_name: str = "MEMORY.md"
    vaults: tuple[VaultSetting, ...] = ()
    index_mode: str = "enforce"
    index_hard_lines: int = 200
    index_hard_bytes: int = 25_600
    index_soft_lines: int = 150
    index_soft_bytes: int = 20_480
    index_windows: tuple[str, ...] = ("claude-code",)
    git_mode: str = "enforce"
    gate_mode: str = "audit"
    gate_profile: str = "compat"
    gate_servers: tuple[str, ...] = ("basic-memory",)
    gate_vault_files: bool = True
    gate_create_requires_search: bool = True
    gate_overwrite_requires_read: str = "profile"
    gate_duplicate_write: str = "deny"
    gate_secret_pattern: str = "profile"  # noqa: S105 - a level, no password
    gate_test_fixture: str = "profile"
    gate_test_fixture_allowed: tuple[str, ...] = ("tests/", "archive/policy-tests/")
    gate_turn_ttl_s: int = 3_600
    gate_on_error: str = "open"
    watch_mode: str = "audit"
    watch_quiet_s: float = 0.3
    watch_max_wait_s: float = 5.0
    watch_reconcile_s: float = 30.0
    audit_level: str = "decision"
    audit_path_redaction: str = "truncate"
    audit_max_path_chars: int = 64
    audit_retain_days: int = 90

    @property
    def caps(self) -> Caps:
        """Give the four cap numbers as the value that sizes are compared with."""
        return Caps(self.index_hard_lines, self.index_hard_bytes, self.index_soft_lines, self.index_soft_bytes)


DEFAULTS = Settings()

UNUSABLE = "unusable"
LOOSENING = "loosening"


class Fault(NamedTuple):
    """One entry that was not used. No guard turns off because of it: the value from below stays in force.

    name: the file as shown, "environment" or "command line". key: dotted, "" when the whole file is meant.
    message: one sentence without full stop. It and `hint` are escaped; no value in them is longer than 60
    characters.
    kind: UNUSABLE (a typo, a bad value, a broken file) or LOOSENING (usable, but not this file's to loosen).
    line: 1-based, None where it is not known.
    """

    name: str
    key: str
    message: str
    hint: str
    kind: str
    line: int | None = None


class Loosening(NamedTuple):
    """One key that became looser. before, after: the values as TOML text, at most 60 characters."""

    key: str
    before: str
    after: str
