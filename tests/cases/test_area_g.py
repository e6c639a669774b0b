"""Area G of the real-world cases, and the cases of other areas that have a part for the watcher: on the real disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.git_tools import environment, init
from tests.vault_tools import index, note, vault
from tests.watch_tools import Live

pytestmark = pytest.mark.slow

NOT_HERE = {
    "116": "errors in the handler in general: tests/test_watch_run.py and tests/test_watch_source.py",
    "117": "its own reads wake it: tests/test_watch_source.py; idle for a while: tests/cli/test_watch.py",
    "119": "no events at all: tests/test_watch_places.py and tests/test_watch_run.py",
}


class Watch(NamedTuple):
    """A case. build: makes the vault v, and what else there is. act: what happens while it is watched. told: all that
    is said, by the mode of the watcher."""

    name: str
    build: Callable[[Path], object]
    act: Callable[[Path, Live], None]
    audit: list[str]
    enforce: list[str]
    lines_after: tuple[int, int]


def lines(count: int) -> Callable[[Path], object]:
    return lambda folder: vault(folder / "v", index(count))


def put(folder: Path, count: int) -> None:
    (folder / "v" / "MEMORY.md").write_bytes(index(count))


def bad_note(folder: Path, live: Live) -> None:
    with open(folder / "v" / "note-1.md", "ab") as file:
        file.write(b"\x92 smart quote in cp1252\n")
    with open(folder / "v" / "MEMORY.md", "ab", buffering=0) as file:
        for number in range(20):
            file.write(b"> more %d\n" % number)
    live.until("found MS101")


def torn(folder: Path, live: Live) -> None:
    place = folder / "v" / "MEMORY.md"
    place.write_bytes(b"")
    place.write_bytes(index(222, 23_000)[:9000])
    place.write_bytes(index(222, 23_000))
    live.until_seen(222)


def merge(folder: Path) -> None:
    repo = init(folder / "v", environment(folder / "home"))
    rows = index(190).splitlines(keepends=True)
    vault(repo.path, b"".join(rows))
    repo.commit()
    repo.git("switch", "--quiet", "--create", "side")
    put(folder, 190)
    (repo.path / "MEMORY.md").write_bytes(b"".join([rows[0], *[b"> side\n"] * 8, *rows[1:]]))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    (repo.path / "MEMORY.md").write_bytes(b"".join([*rows, *[b"> main\n"] * 8]))
    repo.commit()


def do_merge(folder: Path, live: Live) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "merge", "-q", "--no-edit", "side"]
    subprocess.run(command, cwd=folder / "v", env=environment(folder / "home"), check=True, capture_output=True)
    live.until("found MS101")


def two_steps(folder: Path, live: Live) -> None:
    place = folder / "v" / "MEMORY.md"
    (folder / "v" / "late.md").write_bytes(note("late"))
    place.write_bytes(index(6) + b"- [Late](late.md)\n")
    live.until_seen(7)
    place.write_bytes(index(6) + b"- [Late](late.md)\n- [Early](early.md)\n")
    live.until_seen(8)
    (folder / "v" / "early.md").write_bytes(note("early"))


def renamed(folder: Path, live: Live) -> None:
    draft = folder / "v" / ".MEMORY.md.tmp-8821"
    draft.write_bytes(index(215))
    os.replace(draft, folder / "v" / "MEMORY.md")
    live.until("found MS101")


def vim(folder: Path, live: Live) -> None:
    place = folder / "v"
    (place / "4913").touch()
    (place / "4913").unlink()
    (place / "MEMORY.md").rename(place / "MEMORY.md~")
    put(folder, 215)
    (place / "MEMORY.md~").unlink()
    live.until("found MS101")


def made_again(folder: Path, live: Live) -> None:
    shutil.copytree(folder / "v", folder / "new")
    shutil.rmtree(folder / "v")
    live.until("gone v")
    (folder / "v").mkdir()
    for place in (folder / "new").glob("note-*.md"):
        shutil.copy(place, folder / "v")
    live.until("back v")
    put(folder, 215)
    live.until("found MS101")


def moved_in(folder: Path, live: Live) -> None:
    vault(folder / "incoming", index(215), notes=50)
    (folder / "incoming").rename(folder / "v" / "imported")
    live.until("found MS104 v/imported")


BURST = """
import os, shutil

for i in range(20000):
    p = "v/burst-%d.tmp" % (i % 50)
    with open(p, "w") as f:
        f.write("x")
    os.unlink(p)
    if i == 10000:
        shutil.copyfile("new.md", "v/MEMORY.md.in")
        os.replace("v/MEMORY.md.in", "v/MEMORY.md")
"""


def burst(folder: Path, live: Live) -> None:
    (folder / "new.md").write_bytes(index(215))
    subprocess.run([sys.executable, "-c", BURST], cwd=folder, check=True)
    live.until("found MS101", 40.0)


def away_and_back(folder: Path, live: Live) -> None:
    (folder / "v").rename(folder / ".away")
    live.until("gone v")
    (folder / ".away").rename(folder / "v")
    live.until("back v")


def nothing(folder: Path, live: Live) -> None:
    live.until("found MS104")


SOFT = ["started v", "found MS103 v"]
GREW, BACK = [*SOFT, "found MS101 v"], [*SOFT, "found MS101 v", "restored v"]
OVER = ["started v", "found MS102 v", "found MS104 v"]
IMPORTED = ["started v", "started v/imported", "found MS102 v/imported", "found MS104 v/imported"]
GONE = [*SOFT, "gone v", "back v", "found MS101 v"]

CASES = (
    Watch("012 one bad byte in a note does not stop it", lines(190), bad_note, GREW, BACK, (210, 190)),
    Watch(
        "019 a save that passes through zero is no growth",
        lambda folder: vault(folder / "v", index(230, 24_000)),
        torn,
        OVER,
        OVER,
        (222, 222),
    ),
    Watch(
        "025 a clean merge adds up, and is not put back",
        merge,
        do_merge,
        GREW,
        [*GREW, "not_restored v"],
        (206, 206),
    ),
    Watch("093 two writes, one intention", lines(6), two_steps, ["started v"], ["started v"], (8, 8)),
    Watch("107 saved by rename", lines(190), renamed, GREW, BACK, (215, 190)),
    Watch("108 vim style", lines(190), vim, GREW, BACK, (215, 190)),
    Watch("110 vault deleted and made again", lines(190), made_again, GONE, [*GONE, "not_restored v"], (215, 215)),
    Watch("113 tree moved in", lines(6), moved_in, IMPORTED, IMPORTED, (6, 6)),
    Watch("114 burst", lines(190), burst, GREW, BACK, (215, 190)),
    Watch("121 over before it started", lines(230), nothing, OVER, OVER, (230, 230)),
    Watch(
        "122 gone for two seconds",
        lines(150),
        away_and_back,
        ["started v", "gone v", "back v"],
        ["started v", "gone v", "back v"],
        (150, 150),
    ),
)


@pytest.mark.parametrize("mode", ["audit", "enforce"])
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_what_happens_is_told_once(case: Watch, mode: str, tmp_path: Path) -> None:
    case.build(tmp_path)
    live = Live(tmp_path, "v", mode=mode)
    try:
        case.act(tmp_path, live)
        if "restored v" in case.enforce and mode == "enforce":
            live.until("restored v")
    finally:
        told = live.end()
    index_after = (tmp_path / "v" / "MEMORY.md").read_bytes()
    assert (told, index_after.count(b"\n")) == (
        case.audit if mode == "audit" else case.enforce,
        case.lines_after[mode == "enforce"],
    )


def test_every_case_of_the_area_is_here() -> None:
    area = {"107", "108", "110", "113", "114", "116", "117", "119", "121", "122"}
    assert {case.name[:3] for case in CASES} | set(NOT_HERE) == {*area, "012", "019", "025", "093"}
