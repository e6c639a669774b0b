"""settings_environment.py: which variables are settings."""

from __future__ import annotations

import pytest

from memstile.core.resolve import Origin, Source, resolve
from memstile.core.setting_keys import KEYS
from memstile.core.settings import UNUSABLE, Fault
from memstile.settings_environment import ENVIRONMENT_KEYS, environment_values


def test_every_key_but_the_vault_tables_has_a_variable() -> None:
    assert {key.name for key in ENVIRONMENT_KEYS.values()} == {key.name for key in KEYS} - {"vault"}
    assert ENVIRONMENT_KEYS["MEMSTILE_INDEX_HARD_LINES"].name == "index.hard_lines"
    assert ENVIRONMENT_KEYS["MEMSTILE_INDEX_NAME"].name == "index_name"


def test_variables_are_values_by_key() -> None:
    environment = {
        "MEMSTILE_INDEX_HARD_LINES": " 300 ",
        "MEMSTILE_GATE_SERVERS": "basic-memory, mine",
        "MEMSTILE_INDEX_WINDOWS": "",
        "MEMSTILE_GATE_VAULT_FILES": "yes",
        "PATH": "/bin",
    }
    values = {
        "index.hard_lines": 300,
        "gate.servers": ["basic-memory", "mine"],
        "index.windows": [],
        "gate.vault_files": "yes",
    }
    assert environment_values(environment) == (values, ())


@pytest.mark.parametrize(
    "name", ["MEMSTILE_CONFIG", "MEMSTILE_STATE", "MEMSTILE_HOOK_", "MEMSTILE_HOOK_HOST", "MEM", ""]
)
def test_variables_that_are_used_otherwise_or_not_ours_are_passed_over(name: str) -> None:
    assert environment_values({name: "x"}) == ({}, ())


UNKNOWN = [
    ("MEMSTILE_INDEX_HARD_LINE", "did you mean MEMSTILE_INDEX_HARD_LINES"),
    ("MEMSTILE_CONFIGS", "docs/settings.md lists the settings"),
    ("MEMSTILE_X", "docs/settings.md lists the settings"),
]


@pytest.mark.parametrize(("name", "hint"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_a_variable_that_is_no_setting_is_told(name: str, hint: str) -> None:
    fault = Fault("environment", name, f"{name} is not a setting", hint, UNUSABLE)
    assert environment_values({name: "1"}) == ({}, (fault,))


def test_unknown_variables_are_told_in_the_order_of_their_names() -> None:
    _, faults = environment_values({"MEMSTILE_B": "1", "MEMSTILE_A": "1"})
    assert [fault.key for fault in faults] == ["MEMSTILE_A", "MEMSTILE_B"]


def test_a_list_of_an_empty_entry_does_not_empty_the_list() -> None:
    done = resolve([Source(Origin.ENVIRONMENT, "environment", {"index": {"windows": [""]}})])
    assert done.settings.index_windows == ("claude-code",)
    assert [fault.key for fault in done.faults] == ["index.windows"]
