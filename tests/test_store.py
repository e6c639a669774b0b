"""store.py and audit_log.py: one transaction an event, many processes, and every way a store can be unusable."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memstile.audit_log import Head, anchor_place, anchored, path_key, read_anchor
from memstile.audit_verify import Verified, verify
from memstile.store import STEPS, Changed, StoreError, open_store, store_place, with_turn
from tests.store_tools import KEY, NOW, TTL_S, count_up, decided, filled, put
from tests.unprivileged import public_folder, unprivileged

ROOT = Path(__file__).parent.parent


def turn(folder: Path, after: str | None, now: float = NOW, key: tuple[str, str, str] = KEY) -> str | None:
    """Give the state before, and leave another."""
    return with_turn(str(folder), key, now, TTL_S, lambda state: Changed(after, [], state))


def workers(folder: Path, count: int, each: int) -> list[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    return [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store_tools", str(folder), f"w{number}", str(each)],
            stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT,
        )
        for number in range(count)
    ]  # fmt: skip


def test_a_state_is_kept_for_its_key_alone(tmp_path: Path) -> None:
    assert turn(tmp_path, "one") is None
    assert turn(tmp_path, "two", key=("h", "s", "")) is None
    assert turn(tmp_path, None) == "one"
    assert turn(tmp_path, "\udcff") is None
    assert turn(tmp_path, "") == "\udcff"
    assert turn(tmp_path, None) == ""


def test_a_state_expires_after_its_last_event(tmp_path: Path) -> None:
    turn(tmp_path, "one")
    assert turn(tmp_path, "two", NOW + TTL_S) == "one"
    assert turn(tmp_path, "three", NOW + 2 * TTL_S) == "two"
    assert turn(tmp_path, None, NOW + 3 * TTL_S + 1) is None


def test_a_clock_that_jumps_back_brings_nothing_back_and_loses_nothing(tmp_path: Path) -> None:
    turn(tmp_path, "one")
    turn(tmp_path, "other", NOW + TTL_S + 1, ("h", "s", "b"))
    assert turn(tmp_path, None, NOW) is None
    assert turn(tmp_path, "later", NOW - 10 * TTL_S, ("h", "s", "b")) == "other"
    assert turn(tmp_path, None, NOW - 9 * TTL_S, ("h", "s", "b")) == "later"


def test_what_a_change_raises_goes_through_and_nothing_is_changed(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    turn(tmp_path, "one")

    def change(state: str | None) -> Changed[None]:
        raise ValueError(state)

    with pytest.raises(ValueError, match="one"):
        with_turn(str(tmp_path), KEY, NOW, TTL_S, change)
    assert turn(tmp_path, None) == "one"


def test_a_retried_event_is_one_row(tmp_path: Path) -> None:
    put(tmp_path, decided("c"), decided("c"), decided("c", event="tool_result"))
    put(tmp_path, decided("c"), decided("d"), decided("", event="batch_end"), decided("", event="batch_end"))
    assert verify(str(tmp_path)) == Verified(5, ())


def test_files_are_ours_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "state"
    filled(folder)
    store_place_ = Path(store_place(str(folder)))
    assert len(path_key(str(folder))) == 32
    assert path_key(str(folder)) == path_key(str(folder))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    folder.chmod(0o755)
    store_place_.chmod(0o644)
    put(folder, decided("x"))
    assert (folder.stat().st_mode & 0o777, store_place_.stat().st_mode & 0o777) == (0o700, 0o600)


def test_the_anchor_is_the_last_row(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    anchor = read_anchor(str(tmp_path))
    assert anchor is not None
    assert anchor.id == 3


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x",
        b"1 2",
        b"-1 " + b"0" * 64,
        b"1 " + b"z" * 64,
        b"\xff" * 200,
        b"0" * 95,
        anchored(Head(1))[:-1],
        anchored(Head(1)).replace(b"1 ", b"2 ", 1),
    ],
)
def test_an_anchor_that_is_none_is_none(content: bytes, tmp_path: Path) -> None:
    Path(anchor_place(str(tmp_path))).write_bytes(content)
    assert read_anchor(str(tmp_path)) is None


def test_processes_lose_no_row_and_no_change(tmp_path: Path) -> None:
    printed = [int(line) for done in workers(tmp_path, 8, 250) for line in done.communicate()[0].split()]
    assert sorted(printed) == list(range(1, 2001))
    assert verify(str(tmp_path)) == Verified(2000, ())


def test_a_kill_in_the_middle_leaves_a_store_that_verifies(tmp_path: Path) -> None:
    running = workers(tmp_path, 4, 1_000_000)
    seen = []
    for number, process in enumerate(running):
        assert process.stdout is not None
        for _ in range(20 + 7 * number):
            seen.append(int(process.stdout.readline()))
        os.kill(process.pid, signal.SIGKILL)
        seen += [int(line) for line in process.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
    found = verify(str(tmp_path))
    assert found.faults == ()
    assert found.rows >= len(seen) == len(set(seen))
    store = open_store(str(tmp_path))
    assert count_up(store, "after", 0) == found.rows + 1
    store.close()


def kind(folder: Path, timeout_s: float = 0.05) -> str:
    with pytest.raises(StoreError) as raised:
        with_turn(str(folder), KEY, NOW, TTL_S, lambda state: Changed("x", [decided("z")], None), timeout_s)
    assert str(folder) not in str(raised.value)
    return raised.value.kind


def test_a_store_that_is_locked_is_told_in_time(tmp_path: Path) -> None:
    filled(tmp_path)
    other = sqlite3.connect(store_place(str(tmp_path)), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert kind(tmp_path) == "locked"
    other.close()
    put(tmp_path, decided("z"))


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\0" + b"\xff" * 4080])
def test_a_file_that_is_no_store_is_corrupt(content: bytes, tmp_path: Path) -> None:
    Path(store_place(str(tmp_path))).write_bytes(content)
    assert kind(tmp_path) == "corrupt"
    assert Path(store_place(str(tmp_path))).read_bytes() == content


def test_a_later_schema_is_left_alone(tmp_path: Path) -> None:
    later = (*STEPS, ("ALTER TABLE turns ADD COLUMN note TEXT",))
    old = open_store(str(tmp_path))
    assert count_up(old, "w", 0) == 1
    new = open_store(str(tmp_path), steps=later)
    assert count_up(new, "w", 1) == 2
    new.close()
    with pytest.raises(StoreError) as raised:
        count_up(old, "w", 2)
    old.close()
    assert (raised.value.kind, kind(tmp_path)) == ("newer", "newer")


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    with pytest.raises(StoreError):
        open_store(str(tmp_path), steps=(*STEPS, ("DROP TABLE turns", "no such statement")))
    assert verify(str(tmp_path)) == Verified(5, ())
    assert turn(tmp_path, None) == "{}"


def test_a_folder_that_cannot_be_written_is_told() -> None:
    with public_folder() as folder, unprivileged():
        assert kind(folder / "state") == "read-only"
    with public_folder() as folder:
        with unprivileged():
            pass
        filled(folder)
        folder.chmod(0o755)
        with unprivileged():
            assert kind(folder) == "read-only"


def test_a_link_or_a_folder_in_the_place_of_the_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "gate.db").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "b" / "gate.db").mkdir(parents=True)
    assert [kind(tmp_path / "a"), kind(tmp_path / "b")] == ["unusable", "unusable"]
    assert not (tmp_path / "elsewhere").exists()


def test_a_full_disk_is_told_and_nothing_is_half_done(tmp_path: Path) -> None:
    filled(tmp_path, 2)
    store = open_store(str(tmp_path))
    store._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError) as raised:
        store.with_turn(KEY, NOW, TTL_S, lambda state: Changed("x" * 100_000, [decided("big")], None))
    store.close()
    assert raised.value.kind == "full"
    assert turn(tmp_path, "{}") == "{}"
    assert verify(str(tmp_path)) == Verified(2, ())


def test_a_state_that_somebody_broke_is_no_state(tmp_path: Path) -> None:
    turn(tmp_path, "one")
    other = sqlite3.connect(store_place(str(tmp_path)))
    other.execute("UPDATE turns SET state = x'ff'")
    other.commit()
    other.close()
    assert turn(tmp_path, None) is None


def test_a_lost_anchor_does_not_stop_an_event(tmp_path: Path) -> None:
    filled(tmp_path, 2)
    Path(anchor_place(str(tmp_path))).unlink()
    put(tmp_path, decided("x"))
    anchor = read_anchor(str(tmp_path))
    assert anchor != Head()
    assert anchor is not None
    assert anchor.id == 4  # with the note of it


def test_the_store_loads_no_heavy_module() -> None:
    probe = "import sys; sys.path.insert(0, sys.argv[1]); import memstile.store; print(*sys.modules)"
    command = [sys.executable, "-I", "-S", "-c", probe, str(ROOT / "src")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    heavy = {
        "sqlite3",
        "datetime",
        "hashlib",
        "json",
        "re",
        "enum",
        "typing",
        "contextlib",
        "pathlib",
    }  # collections: by _sqlite3
    assert heavy & set(done.stdout.split()) == set()
