"""hook_targets.py: which files are indexes, whatever a host makes of their paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent_tools import hook
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
