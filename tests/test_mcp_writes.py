"""Writes of MCP servers at the hook: file servers, and basic-memory's notes, in each form that hosts name tools in."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from memstile.core.change import Change, Move, Opaque, Whole
from memstile.core.request import Event, Kind, Request, Write
from memstile.core.settings import Settings
from memstile.hook_notes import with_notes
from memstile.hook_place import Place
from tests.agent_tools import Replied, call, event, hook
from tests.vault_tools import index, vault

OVER = index(215)


class Home(NamedTuple):
    """A home with basic-memory's projects, and a configured vault in one of them."""

    path: Path

    @property
    def vault_index(self) -> Path:
        return self.path / "bm/vault/MEMORY.md"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    vault(tmp_path / "bm/vault", index(150))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "bm/vault"\n')
    (tmp_path / ".basic-memory").mkdir()
    configured = {"projects": {"main": {"path": str(tmp_path / "bm"), "mode": "local"}}, "default_project": "main"}
    (tmp_path / ".basic-memory/config.json").write_text(json.dumps(configured))
    (tmp_path / "large.md").write_bytes(OVER)
    (tmp_path / "bm/vault/large.md").write_bytes(OVER)
    (tmp_path / "small.md").write_bytes(index(20))
    (tmp_path / "big").mkdir()
    (tmp_path / "big/MEMORY.md").write_bytes(OVER)
    (tmp_path / "link.md").symlink_to("bm/vault/MEMORY.md")
    return Home(tmp_path)


def asked(home: Home, tool: str, arguments: object) -> Replied:
    return hook(home.path, call(tool, arguments, home.path))


def verdict(home: Home, tool: str, arguments: object) -> str:
    replied = asked(home, tool, arguments)
    assert (replied.code, replied.err) == (0, "")
    return replied.decision


LARGE, SMALL = OVER.decode(), index(20).decode()
MANY = "".join(f"- line {number}\n" for number in range(60))
FILE_CALLS = {
    "write-over": ("mcp__fs__write_file", {"path": "bm/vault/MEMORY.md", "content": LARGE}, "deny"),
    "write-under": ("mcp__fs__write_file", {"path": "bm/vault/MEMORY.md", "content": index(120).decode()}, "silent"),
    "edit-over": (
        "mcp__fs__edit_file",
        {"path": "bm/vault/MEMORY.md", "edits": [{"oldText": "# Index\n", "newText": f"# Index\n{MANY}"}]},
        "deny",
    ),
    "edit-dry": (
        "mcp__fs__edit_file",
        {"path": "bm/vault/MEMORY.md", "edits": [{"oldText": "# Index\n", "newText": LARGE}], "dryRun": True},
        "silent",
    ),
    "move-over": ("mcp__fs__move_file", {"source": "large.md", "destination": "bm/vault/MEMORY.md"}, "deny"),
    "move-under": ("mcp__fs__move_file", {"source": "small.md", "destination": "bm/new/MEMORY.md"}, "silent"),
    "move-missing": ("mcp__fs__move_file", {"source": "gone.md", "destination": "bm/vault/MEMORY.md"}, "silent"),
    "move-away": ("mcp__fs__move_file", {"source": "bm/vault/MEMORY.md", "destination": "x.md"}, "silent"),
    "move-into-a-folder": ("mcp__fs__move_file", {"source": "big/MEMORY.md", "destination": "bm/vault"}, "deny"),
    "copy-into-a-folder": ("mcp__fs__copy_file", {"source": "big/MEMORY.md", "destination": "bm/vault/"}, "deny"),
    "move-a-note-into-a-folder": ("mcp__fs__move_file", {"source": "large.md", "destination": "bm/vault/"}, "silent"),
    "move-onto-a-link": ("mcp__fs__move_file", {"source": "large.md", "destination_path": "link.md"}, "deny"),
    "rename-over": ("mcp__fs__rename_file", {"path": "bm/vault/large.md", "new_name": "MEMORY.md"}, "deny"),
    "rename-to-a-path": ("mcp__fs__rename_file", {"path": "large.md", "new_name": "bm/vault/MEMORY.md"}, "deny"),
    "write-a-link": ("mcp__fs__write_file", {"relative_path": "link.md", "content": LARGE}, "deny"),
    "write-decoy": ("mcp__fs__write_file", {"file_path": "x", "path": "bm/vault/MEMORY.md", "content": LARGE}, "deny"),
    "write-the-same-twice": (
        "mcp__fs__write_file",
        {"file_path": "bm/vault/./MEMORY.md", "path": "bm/vault/MEMORY.md", "content": LARGE},
        "deny",
    ),
    "write-largest": (
        "mcp__fs__create_file",
        {"path": "bm/vault/MEMORY.md", "content": "", "file_text": LARGE},
        "deny",
    ),
    "edit-by-two-spellings": (
        "mcp__fs__edit_file",
        {
            "path": "bm/vault/MEMORY.md",
            **{"old_string": "absent", "new_string": "", "old_str": "# Index\n", "new_str": f"# Index\n{MANY}"},
        },
        "deny",
    ),
    "write-at-the-end": (
        "mcp__desktop-commander__write_file",
        {"path": "bm/vault/MEMORY.md", "content": MANY, "mode": "append"},
        "deny",
    ),
    "write-anew": (
        "mcp__desktop-commander__write_file",
        {"path": "bm/vault/MEMORY.md", "content": index(100).decode(), "mode": "rewrite"},
        "silent",
    ),
    "write-relative": (
        "mcp__serena__create_text_file",
        {"relative_path": "bm/vault/MEMORY.md", "content": LARGE},
        "deny",
    ),
    "append-by-a-long-name": (
        "mcp__mcp-obsidian__obsidian_append_content",
        {"filepath": "bm/vault/MEMORY.md", "content": MANY},
        "deny",
    ),
    "append-over": ("mcp__fs__append_to_file", {"path": "bm/vault/MEMORY.md", "content": MANY}, "deny"),
    "append-under": ("mcp__fs__append_to_file", {"path": "bm/vault/MEMORY.md", "content": ""}, "silent"),
    "read": ("mcp__fs__read_text_file", {"path": "bm/vault/MEMORY.md"}, "silent"),
    "other-file": ("mcp__fs__write_file", {"path": "bm/vault/note-1.md", "content": LARGE}, "silent"),
}


@pytest.mark.parametrize("row", FILE_CALLS)
def test_a_file_servers_write_is_judged(row: str, home: Home) -> None:
    tool, arguments, decision = FILE_CALLS[row]
    assert verdict(home, tool, arguments) == decision


@pytest.mark.parametrize("spelled", ["{}", "file://{}", "file://localhost{}", "FILE:{}"])
def test_the_address_of_an_index_is_its_path(spelled: str, home: Home) -> None:
    encoded = str(home.vault_index).replace("MEMORY", "%4dEMOR%59")
    path = encoded if spelled != "{}" else str(home.vault_index)
    written = {"uri": spelled.format(path), "content": LARGE}
    assert verdict(home, "mcp__fs__write_file", written) == "deny"


def test_on_an_over_cap_index_loose_edits_are_refused_and_reads_and_shrinks_pass(home: Home) -> None:
    home.vault_index.write_bytes(OVER)
    edits = [{"oldText": "   # Index", "newText": "# Index"}]
    assert verdict(home, "mcp__fs__edit_file", {"path": str(home.vault_index), "edits": edits}) == "deny"
    assert verdict(home, "mcp__fs__read_file", {"path": str(home.vault_index)}) == "silent"
    assert (
        verdict(home, "mcp__fs__write_file", {"path": str(home.vault_index), "content": index(140).decode()})
        == "silent"
    )


def note(**arguments: object) -> dict[str, object]:
    return {"title": "MEMORY", "directory": "vault", "content": LARGE, **arguments}


NOTE_CALLS = {
    "overwrite": ("write_note", note(overwrite=True), "deny"),
    "overwrite-shorter": ("write_note", note(overwrite=True, content=index(110).decode()), "silent"),
    "the-server-refuses": ("write_note", note(), "silent"),
    "new-elsewhere": ("write_note", note(directory="notes"), "silent"),
    "other-title": ("write_note", note(title="Other", overwrite=True), "silent"),
    "folder-key": ("write_note", {"title": "MEMORY", "folder": "/vault/", "content": LARGE, "overwrite": True}, "deny"),
    "other-project": ("write_note", note(overwrite=True, project="x"), "silent"),
    "by-project-id": ("write_note", note(overwrite=True, project_id="x"), "silent"),
    "append": ("edit_note", {"identifier": "vault/memory", "operation": "append", "content": MANY}, "deny"),
    "append-by-path": ("edit_note", {"identifier": "vault/MEMORY.md", "operation": "append", "content": MANY}, "deny"),
    "append-by-url": (
        "edit_note",
        {"identifier": "memory://main/vault/memory", "operation": "prepend", "content": MANY},
        "deny",
    ),
    "append-by-title": ("edit_note", {"identifier": "MEMORY", "operation": "append", "content": MANY}, "deny"),
    "append-elsewhere": ("edit_note", {"identifier": "vault/note-1", "operation": "append", "content": MANY}, "silent"),
    "section": (
        "edit_note",
        {"identifier": "vault/memory", "operation": "replace_section", "section": "# Index", "content": MANY},
        "silent",
    ),
    "move-onto-an-index": ("move_note", {"identifier": "big", "destination_path": "vault/MEMORY.md"}, "silent"),
}


@pytest.mark.parametrize("row", NOTE_CALLS)
def test_a_note_that_is_an_index_is_judged(row: str, home: Home) -> None:
    tool, arguments, decision = NOTE_CALLS[row]
    assert verdict(home, f"mcp__basic-memory__{tool}", arguments) == decision


def test_a_note_moved_to_where_the_index_is_missing_is_judged_by_its_content(home: Home) -> None:
    home.vault_index.unlink()
    (home.path / "bm/Big Note.md").write_bytes(OVER)
    moved = {"identifier": "big-note", "destination_path": "vault/MEMORY.md"}
    assert verdict(home, "mcp__basic-memory__move_note", moved) == "deny"
    (home.path / "bm/Big Note.md").write_bytes(index(20))
    assert verdict(home, "mcp__basic-memory__move_note", moved) == "silent"


def test_a_section_of_an_over_cap_index_is_refused(home: Home) -> None:
    home.vault_index.write_bytes(OVER)
    section = {"identifier": "vault/memory", "operation": "replace_section", "section": "# Index", "content": "x"}
    replied = asked(home, "mcp__basic-memory__edit_note", section)
    assert replied.decision == "deny"
    assert replied.text.startswith("INDEX_WRITE_NOT_COMPUTABLE")


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"projects": []}', '{"projects": {"main": {"path": 1}}}', None])
def test_where_the_project_cannot_be_known_nothing_is_refused(broken: str | None, home: Home) -> None:
    place = home.path / ".basic-memory/config.json"
    place.unlink() if broken is None else place.write_text(broken)
    assert verdict(home, "mcp__basic-memory__write_note", note(overwrite=True)) == "silent"


def test_the_environment_says_where_the_configuration_is(home: Home) -> None:
    os.rename(home.path / ".basic-memory", home.path / "elsewhere")
    payload = call("mcp__basic-memory__write_note", note(overwrite=True), home.path)
    told = [
        hook(home.path, payload, environment=environment).decision
        for environment in ({}, {"BASIC_MEMORY_CONFIG_DIR": str(home.path / "elsewhere")})
    ]
    assert told == ["silent", "deny"]


ARGUMENTS = note(overwrite=True)
FORMS: dict[str, tuple[str, dict[str, object]]] = {
    "claude-code": ("", call("mcp__basic-memory__write_note", ARGUMENTS, Path())),
    "dsh": ("", call("mcp__basic-memory__write_note", ARGUMENTS, Path())),
    "codex": ("", call("mcp__basic_memory__write_note", ARGUMENTS, Path())),
    "gemini": (
        "",
        {
            **event("BeforeTool", Path(), tool_name="mcp_basic-memory_write_note", tool_input=ARGUMENTS),
            "mcp_context": {"server_name": "basic-memory", "tool_name": "write_note"},
        },
    ),
    "copilot": ("preToolUse", {"sessionId": "s", "toolName": "basic-memory-write_note", "toolArgs": ARGUMENTS}),
    "cursor": (
        "",
        {
            "hook_event_name": "preToolUse",
            "conversation_id": "s",
            "generation_id": "g",
            "tool_name": "MCP:write_note",
            "tool_input": ARGUMENTS,
        },
    ),
    "windsurf": (
        "",
        {
            "agent_action_name": "pre_mcp_tool_use",
            "trajectory_id": "s",
            "execution_id": "e",
            "tool_info": {
                "mcp_server_name": "basic-memory",
                "mcp_tool_name": "write_note",
                "mcp_tool_arguments": ARGUMENTS,
            },
        },
    ),
    "cline": (
        "PreToolUse",
        {"hookName": "tool_call", "tool_call": {"name": "basic-memory__write_note", "input": ARGUMENTS}},
    ),
    "opencode": (
        "",
        {"hook": "before", "input": {"tool": "basic-memory_write_note"}, "output": {"args": ARGUMENTS}},
    ),
    "generic": ("", {"event": "tool_call", "call": "c", "tool": "write_note", "arguments": ARGUMENTS}),
}


@pytest.mark.parametrize("host", FORMS)
def test_each_host_refuses_the_note_in_its_own_words(host: str, home: Home) -> None:
    pytest.importorskip(f"memstile.hosts.{host.replace('-', '_')}")
    word, payload = FORMS[host]
    here = {**payload, "cwd": str(home.path), "workspaceRoots": [str(home.path)]}
    replied = hook(home.path, here, *filter(None, [word]), host=host)
    told = replied.err if replied.code == 2 else json.dumps(replied.reply)
    assert "INDEX_GREW_OVER_CAP: this write takes the memory index vault/MEMORY.md" in told


def with_place(home: Path, tool: str, arguments: Mapping[str, object]) -> list[tuple[str, Change]]:
    """Give the writes of a call, with paths below the project."""
    place = Place(str(home), "", 0.0, {"XDG_CONFIG_HOME": str(home)}, lambda _: Settings(), lambda: (), [])
    request = with_notes(Request(Event.TOOL_CALL, tool=tool, arguments=arguments), place)
    assert request.kind is (Kind.WRITE if request.writes else Kind.OTHER)
    return [(os.path.relpath(write.path, home / "p"), write.change) for write in request.writes]


def project(home: Path, **settings: object) -> None:
    (home / "basic-memory").mkdir()
    configured = {"projects": {"my p": {"path": str(home / "p")}}, **settings}
    (home / "basic-memory/config.json").write_text(json.dumps(configured))
    (home / "p/Sub Dir").mkdir(parents=True)
    (home / "p/Sub Dir/MEMORY.md").write_bytes(b"# I\n")


HEAD = "---\ntitle: MEMORY\ntype: note\npermalink: my-p/{}memory\n---\n\n"


def made(folder: str, body: str) -> Change:
    return Whole((HEAD.format(folder) + body).encode())


CALLS: dict[str, tuple[str, dict[str, object], list[tuple[str, Change]]]] = {
    "new": ("write_note", note(content="a\n", directory="/"), [("MEMORY.md", made("", "a\n"))]),
    "exists": ("write_note", note(content="a\n", directory="Sub Dir"), []),
    "outside": ("write_note", note(content="a\n", directory="../x"), []),
    "no-content": ("write_note", {"title": "MEMORY", "directory": "/"}, []),
    "made-by-append": (
        "edit_note",
        {"identifier": "new/MEMORY", "operation": "append", "content": "a"},
        [("new/MEMORY.md", made("new/", "a"))],
    ),
    "made-by-append-with-the-projects-name": (
        "edit_note",
        {"identifier": "my-p/new/MEMORY", "operation": "append", "content": "a"},
        [("new/MEMORY.md", made("new/", "a"))],
    ),
    "append-with-an-ending": (
        "edit_note",
        {"identifier": "new/MEMORY.md", "operation": "append", "content": "a"},
        [("new/MEMORY.md.md", Whole(b"---\ntitle: MEMORY.md\ntype: note\npermalink: my-p/new/memory.md\n---\n\na"))],
    ),
    "no-such-note": ("edit_note", {"identifier": "new/MEMORY", "operation": "find_replace", "content": "a"}, []),
    "by-permalink": (
        "edit_note",
        {"identifier": "sub-dir/memory", "operation": "append", "content": "a"},
        [("Sub Dir/MEMORY.md", Whole(b"---\npermalink: my-p/sub-dir/memory\n---\n\n# I\na"))],
    ),
    "section": (
        "edit_note",
        {"identifier": "sub-dir/memory", "operation": "replace_section", "content": "a"},
        [("Sub Dir/MEMORY.md", Opaque("a section of a note is replaced"))],
    ),
    "move": (
        "move_note",
        {"identifier": "sub-dir/memory", "destination_folder": "new"},
        [("new/MEMORY.md", Move("Sub Dir/MEMORY.md"))],
    ),
    "move-onto-itself": ("move_note", {"identifier": "sub-dir/memory", "to": "Sub Dir/MEMORY.md"}, []),
    "move-outside": ("move_note", {"identifier": "sub-dir/memory", "to": "../MEMORY.md"}, []),
    "move-a-folder": (
        "move_note",
        {"identifier": "sub-dir", "destination_path": "new", "is_directory": True},
        [],
    ),
    "odd-identifier": ("edit_note", {"identifier": "a\0b/c", "operation": "x", "content": "a"}, []),
    "no-text": ("edit_note", {"identifier": 1, "operation": "append", "content": "a"}, []),
    "other-tool": ("read_note", {"identifier": "sub-dir/memory"}, []),
}


@pytest.mark.parametrize("row", CALLS)
def test_the_file_of_a_note_is_found_and_what_it_will_hold(row: str, tmp_path: Path) -> None:
    tool, arguments, writes = CALLS[row]
    project(tmp_path)
    found = with_place(tmp_path, f"mcp__bm__{tool}", arguments)
    moved = [
        (path, Move(os.path.relpath(change.source, tmp_path / "p")) if isinstance(change, Move) else change)
        for path, change in found
    ]
    assert moved == writes


def test_settings_of_the_server_decide_about_overwriting_and_names(tmp_path: Path) -> None:
    project(tmp_path, write_note_overwrite_default=True, kebab_filenames=True)
    assert [path for path, _ in with_place(tmp_path, "write_note", note(directory="Sub Dir"))] == ["Sub Dir/memory.md"]
    (tmp_path / "basic-memory/config.json").write_text(
        json.dumps({"projects": {"p": str(tmp_path / "p")}, "write_note_overwrite_default": True})
    )
    assert [path for path, _ in with_place(tmp_path, "write_note", note(directory="Sub Dir"))] == ["Sub Dir/MEMORY.md"]


def test_writes_that_are_known_already_stay_where_the_server_is_another(tmp_path: Path) -> None:
    place = Place(str(tmp_path), "", 0.0, {"XDG_CONFIG_HOME": str(tmp_path)}, lambda _: Settings(), lambda: (), [])
    request = Request(
        Event.TOOL_CALL,
        tool="vault_write_note",
        writes=(Write("a.md", Opaque("the tool is not known")),),
        arguments={"path": "a.md", "content": "x"},
    )
    assert with_notes(request, place) == request
