"""core/loosening.py: which keys guard less than before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.loosening import is_looser, loosened, mode_rank, strictest
from memstile.core.setting_keys import KEYS, VAULT_MODES
from memstile.core.setting_rights import changed
from memstile.core.settings import DEFAULTS, Loosening, Settings, VaultSetting

LEVEL = "gate.secret_pattern"

# field, the value that guards less, the value that guards more, texts of both
DIRECTIONS = [
    ("index_mode", "audit", "enforce", "index.mode", '"audit"', '"enforce"'),
    ("index_mode", "off", "audit", "index.mode", '"off"', '"audit"'),
    ("index_hard_lines", 201, 200, "index.hard_lines", "201", "200"),
    ("index_soft_bytes", 9, 8, "index.soft_bytes", "9", "8"),
    ("index_windows", (), ("claude-code",), "index.windows", "[]", '["claude-code"]'),
    ("git_mode", "off", "enforce", "git.mode", '"off"', '"enforce"'),
    ("gate_mode", "audit", "enforce", "gate.mode", '"audit"', '"enforce"'),
    ("gate_profile", "compat", "strict", "gate.profile", '"compat"', '"strict"'),
    ("gate_servers", ("a",), ("b", "a"), "gate.servers", '["a"]', '["b", "a"]'),
    ("gate_vault_files", False, True, "gate.vault_files", "false", "true"),
    ("gate_create_requires_search", False, True, "gate.create_requires_search", "false", "true"),
    ("gate_duplicate_write", "warn", "deny", "gate.duplicate_write", '"warn"', '"deny"'),
    ("gate_secret_pattern", "off", "profile", LEVEL, '"off"', '"profile"'),
    ("gate_secret_pattern", "profile", "deny", LEVEL, '"profile"', '"deny"'),
    ("gate_test_fixture_allowed", ("a", "b"), ("b",), "gate.test_fixture_allowed", '["a", "b"]', '["b"]'),
    ("gate_turn_ttl_s", 2, 1, "gate.turn_ttl_s", "2", "1"),
    ("gate_on_error", "open", "closed", "gate.on_error", '"open"', '"closed"'),
    ("watch_mode", "audit", "enforce", "watch.mode", '"audit"', '"enforce"'),
    ("watch_max_wait_s", 6.0, 5.0, "watch.max_wait_s", "6.0", "5.0"),
    ("watch_reconcile_s", 31.0, 30.0, "watch.reconcile_s", "31.0", "30.0"),
    ("audit_level", "off", "decision", "audit.level", '"off"', '"decision"'),
]


@pytest.mark.parametrize(("field", "looser", "tighter", "key", "looser_text", "tighter_text"), DIRECTIONS)
def test_a_key_that_guards_less_is_told_and_one_that_guards_more_is_not(
    field: str, looser: object, tighter: object, key: str, looser_text: str, tighter_text: str
) -> None:
    before, after = changed(DEFAULTS, {field: tighter}), changed(DEFAULTS, {field: looser})
    assert loosened(before, after) == (Loosening(key, tighter_text, looser_text),)
    assert loosened(after, before) == ()


NEITHER = [
    ("index_name", "MEMORY.md", "INDEX.md"),
    ("watch_quiet_s", 0.3, 1.0),
    ("audit_path_redaction", "hash", "omit"),
    ("audit_max_path_chars", 64, 32),
    ("audit_retain_days", 90, 30),
    ("index_windows", ("a", "b"), ("b", "a")),
    ("gate_secret_pattern", "profile", "warn"),
]


@pytest.mark.parametrize(("field", "one", "other"), NEITHER, ids=[row[0] for row in NEITHER])
def test_a_change_that_guards_as_much_is_not_told(field: str, one: object, other: object) -> None:
    first, second = changed(DEFAULTS, {field: one}), changed(DEFAULTS, {field: other})
    assert loosened(first, second) == loosened(second, first) == ()


def test_a_guard_left_to_the_profile_is_compared_by_what_the_profile_makes_of_it() -> None:
    strict = DEFAULTS._replace(gate_profile="strict")
    assert loosened(strict, changed(strict, {"gate_secret_pattern": "warn"})) == (
        Loosening(LEVEL, '"profile"', '"warn"'),
    )
    assert loosened(strict, changed(strict, {"gate_secret_pattern": "deny"})) == ()
    assert loosened(changed(DEFAULTS, {"gate_secret_pattern": "deny"}), strict) == ()


def test_a_looser_profile_is_told_once_not_for_every_guard_it_moves() -> None:
    strict = DEFAULTS._replace(gate_profile="strict")
    assert loosened(strict, DEFAULTS) == (Loosening("gate.profile", '"strict"', '"compat"'),)


def vaults(*rows: tuple[str, str], base: str = "/p") -> Settings:
    return DEFAULTS._replace(vaults=tuple(VaultSetting(path, mode, base) for path, mode in rows))


VAULTS = [
    pytest.param([("a", "auto")], [], [Loosening("vault", '"a" (auto)', "none")], id="taken out"),
    pytest.param([("a", "auto")], [("a", "shared")], [Loosening("vault", '"a" (auto)', '"a" (shared)')], id="shared"),
    pytest.param([("a", "ignored")], [("a", "auto")], [Loosening("vault", '"a" (ignored)', '"a" (auto)')], id="auto"),
    pytest.param(
        [("a", "auto")], [("b", "auto")], [Loosening("vault", '"a" (auto)', "none")], id="another in its place"
    ),
    pytest.param([], [("a", "auto"), ("b", "ignored")], [], id="added"),
    pytest.param([], [("a", "shared")], [Loosening("vault", '"a" (auto)', '"a" (shared)')], id="added as shared"),
    pytest.param([], [("a", "outside")], [Loosening("vault", '"a" (auto)', '"a" (outside)')], id="added as outside"),
    pytest.param(
        [("a", "ignored")],
        [("a", "ignored"), ("[a]*", "shared")],
        [Loosening("vault", '"[a]*" (auto)', '"[a]*" (shared)')],
        id="shared by another name",
    ),
    pytest.param([], [(".claude/agent-memory/x", "shared")], [], id="added as its host means it"),
    pytest.param([("a", "auto")], [("a", "ignored")], [], id="asks more of git"),
    pytest.param([("a", "outside")], [("a", "dedicated")], [], id="asks as much of git"),
    pytest.param([("a", "auto")], [("./a/", "auto")], [], id="spelt another way"),
    pytest.param([("a", "auto"), ("b", "auto")], [("b", "auto"), ("a", "auto")], [], id="another order"),
    pytest.param(
        [("\x1b" + "x" * 80, "auto")],
        [],
        [Loosening("vault", '"\\x1b' + "x" * 33 + '..." (auto)', "none")],
        id="a name that is long and acts on a terminal",
    ),
]


@pytest.mark.parametrize(("before", "after", "told"), VAULTS)
def test_a_vault_that_is_guarded_less_is_told(
    before: list[tuple[str, str]], after: list[tuple[str, str]], told: list[Loosening]
) -> None:
    assert loosened(vaults(*before), vaults(*after, base="/elsewhere")) == tuple(told)


def test_every_key_that_moved_is_told_in_the_order_of_the_table() -> None:
    after = DEFAULTS._replace(audit_level="off", index_mode="off", index_hard_lines=400)
    assert [one.key for one in loosened(DEFAULTS, after)] == ["index.mode", "index.hard_lines", "audit.level"]


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        pytest.param(["shared"], "shared", id="one"),
        pytest.param(["shared", "ignored", "auto"], "ignored", id="the one that asks more"),
        pytest.param(["auto", "shared"], "shared", id="auto leaves the word to any other"),
        pytest.param(["shared", "outside"], "outside", id="outside asks more than shared"),
        pytest.param(["auto", "auto"], "auto", id="auto alone"),
    ],
)
def test_of_several_modes_for_a_folder_one_holds(modes: list[str], expected: str) -> None:
    assert strictest(modes) == strictest(reversed(modes)) == expected


def test_modes_are_ordered_by_what_they_ask_of_git() -> None:
    assert sorted(VAULT_MODES, key=mode_rank) == ["shared", "outside", "dedicated", "auto", "ignored"]


VALUES = {field: {value for name, *row in DIRECTIONS if name == field for value in row[:2]} for field, *_ in DIRECTIONS}
SETTINGS = st.fixed_dictionaries(
    {field: st.sampled_from(sorted(values, key=repr)) for field, values in VALUES.items()}
).map(lambda values: changed(DEFAULTS, values))


@given(SETTINGS)
def test_nothing_is_looser_than_itself(settings: Settings) -> None:
    assert loosened(settings, settings) == ()


@given(SETTINGS, SETTINGS, SETTINGS)
def test_two_steps_that_loosen_nothing_loosen_nothing_together(a: Settings, b: Settings, c: Settings) -> None:
    if not loosened(a, b) and not loosened(b, c):
        assert loosened(a, c) == ()


@given(SETTINGS, SETTINGS)
def test_what_is_told_is_what_is_looser(before: Settings, after: Settings) -> None:
    told = {one.key for one in loosened(before, after)}
    assert told == {key.name for key in KEYS if is_looser(key, before, after)}
