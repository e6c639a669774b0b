"""examples/gate and what docs/gate.md and docs/protocol.md say of the gate hold: settings, clients, codes, hosts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.gate_pages import HELP, MEANS, TOLD
from memstile.config import load
from memstile.core.gate_words import ALLOWS, DENIALS, GUARDED, OBSERVATIONS
from memstile.core.settings import DEFAULTS
from memstile.core.turn import CLASSIFICATIONS, RECALLS
from memstile.hosts import HOSTS
from memstile.replay import replayed
from tests.docs_blocks import ROOT, environment
from tests.test_docs import RENDERED

EXAMPLES = ROOT / "examples" / "gate"
SETTINGS = {
    "off": DEFAULTS._replace(gate_mode="off"),
    "audit": DEFAULTS,
    "enforce": DEFAULTS._replace(gate_mode="enforce"),
    "strict": DEFAULTS._replace(gate_mode="enforce", gate_profile="strict", gate_on_error="closed"),
}
"""What holds with each file as the person's own."""

SAID = [
    "deny CLASSIFICATION_REQUIRED",
    "allow ALLOW_CONTROL",
    "deny CREATE_REQUIRES_SEARCH",
    "allow ALLOW_READ_ONLY",
    "allow ALLOW_RECALL_OK",
]
CLIENTS = {"client.py": sys.executable, "client.mjs": shutil.which("node") or ""}
MOST_LINES = 22


def test_there_is_an_example_for_each_stage() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.toml")} == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_an_example_of_settings_loads_as_it_says(name: str, tmp_path: Path) -> None:
    loaded = load(str(tmp_path), environment={"HOME": str(tmp_path)}, flags={}, config=str(EXAMPLES / f"{name}.toml"))
    assert (loaded.faults, loaded.settings) == ((), SETTINGS[name])


@pytest.mark.parametrize(("name", "is_used"), [("off", False), ("audit", True), ("enforce", True)])
def test_a_project_can_turn_the_gate_up_and_not_off(name: str, is_used: bool, tmp_path: Path) -> None:
    rows = (EXAMPLES / f"{name}.toml").read_text("utf-8").partition("[audit]")[0]
    (tmp_path / "memstile.toml").write_text(rows)
    loaded = load(str(tmp_path), environment={"HOME": str(tmp_path)}, flags={})
    assert (not loaded.faults, loaded.settings) == (is_used, SETTINGS[name] if is_used else DEFAULTS)


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_is_answered_the_same_each_time(name: str, tmp_path: Path) -> None:
    if not CLIENTS[name]:
        pytest.skip("there is no node on PATH")
    assert len((EXAMPLES / name).read_text("utf-8").splitlines()) <= MOST_LINES
    command = (CLIENTS[name], str(EXAMPLES / name), "--mode", "enforce", "--state", str(tmp_path / "state"))
    outside = environment(tmp_path)
    for _ in range(2):
        done = subprocess.run(
            command, cwd=tmp_path, env=outside, capture_output=True, text=True, check=False, timeout=50
        )
        assert (done.returncode, done.stderr, done.stdout.splitlines()) == (0, "", SAID)


def test_the_readme_of_the_examples_shows_what_a_client_prints() -> None:
    shown = (EXAMPLES / "README.md").read_text("utf-8").split("--mode enforce\n", 1)[1].partition("```")[0]
    assert shown.splitlines() == SAID


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_refuses_where_there_is_no_gate(name: str, tmp_path: Path) -> None:
    if not CLIENTS[name]:
        pytest.skip("there is no node on PATH")
    command = (CLIENTS[name], str(EXAMPLES / name), "--mode", "no such mode")
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=50
    )
    assert "allow" not in done.stdout


def test_the_session_of_the_example_is_the_one_the_page_speaks_of() -> None:
    lines = (EXAMPLES / "session.jsonl").read_bytes().splitlines()
    answers = [json.loads(answer) for answer in replayed(lines, DEFAULTS._replace(gate_mode="enforce"))]
    said = [f"{answer['action']} {answer['reason_code']}" for answer in answers]
    assert said == [*SAID, "deny CLASSIFICATION_REQUIRED"]


def test_the_page_has_a_row_for_every_code_and_for_no_other() -> None:
    assert set(HELP) == set(DENIALS)
    assert set(MEANS) == {*ALLOWS, *OBSERVATIONS} - set(GUARDED)


def test_the_page_tells_of_every_host() -> None:
    assert set(TOLD) == set(HOSTS)


def test_every_setting_that_a_refusal_names_is_one() -> None:
    assert {f"gate_{row.setting}" for row in HELP.values() if row.setting} <= set(DEFAULTS._fields)


def test_the_diagrams_hold_every_state() -> None:
    page = RENDERED["gate.md"]()
    diagrams = "".join(part.partition("```")[0] for part in page.split("```mermaid")[1:])
    assert [state.value for state in (*CLASSIFICATIONS, *RECALLS) if f"> {state.value}" not in diagrams] == []
