"""What `memstile restore` prints, asks and answers."""

from __future__ import annotations

import os
import pty
from pathlib import Path
from typing import NamedTuple

import pytest

from memstile.kept import keep, kept, read_kept
from memstile.put_back import Outcome, put_back
from memstile.quarantine import quarantine_place, quarantined
from tests.clock_tools import in_utc as in_utc
from tests.fix_tools import Project, program, project
from tests.run_tools import digest
from tests.vault_tools import index, vault

pytestmark = pytest.mark.usefixtures("in_utc")

OLD, LATER, NOW = index(6), index(7), index(9)
OLD_TIME, LATER_TIME, ASIDE_TIME = 1_796_644_840.123, 1_796_648_440.5, 1_796_650_000.25

DIFF = """\
--- .memory/MEMORY.md, now
+++ .memory/MEMORY.md, 2026-12-07 13:00:40.500
@@ -5,5 +5,3 @@
 - [Note 4](note-4.md)
 - [Note 5](note-5.md)
 > line 7
-> line 8
-> line 9

.memory/MEMORY.md: 9 lines, 145 bytes
as of 2026-12-07 13:00:40.500: 7 lines, 127 bytes
"""
RESTORED = ".memory/MEMORY.md is restored\n  what it held is in "


class Made(NamedTuple):
    """A project with a vault of which contents are kept."""

    project: Project
    file: Path
    state: str

    def said(self, *words: str) -> tuple[int, str, str]:
        ran = self.project.memstile("restore", *words)
        return ran.code, ran.out.decode(), ran.err

    def held(self) -> list[bytes]:
        rows = quarantined(quarantine_place(self.state), str(self.file))
        return [Path(row.place).read_bytes() for row in rows]


def made(folder: Path, name: str = ".memory", *, has_kept: bool = True) -> Made:
    start = project(folder, ignored="/.memory/\n")
    start = start._replace(repo=start.repo._replace(outside={**start.repo.outside, "TZ": "UTC"}))
    return with_vault(start, name, has_kept=has_kept)


def with_vault(start: Project, name: str, *, has_kept: bool = True) -> Made:
    vault(start.repo.path / name)
    file = start.repo.path / name / "MEMORY.md"
    file.write_bytes(NOW)
    state = os.path.join(start.repo.outside["HOME"], ".local/state/memstile")
    if has_kept:
        keep(state, str(file), OLD, OLD_TIME)
        keep(state, str(file), LATER, LATER_TIME)
    return Made(start, file, state)


def test_with_yes_the_difference_is_shown_and_the_last_accepted_content_is_back(tmp_path: Path) -> None:
    there = made(tmp_path)
    code, out, err = there.said("--yes")
    assert (code, out.startswith(DIFF + RESTORED), err) == (0, True, "")
    assert (there.file.read_bytes(), there.held()) == (LATER, [NOW])
    assert [read_kept(row) for row in kept(there.state, str(there.file))] == [LATER, OLD]


def test_restoring_again_goes_one_back(tmp_path: Path) -> None:
    there = made(tmp_path)
    assert [there.said("--yes")[0], there.said("--yes")[0], there.file.read_bytes()] == [0, 0, OLD]


@pytest.mark.parametrize("words", [(".memory",), (".memory/",), (".memory/MEMORY.md",), (".",), ()])
def test_the_vault_its_index_or_a_folder_above_may_be_named(words: tuple[str, ...], tmp_path: Path) -> None:
    there = made(tmp_path)
    assert (there.said("--yes", *words)[0], there.file.read_bytes()) == (0, LATER)


def test_what_is_kept_is_listed(tmp_path: Path) -> None:
    there = made(tmp_path)
    there.file.write_bytes(b"bad\n")
    place = quarantine_place(there.state)
    done = put_back(str(there.file), b"bad\n", LATER, place, ASIDE_TIME)
    assert done.outcome is Outcome.DONE
    assert there.said("--list") == (
        0,
        f"""\
.memory/MEMORY.md: 7 lines, 127 bytes now
  2026-12-07 13:26:40.250  put aside        1 line          4 bytes  {done.quarantined}
  2026-12-07 13:00:40.500  accepted        7 lines        127 bytes
  2026-12-07 12:00:40.123  accepted        6 lines        118 bytes
""",
        "",
    )


def test_where_nothing_is_kept_the_list_says_so_and_restoring_fails(tmp_path: Path) -> None:
    there = made(tmp_path, has_kept=False)
    told = (
        ".memory/MEMORY.md: 9 lines, 145 bytes now\n  nothing is kept; contents are kept while `memstile watch` runs\n"
    )
    assert there.said("--list") == (0, told, "")
    message = "memstile: nothing is kept of .memory/MEMORY.md\n  hint: contents are kept while `memstile watch` runs\n"
    assert there.said("--yes") == (2, "", message)


def test_where_there_is_no_vault_it_says_so(tmp_path: Path) -> None:
    start = project(tmp_path)
    ran = start.memstile("restore", "--list")
    assert (ran.code, ran.out, ran.err) == (0, b"no vault found\n", "")
    assert start.memstile("restore").err.startswith("memstile: no vault found\n")


def test_a_path_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    message = "memstile: no such folder: nope\n  hint: give a vault, or a folder with vaults below it\n"
    assert made(tmp_path).said("nope") == (2, "", message)


@pytest.mark.parametrize(
    ("at", "data"),
    [
        ("2026-12-07 12:00:40.123", OLD),
        ("2026-12-07 12:59", OLD),
        ("2026-12-07 13:00:40.500", LATER),
        ("2026-12-07 13:26:40.250", b"bad\n"),
        ("2099-01-01", LATER),
    ],
)
def test_a_content_is_named_by_its_time(at: str, data: bytes, tmp_path: Path) -> None:
    there = made(tmp_path)
    there.file.write_bytes(b"bad\n")
    put_back(str(there.file), b"bad\n", NOW, quarantine_place(there.state), ASIDE_TIME)
    assert (there.said("--yes", "--at", at)[0], there.file.read_bytes()) == (0, data)


def test_a_time_before_all_and_one_that_is_none_are_told(tmp_path: Path) -> None:
    there = made(tmp_path)
    assert there.said("--at", "2020-01-01")[2] == (
        "memstile: nothing of .memory/MEMORY.md was accepted by then\n  hint: see --list for what is kept\n"
    )
    assert there.said("--at", "noon")[2] == (
        "memstile: noon is no time\n  hint: write it as --list does, or as 30m, 2h or 3d ago\n"
    )


def test_where_the_index_is_that_already_nothing_is_done(tmp_path: Path) -> None:
    there = made(tmp_path)
    there.file.write_bytes(LATER)
    told = "nothing to restore: .memory/MEMORY.md holds that content\n"
    assert there.said("--at", "2026-12-07 14:00") == (0, told, "")


def test_an_index_that_was_removed_comes_back(tmp_path: Path) -> None:
    there = made(tmp_path)
    there.file.unlink()
    code, out, _ = there.said("--yes", ".memory")
    assert (code, out.endswith("\n.memory/MEMORY.md is restored\n"), there.file.read_bytes()) == (0, True, LATER)
    assert ".memory/MEMORY.md: no index yet\n" in out


def test_of_several_vaults_one_has_to_be_named(tmp_path: Path) -> None:
    first = made(tmp_path)
    second = with_vault(first.project, "b")
    message = "memstile: contents are kept of 2 indexes: .memory/MEMORY.md, b/MEMORY.md\n  hint: name one\n"
    assert first.said("--yes") == (2, "", message)
    assert (first.said("--yes", "b")[0], first.file.read_bytes(), second.file.read_bytes()) == (0, NOW, LATER)
    assert first.said("--list")[1].count(" now\n") == 2


def test_a_symlinked_index_stays_one(tmp_path: Path) -> None:
    there = made(tmp_path, has_kept=False)
    target = tmp_path / "target.md"
    there.file.rename(target)
    there.file.symlink_to(target)
    keep(there.state, str(there.file), OLD, OLD_TIME)
    assert (there.said("--yes")[0], target.read_bytes(), there.file.is_symlink()) == (0, OLD, True)


def test_a_fifo_in_the_place_of_the_index_is_told(tmp_path: Path) -> None:
    there = made(tmp_path)
    there.file.unlink()
    os.mkfifo(there.file)
    message = "memstile: .memory/MEMORY.md cannot be looked at: a FIFO\n  hint: move it out of the way\n"
    assert there.said("--yes", ".memory") == (2, "", message)


def test_without_a_terminal_and_without_yes_nothing_is_done(tmp_path: Path) -> None:
    there = made(tmp_path)
    before = digest(there.project.root)
    reader, writer = os.pipe()
    os.close(writer)
    with program(
        "restore", cwd=there.project.repo.path, outside=dict(there.project.repo.outside), stdin=reader
    ) as process:
        out = process.stdout.read().decode() if process.stdout else ""
    os.close(reader)
    ending = (
        "memstile: nothing was changed: there is no terminal to ask on\n  hint: add --yes to restore what was shown\n"
    )
    assert (process.returncode, out) == (2, DIFF + ending)
    assert digest(there.project.root) == before


@pytest.mark.parametrize(
    ("answer", "code", "last"),
    [
        ("y\n", 0, RESTORED),
        ("n\n", 1, "nothing was changed\n"),
        ("\n", 1, "nothing was changed\n"),
        ("\x04", 130, "memstile: interrupted\n"),
    ],
    ids=["yes", "no", "enter", "end of input"],
)
def test_on_a_terminal_it_asks(answer: str, code: int, last: str, tmp_path: Path) -> None:
    there = made(tmp_path)
    ours, theirs = pty.openpty()
    try:
        with program(
            "restore", cwd=there.project.repo.path, outside=dict(there.project.repo.outside), stdin=theirs
        ) as process:
            os.write(ours, answer.encode())
            out = process.stdout.read().decode() if process.stdout else ""
    finally:
        os.close(ours)
        os.close(theirs)
    assert (process.returncode, out.startswith(DIFF + "Restore .memory/MEMORY.md? [y/N]: ")) == (code, True)
    assert (last in out, there.file.read_bytes()) == (True, LATER if code == 0 else NOW)
