"""core/settings.py and its table: one row a field, and the readable defaults say the same."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from memstile.core.caps import Caps
from memstile.core.resolve import Origin, Source, resolve
from memstile.core.setting_key import Authority, Kind, Tighter
from memstile.core.setting_keys import KEY_BY_PLACE, KEYS, TABLES, VAULT_MODES
from memstile.core.setting_values import Parsed, parse
from memstile.core.settings import DEFAULTS, Settings, VaultSetting


def test_every_field_has_its_row_in_order() -> None:
    assert [key.field for key in KEYS] == list(Settings._fields)


def test_the_defaults_are_those_of_the_contract() -> None:
    assert Settings() == DEFAULTS
    assert DEFAULTS._asdict() == {
        "index_name": "MEMORY.md",
        "vaults": (),
        "index_mode": "enforce",
        "index_hard_lines": 200,
        "index_hard_bytes": 25_600,
        "index_soft_lines": 150,
        "index_soft_bytes": 20_480,
        "index_windows": ("claude-code",),
        "git_mode": "enforce",
        "gate_mode": "audit",
        "gate_profile": "compat",
        "gate_servers": ("basic-memory",),
        "gate_vault_files": True,
        "gate_create_requires_search": True,
        "gate_overwrite_requires_read": "profile",
        "gate_duplicate_write": "deny",
        "gate_secret_pattern": "profile",
        "gate_test_fixture": "profile",
        "gate_test_fixture_allowed": ("tests/", "archive/policy-tests/"),
        "gate_turn_ttl_s": 3_600,
        "gate_on_error": "open",
        "watch_mode": "audit",
        "watch_quiet_s": 0.3,
        "watch_max_wait_s": 5.0,
        "watch_reconcile_s": 30.0,
        "audit_level": "decision",
        "audit_path_redaction": "truncate",
        "audit_max_path_chars": 64,
        "audit_retain_days": 90,
    }


def test_the_caps_are_the_four_numbers() -> None:
    settings = DEFAULTS._replace(index_hard_lines=4, index_hard_bytes=3, index_soft_lines=2, index_soft_bytes=1)
    assert settings.caps == Caps(hard_lines=4, hard_bytes=3, soft_lines=2, soft_bytes=1)
    assert DEFAULTS.caps == Caps()


def test_a_vault_is_auto_unless_told_otherwise() -> None:
    assert VaultSetting("a") == VaultSetting("a", "auto", "")


def test_a_default_can_be_written_down_and_read_back() -> None:
    plain = [key for key in KEYS if key.kind is not Kind.VAULTS]
    assert [parse(key, key.default) for key in plain] == [Parsed(key.default) for key in plain]


def test_each_row_is_in_a_table_that_is_described() -> None:
    assert {key.table for key in KEYS} == {"", *TABLES}
    assert [key for key in KEYS if not key.says.endswith(".")] == []
    assert len(KEY_BY_PLACE) == len(KEYS)


def test_the_keys_that_only_the_user_sets_are_those_of_the_contract() -> None:
    user_only = {key.name for key in KEYS if key.authority is Authority.USER_ONLY}
    assert user_only == {
        "index_name",
        "gate.turn_ttl_s",
        "gate.on_error",
        *(key.name for key in KEYS if key.table in ("audit", "watch")),
    }


def test_the_keys_that_are_a_projects_own_are_those_of_the_contract() -> None:
    own = [key.name for key in KEYS if key.authority is Authority.OWN]
    caps = ["index.hard_lines", "index.hard_bytes", "index.soft_lines", "index.soft_bytes"]
    assert own == ["vault", *caps, "index.windows"]


def test_every_key_a_project_may_tighten_has_a_tighter_side() -> None:
    tighten = [key for key in KEYS if key.authority is Authority.TIGHTEN]
    assert [key.name for key in tighten if key.tighter is Tighter.NONE] == []


def builtin_text() -> str:
    return files("memstile").joinpath("builtin_settings.toml").read_text(encoding="utf-8")


def test_the_readable_defaults_are_the_defaults() -> None:
    values = tomllib.loads(builtin_text())
    written = {
        name if not isinstance(value, dict) else f"{name}.{inner}"
        for name, value in values.items()
        for inner in (value if isinstance(value, dict) else [""])
    }
    assert written == {key.name for key in KEYS} - {"vault"}
    assert resolve([Source(Origin.USER, "builtin", values)]) == (DEFAULTS, ())


def test_the_readable_defaults_name_every_choice() -> None:
    text = builtin_text()
    rows = [(key.name, key.choices) for key in KEYS if key.kind is Kind.CHOICE]
    assert [name for name, choices in rows if " | ".join(choices) not in text] == []
    assert " | ".join(VAULT_MODES) in text
