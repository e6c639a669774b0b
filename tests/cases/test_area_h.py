"""Real-world cases, area H: tool calls on stdin of the hook."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agent_tools import call, event, hook, write
from tests.vault_tools import index, vault

OVER = index(215)


def test_125_text_is_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault")
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp932"}
    seen = [
        hook(tmp_path, write(folder / "MEMORY.md", index(110, size, fill="記"), tmp_path), environment=locale).decision
        for size in (20_000, 26_000)
    ]
    assert seen == ["silent", "deny"]


BROKEN = {
    "empty": b"",
    "cut": b'{"tool_name":"Write","tool_input":{"file_path":"',
    "a list": b"[]\n",
    "no event": b'{"tool_name":"Write","tool_input":null}\n',
    "wrong types": b'{"tool_name":7,"tool_input":{"file_path":["a"],"content":NaN}}\n',
    "binary": b"\xff\xfe\x00garbage",
    "deep": b"[" * 200_000,
    "a huge number": b'{"a": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("name", BROKEN)
def test_127_a_broken_payload_is_let_through_and_said_loudly(name: str, tmp_path: Path) -> None:
    replied = hook(tmp_path, BROKEN[name])
    assert replied.code == 0
    assert "memstile could not judge this event" in replied.reply["systemMessage"]
    assert "Traceback" not in replied.err


@pytest.mark.parametrize("name", BROKEN)
def test_127_a_broken_payload_is_refused_where_the_policy_says_so(name: str, tmp_path: Path) -> None:
    replied = hook(tmp_path, BROKEN[name], "--on-error", "closed")
    refused = replied.code == 2 or replied.decision == "deny"
    assert refused
    assert "memstile could not judge this event" in replied.err + replied.text
    assert "Traceback" not in replied.err


def test_127_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault")
    payload = b"\xef\xbb\xbf" + json.dumps(write(folder / "MEMORY.md", OVER, tmp_path)).encode()
    assert hook(tmp_path, payload).decision == "deny"


def test_128_a_refusal_is_json_with_exit_code_0(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault")
    replied = hook(tmp_path, write(folder / "MEMORY.md", OVER, tmp_path))
    assert (replied.code, replied.decision, replied.err) == (0, "deny", "")


def test_130_a_relative_path_starts_from_the_payloads_folder(tmp_path: Path) -> None:
    vault(tmp_path / "proj" / "memory", index(190))
    vault(tmp_path / "elsewhere" / "memory", index(10))
    payload = write("memory/MEMORY.md", OVER, tmp_path / "proj")
    replied = hook(tmp_path, payload, cwd=tmp_path / "elsewhere")
    assert replied.decision == "deny"
    assert "from 190 to 215 lines" in replied.text


SPELLINGS: dict[str, Callable[[Path], str]] = {
    "plain": lambda home: f"{home}/vault/MEMORY.md",
    "..": lambda home: f"{home}/vault/../vault/MEMORY.md",
    ". and //": lambda home: f"{home}/./vault//MEMORY.md",
    "linked folder": lambda home: f"{home}/alias/MEMORY.md",
    "linked file": lambda home: f"{home}/notes-index.txt",
    "~": lambda home: "~/vault/MEMORY.md",
    "through a file": lambda home: f"{home}/vault/note-1.md/../MEMORY.md",
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_131_every_spelling_of_the_index_is_the_index(name: str, tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(190))
    (tmp_path / "alias").symlink_to(folder)
    (tmp_path / "notes-index.txt").symlink_to(folder / "MEMORY.md")
    replied = hook(tmp_path, write(SPELLINGS[name](tmp_path), OVER, tmp_path))
    assert replied.decision == "deny"


def test_131_a_hard_link_to_a_configured_index_is_the_index(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(190))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    (tmp_path / "other.txt").hardlink_to(folder / "MEMORY.md")
    assert hook(tmp_path, write(tmp_path / "other.txt", OVER, tmp_path)).decision == "deny"


@pytest.mark.parametrize("name", ["docs/MEMORY.md", "memory.md"])
def test_133_somebody_elses_memory_md_is_not_gated_where_a_vault_is_configured(name: str, tmp_path: Path) -> None:
    vault(tmp_path / "vault")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "MEMORY.md").write_text("# RAM layout\n")
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    assert hook(tmp_path, write(tmp_path / name, OVER, tmp_path)).decision == "silent"
    assert hook(tmp_path, write(tmp_path / "vault" / "MEMORY.md", OVER, tmp_path)).decision == "deny"


def test_133_where_nothing_is_configured_the_name_counts_and_the_refusal_says_how_to_pin_it(tmp_path: Path) -> None:
    replied = hook(tmp_path, write(tmp_path / "docs" / "MEMORY.md", OVER, tmp_path))
    assert replied.decision == "deny"
    assert "[[vault]]" in replied.text


MORE = "".join(f"> more {number}\n" for number in range(30))
EDITS = {
    "absent": ({"old_string": "not in the file", "new_string": MORE}, "silent"),
    "twice": ({"old_string": "> line", "new_string": MORE}, "silent"),
    "empty": ({"old_string": "", "new_string": MORE}, "silent"),
    "same": ({"old_string": "# Index", "new_string": "# Index"}, "silent"),
    "real growth": ({"old_string": "# Index", "new_string": f"# Index\n{MORE}"}, "deny"),
}


@pytest.mark.parametrize("name", EDITS)
def test_134_an_edit_that_the_host_rejects_is_let_through_in_silence(name: str, tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(195))
    edit, decision = EDITS[name]
    payload = call("Edit", {"file_path": str(folder / "MEMORY.md"), **edit}, tmp_path)
    assert hook(tmp_path, payload).decision == decision


SEVERAL: dict[str, tuple[object, str]] = {
    "grow": (
        [{"old_string": "# Index", "new_string": "# A"}, {"old_string": "# A", "new_string": f"# A\n{MORE}"}],
        "deny",
    ),
    "cancel": (
        [{"old_string": "# Index", "new_string": f"# Index\n{MORE}"}, {"old_string": MORE, "new_string": ""}],
        "context",
    ),
    "null": (None, "silent"),
    "broken": ([7, {"old_string": "# Index"}], "silent"),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_138_edits_are_played_in_order(name: str, tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(195))
    edits, decision = SEVERAL[name]
    payload = call("MultiEdit", {"file_path": str(folder / "MEMORY.md"), "edits": edits}, tmp_path)
    assert hook(tmp_path, payload).decision == decision


PATCH = f"*** Begin Patch\n*** Update File: vault/MEMORY.md\n@@\n # Index\n{MORE.replace('> ', '+> ')}*** End Patch\n"
TOOLS: dict[str, tuple[str, Callable[[Path], dict[str, object]], str]] = {
    "file_text": ("Write", lambda at: {"file_path": str(at), "file_text": OVER.decode()}, "deny"),
    "an editor": (
        "str_replace_editor",
        lambda at: {"command": "create", "path": str(at), "file_text": OVER.decode()},
        "deny",
    ),
    "an MCP file server": (
        "mcp__filesystem__write_file",
        lambda at: {"path": str(at), "content": OVER.decode()},
        "deny",
    ),
    "target_file": ("write_file", lambda at: {"target_file": str(at), "text": OVER.decode()}, "deny"),
    "an envelope": ("apply_patch", lambda at: {"command": PATCH}, "deny"),
    "appending": ("mcp__obsidian__append_content", lambda at: {"filepath": str(at), "content": MORE}, "deny"),
    "unknown": ("mcp__x__frobnicate", lambda at: {"path": str(at), "content": MORE}, "context"),
}


@pytest.mark.parametrize("name", TOOLS)
def test_139_other_tools_and_other_keys(name: str, tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(190))
    tool, arguments, decision = TOOLS[name]
    assert hook(tmp_path, call(tool, arguments(folder / "MEMORY.md"), tmp_path)).decision == decision


COMMANDS = (
    "seq 1 40 >> vault/MEMORY.md",
    "python3 -c \"open('vault/MEMORY.md','a').write('x')\"",
    'f=vault/MEM; echo hi >> "${f}ORY.md"',
    "wc -l vault/MEMORY.md",
    "git commit -m 'docs: explain > MEMORY.md'",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_140_no_shell_command_is_refused(command: str, tmp_path: Path) -> None:
    vault(tmp_path / "vault", index(190))
    assert hook(tmp_path, call("Bash", {"command": command}, tmp_path)).decision == "silent"


def test_140_what_a_shell_did_to_a_configured_index_is_told_once(tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(190))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "vault"\n')
    hook(tmp_path, event("SessionStart", tmp_path, source="startup"))
    with (folder / "MEMORY.md").open("ab") as file:
        file.write(b"more\n" * 40)
    after = event("PostToolUse", tmp_path, tool_name="Bash", tool_input={"command": "x"}, tool_response={})
    told = [hook(tmp_path, after) for _ in range(2)]
    assert [replied.decision for replied in told] == ["context", "silent"]
    assert "from 190 to 230 lines" in told[0].text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("Read", {}), ("Grep", {"pattern": "x"}), ("str_replace_editor", {"command": "view"})],
    ids=["Read", "Grep", "view"],
)
def test_141_reading_an_over_cap_index_is_never_refused(tool: str, arguments: dict[str, str], tmp_path: Path) -> None:
    at = str(vault(tmp_path / "vault", index(230)) / "MEMORY.md")
    payload = call(tool, {**arguments, "file_path": at, "path": at}, tmp_path)
    assert hook(tmp_path, payload).decision == "silent"


@pytest.mark.parametrize("lines", [10, 160, 200, 230])
def test_143_the_answer_is_never_allow(lines: int, tmp_path: Path) -> None:
    folder = vault(tmp_path / "vault", index(230))
    replied = hook(tmp_path, write(folder / "MEMORY.md", index(lines), tmp_path))
    assert "permissionDecision" not in (replied.reply or {}).get("hookSpecificOutput", {})


def test_127_the_policy_of_the_users_file_holds_without_the_option(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[gate]\non_error = "closed"\n')
    replied = hook(tmp_path, b"")
    assert (replied.code, replied.reply) == (2, None)
