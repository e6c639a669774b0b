"""hook_glance.py: what ends at the bytes of a payload, and what must not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memstile.hook_glance import is_none_of_ours
from tests.agent_tools import hook

OTHER = {"tool_name": "Write", "tool_input": {"file_path": "/p/a.py", "content": "x"}, "cwd": "/p"}
CALL = {"hook_event_name": "PreToolUse", **OTHER}


def glance(payload: object, event: str = "", host: str = "claude-code", at: Path = Path("/nowhere")) -> bool:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return is_none_of_ours(raw, host, event, str(at / "state"), str(at / "config.toml"))


PASSED = {
    "another file": (CALL, ""),
    "the event on the command line": (OTHER, "preToolUse"),
    "a line break at the end": (json.dumps(CALL).encode() + b"\n", ""),
    "a byte order mark": (b"\xef\xbb\xbf" + json.dumps(CALL).encode(), ""),
    "a relative path": ({**CALL, "tool_input": {"file_path": "a.py"}}, ""),
}


@pytest.mark.parametrize("name", PASSED)
def test_a_call_about_another_file_ends_here(name: str) -> None:
    assert glance(*PASSED[name])


def with_input(**arguments: object) -> dict[str, object]:
    return {**CALL, "tool_input": {"file_path": "/p/a.py", **arguments}}


LOOKED_AT: dict[str, tuple[object, str]] = {
    "empty": (b"", "preToolUse"),
    "cut": (json.dumps(OTHER).encode()[:-9], "preToolUse"),
    "no arguments": ({"hook_event_name": "PreToolUse", "tool_name": "Write"}, ""),
    "a list": (b"[]", "preToolUse"),
    "no event": (OTHER, ""),
    "another event": ({**CALL, "hook_event_name": "PostToolUse"}, ""),
    "two events": (json.dumps(CALL).replace('"x"', '{"hook_event_name": "PreToolUse"}').encode(), ""),
    "the index": (with_input(file_path="/p/MEMORY.md"), ""),
    "the index in small letters": (with_input(file_path="/p/memory.md"), ""),
    "the index in an argument nobody knows": (with_input(other="/p/MEMORY.md"), ""),
    "the index by escapes": (json.dumps(CALL).replace("a.py", "\\u004dEMORY.md").encode(), ""),
    "a title": (with_input(title="MEMORY"), ""),
    "an envelope": (with_input(patch="*** Begin Patch"), ""),
    "a folder": (with_input(file_path="/p/a.py/"), ""),
    "home": (with_input(file_path="~/a.py"), ""),
    "a path that is escaped": (with_input(file_path='/p/a".py'), ""),
    "settings of a host": (with_input(file_path="/p/.claude/settings.json"), ""),
    "settings of ours": (with_input(file_path="/p/memstile.toml"), ""),
}


@pytest.mark.parametrize("name", LOOKED_AT)
def test_whatever_may_be_ours_or_is_broken_is_looked_at(name: str) -> None:
    assert not glance(*LOOKED_AT[name])


def test_a_protocol_that_wants_an_answer_is_always_looked_at() -> None:
    assert not glance(CALL, host="generic")


def test_a_link_is_looked_at_and_its_folder_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to("plain.txt")
    (tmp_path / "hard.txt").hardlink_to(tmp_path / "plain.txt")
    (tmp_path / "new").mkdir()
    (tmp_path / "folder").symlink_to("new")
    seen = {name: glance(with_input(file_path=str(tmp_path / name))) for name in ("link.txt", "hard.txt", "folder/a")}
    assert seen == {"link.txt": False, "hard.txt": False, "folder/a": True}


def test_a_name_that_the_user_gives_the_index_is_known_once_the_settings_were_read(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('index_name = "NOTES.md"\n')
    call = {**CALL, "cwd": str(tmp_path), "tool_input": {"file_path": f"{tmp_path}/NOTES.md", "content": "x\n" * 300}}
    assert not glance(CALL, at=tmp_path)  # not read yet
    assert hook(tmp_path, call).decision == "deny"
    assert (glance(CALL, at=tmp_path), glance(call, at=tmp_path)) == (True, False)
    (tmp_path / "config.toml").write_text('index_name = "OTHER.md"\n')
    assert not glance(CALL, at=tmp_path)
