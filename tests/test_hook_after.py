"""hook_after.py: what a shell did to an index is told after the fact, once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agent_tools import Replied, event, hook, write
from tests.vault_tools import index, vault

LINES = 120


def project(home: Path, data: bytes | None = None) -> Path:
    """Write a configured vault. Result: its index."""
    (home / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    return vault(home / "vault", index(LINES) if data is None else data) / "MEMORY.md"


def start(home: Path, **fields: object) -> Replied:
    return hook(home, event("SessionStart", home, **fields))


def shell(home: Path, **fields: object) -> Replied:
    ran = {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": {}}
    return hook(home, event("PostToolUse", home, **ran, **fields))


GONE = (
    "INDEX_SHRANK_SHARPLY: the memory index vault/MEMORY.md is gone; when it was last looked at, it held 120 lines and "
    "1,276 bytes. If that was not meant, the content it had before is what to write back."
)
CUT = (
    "INDEX_SHRANK_SHARPLY: since it was last looked at, the memory index vault/MEMORY.md went from 120 lines and 1,276 "
    "bytes to 50 lines and 555 bytes. If that was not meant, the content it had before is what to write back."
)
DONE: dict[str, tuple[Callable[[Path], object], str]] = {
    "the index goes": (os.unlink, GONE),
    "the vault goes": (lambda path: shutil.rmtree(path.parent), GONE),
    "the index moves": (lambda path: path.rename(path.with_name("old.md")), GONE),
    "less than half is left": (lambda path: path.write_bytes(index(50)), CUT),
    "half of the lines is left": (lambda path: path.write_bytes(index(60, 800)), ""),
    "nothing happens": (lambda path: None, ""),
    "it grows within its cap": (lambda path: path.write_bytes(index(130)), ""),
    "a folder takes its place": (lambda path: [do(path) for do in (os.unlink, os.mkdir)], ""),
}


@pytest.mark.parametrize("name", DONE)
def test_what_a_shell_took_away_is_told_once(name: str, tmp_path: Path) -> None:
    path = project(tmp_path)
    do, told = DONE[name]
    assert start(tmp_path).reply is None
    do(path)
    assert shell(tmp_path).text == told
    assert shell(tmp_path).reply is None


def test_an_index_that_came_back_and_goes_again_is_told_again(tmp_path: Path) -> None:
    path = project(tmp_path)
    start(tmp_path)
    for _ in range(2):
        path.unlink()
        assert shell(tmp_path).text == GONE
        path.write_bytes(index(LINES))
        assert shell(tmp_path).reply is None


def test_growth_of_bytes_and_loss_of_lines_are_both_told(tmp_path: Path) -> None:
    path = project(tmp_path)
    start(tmp_path)
    path.write_bytes(index(50, 30_000))
    told = shell(tmp_path).text
    assert ("INDEX_GREW_OUTSIDE_A_TOOL" in told, "INDEX_SHRANK_SHARPLY" in told) == (True, True)


def test_a_trivial_index_may_go(tmp_path: Path) -> None:
    path = project(tmp_path, index(6))
    start(tmp_path)
    path.unlink()
    assert shell(tmp_path).reply is None


def test_an_index_that_never_was_is_not_gone(tmp_path: Path) -> None:
    path = project(tmp_path)
    shutil.rmtree(path.parent)
    assert start(tmp_path, transcript_path=str(tmp_path / "projects/p/s.jsonl")).reply is None
    assert shell(tmp_path, transcript_path=str(tmp_path / "projects/p/s.jsonl")).reply is None


@pytest.mark.parametrize(("mode", "is_told"), [("off", False), ("audit", True)])
def test_where_the_index_is_off_nothing_is_told(mode: str, is_told: bool, tmp_path: Path) -> None:
    path = project(tmp_path)
    (tmp_path / "config.toml").write_text(f'[index]\nmode = "{mode}"\n')
    start(tmp_path)
    path.unlink()
    assert ("INDEX_SHRANK_SHARPLY" in shell(tmp_path).text) is is_told


def test_the_hosts_own_vault_is_looked_at(tmp_path: Path) -> None:
    own = vault(tmp_path / "projects" / "p" / "memory", index(LINES))
    said = {"transcript_path": str(tmp_path / "projects/p/s.jsonl")}
    start(tmp_path, **said)
    shutil.rmtree(own)
    assert shell(tmp_path, **said).text == GONE.replace("vault/", "memory/")
    assert shell(tmp_path, **said).reply is None


def test_a_vault_that_nobody_named_is_not_looked_at(tmp_path: Path) -> None:
    other = vault(tmp_path / "other", index(LINES)) / "MEMORY.md"
    start(tmp_path)
    hook(tmp_path, write(other, index(LINES + 1), tmp_path))
    other.unlink()
    assert shell(tmp_path).reply is None


def test_what_was_told_before_a_write_is_not_told_after_it(tmp_path: Path) -> None:
    path = project(tmp_path)
    start(tmp_path)
    payload = write(path, index(50), tmp_path)
    assert "INDEX_SHRANK_SHARPLY" in hook(tmp_path, payload).text
    path.write_bytes(index(50))
    assert hook(tmp_path, {**payload, "hook_event_name": "PostToolUse", "tool_response": {}}).reply is None
    assert shell(tmp_path).reply is None
