"""Area A of the real-world cases: measuring the index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.case_tools import DISK, SINCE, STAGED, Case, alone, grown_to, numbers, past_window, project, rows, told
from tests.git_tools import environment, init
from tests.run_tools import Checked, check
from tests.vault_tools import index, note, vault

NOT_HERE = {
    "012": "the watcher's part; here only that a bad byte in a note stops no check",
}

BASE = "(base: HEAD)"
SINCE_BASE = "(base: the merge base with HEAD)"


def unicode_breaks() -> bytes:
    """Make 180 LF-ended lines, 40 of which hold what Python's splitlines takes for a line end."""
    lines = index(180).decode().split("\n")
    for number, character in enumerate("\u2028\u2029\x85\x0b\x0c" * 8):
        lines[100 + number] += f"a{character}b"
    return "\n".join(lines).encode()


def with_crlf_checkout(folder: Path) -> Path:
    """Build a vault whose index is CRLF on disk and LF in git, where only the form on disk is over the byte cap."""
    repo = init(folder / "proj", environment(folder / "home"))
    repo.git("config", "core.autocrlf", "true")
    repo.write(".gitattributes", "* text=auto\n")
    vault(repo.path, index(190, 25_700, end="\r\n"))
    repo.git("-c", "core.autocrlf=true", "-c", "core.safecrlf=false", "add", "--all")
    return repo.path


def stand_alone(data: bytes) -> Callable[[Path], Path]:
    """Build a vault outside of any repository."""
    return lambda folder: vault(folder / "vault", data)


def with_a_bad_note(folder: Path) -> Path:
    """Build a vault over the cap that has a note with a byte of cp1252."""
    place = vault(folder / "vault", index(205))
    (place / "note-1.md").write_bytes(note("note-1") + b"\x92 smart quote in cp1252\n")
    return place


UTF16 = index(40).decode().encode("utf-16")

CASES = (
    Case(
        "001 exactly at the cap, with a final newline",
        grown_to(index(200, 25_600)),
        {
            DISK: alone(
                "dedicated",
                "on disk 200 lines 25600 bytes",
                "warning MS103 MEMORY.md: index on disk is 200 lines, soft cap 150; 25,600 bytes, soft cap 20,480",
                past_window("MEMORY.md", "index on disk", 196, 200),
            ),
            SINCE: alone(
                "dedicated",
                "on disk 200 lines 25600 bytes",
                "warning MS103 MEMORY.md: index on disk is 200 lines, soft cap 150; 25,600 bytes, soft cap 20,480",
                past_window("MEMORY.md", "index on disk", 196, 200),
            ),
            STAGED: alone(
                "dedicated",
                "staged 200 lines 25600 bytes",
                "warning MS103 MEMORY.md: staged index is 200 lines, soft cap 150; 25,600 bytes, soft cap 20,480",
                past_window("MEMORY.md", "staged index", 196, 200),
            ),
        },
    ),
    Case(
        "003 characters Python calls line breaks and nobody else does",
        grown_to(unicode_breaks()),
        {
            DISK: alone(
                "dedicated",
                "on disk 180 lines 2096 bytes",
                "warning MS103 MEMORY.md: index on disk is 180 lines, soft cap 150",
            ),
            SINCE: alone(
                "dedicated",
                "on disk 180 lines 2096 bytes",
                "warning MS103 MEMORY.md: index on disk is 180 lines, soft cap 150",
            ),
            STAGED: alone(
                "dedicated",
                "staged 180 lines 2096 bytes",
                "warning MS103 MEMORY.md: staged index is 180 lines, soft cap 150",
            ),
        },
    ),
    Case(
        "005 the same file, two sizes: each layer is judged by its own bytes, and named",
        with_crlf_checkout,
        {
            DISK: alone(
                "dedicated",
                "on disk 190 lines 25700 bytes",
                "error MS102 MEMORY.md: index on disk is 25,700 bytes, hard cap 25,600",
                past_window("MEMORY.md", "index on disk", 185, 190),
                code=1,
            ),
            STAGED: alone(
                "dedicated",
                "staged 190 lines 25510 bytes",
                "warning MS103 MEMORY.md: staged index is 190 lines, soft cap 150; 25,510 bytes, soft cap 20,480",
                past_window("MEMORY.md", "staged index", 187, 190),
            ),
        },
    ),
    Case(
        "006 CJK: under in characters, over in bytes",
        grown_to(index(180, 26_400, fill="记")),
        {
            DISK: alone(
                "dedicated",
                "on disk 180 lines 26400 bytes",
                "error MS102 MEMORY.md: index on disk is 26,400 bytes, hard cap 25,600",
                code=1,
            ),
            SINCE: alone(
                "dedicated",
                "on disk 180 lines 26400 bytes",
                f"error MS101 MEMORY.md: index on disk grew from 118 to 26,400 bytes, hard cap 25,600 {SINCE_BASE}",
                code=1,
            ),
            STAGED: alone(
                "dedicated",
                "staged 180 lines 26400 bytes",
                f"error MS101 MEMORY.md: staged index grew from 118 to 26,400 bytes, hard cap 25,600 {BASE}",
                code=1,
            ),
        },
    ),
    Case(
        "008 inside this rule, already cut by the host",
        grown_to(index(190, 25_300)),
        {
            DISK: alone(
                "dedicated",
                "on disk 190 lines 25300 bytes",
                "warning MS103 MEMORY.md: index on disk is 190 lines, soft cap 150; 25,300 bytes, soft cap 20,480",
                past_window("MEMORY.md", "index on disk", 188, 190),
            ),
            SINCE: alone(
                "dedicated",
                "on disk 190 lines 25300 bytes",
                "warning MS103 MEMORY.md: index on disk is 190 lines, soft cap 150; 25,300 bytes, soft cap 20,480",
                past_window("MEMORY.md", "index on disk", 188, 190),
            ),
            STAGED: alone(
                "dedicated",
                "staged 190 lines 25300 bytes",
                "warning MS103 MEMORY.md: staged index is 190 lines, soft cap 150; 25,300 bytes, soft cap 20,480",
                past_window("MEMORY.md", "staged index", 188, 190),
            ),
        },
    ),
    Case(
        "009 few lines, many bytes: the dimension that broke is named alone",
        grown_to(index(146, 53_000)),
        {
            DISK: alone(
                "dedicated",
                "on disk 146 lines 53000 bytes",
                "error MS102 MEMORY.md: index on disk is 53,000 bytes, hard cap 25,600",
                past_window("MEMORY.md", "index on disk", 69, 146),
                code=1,
            ),
            SINCE: alone(
                "dedicated",
                "on disk 146 lines 53000 bytes",
                f"error MS101 MEMORY.md: index on disk grew from 118 to 53,000 bytes, hard cap 25,600 {SINCE_BASE}",
                past_window("MEMORY.md", "index on disk", 69, 146),
                code=1,
            ),
            STAGED: alone(
                "dedicated",
                "staged 146 lines 53000 bytes",
                f"error MS101 MEMORY.md: staged index grew from 118 to 53,000 bytes, hard cap 25,600 {BASE}",
                past_window("MEMORY.md", "staged index", 69, 146),
                code=1,
            ),
        },
    ),
    Case(
        "011 a UTF-16 index is measured by its raw bytes",
        stand_alone(UTF16),
        # Behind each LF stands the NUL of its second byte, the last one too: a line more, without an end.
        {DISK: alone("outside", "on disk 41 lines 912 bytes")},
    ),
    Case(
        "012 one bad byte in a note",
        with_a_bad_note,
        {
            DISK: alone(
                "outside",
                "on disk 205 lines 2211 bytes",
                "error MS102 MEMORY.md: index on disk is 205 lines, hard cap 200",
                past_window("MEMORY.md", "index on disk", 201, 205),
                code=1,
            )
        },
    ),
)


@rows(CASES)
def test_case(case: Case, tmp_path: Path) -> None:
    assert told(case, tmp_path) == dict(case.told)


def test_every_case_of_the_area_is_here() -> None:
    assert numbers(CASES) | {"015"} == {"001", "003", "005", "006", "008", "009", "011", "012", "015"}
    assert set(NOT_HERE) <= numbers(CASES)


UTF16_CHANGES = [
    pytest.param(index(200).decode().encode("utf-16"), index(200), (), id="to UTF-8: smaller"),
    pytest.param(
        index(150, 13_000).decode().encode("utf-16"),
        index(150, 13_100).decode().encode("utf-16"),
        (f"error MS101 MEMORY.md: staged index grew from 26,002 to 26,202 bytes, hard cap 25,600 {BASE}",),
        id="grows past the cap",
    ),
]


@pytest.mark.parametrize(("before", "after", "errors"), UTF16_CHANGES)
def test_011_a_utf16_index_may_shrink_and_not_grow(
    before: bytes, after: bytes, errors: tuple[str, ...], tmp_path: Path
) -> None:
    repo = project(tmp_path)
    vault(repo.path, before)
    repo.commit()
    vault(repo.path, after)
    repo.git("add", "--all")
    result = check("--staged", cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert (result.code, [row for row in result.findings if row.startswith("error")]) == (int(bool(errors)), [*errors])


OVER = (
    "error MS102 MEMORY.md: index on disk is 205 lines, hard cap 200",
    past_window("MEMORY.md", "index on disk", 201, 205),
)

GARBAGE = ["", "0", "-1", "200k", "1e3", "unlimited", "200.0", "0x10", "10_000"]


@pytest.mark.parametrize("value", GARBAGE)
def test_015_a_cap_that_is_no_number_is_told_and_the_default_holds(value: str, tmp_path: Path) -> None:
    place = vault(tmp_path / "vault", index(205))
    variables = environment(tmp_path / "home") | {"MEMSTILE_INDEX_HARD_LINES": value}
    told_once = f'error MS901 environment: index.hard_lines is "{value}", not a whole number from 1 to 1,000,000,000'
    assert check(cwd=place, environment=variables, unchanged=tmp_path) == Checked(
        2, [told_once, *OVER], [". (outside): on disk 205 lines 2211 bytes"]
    )


@pytest.mark.parametrize("value", ["200", " 200 "])
def test_015_a_number_may_have_blanks_around_it(value: str, tmp_path: Path) -> None:
    place = vault(tmp_path / "vault", index(205))
    variables = environment(tmp_path / "home") | {"MEMSTILE_INDEX_HARD_LINES": value}
    assert check(cwd=place, environment=variables, unchanged=tmp_path) == Checked(
        1, [*OVER], [". (outside): on disk 205 lines 2211 bytes"]
    )
