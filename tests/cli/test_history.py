"""cli/history.py: the size of an index over time, in the terminal and as a picture."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.git_tools import environment
from tests.run_tools import Ran, memstile
from tests.store_tools import put
from tests.test_history import row
from tests.vault_tools import index, vault


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a folder with a configured vault that grew past its cap within the last hour."""
    folder = vault(tmp_path / "p" / ".memory", index(212, 24_900)).parent
    (folder / "memstile.toml").write_text('[[vault]]\npath = ".memory"\n')
    config = tmp_path / "home" / ".config" / "memstile" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[audit]\npath_redaction = "full"\n')
    now, path = time.time(), str(folder / ".memory" / "MEMORY.md")
    rows = [row("watch_seen", 0, lines, time=now - 3_600 + 600 * at, path=path) for at, lines in enumerate((90, 160))]
    put(tmp_path / "state", *rows, row("index_write", 160, 240, time=now - 60, path=path, action="deny"), now=now)
    return folder


def run(cwd: Path, *words: str, columns: int = 80) -> Ran:
    variables = {**environment(cwd.parent / "home"), "COLUMNS": str(columns)}
    return memstile("history", *words, "--state", str(cwd.parent / "state"), cwd=cwd, environment=variables)


def test_a_curve_is_shown_with_a_line_on_it(project: Path) -> None:
    ran = run(project)
    lines = ran.out.decode().splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[0] == ".memory/MEMORY.md: now 212 lines, 24,900 bytes; over its hard cap by 12 lines"
    assert re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", lines[1]) == "  2 sizes in the log since TIME; 1 refused write"
    assert lines[2].split() == ["lines"]
    assert lines[3].split("|")[1].strip() == "!"
    assert lines[4].endswith("hard cap, claude-code window")
    assert max(map(len, lines)) < 80


def test_days_cut_the_time(project: Path) -> None:
    lines = run(project, "--days", "0.001").out.decode().splitlines()
    assert lines[1] == "  no size of it in the log within that time; 1 refused write"
    assert [line.split("|")[1].strip("=*.- ") for line in lines[3:5]] == ["!", "hard cap, claude-code window"]


def test_a_vault_without_rows_shows_what_is_on_disk(project: Path) -> None:
    vault(project / "other", index(7))
    out = run(project, "other").out.decode()
    assert out.startswith("other/MEMORY.md: now 7 lines, ")
    assert "  no size of it in the log; `memstile watch` notes them\n" in out
    assert "*" in out


def test_a_vault_that_is_not_there_is_told(project: Path) -> None:
    (project / "memstile.toml").write_text('[[vault]]\npath = "none"\n')
    (project / ".memory").rename(project.parent / "away")
    assert run(project).out.decode().splitlines() == [
        "none/MEMORY.md: now no index yet",
        "  no size of it in the log; `memstile watch` notes them",
    ]


def test_a_picture_is_written_and_written_again(project: Path) -> None:
    for _ in range(2):
        assert run(project, "--svg", "sizes.svg") == Ran(0, b"wrote sizes.svg\n", "")
    whole = (project / "sizes.svg").read_bytes()
    assert run(project, "--svg", "-").out[:60] == whole[:60]
    assert b"now 212 lines, 24,900 bytes; over its hard cap by 12 lines; 2 sizes in the log" in whole


def test_a_picture_is_written_over_nothing_else(project: Path) -> None:
    before = (project / ".memory" / "note-1.md").read_bytes()
    ran = run(project, "--svg", ".memory/note-1.md")
    told = "memstile: .memory/note-1.md is there already, and is no picture of memstile's\n  hint: give another name\n"
    assert ran == Ran(2, b"", told)
    assert (project / ".memory" / "note-1.md").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "no such folder: nowhere"),
        (("--svg", "no/such/folder.svg"), "cannot write no/such/folder.svg: No such file or directory"),
        (("--days", "0"), "Invalid value for '--days': 0.0 is not in the range x>0"),
    ],
)
def test_what_cannot_be_is_told(words: tuple[str, ...], told: str, project: Path) -> None:
    ran = run(project, *words)
    assert (ran.code, ran.err.splitlines()[0]) == (2, f"memstile: {told}")


def test_without_a_vault_there_is_nothing_to_draw(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    told = "no vault was given, configured or found\n  hint: name it: `memstile history PATH`, or [[vault]]\n"
    assert run(tmp_path / "p") == Ran(2, b"", f"memstile: {told}")


def test_a_log_that_cannot_be_read_is_told(project: Path) -> None:
    (project.parent / "state" / "gate.db").write_bytes(b"no database" * 100)
    ran = run(project)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith("memstile: the decision log cannot be read: ")
