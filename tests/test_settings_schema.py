"""settings_schema.py: the schema that ships is the one the table gives, and it lets through what is used."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memstile.core.resolve import Origin, Source, resolve
from memstile.core.setting_key import Kind
from memstile.core.setting_keys import KEYS, TABLES, VAULT_MODES
from memstile.core.settings import DEFAULTS, VaultSetting
from memstile.settings_schema import render

SCHEMA = json.loads(render())
VALIDATOR = Draft202012Validator(SCHEMA)

# The contract's own example.
EXAMPLE = """
index_name = "MEMORY.md"
[[vault]]
path = ".agent-memory"          # relative to this file; more [[vault]] tables for more vaults
mode = "auto"
[index]
mode = "enforce"                # off | audit | enforce
hard_lines = 200
hard_bytes = 25600
soft_lines = 150
soft_bytes = 20480
windows = ["claude-code"]
[git]
mode = "enforce"
[gate]
mode = "audit"                  # off | audit | enforce
profile = "compat"              # compat | strict
servers = ["basic-memory"]
vault_files = true
create_requires_search = true
overwrite_requires_read = "profile" # profile | off | warn | deny
duplicate_write = "deny"
secret_pattern = "profile"
test_fixture = "profile"
test_fixture_allowed = ["tests/", "archive/policy-tests/"]
turn_ttl_s = 3600
on_error = "open"               # our own failure in a hook: open (loud) | closed
[watch]
mode = "audit"                  # audit | enforce
quiet_s = 0.3
max_wait_s = 5.0
reconcile_s = 30.0
[audit]
level = "decision"              # off | decision | verbose
path_redaction = "truncate"
max_path_chars = 64
retain_days = 90
"""


def shipped(name: str) -> str:
    return files("memstile").joinpath(name).read_text(encoding="utf-8")


def allows(values: object) -> bool:
    return bool(VALIDATOR.is_valid(values))


def test_the_schema_that_ships_is_the_one_the_table_gives() -> None:
    """Mend it: python -m memstile.settings_schema > src/memstile/settings.schema.json."""
    assert shipped("settings.schema.json") == render()


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_describes_every_key() -> None:
    rows = {
        key.name: (SCHEMA["properties"][key.table]["properties"] if key.table else SCHEMA["properties"])[
            key.name.rpartition(".")[2]
        ]
        for key in KEYS
    }
    assert [name for name, row in rows.items() if not row["description"]] == []
    assert set(SCHEMA["properties"]) == {*TABLES, "index_name", "vault"}


@pytest.mark.parametrize("text", [EXAMPLE, shipped("builtin_settings.toml"), ""], ids=["contract", "built-in", "empty"])
def test_the_files_people_start_from_are_allowed(text: str) -> None:
    assert allows(tomllib.loads(text))


@pytest.mark.parametrize("origin", [Origin.USER, Origin.PROJECT])
def test_the_contracts_example_is_the_defaults_and_nobody_is_told_off(origin: Origin) -> None:
    done = resolve([Source(origin, "memstile.toml", tomllib.loads(EXAMPLE), "/p")])
    assert done == (DEFAULTS._replace(vaults=(VaultSetting(".agent-memory", "auto", "/p"),)), ())


REFUSED: list[Mapping[str, object]] = [
    {"index": {"hard_line": 1}},
    {"indx": {}},
    {"index": {"hard_lines": 0}},
    {"index": {"hard_lines": "200"}},
    {"index": {"hard_lines": True}},
    {"index": {"mode": "on"}},
    {"index": {"windows": ["nohost"]}},
    {"index": []},
    {"gate": {"duplicate_write": "profile"}},
    {"gate": {"servers": [""]}},
    {"gate": {"vault_files": 1}},
    {"watch": {"quiet_s": 0}},
    {"index_name": "a/MEMORY.md"},
    {"index_name": "MEMORY.txt"},
    {"vault": {"path": "a"}},
    {"vault": [{}]},
    {"vault": [{"path": " "}]},
    {"vault": [{"path": "a", "mode": "hidden"}]},
    {"vault": [{"path": "a", "pth": 1}]},
    {"vault": [{"path": "a"}] * 201},
]


@pytest.mark.parametrize("values", REFUSED, ids=lambda values: str(values)[:40])
def test_what_is_told_as_a_fault_is_refused(values: Mapping[str, object]) -> None:
    assert not allows(values)


LEAVES = st.sampled_from(
    [1, 200, 0.5, True, "off", "audit", "enforce", "deny", "strict", "A.md", "x", "", ["claude-code"], ["a"], [], -1]
)
TABLE = st.dictionaries(st.sampled_from(["mode", "hard_lines", "soft_lines", "windows", "profile", "quiet_s"]), LEAVES)
VAULTS = st.lists(
    st.dictionaries(st.sampled_from(["path", "mode"]), st.sampled_from(["a", "b", *VAULT_MODES])), max_size=2
)
FILES = st.fixed_dictionaries(
    {}, optional={"index_name": LEAVES, "vault": VAULTS, **dict.fromkeys(TABLES, TABLE)}
) | st.fixed_dictionaries({}, optional={key.name: LEAVES for key in KEYS if key.kind is not Kind.VAULTS})


@given(FILES)
def test_what_the_schema_allows_is_used_without_a_fault(values: Mapping[str, object]) -> None:
    """But for two rules that a schema cannot say: soft caps below hard caps, and one table a vault."""
    faults = resolve([Source(Origin.USER, "config.toml", values, "/u")]).faults
    told = [fault for fault in faults if ".soft_" not in fault.key and "names the folder of" not in fault.message]
    assert (told == []) or not allows(values)
