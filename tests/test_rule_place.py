"""The place of a rule: the top .gitignore, unless one further down would outrank it; and git agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from memstile.core.appending import appended
from memstile.core.facts import Asked, RepositoryFacts
from memstile.core.repairs import pattern
from memstile.core.steps import Place
from memstile.ignore import MAX_LINES
from memstile.rule_place import RulePlaces
from tests.git_tools import environment, init

UNIT = "docs/deep/memory"


def facts(unit: str = UNIT, kind: str = "folder") -> RepositoryFacts:
    return RepositoryFacts("", unit, kind, asked=(Asked(f"{unit}/MEMORY.md", None),))


# id: (ignore files, unit, its kind, where the rule goes)
PLACES = {
    "no file": ({}, UNIT, "folder", Place(".gitignore", b"")),
    "a file at the top": ({".gitignore": b"a\n"}, UNIT, "folder", Place(".gitignore", b"a\n")),
    "a negation at the top comes before it": (
        {".gitignore": b"!memory/\n"},
        UNIT,
        "folder",
        Place(".gitignore", b"!memory/\n"),
    ),
    "a file further down that says nothing of it": (
        {"docs/.gitignore": b"*.o\n!x\n"},
        UNIT,
        "folder",
        Place(".gitignore", b""),
    ),
    "let back in further down": (
        {"docs/.gitignore": b"!memory/\n"},
        UNIT,
        "folder",
        Place("docs/deep/.gitignore", b""),
    ),
    "let back in beside it": (
        {"docs/deep/.gitignore": b"!memory"},
        UNIT,
        "folder",
        Place("docs/deep/.gitignore", b"!memory"),
    ),
    "a link let back in": (
        {".gitignore": b"x\n", "docs/.gitignore": b"!deep/memory\n"},
        UNIT,
        "symlink",
        Place("docs/deep/.gitignore", b""),
    ),
    "a negation for folders does not reach a link": (
        {"docs/.gitignore": b"!memory/\n"},
        UNIT,
        "symlink",
        Place(".gitignore", b""),
    ),
    "the vault's own file is asked last": ({f"{UNIT}/.gitignore": b"!*\n"}, UNIT, "folder", Place(".gitignore", b"")),
    "at the top itself": ({".gitignore": b"!memory\n"}, "memory", "folder", Place(".gitignore", b"!memory\n")),
}


@pytest.mark.parametrize(("files", "unit", "kind", "place"), PLACES.values(), ids=PLACES)
def test_a_rule_goes_where_it_wins(files: dict[str, bytes], unit: str, kind: str, place: Place, tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    for name, data in files.items():
        repo.write(name, data)
    row = facts(unit, kind)
    assert RulePlaces(str(repo.path)).take(row) == place
    if kind == "symlink":
        (repo.path / unit).parent.mkdir(parents=True, exist_ok=True)
        (repo.path / unit).symlink_to("/nowhere")
    else:
        (repo.path / unit).mkdir(parents=True, exist_ok=True)
    repo.write(place.file, appended(place.data, pattern(row, place.file).encode()))
    assert repo.git("check-ignore", "--no-index", "--", unit) == unit


def test_a_file_past_a_limit_gets_the_rule_as_its_last_line_wins(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"#\n" * MAX_LINES)
    places = RulePlaces(str(tmp_path))
    assert places.take(facts("memory")) == Place(".gitignore", b"#\n" * MAX_LINES)
    assert [places.is_covered(facts(unit)) for unit in ("memory", "memory/inner", "other")] == [True, True, False]


def test_a_link_in_place_of_a_file_counts_for_nothing_as_in_git(tmp_path: Path) -> None:
    (tmp_path / "rules").write_bytes(b"/memory/\n")
    (tmp_path / ".gitignore").symlink_to("rules")
    places = RulePlaces(str(tmp_path))
    assert not places.is_covered(facts("memory"))
    assert places.take(facts("memory")) == Place(".gitignore", b"")


def test_a_planned_rule_covers_what_is_below_and_is_there_for_the_next_one(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"a")
    places = RulePlaces(str(tmp_path))
    rows = [facts("memory"), facts("memory/archive"), facts("other")]
    assert places.take(rows[0]) == Place(".gitignore", b"a")
    assert [places.is_covered(row) for row in rows] == [True, True, False]
    assert places.take(rows[2]) == Place(".gitignore", b"a\n/memory/\n")
