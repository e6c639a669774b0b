"""Notes of the watcher for the next hook: told once, whoever asks first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memstile.hook_told import put_told, take_told
from tests.agent_tools import event, hook
from tests.vault_tools import index, vault


def test_a_note_is_taken_once(tmp_path: Path) -> None:
    assert put_told(str(tmp_path), "/v/MEMORY.md", "one")
    assert put_told(str(tmp_path), "/v/MEMORY.md", "two")
    assert put_told(str(tmp_path), "/w/MEMORY.md", "other")
    assert take_told(str(tmp_path), "/v/MEMORY.md") == "one\ntwo"
    assert take_told(str(tmp_path), "/v/MEMORY.md") == ""
    assert take_told(str(tmp_path), "/w/MEMORY.md") == "other"
    assert os.listdir(tmp_path / "told") == []


def test_without_a_state_folder_there_is_none(tmp_path: Path) -> None:
    assert take_told("", "/v/MEMORY.md") == ""
    assert take_told(str(tmp_path / "nowhere"), "/v/MEMORY.md") == ""


def test_a_note_is_bounded_and_the_newest_is_kept(tmp_path: Path) -> None:
    for number in range(200):
        put_told(str(tmp_path), "/v/MEMORY.md", f"{number:03} {'x' * 60}")
    text = take_told(str(tmp_path), "/v/MEMORY.md")
    assert (len(text) <= 4096, text.splitlines()[-1][:3]) == (True, "199")


@pytest.mark.parametrize("name", ["SessionStart", "PostToolUse"])
def test_the_model_is_told_once_what_the_watcher_did(name: str, tmp_path: Path) -> None:
    folder = vault(tmp_path / "notes", index(20))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "notes"\n')
    (tmp_path / "config.toml").write_text("")
    put_told(str(tmp_path / "state"), str(folder / "MEMORY.md"), "it was put back")
    shell = {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": {}, "tool_use_id": "t1"}
    payload = event(name, tmp_path, **(shell if name == "PostToolUse" else {"source": "startup"}))
    assert ["it was put back" in hook(tmp_path, payload).text for _ in range(2)] == [True, False]
