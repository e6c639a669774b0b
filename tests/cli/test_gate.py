"""cli/gate.py: replaying a file from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.git_tools import environment
from tests.run_tools import Ran, memstile
from tests.test_replay import VECTORS, lines, verdicts

WRITE = {"event": "tool_call", "session": "s", "call": "c", "tool": "mcp__basic-memory__write_note", "arguments": {}}


def run(*words: str, folder: Path) -> Ran:
    return memstile("gate", *words, cwd=folder, environment=environment(folder / "home"))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_a_session_gets_the_expected_verdicts(vector: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(b"".join(lines(vector["events"])))
    config = vector["config"]
    ran = run("replay", "events.jsonl", "--mode", config["mode"], "--profile", config["profile"], folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert verdicts(ran.out.decode().splitlines()) == vector["expect"]


def action(ran: Ran) -> str:
    answer: dict[str, str] = json.loads(ran.out)
    return answer["action"]


def test_mode_and_profile_are_those_of_the_settings_or_the_flags(tmp_path: Path) -> None:
    (tmp_path / "events").write_bytes(b"".join(lines([WRITE])))
    assert action(run("replay", "events", folder=tmp_path)) == "allow"
    (tmp_path / "memstile.toml").write_text('[gate]\nmode = "enforce"\n')
    assert action(run("replay", "events", folder=tmp_path)) == "deny"
    assert action(run("replay", "events", "--mode", "audit", folder=tmp_path)) == "allow"


def test_bad_lines_are_answered_and_end_in_0(tmp_path: Path) -> None:
    (tmp_path / "events").write_bytes(b"not json\n\xff\n" + json.dumps(WRITE).encode())
    ran = run("replay", "events", folder=tmp_path)
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, [row.get("error", "answered") for row in told]) == (0, ["not JSON", "not UTF-8", "answered"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("replay",), "Missing argument 'FILE'"),
        (("replay", "none"), "cannot read none: No such file or directory"),
        (("replay", "."), "cannot read .: Is a directory"),
        (("replay", "events", "--mode", "strict"), "Invalid value for '--mode'"),
        (("run2",), "No such command 'run2'"),
    ],
)
def test_what_cannot_be_replayed_ends_in_2(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "events").write_bytes(b"")
    ran = run(*words, folder=tmp_path)
    assert (ran.code, ran.out) == (2, b"")
    assert message in ran.err


def test_faults_of_the_settings_are_all_told_and_end_in_2(tmp_path: Path) -> None:
    (tmp_path / "events").write_bytes(b"")
    (tmp_path / "memstile.toml").write_text('[gate]\nmode = "loud"\nprofil = "strict"\n')
    ran = run("replay", "events", folder=tmp_path)
    assert (ran.code, ran.out) == (2, b"")
    assert "gate.mode" in ran.err
    assert "gate.profil" in ran.err


def test_an_empty_file_has_no_answers(tmp_path: Path) -> None:
    (tmp_path / "events").write_bytes(b"")
    assert run("replay", "events", folder=tmp_path) == Ran(0, b"", "")


def test_the_help_shows_how(tmp_path: Path) -> None:
    told = run("replay", "--help", folder=tmp_path).out.decode()
    assert "memstile gate replay session.jsonl --mode enforce --profile strict" in told
