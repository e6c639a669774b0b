"""history.py: how large an index has been, from the rows of the decision log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memstile.audit_log import path_key
from memstile.core.log_row import Row, redacted
from memstile.core.measure import Size
from memstile.core.plot import Mark, Point
from memstile.core.settings import DEFAULTS, Settings
from memstile.history import History, Moment, history, plots
from tests.store_tools import NOW, put
from tests.vault_tools import index, vault

FULL = DEFAULTS._replace(audit_path_redaction="full")


def row(event: str, before: int | None, after: int | None, time: float = NOW, **fields: Any) -> Row:
    """Make a row whose sizes are lines, and ten times as many bytes."""
    values = {"event": event, "time": time, "path": "/v/MEMORY.md", **fields}
    for when, lines in (("before", before), ("after", after)):
        if lines is not None:
            values |= {f"lines_{when}": lines, f"bytes_{when}": lines * 10}
    return Row()._replace(**values)


def of(state: Path, path: str = "/v/MEMORY.md", settings: Settings = FULL) -> History:
    return history(str(state), path, settings)


def lines(state: Path, path: str = "/v/MEMORY.md", settings: Settings = FULL) -> list[int | None]:
    return [moment.size.lines for moment in of(state, path, settings).moments]


ROWS: list[Any] = [
    pytest.param([row("index_write", 5, 6, action="allow")], [5, 6], id="a write that passed"),
    pytest.param([row("index_write", 5, 300, action="deny")], [5], id="a write that was refused"),
    pytest.param([row("index_write", 5, 300, action="ask")], [5], id="a write that a person was asked about"),
    pytest.param([row("index_write", 5, None, action="allow")], [5], id="a write with an unknown result"),
    pytest.param([row("index_look", 5, 6)], [6], id="a look compares with what may be old"),
    pytest.param([row("watch_seen", 5, 6)], [6], id="a settled change"),
    pytest.param([row("watch_report", 5, None)], [], id="a vault that is gone"),
    pytest.param([row("watch_restore", 300, 6, action="deny")], [300, 6], id="an index that was put back"),
    pytest.param([row("watch_restore", 6, 300)], [300], id="an index that was not put back"),
    pytest.param([row("tool_call", 5, 6), row("my_index_look", 5, 6)], [], id="other events"),
    pytest.param([row("watch_seen", 1, 2, path="/other/MEMORY.md")], [], id="another index"),
    pytest.param([row("watch_seen", 1, 2, path="")], [], id="no path"),
    pytest.param([row("watch_seen", 1, -2), row("watch_seen", 1, 2**60)], [], id="sizes that no file has"),
    pytest.param([row("watch_seen", 1, 2, time=-5.0), row("watch_seen", 1, 3, time=1e14)], [], id="impossible times"),
    pytest.param([row("watch_seen", None, None, bytes_after=9_000_000)], [None], id="lines that were not counted"),
    pytest.param(
        [row("watch_seen", 1, 2), row("watch_report", 1, 2), row("watch_seen", 2, 3)], [2, 3], id="a change counts once"
    ),
    pytest.param(
        [row("watch_seen", 1, 3, time=NOW + 2), row("watch_seen", 1, 2, time=NOW + 1)], [2, 3], id="out of order"
    ),
]


@pytest.mark.parametrize(("rows", "expected"), ROWS)
def test_sizes_are_taken_from_rows(rows: list[Row], expected: list[int | None], tmp_path: Path) -> None:
    put(tmp_path / "state", *rows)
    assert lines(tmp_path / "state") == expected


def test_refused_writes_are_counted_by_their_times(tmp_path: Path) -> None:
    deny = row("index_write", 5, 300, action="deny", time=NOW + 7)
    put(tmp_path / "state", deny, row("index_look", 5, 6), row("watch_restore", 300, 6, action="deny"))
    assert of(tmp_path / "state").refused == (NOW + 7,)


def test_where_there_is_no_log_nothing_is_made(tmp_path: Path) -> None:
    found = history(str(tmp_path / "state"), str(tmp_path / "MEMORY.md"), DEFAULTS)
    assert (found.moments, found.refused, os.listdir(tmp_path)) == ((), (), [])


def test_an_index_is_found_whatever_was_kept_of_its_path(tmp_path: Path) -> None:
    state, path = tmp_path / "state", "/home/somebody/" + "x" * 80 + "/MEMORY.md"
    put(state, row("watch_seen", 0, 1, path=path), row("watch_seen", 0, 2, path=redacted(path, "truncate", 64, b"")))
    put(state, row("watch_seen", 0, 3, path=redacted(path, "hash", 64, path_key(str(state)))))
    assert lines(state, path, DEFAULTS) == [1, 2]
    assert lines(state, path, DEFAULTS._replace(audit_path_redaction="hash")) == [1, 2, 3]
    assert lines(state, path, DEFAULTS._replace(audit_path_redaction="omit")) == [1, 2]


def test_an_index_behind_a_link_is_found(tmp_path: Path) -> None:
    folder = vault(tmp_path / "real")
    (tmp_path / "link").symlink_to(folder)
    put(tmp_path / "state", row("watch_seen", 0, 1, path=str(folder / "MEMORY.md")))
    assert lines(tmp_path / "state", str(tmp_path / "link" / "MEMORY.md")) == [1]


NOTES = [
    (DEFAULTS, "/v/MEMORY.md", []),
    (DEFAULTS._replace(audit_level="off"), "/v/MEMORY.md", ["audit.level is off: nothing is logged"]),
    (
        DEFAULTS._replace(audit_path_redaction="omit"),
        "/v/MEMORY.md",
        ["audit.path_redaction is omit: the log does not say of which index a size is"],
    ),
    (
        DEFAULTS,
        "/" + "x" * 70 + "/MEMORY.md",
        ["the log keeps 64 characters of a path: an index elsewhere with the same ending counts as this one"],
    ),
    (FULL, "/" + "x" * 70 + "/MEMORY.md", []),
]


@pytest.mark.parametrize(("settings", "path", "notes"), NOTES)
def test_what_the_log_cannot_tell_is_said(settings: Settings, path: str, notes: list[str], tmp_path: Path) -> None:
    assert list(of(tmp_path, path, settings).notes) == notes


def test_plots_have_the_caps_the_windows_and_what_is_on_disk_now(tmp_path: Path) -> None:
    folder = vault(tmp_path / "v", index(12, 900))
    found = of(tmp_path / "state", str(folder / "MEMORY.md"))._replace(
        moments=(Moment(NOW, Size(5, 50)), Moment(NOW + 50, Size(None, 70)))
    )
    by_lines, by_bytes = plots(found, DEFAULTS, 0.0, NOW + 100)
    hard = Mark("hard cap", 200, "=", is_limit=True)
    assert by_lines.marks == (hard, Mark("soft cap", 150, "."), Mark("claude-code window", 200, "-"))
    assert [mark.value for mark in by_bytes.marks] == [25_600, 20_480, 25_000]
    assert by_lines.points == (Point(NOW, 5), Point(NOW + 100, 12))
    assert by_bytes.points == (Point(NOW, 50), Point(NOW + 50, 70), Point(NOW + 100, 900))
    assert (by_lines.since, by_lines.until, len(by_lines.ticks)) == (NOW, NOW + 100, 5)
    assert plots(found, DEFAULTS, NOW + 9, NOW + 100)[0].since == NOW + 9


@pytest.mark.parametrize(("span", "shape"), [(60, "##:##:##"), (86_400, "##-## ##:##"), (9e6, "####-##-##")])
def test_times_are_written_as_finely_as_their_span_needs(span: float, shape: str, tmp_path: Path) -> None:
    found = of(tmp_path)._replace(moments=(Moment(NOW, Size(1, 1)),))
    ticks = plots(found, DEFAULTS, 0.0, NOW + span)[0].ticks
    assert {"".join("#" if sign.isdigit() else sign for sign in tick) for tick in ticks} == {shape}
