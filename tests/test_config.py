"""config.py: the settings of a folder, from real files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from memstile.config import Loaded, find_project_file, load, parse_text, settings_from_bytes, user_file
from memstile.core.loosening import loosened
from memstile.core.settings import DEFAULTS, LOOSENING, UNUSABLE, Fault, Loosening, Settings, VaultSetting

UNUSED = "none of its settings is used until this is mended"
HOOK_HINT = "in a hook the environment may only tighten; set it in the file that --config names"


class Place(NamedTuple):
    """A home and a project of their own; the person stands in the project."""

    home: Path
    project: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home)}

    def user(self, text: str) -> str:
        path = self.home / ".config/memstile/config.toml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    def own(self, text: str, name: str = "memstile.toml") -> str:
        path = self.project / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def load(self, more: Mapping[str, str] | None = None, **flags: object) -> Loaded:
        return load(str(self.project), environment=self.environment | dict(more or {}), flags=flags)

    def load_in_hook(self, more: Mapping[str, str] | None = None, config: str | None = None) -> Loaded:
        environment = self.environment | dict(more or {})
        return load(str(self.project), environment=environment, flags={}, config=config, is_hook=True)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    real = Path(os.path.realpath(tmp_path))
    made = Place(real / "home", real / "work/project")
    made.home.mkdir()
    made.project.mkdir(parents=True)
    monkeypatch.chdir(made.project)
    return made


def with_values(**values: object) -> Settings:
    return Settings._make(values.get(field, old) for field, old in zip(Settings._fields, DEFAULTS, strict=True))


def test_without_files_the_defaults_hold(place: Place) -> None:
    assert place.load() == Loaded(DEFAULTS, (), None, None)


def test_all_five_places_are_read_in_order(place: Place) -> None:
    user = place.user('[index]\nmode = "audit"\nhard_lines = 10\n[[vault]]\npath = "notes"\n')
    own = place.own('[index]\nhard_lines = 20\nsoft_lines = 9\nhard_bytes = 20\n[[vault]]\npath = "m"\n')
    loaded = load(
        str(place.project),
        environment=place.environment | {"MEMSTILE_INDEX_HARD_LINES": "30", "MEMSTILE_GATE_SERVERS": "a,b"},
        flags={"index.hard_lines": 40, "git.mode": None, "gate.mode": "off"},
    )
    settings = with_values(
        vaults=(VaultSetting("notes", "auto", os.path.dirname(user)), VaultSetting("m", "auto", str(place.project))),
        index_mode="audit",
        index_hard_lines=40,
        index_soft_lines=9,
        index_hard_bytes=20,
        index_soft_bytes=20,
        gate_servers=("a", "b"),
        gate_mode="off",
    )
    assert loaded == Loaded(settings, (), own, user)


def test_a_projects_file_above_holds_below(place: Place) -> None:
    own = place.own("[tool.memstile.index]\nhard_lines = 300\n", "pyproject.toml")
    (place.project / "a/b").mkdir(parents=True)
    loaded = load(str(place.project / "a/b"), environment=place.environment, flags={})
    assert loaded == Loaded(with_values(index_hard_lines=300), (), own, None)


def test_faults_of_all_files_are_told_with_the_names_people_type(place: Place) -> None:
    place.user("[index]\nhard_line = 1\n")
    place.own('index_name = "A.md"\n[git]\nmode = "of"\n')
    faults = place.load({"MEMSTILE_NOPE": "1", "MEMSTILE_GATE_MODE": ""}, **{"index.hard_bytes": 0}).faults
    assert [(fault.name, fault.key, fault.kind) for fault in faults] == [
        ("environment", "MEMSTILE_NOPE", UNUSABLE),
        ("~/.config/memstile/config.toml", "index.hard_line", UNUSABLE),
        ("memstile.toml", "index_name", LOOSENING),
        ("memstile.toml", "git.mode", UNUSABLE),
        ("environment", "gate.mode", UNUSABLE),
        ("command line", "index.hard_bytes", UNUSABLE),
    ]


def test_a_broken_project_file_is_told_and_the_other_files_hold(place: Place) -> None:
    user = place.user("[index]\nhard_lines = 10\n")
    own = place.own("[index]\nhard_lines = \n")
    fault = Fault("memstile.toml", "", "the file is not valid TOML: invalid value, line 2", UNUSED, UNUSABLE, line=2)
    settings = with_values(index_hard_lines=10, index_soft_lines=10)
    assert place.load() == Loaded(settings, (fault,), own, user)


def test_a_broken_user_file_is_told_and_the_projects_file_holds(place: Place) -> None:
    user = place.user("")
    Path(user).write_bytes(b"[index]\nmode = '\xff'\n")
    own = place.own('[gate]\nmode = "enforce"\n')
    fault = Fault("~/.config/memstile/config.toml", "", "the file is not UTF-8, line 2", UNUSED, UNUSABLE, line=2)
    assert place.load() == Loaded(with_values(gate_mode="enforce"), (fault,), own, user)


def test_a_fifo_for_a_settings_file_is_told_and_does_not_hang(place: Place) -> None:
    os.mkfifo(place.project / "memstile.toml")
    fault = Fault("memstile.toml", "", "the settings file is not a regular file", UNUSED, UNUSABLE)
    assert place.load() == Loaded(DEFAULTS, (fault,), str(place.project / "memstile.toml"), None)


def test_the_projects_file_may_come_from_the_git_index(place: Place) -> None:
    user = place.user("[index]\nhard_lines = 10\n")
    own = place.own("[index]\nhard_lines = 300\n")
    staged = {own: b"[index]\nhard_lines = 400\n"}
    loaded = load(str(place.project), environment=place.environment, flags={}, read=staged.get)
    assert loaded == Loaded(with_values(index_hard_lines=400, index_soft_lines=10), (), own, user)
    assert load(str(place.project), environment={}, flags={}, read=lambda _path: None).project_file is None


@pytest.mark.parametrize("how", ["flag", "variable"])
def test_a_user_file_that_is_named_is_used(how: str, place: Place) -> None:
    place.user("[index]\nhard_lines = 10\n")
    mine = place.home / "mine.toml"
    mine.write_text('[index]\nmode = "off"\n')
    environment = place.environment | ({"MEMSTILE_CONFIG": str(mine)} if how == "variable" else {})
    config = str(mine) if how == "flag" else None
    loaded = load(str(place.project), environment=environment, flags={}, config=config)
    assert loaded == Loaded(with_values(index_mode="off"), (), None, str(mine))


@pytest.mark.parametrize("how", ["flag", "variable"])
def test_a_user_file_that_is_named_and_is_not_there_is_told(how: str, place: Place) -> None:
    mine = str(place.home / "mine.toml")
    environment = place.environment | ({"MEMSTILE_CONFIG": mine} if how == "variable" else {})
    loaded = load(str(place.project), environment=environment, flags={}, config=mine if how == "flag" else None)
    fault = Fault("~/mine.toml", "", "there is no such settings file", "create it, or do not name it", UNUSABLE)
    assert loaded == Loaded(DEFAULTS, (fault,), None, None)


def test_a_users_file_that_is_also_the_projects_is_the_users_and_told_once(place: Place) -> None:
    own = place.own('[index]\nmode = "off"\n[gate]\nmode = 3\n')
    os.symlink(own, place.home / "link.toml")
    for config, name in ((own, "memstile.toml"), (str(place.home / "link.toml"), "~/link.toml")):
        loaded = load(str(place.project), environment=place.environment, flags={}, config=config)
        assert loaded._replace(faults=()) == Loaded(with_values(index_mode="off"), (), own, config)
        assert [(fault.name, fault.key) for fault in loaded.faults] == [(name, "gate.mode")]


LOOSE = '[index]\nmode = "off"\n[audit]\nlevel = "off"\n'

CI = [
    ({"CI": "true"}, True),
    ({"CI": "1"}, True),
    ({"CI": "woodpecker"}, True),
    ({"CI": ""}, False),
    ({"CI": "false"}, False),
    ({"CI": "0"}, False),
    ({}, False),
]


@pytest.mark.parametrize(("environment", "is_trusted"), CI, ids=[str(row[0]) for row in CI])
def test_in_ci_the_checkouts_file_rules(environment: dict[str, str], is_trusted: bool, place: Place) -> None:
    place.own(LOOSE)
    loaded = place.load(environment)
    assert loaded.settings == (with_values(index_mode="off", audit_level="off") if is_trusted else DEFAULTS)
    assert [fault.kind for fault in loaded.faults] == ([] if is_trusted else [LOOSENING, LOOSENING])


@pytest.mark.parametrize("text", ["", "["], ids=["empty", "broken"])
def test_in_ci_with_a_users_file_that_one_is_the_floor(text: str, place: Place) -> None:
    place.user(text)
    place.own(LOOSE)
    assert place.load({"CI": "true"}).settings == DEFAULTS


def test_in_a_hook_a_project_cannot_pretend_to_be_ci(place: Place) -> None:
    place.own(LOOSE)
    assert place.load_in_hook({"CI": "true"}).settings == DEFAULTS


def test_in_a_hook_the_environment_may_only_tighten(place: Place) -> None:
    loaded = place.load_in_hook({"MEMSTILE_INDEX_MODE": "off", "MEMSTILE_GATE_MODE": "enforce"})
    fault = Fault(
        "environment",
        "index.mode",
        'index.mode = "off" is looser than "enforce"; "enforce" is used',
        HOOK_HINT,
        LOOSENING,
    )
    assert loaded == Loaded(with_values(gate_mode="enforce"), (fault,), None, None)


@pytest.mark.parametrize("variable", ["MEMSTILE_CONFIG", "XDG_CONFIG_HOME"])
def test_in_a_hook_a_file_that_only_the_environment_names_may_only_tighten(variable: str, place: Place) -> None:
    user = place.user('[gate]\nprofile = "strict"\n')
    evil = place.project / "memstile/config.toml"
    evil.parent.mkdir()
    evil.write_text('[index]\nmode = "off"\n[gate]\nmode = "enforce"\n[[vault]]\npath = "v"\nmode = "shared"\n')
    value = evil if variable == "MEMSTILE_CONFIG" else place.project
    loaded = place.load_in_hook({variable: str(value)})
    settings = with_values(
        gate_profile="strict", gate_mode="enforce", vaults=(VaultSetting("v", "auto", str(evil.parent)),)
    )
    assert (loaded.settings, loaded.user_file) == (settings, user)
    assert [(fault.name, fault.key, fault.hint) for fault in loaded.faults] == [
        ("memstile/config.toml", "index.mode", HOOK_HINT),
        ("memstile/config.toml", "vault[1].mode", HOOK_HINT),
    ]


def test_in_a_hook_the_file_on_the_command_line_may_do_anything(place: Place) -> None:
    user = place.user('[index]\nmode = "off"\n')
    loaded = place.load_in_hook({"MEMSTILE_CONFIG": str(place.home / "not-there.toml")}, config=user)
    assert loaded == Loaded(with_values(index_mode="off"), (), None, user)


BYTES: list[tuple[str, dict[str, bytes | None], Settings]] = [
    ("no file", {}, DEFAULTS),
    ("no file, said", {"memstile.toml": None, "pyproject.toml": None}, DEFAULTS),
    ("a file", {"memstile.toml": b"[index]\nmode='off'"}, with_values(index_mode="off")),
    ("a user's key", {"memstile.toml": b"[audit]\nlevel='off'"}, with_values(audit_level="off")),
    ("a pyproject", {"pyproject.toml": b"[tool.memstile.index]\nmode='off'"}, with_values(index_mode="off")),
    (
        "both",
        {"pyproject.toml": b"[tool.memstile.index]\nmode='off'", "memstile.toml": b"[git]\nmode='off'"},
        with_values(git_mode="off"),
    ),
    ("another tool's pyproject", {"pyproject.toml": b"[tool.ruff]"}, DEFAULTS),
    ("a broken file", {"memstile.toml": b"[index]\nmode='off'\n["}, DEFAULTS),
    ("a bad value", {"memstile.toml": b"[index]\nmode='of'\nhard_lines=300"}, with_values(index_hard_lines=300)),
    ("a vault", {"memstile.toml": b"[[vault]]\npath='a'"}, with_values(vaults=(VaultSetting("a", "auto", "/p"),))),
]


@pytest.mark.parametrize(("files", "settings"), [row[1:] for row in BYTES], ids=[row[0] for row in BYTES])
def test_a_projects_files_give_settings_by_themselves(files: dict[str, bytes | None], settings: Settings) -> None:
    assert settings_from_bytes(files, "/p") == settings


def test_a_pull_request_that_raises_the_cap_and_drops_a_vault_is_seen() -> None:
    base = settings_from_bytes({"memstile.toml": b"[[vault]]\npath='a'\n[index]\nhard_lines=100\nsoft_lines=100\n"})
    now = settings_from_bytes({"memstile.toml": b"[index]\nhard_lines=400\nsoft_lines=100\n"})
    assert loosened(base, now) == (
        Loosening("vault", '"a" (auto)', "none"),
        Loosening("index.hard_lines", "100", "400"),
    )


def test_the_module_gives_what_others_take_from_it(place: Place) -> None:
    own = place.own("")
    assert find_project_file(str(place.project)) == own
    assert user_file(place.environment) == str(place.home / ".config/memstile/config.toml")
    assert parse_text(b"", "memstile.toml") == ({}, ())
