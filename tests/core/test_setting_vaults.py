"""core/setting_vaults.py: the [[vault]] tables of one file, and who may say how a vault stands to git."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.setting_keys import VAULT_MODES
from memstile.core.setting_vaults import MAX_VAULTS, Tables, Trouble, joined, leaves_its_folder, read_tables
from memstile.core.settings import VaultSetting

EXAMPLE = 'write [[vault]] on a line of its own and path = ".agent-memory" below it'
MODES = "auto, outside, ignored, dedicated, shared"


def vault(path: str, mode: str = "auto", base: str = "/p") -> VaultSetting:
    return VaultSetting(path, mode, base)


READ = [
    pytest.param([], Tables(), id="none"),
    pytest.param([{"path": "a"}], Tables(((1, vault("a")),)), id="a path alone"),
    pytest.param(
        [{"path": "~/x*", "mode": "shared"}, {"path": "a\nb"}],
        Tables(((1, vault("~/x*", "shared")), (2, vault("a\nb")))),
        id="two, one with a mode",
    ),
    pytest.param(
        {"path": "a"},
        Tables(
            ((1, vault("a")),),
            (Trouble("vault", "vault is one table, not a list of tables", "write [[vault]] with two brackets"),),
        ),
        id="one pair of brackets: told, and guarded",
    ),
    pytest.param(
        ".agent-memory",
        Tables(troubles=(Trouble("vault", 'vault is ".agent-memory", not a list of tables', EXAMPLE),)),
        id="text",
    ),
    pytest.param(
        ["a", {"path": "b"}],
        Tables(((2, vault("b")),), (Trouble("vault[1]", 'vault[1] is "a", not a table', EXAMPLE),)),
        id="text for a table",
    ),
    pytest.param(
        [{"mode": "shared"}],
        Tables(troubles=(Trouble("vault[1].path", "vault[1] names no path", EXAMPLE),)),
        id="no path",
    ),
    pytest.param(
        [{"path": " "}],
        Tables(troubles=(Trouble("vault[1].path", 'vault[1].path is " ", not a path', EXAMPLE),)),
        id="a blank path",
    ),
    pytest.param(
        [{"path": "a\0b"}],
        Tables(troubles=(Trouble("vault[1].path", 'vault[1].path is "a\\x00b", not a path', EXAMPLE),)),
        id="a NUL, which no path holds",
    ),
    pytest.param(
        [{"path": ["a"]}],
        Tables(troubles=(Trouble("vault[1].path", 'vault[1].path is ["a"], not a path', EXAMPLE),)),
        id="a list of paths",
    ),
    pytest.param([{"path": "*/" * 8 + "a"}], Tables(((1, vault("*/" * 8 + "a")),)), id="eight stars"),
    pytest.param(
        [{"path": "a/*\\\\*b/" + "*/" * 7}, {"path": "b"}],
        Tables(
            ((2, vault("b")),),
            (
                Trouble(
                    "vault[1].path",
                    'vault[1].path has more than 8 parts with "*"',
                    "name the folders further down, or fewer of them",
                ),
            ),
        ),
        id="nine stars",
    ),
    pytest.param(
        [{"path": "a", "mode": ["shared"]}],
        Tables(
            ((1, vault("a")),),
            (
                Trouble(
                    "vault[1].mode",
                    f'vault[1].mode is ["shared"], not one of {MODES}',
                    '"auto" is used until this is mended',
                ),
            ),
        ),
        id="a bad mode: the vault is guarded all the same",
    ),
    pytest.param(
        [{"path": "a", "pth": 1, "note": 2}],
        Tables(((1, vault("a")),), unknown=("vault[1].pth", "vault[1].note")),
        id="names that are no setting",
    ),
]


@pytest.mark.parametrize(("value", "tables"), READ)
def test_tables_are_read_one_by_one(value: object, tables: Tables) -> None:
    assert read_tables(value, "/p") == tables


@pytest.mark.parametrize(("count", "is_told"), [(MAX_VAULTS, False), (MAX_VAULTS + 1, True)], ids=["at", "over"])
def test_more_tables_than_a_hook_has_time_for_are_cut_and_told(count: int, is_told: bool) -> None:
    tables = read_tables([{"path": f"v{number}"} for number in range(count)], "/p")
    told = Trouble(
        "vault", f"vault holds {count} tables, of which the first 200 are used", 'name many vaults by one path with "*"'
    )
    assert (len(tables.vaults), tables.troubles) == (MAX_VAULTS, (told,) if is_told else ())


LEAVING = [
    ("a", False),
    (".", False),
    ("a/../b", False),
    ("..a", False),
    ("a/~", False),
    ("*/memory", False),
    ("..", True),
    ("../a", True),
    ("a/../../b", True),
    ("./../b", True),
    ("/a", True),
    ("//a", True),
    ("~", True),
    ("~other/a", True),
    ("C:/a", True),
    ("C:\\a", True),
    ("\\\\host\\a", True),
    ("..\\a", True),
]


@pytest.mark.parametrize(("path", "leaves"), LEAVING)
def test_a_path_is_judged_by_its_text(path: str, leaves: bool) -> None:
    assert leaves_its_folder(path) is leaves


IGNORED = Trouble(
    "vault[1].mode", 'vault[1].mode is "shared", not for this file to set; "auto" is used', "", is_loosening=True
)

# who: "person", "project" or "hook" (its environment)
JOINED = [
    pytest.param([], ["a", "shared"], "person", [vault("a", "shared")], [], id="a person's vault"),
    pytest.param([], ["a", "shared"], "project", [vault("a", "shared")], [], id="a project's own vault"),
    pytest.param([], ["a", "shared"], "hook", [vault("a")], [IGNORED], id="an environment's vault: guarded, no mode"),
    pytest.param([], ["../a", "shared"], "person", [vault("../a", "shared")], [], id="a person's vault anywhere"),
    pytest.param([], ["../a", "shared"], "project", [vault("../a")], [IGNORED], id="a project's vault elsewhere"),
    pytest.param([], ["~/a", "auto"], "project", [vault("~/a")], [], id="a project adds a vault elsewhere"),
    pytest.param(
        [vault("a", base="/q")],
        ["b", "auto"],
        "project",
        [vault("a", base="/q"), vault("b")],
        [],
        id="none is taken away",
    ),
    pytest.param(
        [vault("p/a", base="/")], ["a", "ignored"], "project", [vault("p/a", "ignored", "/")], [], id="the same folder"
    ),
    pytest.param(
        [vault("~/a", base="/q")],
        ["~/./a/", "shared"],
        "person",
        [vault("~/a", "shared", "/q")],
        [],
        id="the same, by ~",
    ),
    pytest.param(
        [vault("a", "shared")],
        ["a", "ignored"],
        "project",
        [vault("a", "ignored")],
        [],
        id="a project asks more of git",
    ),
    pytest.param(
        [vault("a", "ignored")], ["a", "auto"], "project", [vault("a", "ignored")], [], id="a project names no mode"
    ),
    pytest.param(
        [vault("a", "ignored")],
        ["a", "shared"],
        "project",
        [vault("a", "ignored")],
        [IGNORED._replace(message=IGNORED.message.replace("auto", "ignored"))],
        id="a project asks less than the person",
    ),
    pytest.param(
        [vault("a", "ignored")], ["a", "shared"], "person", [vault("a", "shared")], [], id="a person asks less of git"
    ),
]


@pytest.mark.parametrize(("known", "table", "who", "vaults", "troubles"), JOINED)
def test_a_file_adds_vaults_and_says_their_mode_where_it_may(
    known: list[VaultSetting], table: list[str], who: str, vaults: list[VaultSetting], troubles: list[Trouble]
) -> None:
    tables = read_tables([{"path": table[0], "mode": table[1]}], "/p")
    done = joined(tuple(known), tables, may_loosen=who == "person", is_own=who == "project")
    assert done == (tuple(vaults), tuple(troubles))


TWICE = Trouble(
    "vault[2].path",
    "vault[2] names the folder of vault[1] with another mode",
    'keep one of them; "ignored" is used until then',
)


@pytest.mark.parametrize("modes", [("shared", "ignored"), ("ignored", "shared")], ids=["later", "earlier"])
def test_of_two_tables_for_a_folder_the_one_that_asks_more_of_git_is_used(modes: tuple[str, str]) -> None:
    tables = read_tables([{"path": "a", "mode": modes[0]}, {"path": "./a", "mode": modes[1]}], "/p")
    vaults, troubles = joined((), tables, may_loosen=True, is_own=False)
    assert ([one.mode for one in vaults], troubles) == (["ignored"], (TWICE,))


def test_the_same_table_twice_is_one_vault() -> None:
    tables = read_tables([{"path": "a"}, {"path": "a/"}], "/p")
    assert joined((), tables, may_loosen=True, is_own=False) == ((vault("a"),), ())


VAULTS = st.lists(
    st.builds(vault, st.sampled_from(["a", "../a", "/a", "~/a", "b/../a"]), st.sampled_from(VAULT_MODES)), max_size=5
)


@given(VAULTS, VAULTS, st.booleans(), st.booleans())
def test_no_file_takes_a_vault_away(
    known: list[VaultSetting], more: list[VaultSetting], may_loosen: bool, is_own: bool
) -> None:
    first, _ = joined((), Tables(tuple(enumerate(known, 1))), may_loosen=True, is_own=False)
    after, _ = joined(first, Tables(tuple(enumerate(more, 1))), may_loosen=may_loosen, is_own=is_own)
    assert [one.path for one in after[: len(first)]] == [one.path for one in first]
