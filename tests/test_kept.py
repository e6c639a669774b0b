"""kept.py: the newest contents of an index, in the order they were kept, whole, for the person alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.measure import Size, measure
from memstile.kept import MOST_KEPT, Kept, keep, kept, last_accepted, name_of, read_kept


def held(state: Path, index: str) -> list[tuple[float, bytes]]:
    return [(row.time, read_kept(row)) for row in kept(str(state), index)]


def test_nothing_is_kept_at_first(tmp_path: Path) -> None:
    assert (kept(str(tmp_path / "state"), "/v/MEMORY.md"), last_accepted(str(tmp_path), "/v/MEMORY.md")) == ((), None)


def test_a_content_comes_back_with_its_time_and_size(tmp_path: Path) -> None:
    keep(str(tmp_path), "/v/MEMORY.md", b"a\nb", 1.25)
    row = last_accepted(str(tmp_path), "/v/MEMORY.md")
    assert row is not None
    folder = tmp_path / "kept" / name_of("/v/MEMORY.md")
    assert row == Kept(1.25, str(folder / os.listdir(folder)[0]), Size(2, 3))
    assert read_kept(row) == b"a\nb"


def test_all_of_it_is_for_the_person_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keep(str(tmp_path / "a/state"), "/v/MEMORY.md", b"a\n", 1.0)
    finally:
        os.umask(before)
    rows = {path.is_dir(): stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a").rglob("*")}
    assert rows == {True: 0o700, False: 0o600}
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_indexes_are_kept_apart_and_links_lead_to_the_same(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "link").symlink_to("v")
    keep(str(tmp_path / "s"), str(tmp_path / "v/MEMORY.md"), b"a", 1.0)
    keep(str(tmp_path / "s"), str(tmp_path / "w/MEMORY.md"), b"b", 2.0)
    assert held(tmp_path / "s", str(tmp_path / "link/MEMORY.md")) == [(1.0, b"a")]


def test_a_name_no_encoding_knows_is_kept_too(tmp_path: Path) -> None:
    keep(str(tmp_path), "/v/\udcff/MEMORY.md", b"a", 1.0)
    assert held(tmp_path, "/v/\udcff/MEMORY.md") == [(1.0, b"a")]


CONTENTS = st.sampled_from([b"", b"a", b"b\n", b"a\r\n\xff", b"\n\n"])
TIMES = st.floats(-10, 4e9).map(lambda seconds: round(seconds, 3))


@given(st.lists(st.tuples(CONTENTS, TIMES), max_size=8))
def test_the_newest_come_first_and_a_repetition_counts_once(calls: list[tuple[bytes, float]]) -> None:
    model: list[tuple[float, bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        for data, now in calls:
            keep(folder, "/v/MEMORY.md", data, now)
            if not model or model[0][1] != data:
                model.insert(0, (max(0.0, now), data))
            rows = kept(folder, "/v/MEMORY.md")
            assert [(round(row.time, 3), read_kept(row)) for row in rows] == model
            assert [row.size for row in rows] == [measure(data) for _, data in model]


@pytest.mark.parametrize("count", [MOST_KEPT - 1, MOST_KEPT, MOST_KEPT + 1, MOST_KEPT + 20])
def test_the_newest_fifty_stay(count: int, tmp_path: Path) -> None:
    for number in range(count):
        keep(str(tmp_path), "/v/MEMORY.md", b"%d" % number, 1000.0 - number)  # a clock that runs backwards
        keep(str(tmp_path), "/w/MEMORY.md", b"the same", float(number))
    numbers = range(count - 1, max(-1, count - 1 - MOST_KEPT), -1)
    assert held(tmp_path, "/v/MEMORY.md") == [(1000.0 - number, b"%d" % number) for number in numbers]
    assert held(tmp_path, "/w/MEMORY.md") == [(0.0, b"the same")]


def changed(place: Path) -> None:
    place.write_bytes(b"b")


def cut(place: Path) -> None:
    place.write_bytes(b"")


def longer(place: Path) -> None:
    place.write_bytes(b"aa")


def gone(place: Path) -> None:
    place.unlink()


def link(place: Path) -> None:
    place.rename(place.with_name("x"))
    place.symlink_to("x")


def pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


@pytest.mark.parametrize("damage", [changed, cut, longer, gone, link, pipe], ids=lambda function: function.__name__)
def test_what_is_not_what_was_kept_is_not_given(damage: object, tmp_path: Path) -> None:
    keep(str(tmp_path), "/v/MEMORY.md", b"a", 1.0)
    row = kept(str(tmp_path), "/v/MEMORY.md")[0]
    assert callable(damage)
    damage(Path(row.place))
    with pytest.raises(OSError, match=r"not what was kept|No such file|symbolic links"):
        read_kept(row)


def test_foreign_files_beside_are_passed_over_and_stay(tmp_path: Path) -> None:
    keep(str(tmp_path), "/v/MEMORY.md", b"a", 1.0)
    folder = tmp_path / "kept" / name_of("/v/MEMORY.md")
    for name in (
        "x",
        "1-2-3-4",
        "1-2-3-4-5",
        f"1-2-x-4-{'0' * 32}",
        f"1-2-\u0663-4-{'0' * 32}",
        f"1-2-3-4-5-{'0' * 32}",
    ):
        (folder / name).write_bytes(b"theirs")
    keep(str(tmp_path), "/v/MEMORY.md", b"b", 2.0)
    assert (held(tmp_path, "/v/MEMORY.md"), len(list(folder.iterdir()))) == ([(2.0, b"b"), (1.0, b"a")], 8)


def test_what_a_killed_process_did_not_finish_is_removed(tmp_path: Path) -> None:
    keep(str(tmp_path), "/v/MEMORY.md", b"a", 1.0)
    folder = tmp_path / "kept" / name_of("/v/MEMORY.md")
    (folder / ".new-0a1b2c3d").write_bytes(b"half")
    keep(str(tmp_path), "/v/MEMORY.md", b"b", 2.0)
    assert len(list(folder.iterdir())) == 2


def test_a_state_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        keep(str(tmp_path / "state"), "/v/MEMORY.md", b"a", 1.0)


_KEEPER = """
import sys
from memstile.kept import keep
for number in range(15):
    keep(sys.argv[1], "/v/MEMORY.md", b"%s %d" % (sys.argv[2].encode(), number), float(number))
"""


def test_several_processes_keep_at_once_and_none_is_lost(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [[sys.executable, "-c", _KEEPER, str(tmp_path), name] for name in "abc"]
    running = [subprocess.Popen(line, env=environment) for line in words]
    assert [process.wait() for process in running] == [0, 0, 0]
    found = held(tmp_path, "/v/MEMORY.md")
    assert sorted(data for _, data in found) == sorted(b"%c %d" % (c, n) for c in b"abc" for n in range(15))
    for name in b"abc":
        order = [int(data[2:]) for _, data in found if data[0] == name]
        assert order == list(range(14, -1, -1))
