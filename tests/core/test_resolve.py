"""core/resolve.py: who may set what, and that no fault turns a guard off."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.loosening import is_looser, loosened
from memstile.core.resolve import MAX_UNKNOWN, Origin, Resolved, Source, resolve, unknown_faults
from memstile.core.setting_key import Authority, Kind, Tighter
from memstile.core.setting_keys import KEYS, TABLES, VAULT_MODES
from memstile.core.setting_rights import changed
from memstile.core.settings import DEFAULTS, LOOSENING, UNUSABLE, Fault, Settings, VaultSetting

Values = Mapping[str, object]


def user(values: Values) -> Source:
    return Source(Origin.USER, "config.toml", values, "/u")


def project(values: Values) -> Source:
    return Source(Origin.PROJECT, "memstile.toml", values, "/p")


def environment(values: Values) -> Source:
    return Source(Origin.ENVIRONMENT, "environment", values)


def flags(values: Values) -> Source:
    return Source(Origin.FLAGS, "command line", values, "/c")


def one(name: str, value: object) -> Values:
    """Write one key as a settings file would hold it."""
    table, _, last = name.rpartition(".")
    return {table: {last: value}} if table else {last: value}


def unusable(key: str, message: str, hint: str) -> Fault:
    return Fault("memstile.toml", key, message, hint, UNUSABLE)


PROJECT_HINT = "a project's file may only tighten; set it in the user's own config.toml if it is meant"
HOOK_HINT = "in a hook the environment may only tighten; set it in the file that --config names"


def test_nothing_said_is_the_defaults() -> None:
    assert resolve([]) == Resolved(DEFAULTS, ())
    assert resolve([user({}), project({}), environment({}), flags({})]) == Resolved(DEFAULTS, ())


@pytest.mark.parametrize("source", [user, environment, flags])
def test_a_person_may_loosen_anything(source: Callable[[Values], Source]) -> None:
    loose = {
        "index_name": "INDEX.md",
        "index": {"mode": "off", "windows": []},
        "gate": {"servers": [], "on_error": "open", "test_fixture_allowed": ["a/"]},
        "audit": {"level": "off"},
    }
    assert resolve([source(loose)]) == Resolved(
        DEFAULTS._replace(
            index_name="INDEX.md",
            index_mode="off",
            index_windows=(),
            gate_servers=(),
            gate_test_fixture_allowed=("a/",),
            audit_level="off",
        ),
        (),
    )


def test_the_later_source_wins() -> None:
    sources = [user({"index": {"hard_lines": 1, "hard_bytes": 1}}), flags({"index": {"hard_lines": 300}})]
    assert resolve(sources).settings.index_hard_lines == 300
    assert resolve(sources).settings.index_hard_bytes == 1


# key, the user's value (None: not set), the project's value, the value in force; "" where it is no fault, else its end
PROJECTS = [
    ("index.mode", None, "off", "enforce", 'is looser than "enforce"; "enforce" is used'),
    ("index.mode", "off", "audit", "audit", ""),
    ("index.mode", "audit", "off", "audit", 'is looser than "audit"; "audit" is used'),
    ("git.mode", None, "audit", "enforce", 'is looser than "enforce"; "enforce" is used'),
    ("gate.mode", None, "enforce", "enforce", ""),
    ("gate.mode", "enforce", "audit", "enforce", 'is looser than "enforce"; "enforce" is used'),
    ("gate.profile", None, "strict", "strict", ""),
    ("gate.vault_files", None, False, True, "is looser than true; true is used"),
    ("gate.vault_files", False, True, True, ""),
    ("gate.duplicate_write", None, "warn", "deny", 'is looser than "deny"; "deny" is used'),
    ("gate.secret_pattern", None, "deny", "deny", ""),
    ("gate.secret_pattern", None, "warn", "warn", ""),
    ("gate.secret_pattern", None, "off", "profile", 'is looser than "profile"; "profile" is used'),
    ("gate.secret_pattern", "deny", "profile", "deny", 'is looser than "deny"; "deny" is used'),
    ("gate.secret_pattern", "off", "profile", "profile", ""),
    ("gate.servers", None, ["mine"], ("basic-memory", "mine"), ""),
    ("gate.servers", None, [], ("basic-memory",), ""),
    ("gate.test_fixture_allowed", None, ["tests/"], ("tests/",), ""),
    ("gate.test_fixture_allowed", None, [], (), ""),
    (
        "gate.test_fixture_allowed",
        None,
        ["src/", "tests/"],
        ("tests/",),
        'is looser than ["tests/", "archive/policy-tests/"]; ["tests/"] is used',
    ),
    ("index.hard_lines", None, 400, 400, ""),
    ("index.hard_lines", 100, 400, 400, ""),
    ("index.soft_bytes", None, 25_600, 25_600, ""),
    ("index.windows", None, [], (), ""),
    ("index_name", None, "A.md", "MEMORY.md", 'is not for this file to set; "MEMORY.md" is used'),
    ("index_name", "A.md", "A.md", "A.md", ""),
    ("gate.on_error", None, "closed", "open", 'is not for this file to set; "open" is used'),
    ("gate.turn_ttl_s", None, 1, 3_600, "is not for this file to set; 3600 is used"),
    ("watch.mode", None, "enforce", "audit", 'is not for this file to set; "audit" is used'),
    ("watch.quiet_s", None, 0.3, 0.3, ""),
    ("audit.level", None, "verbose", "decision", 'is not for this file to set; "decision" is used'),
    ("audit.level", None, "decision", "decision", ""),
]


@pytest.mark.parametrize(("name", "asked", "value", "used", "problem"), PROJECTS)
def test_a_projects_file_may_only_tighten(name: str, asked: object, value: object, used: object, problem: str) -> None:
    field = next(key.field for key in KEYS if key.name == name)
    done = resolve([user({} if asked is None else one(name, asked)), project(one(name, value))])
    assert getattr(done.settings, field) == used
    assert [(fault.name, fault.key, fault.kind, fault.hint, fault.line) for fault in done.faults] == (
        [("memstile.toml", name, LOOSENING, PROJECT_HINT, None)] if problem else []
    )
    assert [fault.message.endswith(f" {problem}") for fault in done.faults] == ([True] if problem else [])


def test_a_loosening_entry_is_told_in_these_words() -> None:
    assert resolve([project({"index": {"mode": "off"}})]).faults == (
        Fault(
            "memstile.toml",
            "index.mode",
            'index.mode = "off" is looser than "enforce"; "enforce" is used',
            PROJECT_HINT,
            LOOSENING,
        ),
    )


@pytest.mark.parametrize(
    "order", [("profile", "secret_pattern"), ("secret_pattern", "profile")], ids=["profile first", "guard first"]
)
def test_the_order_of_a_files_lines_says_nothing(order: tuple[str, str]) -> None:
    values = {"profile": "strict", "secret_pattern": "warn"}
    done = resolve([project({"gate": {name: values[name] for name in order}})])
    assert done == Resolved(changed(DEFAULTS, {"gate_profile": "strict", "gate_secret_pattern": "warn"}), ())


def test_in_ci_the_checkouts_file_rules() -> None:
    loose = {"index_name": "A.md", "index": {"mode": "off"}, "audit": {"level": "off"}, "gate": {"servers": []}}
    assert resolve([project(loose)], trust_project=True) == Resolved(
        DEFAULTS._replace(index_name="A.md", index_mode="off", audit_level="off", gate_servers=()), ()
    )


HOOK = [
    ("index.mode", "off", "enforce", 'index.mode = "off" is looser than "enforce"; "enforce" is used'),
    ("index.hard_lines", 160, 160, ""),
    ("index.hard_lines", 201, 200, "index.hard_lines = 201 is looser than 200; 200 is used"),
    ("index.windows", ["claude-code"], ("claude-code",), ""),
    ("gate.mode", "enforce", "enforce", ""),
    ("gate.servers", ["mine"], ("basic-memory", "mine"), ""),
    ("gate.on_error", "closed", "closed", ""),
    ("gate.turn_ttl_s", 7_200, 3_600, "gate.turn_ttl_s = 7200 is looser than 3600; 3600 is used"),
    ("index_name", "A.md", "MEMORY.md", 'index_name = "A.md" is not for this file to set; "MEMORY.md" is used'),
    ("audit.level", "off", "decision", 'audit.level = "off" is looser than "decision"; "decision" is used'),
]


@pytest.mark.parametrize(("name", "value", "used", "message"), HOOK)
def test_in_a_hook_the_environment_may_only_tighten(name: str, value: object, used: object, message: str) -> None:
    field = next(key.field for key in KEYS if key.name == name)
    done = resolve([environment(one(name, value))], environment_only_tightens=True)
    told = (Fault("environment", name, message, HOOK_HINT, LOOSENING),) if message else ()
    assert done == Resolved(changed(DEFAULTS, {field: used}), told)


FAULTS = [
    pytest.param(
        {"index": {"hard_line": 300}},
        unusable("index.hard_line", "index.hard_line is not a setting", "did you mean index.hard_lines"),
        id="a letter is missing",
    ),
    pytest.param(
        {"hard_lines": 300},
        unusable("hard_lines", "hard_lines is not a setting", "did you mean index.hard_lines"),
        id="the table is missing",
    ),
    pytest.param(
        {"mode": "off"},
        unusable(
            "mode",
            "mode is not a setting",
            "did you mean index.mode or git.mode or gate.mode or watch.mode",
        ),
        id="the table is missing and could be several",
    ),
    pytest.param(
        {"gate": {"modes": "off"}},
        unusable("gate.modes", "gate.modes is not a setting", "did you mean gate.mode"),
        id="a letter too many, in a table that has the setting",
    ),
    pytest.param(
        {"gates": {"mode": "off"}},
        unusable("gates", "gates is not a setting", "did you mean gate"),
        id="a table with a letter too many",
    ),
    pytest.param(
        {"index.mode": "off"},
        unusable("index.mode", "index.mode is not a setting", "write mode without quotes below [index]"),
        id="a quoted name",
    ),
    pytest.param(
        {"index": {"colour": "red"}},
        unusable("index.colour", "index.colour is not a setting", "docs/settings.md lists the settings"),
        id="like nothing we know",
    ),
    pytest.param(
        {"\x1b[31m" + "x" * 80: 1},
        unusable(
            "\\x1b[31m" + "x" * 49 + "...",
            "\\x1b[31m" + "x" * 49 + "... is not a setting",
            "docs/settings.md lists the settings",
        ),
        id="a name that is long and acts on a terminal",
    ),
    pytest.param(
        {"git": "off"},
        unusable("git", 'git is "off", not a table', "write [git] on a line of its own"),
        id="a value for a table",
    ),
    pytest.param(
        {"index": {"hard_lines": "200k"}},
        unusable(
            "index.hard_lines",
            'index.hard_lines is "200k", not a whole number from 1 to 1,000,000,000',
            "200 is used until this is mended",
        ),
        id="a bad value",
    ),
    pytest.param(
        {"index": {"windows": ["nohost"]}},
        unusable(
            "index.windows",
            'index.windows holds "nohost", not one of claude-code',
            '["claude-code"] is used until this is mended',
        ),
        id="a misspelt window does not turn the warning off",
    ),
    pytest.param(
        {"index": {"windows": 3}},
        unusable(
            "index.windows",
            "index.windows is 3, not a list of text",
            '["claude-code"] is used until this is mended',
        ),
        id="no list",
    ),
    pytest.param(
        {"gate": {"test_fixture_allowed": ["a/", ""]}},
        unusable(
            "gate.test_fixture_allowed",
            "gate.test_fixture_allowed holds an entry that is empty or no text",
            '["tests/", "archive/policy-tests/"] is used until this is mended',
        ),
        id="an empty entry, which every folder starts with",
    ),
    pytest.param(
        {"index": {"soft_lines": 201}},
        unusable(
            "index.soft_lines",
            "index.soft_lines = 201 is above index.hard_lines = 200",
            "150 is used until this is mended",
        ),
        id="a soft cap above the hard cap",
    ),
    pytest.param(
        {"vault": 3},
        unusable(
            "vault",
            "vault is 3, not a list of tables",
            'write [[vault]] on a line of its own and path = ".agent-memory" below it',
        ),
        id="no vault tables",
    ),
]


@pytest.mark.parametrize(("values", "fault"), FAULTS)
def test_what_cannot_be_used_is_told_and_leaves_the_default(values: Values, fault: Fault) -> None:
    assert resolve([project(values)]) == Resolved(DEFAULTS, (fault,))


def test_a_bad_entry_of_a_list_leaves_the_good_ones_and_those_from_below() -> None:
    done = resolve([user({"gate": {"servers": ["mine", 3]}})])
    assert done.settings.gate_servers == ("basic-memory", "mine")


CAPS = [
    pytest.param([project({"index": {"soft_lines": 200}})], (200, 200), 0, id="soft at hard"),
    pytest.param(
        [project({"index": {"hard_lines": 100}})], (100, 100), 0, id="a lower hard cap takes the soft one along"
    ),
    pytest.param([project({"index": {"hard_lines": 100, "soft_lines": 150}})], (100, 100), 1, id="both said, crossed"),
    pytest.param([project({"index": {"hard_lines": 400, "soft_lines": 300}})], (300, 400), 0, id="both raised"),
    pytest.param([project({"index": {"hard_lines": "4OO", "soft_lines": 300}})], (150, 200), 2, id="hard unusable"),
    pytest.param(
        [user({"index": {"soft_lines": 120}}), project({"index": {"soft_lines": 999}})], (120, 200), 1, id="the user's"
    ),
    pytest.param(
        [user({"index": {"soft_lines": 180}}), project({"index": {"hard_lines": 160}})], (160, 160), 0, id="two files"
    ),
]


@pytest.mark.parametrize(("sources", "caps", "faults"), CAPS)
def test_a_soft_cap_is_never_above_its_hard_cap(sources: list[Source], caps: tuple[int, int], faults: int) -> None:
    done = resolve(sources)
    assert (done.settings.index_soft_lines, done.settings.index_hard_lines) == caps
    assert len(done.faults) == faults


def test_all_faults_are_told_at_once() -> None:
    values = {
        "index": {"hard_line": 1, "mode": "off", "hard_lines": 0},
        "git": 3,
        "vault": [{"path": "../x", "mode": "shared"}, {"pth": 1}],
        "audit": {"level": "off"},
    }
    assert [(fault.kind, fault.key) for fault in resolve([project(values)]).faults] == [
        (UNUSABLE, "git"),
        (UNUSABLE, "index.hard_line"),
        (LOOSENING, "index.mode"),
        (UNUSABLE, "index.hard_lines"),
        (UNUSABLE, "vault[2].path"),
        (LOOSENING, "vault[1].mode"),
        (UNUSABLE, "vault[2].pth"),
        (LOOSENING, "audit.level"),
    ]


def test_vaults_of_all_files_are_guarded() -> None:
    done = resolve([user({"vault": [{"path": "~/a", "mode": "ignored"}]}), project({"vault": [{"path": "b"}]})])
    assert done == Resolved(
        DEFAULTS._replace(vaults=(VaultSetting("~/a", "ignored", "/u"), VaultSetting("b", "auto", "/p"))), ()
    )


def test_a_file_full_of_unknown_names_is_told_in_bounded_words() -> None:
    faults = resolve([project({f"name{number}": 1 for number in range(MAX_UNKNOWN + 1_000)})]).faults
    assert len(faults) == MAX_UNKNOWN + 1
    assert faults[-1] == unusable(
        "", "1,000 more names in this file, not a setting either", "docs/settings.md lists the settings"
    )


def test_as_many_unknown_names_as_are_told_one_by_one_need_no_summary() -> None:
    assert len(unknown_faults("a", [f"name{number}" for number in range(MAX_UNKNOWN)])) == MAX_UNKNOWN


def test_the_module_that_guesses_names_is_not_loaded_for_good_settings() -> None:
    saved = sys.modules.pop("difflib", None)
    try:
        resolve([user(one("index.mode", "off")), project(one("index.mode", "enforce"))])
        assert "difflib" not in sys.modules
        resolve([user(one("index.mod", "off"))])
        assert "difflib" in sys.modules
    finally:
        if saved is not None:
            sys.modules["difflib"] = saved


# Laws

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["off", "deny", "1"])
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
NAMES = st.sampled_from([*(key.name.rpartition(".")[2] for key in KEYS), "path", *TABLES]) | st.text(max_size=4)
WILD = st.dictionaries(NAMES, JSON | st.dictionaries(NAMES, JSON, max_size=4), max_size=6)
VAULT = st.dictionaries(st.sampled_from(["path", "mode", "x"]), st.sampled_from(["a", "../b", *VAULT_MODES]) | JSON)


def usable(name: str) -> st.SearchStrategy[object]:
    """Draw values of a key that are usable, each with the same chance to be tight or loose."""
    key = next(key for key in KEYS if key.name == name)
    by_kind: dict[Kind, st.SearchStrategy[object]] = {
        Kind.CHOICE: st.sampled_from(key.choices or ("x",)),
        Kind.INTEGER: st.integers(int(key.least), 400),
        Kind.SECONDS: st.floats(key.least, 100),
        Kind.BOOLEAN: st.booleans(),
        Kind.TEXTS: st.lists(st.sampled_from(key.choices or ("basic-memory", "tests/", "x")), max_size=3),
        Kind.FILE_NAME: st.sampled_from(["MEMORY.md", "A.md"]),
        Kind.VAULTS: st.lists(VAULT, max_size=3),
    }
    return by_kind[key.kind]


def nested(values: Mapping[str, object]) -> Values:
    """Turn dotted keys into tables."""
    tables: dict[str, dict[str, object]] = {}
    for name, value in values.items():
        table, _, last = name.rpartition(".")
        tables.setdefault(table, {})[last] = value
    return {**tables.pop("", {}), **tables}


SAID = st.fixed_dictionaries({}, optional={key.name: usable(key.name) for key in KEYS})
FILES = SAID.map(nested) | WILD
SOURCES = st.lists(st.builds(Source, st.sampled_from(Origin), st.just("x"), FILES, st.just("/x")), max_size=4)


@given(SOURCES, st.booleans(), st.booleans())
@settings(deadline=None)
def test_any_values_give_settings_that_work(sources: list[Source], trust: bool, is_hook: bool) -> None:
    done = resolve(sources, trust_project=trust, environment_only_tightens=is_hook)
    again = nested({key.name: getattr(done.settings, key.field) for key in KEYS if key.kind is not Kind.VAULTS})
    assert resolve([user(again)]) == Resolved(done.settings._replace(vaults=()), ())
    assert all(fault.message.isprintable() and len(fault.message) < 400 for fault in done.faults)
    assert all(vault.mode in VAULT_MODES for vault in done.settings.vaults)


@given(FILES, FILES)
def test_a_project_never_gives_a_looser_setting_than_the_floor(floor: Values, values: Values) -> None:
    before = resolve([user(floor)]).settings
    after = resolve([user(floor), project(values)]).settings
    tighten = [key for key in KEYS if key.authority is Authority.TIGHTEN]
    fixed = [key for key in KEYS if key.authority is Authority.USER_ONLY]
    assert [key.name for key in tighten if is_looser(key, before, after)] == []
    assert [key.name for key in fixed if getattr(before, key.field) != getattr(after, key.field)] == []
    assert [vault.path for vault in after.vaults[: len(before.vaults)]] == [vault.path for vault in before.vaults]


@given(FILES, FILES, FILES)
def test_in_a_hook_the_environment_never_gives_a_looser_setting(floor: Values, values: Values, more: Values) -> None:
    said = [user(floor), project(values)]
    before = resolve(said).settings
    after = resolve([*said, environment(more)], environment_only_tightens=True).settings
    assert loosened(before, after) == ()
    free = [key for key in KEYS if key.tighter is Tighter.NONE]
    assert [key.name for key in free if getattr(before, key.field) != getattr(after, key.field)] == []


@given(
    st.fixed_dictionaries({}, optional={key.name: usable(key.name) for key in KEYS if key.table in ("gate", "audit")})
)
@settings(deadline=None)
def test_a_fault_keeps_no_other_entry_from_being_used(said: dict[str, object]) -> None:
    junk: Values = {"zzz": 1, "git": 3, "vault": [4, {"pth": 1}], "index": {"hard_lines": "no", "mode": 3, "zzz": {}}}
    clean = resolve([user(nested(said))])
    assert resolve([user({**junk, **nested(said)})]).settings == clean.settings
    assert clean.faults == ()


def as_source(made: Settings) -> Values:
    return nested({key.name: getattr(made, key.field) for key in KEYS if key.kind is not Kind.VAULTS})


@given(SAID.map(nested))
def test_a_project_that_repeats_what_is_in_force_is_told_nothing(values: Values) -> None:
    floor = resolve([user(values)]).settings
    same = as_source(floor)
    assert resolve([user(same), project(same)]) == Resolved(floor._replace(vaults=()), ())
