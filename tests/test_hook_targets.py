"""hook_targets.py: which files are indexes, whatever a host makes of their paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agent_tools import call, hook, write
from tests.vault_tools import index, vault


@pytest.mark.parametrize("path", ["MEMORY.md", "vault/MEMORY.md", "lt/MEMORY.md", "sub/vault/MEMORY.md"])
def test_an_edit_that_gemini_finds_by_the_paths_ending_is_judged(path: str, tmp_path: Path) -> None:
    vault(tmp_path / "sub" / "vault", index(195))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "sub/vault"\n')
    more = "".join(f"> more {number}\n" for number in range(30))
    arguments = {"file_path": path, "old_string": "# Index", "new_string": f"# Index\n{more}", "instruction": "x"}
    payload = {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": "BeforeTool", "tool_name": "replace",
               "tool_input": arguments}  # fmt: skip
    assert (hook(tmp_path, payload, host="gemini").reply or {}).get("decision") == "deny"


SURROGATES = ["vault/\ud800/../MEMORY.md", "vault/\udc00/../MEMORY.md", "\ud800.txt/../vault/MEMORY.md"]


@pytest.mark.parametrize("path", SURROGATES, ids=ascii)
def test_a_lone_surrogate_in_a_path_hides_nothing(path: str, tmp_path: Path) -> None:
    vault(tmp_path / "vault", index(190))
    payload = call("Write", {"file_path": f"{tmp_path}/{path}", "content": index(215).decode()}, tmp_path)
    assert hook(tmp_path, json.dumps(payload).encode()).decision == "deny"


def test_one_odd_path_does_not_end_the_judging_of_the_others(tmp_path: Path) -> None:
    vault(tmp_path / "vault", index(190))
    more = "".join(f"+> more {number}\n" for number in range(30))
    odd = "".join(f"*** Add File: {name}\n+x\n" for name in ("\ud800.txt", "n" * 5_000, "a\0b", "/", "~", "~nobody/x"))
    text = f"*** Begin Patch\n{odd}*** Update File: vault/MEMORY.md\n@@\n # Index\n{more}*** End Patch\n"
    payload = call("apply_patch", {"command": text}, tmp_path)
    assert hook(tmp_path, json.dumps(payload).encode()).decision == "deny"


def test_a_host_s_own_vault_is_guarded_before_it_exists_whatever_is_configured(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[[vault]]\npath = "/srv/notes"\n')
    own = tmp_path / ".claude" / "projects" / "-p" / "memory" / "MEMORY.md"
    assert hook(tmp_path, write(own, index(215), tmp_path)).decision == "deny"


def test_a_host_s_own_vault_is_guarded_wherever_the_host_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[[vault]]\npath = "/srv/notes"\n')
    project = tmp_path / "elsewhere" / "projects" / "-p"
    payload = write(project / "memory" / "MEMORY.md", index(215), tmp_path)
    assert hook(tmp_path, {**payload, "transcript_path": f"{project}/x.jsonl"}).decision == "deny"
    assert hook(tmp_path, payload).decision == "silent"


def test_a_patch_with_thousands_of_folders_leaves_no_snapshot_for_each(tmp_path: Path) -> None:
    vault(tmp_path / "vault", index(190))
    more = "".join(f"+> more {number}\n" for number in range(30))
    others = "".join(f"*** Add File: d{number}/f.md\n+x\n" for number in range(3_000))
    text = f"*** Begin Patch\n{others}*** Update File: vault/MEMORY.md\n@@\n # Index\n{more}*** End Patch\n"
    assert hook(tmp_path, call("apply_patch", {"command": text}, tmp_path)).decision == "deny"
    assert len(list((tmp_path / "state" / "settings").iterdir())) < 5
