"""What leads to an index is judged however it is spelled, and no payload's texts make the hook fail."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstile.core.change import Outcome, apply
from memstile.core.matching import Matching
from memstile.hook import Words
from memstile.hook_glance import _PATH_KEYS, is_none_of_ours
from memstile.hook_run import run
from memstile.hosts import HOSTS
from memstile.hosts.opencode import TOOLS
from tests.agent_tools import LAUNCHER, event, hook, write
from tests.hosts.payload_tools import FOLDER, recorded

FULL = b"- [a](a.md) - a\n" * 199
OVER = b"- [a](a.md) - a\n" * 210

NAMES = ["Память.md", "ÉTAT.md", "İndex.md", "NOTES.md", "\u212aEEP.md", "日記.md", "e\u0301tat.md"]


@pytest.mark.parametrize("is_ascii", [True, False], ids=["escaped", "UTF-8"])
@pytest.mark.parametrize("name", NAMES)
def test_an_index_of_any_name_is_guarded_at_each_call(name: str, tmp_path: Path, *, is_ascii: bool) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / name).write_bytes(FULL)
    (tmp_path / "config.toml").write_text(f'index_name = "{name}"\n[[vault]]\npath = "{vault}"\n')
    raw = json.dumps(write(vault / name, OVER, tmp_path), ensure_ascii=is_ascii).encode()
    assert [hook(tmp_path, raw).decision for _ in range(3)] == ["deny"] * 3
    # Wherever it stands, and not by its ending alone.
    named = write("/p/a.py", f"see {name} there".encode(), tmp_path)
    for spelling in (name, name.upper().replace(".MD", ".md"), name.lower()):
        raw = json.dumps(named, ensure_ascii=is_ascii).replace(name, spelling).encode()
        assert not is_none_of_ours(raw, "claude-code", "", str(tmp_path / "state"), str(tmp_path / "config.toml"))


def test_one_sign_alone_is_a_letter_of_ascii_in_lower_case_without_being_ascii() -> None:
    signs = map(chr, range(sys.maxunicode + 1))
    assert [sign for sign in signs if sign.lower().isascii() and not sign.isascii()] == ["\u212a"]


def linked(folder: Path) -> tuple[Path, Path]:
    """Make a vault whose index is nearly full, and a link to it. Result: the folder of the link, and the link."""
    vault, project = folder / "vault", folder / "p"
    vault.mkdir()
    project.mkdir()
    (vault / "MEMORY.md").write_bytes(FULL)
    (project / "notes.txt").symlink_to(vault / "MEMORY.md")
    (folder / "config.toml").write_text(f'[[vault]]\npath = "{vault}"\n')
    return project, project / "notes.txt"


CONTENT = OVER.decode()
AS_TEXTS: dict[str, tuple[str, tuple[str, ...], dict[str, object], str]] = {
    "copilot": ("copilot", ("preToolUse",), {"toolName": "create"}, "toolArgs"),
    "cursor": ("cursor", (), {"hook_event_name": "preToolUse", "tool_name": "Write"}, "tool_input"),
    "windsurf": ("windsurf", (), {"agent_action_name": "pre_mcp_tool_use"}, "tool_info.mcp_tool_arguments"),
    "cline": ("cline", (), {"hookName": "tool_call"}, "tool_call.input.arguments"),
}
NOWHERE = ("/nowhere/state", "/nowhere/config.toml")
ROUND: Mapping[str, dict[str, object]] = {
    "tool_info": {"mcp_server_name": "fs", "mcp_tool_name": "write_file"},
    "tool_call": {"name": "use_mcp_tool"},
    "input": {"server_name": "fs", "tool_name": "write_file"},
}


def with_text(payload: dict[str, object], place: str, arguments: str) -> dict[str, object]:
    """Put the arguments into a payload as a JSON text."""
    *above, key = place.split(".")
    inner = payload
    for name in above:
        inner[name] = held = dict(ROUND[name])
        inner = held
    inner[key] = arguments
    return payload


@pytest.mark.parametrize("row", AS_TEXTS)
@pytest.mark.parametrize("indent", [None, 1], ids=["one line", "indented"])
@pytest.mark.parametrize("name", ["notes.txt", "plain.txt"])
def test_a_link_in_arguments_that_are_a_json_text_is_looked_at(
    name: str, indent: int | None, row: str, tmp_path: Path
) -> None:
    host, words, payload, place = AS_TEXTS[row]
    folder, _ = linked(tmp_path)
    (folder / "plain.txt").write_text("x")
    is_passed = name == "plain.txt" and host in ("copilot", "cursor")  # "mcp" is a word that is always looked at
    for key in _PATH_KEYS:
        for path in (name, f"{folder}/{name}"):
            arguments = json.dumps({key.decode().strip('"'): path}, indent=indent)
            raw = json.dumps(with_text({**payload, "cwd": str(folder)}, place, arguments)).encode()
            assert is_none_of_ours(raw, host, (*words, "preToolUse")[0], *NOWHERE) is is_passed, raw


def test_a_link_in_a_json_text_does_not_lead_around_the_cap(tmp_path: Path) -> None:
    folder, link = linked(tmp_path)
    arguments = {"path": link.name, "old_str": FULL.decode(), "new_str": CONTENT}
    call = {"sessionId": "s", "cwd": str(folder), "toolName": "edit", "toolArgs": json.dumps(arguments)}
    for _ in range(2):  # from the second one on the glance knows the index's name
        assert hook(tmp_path, call, "preToolUse", host="copilot").reply["permissionDecision"] == "deny"


@pytest.mark.parametrize("word", ["a note.md", "x/pause", "NOTES", "delete"])
def test_words_that_end_with_a_quote_are_found_in_a_json_text(word: str, tmp_path: Path) -> None:
    raw = json.dumps({"toolName": "create", "toolArgs": json.dumps({"other": word}), "cwd": "/p"}).encode()
    (tmp_path / "config.toml").write_text('index_name = "NOTES.md"\n')
    hook(tmp_path, write("/p/NOTES.md", b"x", tmp_path))
    assert not is_none_of_ours(raw, "copilot", "preToolUse", str(tmp_path / "state"), str(tmp_path / "config.toml"))


def test_a_key_far_from_its_value_is_looked_at() -> None:
    raw = b'{"hook_event_name": "PreToolUse", "cwd": "/p", "tool_input": {"path"%s: "/p/a.py"}}'
    assert [is_none_of_ours(raw % gap, "codex", "", *NOWHERE) for gap in (b"", b" " * 30, b"\n" * 9)] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("spelling", ["@notes.txt", "@/notes.txt", "@//notes.txt", "@./notes.txt", "notes.txt\0"])
def test_what_gemini_makes_of_a_path_is_judged_for_a_link_too(spelling: str, tmp_path: Path) -> None:
    folder, _ = linked(tmp_path)
    arguments = {"file_path": spelling, "content": CONTENT}
    call = event("BeforeTool", folder, tool_name="write_file", tool_input=arguments)
    for _ in range(2):
        assert (hook(tmp_path, call, host="gemini").reply or {}).get("decision") == "deny"


def test_a_relative_folder_of_a_payload_is_not_followed_at_the_glance() -> None:
    assert [
        is_none_of_ours(
            json.dumps(event("PreToolUse", Path(cwd), tool_input={"path": "a.py"})).encode(), "codex", "", *NOWHERE
        )
        for cwd in ("/p", "p")
    ] == [True, False]


@pytest.mark.parametrize("before", [None, b"", b" \n", FULL])
@pytest.mark.parametrize(("old", "new", "after"), [("", "x\n", b"x\n"), ("", CONTENT, OVER)])
def test_an_edit_of_opencode_without_old_text_is_the_whole_file(
    old: str, new: str, after: bytes, before: bytes | None
) -> None:
    one = {"filePath": "/v/MEMORY.md", "oldString": old, "newString": new}
    several = {"filePath": "/v/MEMORY.md", "edits": [{"oldString": "a", "newString": "b"}, one]}
    for tool, arguments in (("edit", one), ("multiedit", several)):
        shape = TOOLS[tool].shape
        assert shape
        (row,) = shape(arguments)
        assert apply(row.change, before, matching=Matching.LOOSE) == (Outcome.DONE, after)


def test_edits_of_opencode_after_one_without_old_text_go_on_from_it() -> None:
    pairs = [("", "a\n"), ("a", "b")]
    edits = [{"oldString": old, "newString": new} for old, new in pairs]
    shape = TOOLS["multiedit"].shape
    assert shape
    (row,) = shape({"filePath": "/v/MEMORY.md", "edits": edits})
    assert apply(row.change, FULL, matching=Matching.LOOSE) == (Outcome.DONE, b"b\n")


def test_an_edit_of_opencode_that_changes_nothing_is_left_to_opencode() -> None:
    shape = TOOLS["edit"].shape
    assert shape
    (row,) = shape({"filePath": "/v/MEMORY.md", "oldString": "", "newString": ""})
    assert apply(row.change, FULL, matching=Matching.LOOSE).outcome is Outcome.REJECTED


def test_the_cap_holds_for_an_edit_of_opencode_without_old_text(tmp_path: Path) -> None:
    folder, link = linked(tmp_path)
    arguments = {"filePath": str(link), "oldString": "", "newString": CONTENT}
    call = {"hook": "before", "cwd": str(folder), "input": {"tool": "edit"}, "output": {"args": arguments}}
    assert set(hook(tmp_path, call, host="opencode").reply or {}) == {"deny"}


def leaves(value: object, at: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Give the place of every text in a JSON value."""
    rows: Iterator[tuple[object, object]] = iter(())
    if isinstance(value, dict):
        rows = iter(value.items())
    elif isinstance(value, list):
        rows = iter(enumerate(value))
    elif isinstance(value, str):
        yield at
    for key, inner in rows:
        yield from leaves(inner, (*at, key))


def replaced(value: object, at: tuple[object, ...], text: str) -> object:
    """Put a text into a place of a JSON value."""
    if not at:
        return text
    if isinstance(value, dict):
        return {key: replaced(inner, at[1:], text) if key == at[0] else inner for key, inner in value.items()}
    assert isinstance(value, list)
    return [replaced(inner, at[1:], text) if key == at[0] else inner for key, inner in enumerate(value)]


ODD = ["/a\ud800b", "/a\0b", "/home/u/.claude/projects/p\0/t.jsonl", "/home/u/.claude/projects/p\ud800/t.jsonl",
       "\ud800", "\0", "\udcff", "/" + "a/" * 3_000, "~\ud800/x", "/../.."]  # fmt: skip
PAYLOADS = [
    (host, str(name), payload)
    for host in HOSTS
    if (FOLDER / host).is_dir()
    for name, payload in recorded(host).items()
    if isinstance(payload, dict)
]
CLAUDE = [
    ("claude-code", name, {**event(name, Path("/p")), "transcript_path": "/home/u/.claude/projects/p/t.jsonl", **more})
    for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "ConfigChange")
    for more in ({"tool_name": "Write", "tool_input": {"file_path": "/p/MEMORY.md", "content": CONTENT}},)
]


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_no_text_of_a_payload_makes_the_hook_fail(tmp_path: Path, data: st.DataObject) -> None:
    host, _, payload = data.draw(st.sampled_from([*PAYLOADS, *CLAUDE]))
    at = data.draw(st.sampled_from(list(leaves(payload))))
    odd = replaced(payload, at, data.draw(st.sampled_from(ODD)))
    state, config = str(tmp_path / "state"), str(tmp_path / "config.toml")
    words = Words([host, "preToolUse", "--state", state, "--config", config])
    raw = json.dumps(odd).encode()
    run(words, raw, {"HOME": str(tmp_path)}, 1.0)
    is_none_of_ours(raw, host, "preToolUse", state, config)


@pytest.mark.parametrize("host", ["claude-code", "codex", "dsh"])
def test_a_folder_that_cannot_be_named_does_not_lead_around_the_cap(host: str, tmp_path: Path) -> None:
    _, link = linked(tmp_path)
    call = write(link, OVER, Path("/p")) if host == "claude-code" else {}
    if host == "codex":
        added = "".join(f"+{line}\n" for line in CONTENT.splitlines())
        patch = f"*** Begin Patch\n*** Add File: {link}\n{added}*** End Patch"
        call = event("PreToolUse", Path("/p"), tool_name="apply_patch", tool_input={"command": patch})
    if host == "dsh":
        call = event(
            "PreToolUse", Path("/p"), tool_name="write", tool_input={"file_path": str(link), "content": CONTENT}
        )
    raw = json.dumps({**call, "cwd": "/p\ud800"}).encode()
    assert hook(tmp_path, raw, host=host).decision == "deny"


@pytest.mark.parametrize("cwd", [{}, {"cwd": ""}, {"cwd": "relative"}, {"cwd": "/p\0"}], ids=str)
def test_a_hook_whose_own_folder_was_removed_judges_all_the_same(cwd: Mapping[str, object], tmp_path: Path) -> None:
    _, link = linked(tmp_path)
    call = {key: value for key, value in write(link, OVER, tmp_path).items() if key != "cwd"}
    gone = tmp_path / "gone"
    gone.mkdir()
    script = tmp_path / "script.py"
    script.write_text(f"import os, sys\nos.rmdir({str(gone)!r})\n{LAUNCHER}\n")
    words = ["claude-code", "--config", str(tmp_path / "config.toml"), "--state", str(tmp_path / "state")]
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), *words],
        input=json.dumps({**call, **cwd}).encode(),
        capture_output=True,
        check=False,
        cwd=gone,
        env={"HOME": str(tmp_path)},
    )
    assert b'"permissionDecision": "deny"' in done.stdout.replace(b'":"', b'": "'), done
    assert not gone.exists()
