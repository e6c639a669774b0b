"""cli/audit.py: the decision log from the command line."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from memstile.store import store_place
from tests.git_tools import environment
from tests.run_tools import Ran, memstile
from tests.store_tools import decided, filled, put


def run(folder: Path, *words: str) -> Ran:
    return memstile("audit", *words, "--state", str(folder / "state"), cwd=folder, environment=environment(folder))


HEAD = [
    *("row", "time", "host", "session", "turn", "event", "tool"),
    *("decision", "action", "reason", "class", "recall", "observed", "path"),
]
AT = "1970-01-12 13:46:40+0000"


def test_the_last_rows_are_shown_below_a_head(tmp_path: Path) -> None:
    fields = {"decision": "deny", "reason_code": "CODE", "classification": "complex", "recall": "idle", "turn": "t1"}
    observed = ("RECALL_EMPTY", "RECLASSIFIED")
    row = decided("x", session="0123456789abcdef", tool="a\x1b[31m", observations=observed, **fields)
    put(filled(tmp_path / "state"), row)
    outside = {**environment(tmp_path), "TZ": "UTC"}
    ran = memstile("audit", "show", "-n", "2", "--state", str(tmp_path / "state"), cwd=tmp_path, environment=outside)
    lines = [line.split("  ") for line in ran.out.decode().splitlines()]
    head, first, last = ([cell.strip() for cell in line if cell.strip()] for line in lines)
    assert (ran.code, head) == (0, HEAD)
    assert first == ["5", AT, "h", "s", "-", "tool_call", "-", "-", "allow", "-", "-", "-", "-", "-"]
    assert last == [
        *("6", AT, "h", "89abcdef", "t1", "tool_call", "a\\x1b[31m", "deny", "allow", "CODE", "complex", "idle"),
        *("RECALL_EMPTY,RECLASSIFIED", "-"),
    ]
    shown = json.loads(run(tmp_path, "show", "--format", "json").out)
    assert [row["call"] for row in shown] == ["c0", "c1", "c2", "c3", "c4", "x"]


def test_columns_are_aligned(tmp_path: Path) -> None:
    put(filled(tmp_path / "state", 12), decided("x", tool="a-long-name-of-a-tool"))
    lines = run(tmp_path, "show").out.decode().splitlines()
    assert len({line.index("tool_call") for line in lines[1:]} | {lines[0].index("event")}) == 1
    assert len({line.index("allow") for line in lines[1:]} | {lines[0].index("action")}) == 1


def test_a_folder_that_is_not_there_is_no_empty_log(tmp_path: Path) -> None:
    for command in ("show", "stats", "verify", "export"):
        ran = run(tmp_path, command)
        assert (ran.code, ran.out) == (2, b"")
        assert ran.err.splitlines() == [
            f"memstile: {tmp_path}/state is no folder that is there",
            "  hint: `memstile status` names the state folder",
        ]
    assert not (tmp_path / "state").exists()


def test_decisions_are_counted(tmp_path: Path) -> None:
    put(tmp_path / "state", decided("x", reason_code="CODE", audit_override=True))
    expected = "1 row, 1 decision\naction: allow 1\nreason: CODE 1\nhost: h 1\nwould have denied: CODE 1\n"
    assert run(tmp_path, "stats") == Ran(0, expected.encode(), "")
    assert json.loads(run(tmp_path, "stats", "--days", "1", "--format", "json").out)["rows"] == 0


def test_an_export_is_json_lines(tmp_path: Path) -> None:
    filled(tmp_path / "state", 2)
    rows = [json.loads(line) for line in run(tmp_path, "export").out.splitlines()]
    assert [(row["id"], row["call"], row["host"]) for row in rows] == [(1, "c0", "h"), (2, "c1", "h")]


def test_a_clean_log_ends_in_0_and_a_changed_one_in_1(tmp_path: Path) -> None:
    filled(tmp_path / "state")
    assert run(tmp_path, "verify") == Ran(0, b"5 rows: nothing is wrong\n", "")
    connection = sqlite3.connect(store_place(str(tmp_path / "state")))
    connection.execute("DELETE FROM log WHERE id = 2")
    connection.commit()
    connection.close()
    assert run(tmp_path, "verify") == Ran(1, b"row 3: gap: row 2 is gone\n", "")
    faults = [{"id": 3, "kind": "gap", "message": "row 2 is gone"}]
    assert json.loads(run(tmp_path, "verify", "--format", "json").out) == {"rows": 4, "faults": faults}


@pytest.mark.parametrize(
    ("command", "out"),
    [
        ("show", b"no rows\n"),
        ("stats", b"0 rows, 0 decisions\n"),
        ("export", b""),
        ("verify", b"0 rows: nothing is wrong\n"),
    ],
)
def test_where_there_is_no_log_nothing_is_made(command: str, out: bytes, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    assert run(tmp_path, command) == Ran(0, out, "")
    assert list((tmp_path / "state").iterdir()) == []


@pytest.mark.parametrize("command", ["show", "stats", "export"])
def test_a_log_that_cannot_be_read_ends_in_2(command: str, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "gate.db").write_bytes(b"no database" * 100)
    ran = run(tmp_path, command)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith("memstile: the decision log cannot be read: the store is corrupt")


@pytest.mark.parametrize("command", ["", "show", "stats", "verify", "export"])
def test_each_command_has_help(command: str, tmp_path: Path) -> None:
    ran = memstile("audit", *filter(None, [command]), "--help", cwd=tmp_path, environment=environment(tmp_path))
    assert (ran.code, ran.out.startswith(b"Usage: memstile audit")) == (0, True)
