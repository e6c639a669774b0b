"""The turn gate in a hook: what happened in one process counts in the next, and nothing crosses a turn."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memstile.audit_read import reading, rows
from memstile.audit_verify import verify
from memstile.hook import Words
from memstile.hook_run import run
from memstile.hook_spare import made_folder
from memstile.pausing import pause
from memstile.store import open_store, store_place
from tests.agent_tools import event, hook
from tests.vault_tools import index, vault

NOTE = {"title": "Kettle", "content": "It boils.", "directory": "home"}
WRITE, SEARCH, DELETE = (f"mcp__basic-memory__{tool}" for tool in ("write_note", "search_notes", "delete_note"))
CLASSIFY = "mcp__memstile__classify"
FOUND = [{"type": "text", "text": "[]"}]


class Session(NamedTuple):
    """One session of Claude Code. home: holds state folder and settings."""

    home: Path
    id: str = "s1"
    prompt: str = "p1"
    agent: str = ""
    now: float = 1_000_000.0

    def tell(self, name: str, **fields: Any) -> str:
        """Tell of an event. Result: "" for silence, else the reason code."""
        agent = {"agent_id": self.agent} if self.agent else {}
        told = {**event(name, self.home), "session_id": self.id, "prompt_id": self.prompt, **agent, **fields}
        words = Words(["claude-code", "--config", str(self.home / "config.toml"), "--state", str(self.home / "state")])
        reply = run(words, json.dumps(told).encode(), {"HOME": str(self.home)}, self.now)
        body = json.loads(reply.stdout) if reply.stdout else {}
        inner = body.get("hookSpecificOutput", {})
        reason = str(inner.get("permissionDecisionReason") or inner.get("additionalContext") or "")
        return reason.partition(":")[0] or str(body.get("systemMessage", ""))[:20]

    def call(self, tool: str, arguments: object, number: str = "t1") -> str:
        """Tell of a call before it runs."""
        return self.tell("PreToolUse", tool_name=tool, tool_input=arguments, tool_use_id=number)

    def done(self, tool: str, arguments: object, number: str = "t1", result: object = FOUND) -> str:
        """Tell of a call that ran."""
        return self.tell("PostToolUse", tool_name=tool, tool_input=arguments, tool_use_id=number, tool_response=result)

    def write(self, number: str = "w1") -> str:
        """Ask for a note to be written."""
        return self.call(WRITE, NOTE, number)

    def classify(self, task: str) -> str:
        """Declare the turn."""
        return self.call(CLASSIFY, {"task": task}, "c1")

    def search(self, result: object = FOUND) -> None:
        """Search, and let the batch end."""
        self.call(SEARCH, {"query": "kettle"}, "q1")
        self.done(SEARCH, {"query": "kettle"}, "q1", result)
        self.tell("PostToolBatch")


def gated(home: Path, **keys: str) -> Session:
    """Set the gate up. keys: of [gate], mode = enforce if not given."""
    rows = "".join(f"{key} = {json.dumps(value)}\n" for key, value in {"mode": "enforce", **keys}.items())
    (home / "config.toml").write_text(f"[gate]\n{rows}")
    return Session(home)


@pytest.fixture
def at(tmp_path: Path) -> Session:
    """Give a session with the gate enforced."""
    return gated(tmp_path)


def test_each_write_waits_for_what_is_missing(at: Session) -> None:
    told = [at.write()]
    at.classify("complex")
    told.append(at.write())
    at.call(SEARCH, {"query": "kettle"}, "q1")
    told.append(at.write())
    at.done(SEARCH, {"query": "kettle"}, "q1")
    told.append(at.write())
    at.tell("PostToolBatch")
    told.append(at.write())
    assert told == [
        "CLASSIFICATION_REQUIRED",
        "CREATE_REQUIRES_SEARCH",
        "MEMORY_LOOKUP_PENDING_IN_BATCH",
        "MEMORY_LOOKUP_PENDING_IN_BATCH",
        "",
    ]


def test_a_simple_turn_writes_without_a_search(at: Session) -> None:
    at.classify("simple")
    assert at.write() == ""


@pytest.mark.parametrize(
    "command", ["memstile classify simple", "  memstile  classify simple", "memstile classify simple; ls"]
)
def test_a_shell_declares_by_exactly_one_command(command: str, at: Session) -> None:
    at.call("Bash", {"command": command})
    assert (at.write() == "") is (command == "memstile classify simple")


@pytest.mark.parametrize(
    "result",
    [
        pytest.param([{"type": "text", "text": "# Search Failed - Invalid Syntax\n\n..."}], id="text"),
        pytest.param('{"result":"# Search Failed - Invalid Syntax\\n\\n..."}', id="structured"),
        pytest.param(
            [{"type": "text", "text": 'MCP tool "basic-memory/search_notes" is still running after 1s. It was moved'}],
            id="in the background",
        ),
    ],
)
def test_a_search_that_found_no_answer_is_none(result: object, at: Session) -> None:
    at.classify("complex")
    at.search(result)
    assert at.write() in ("MEMORY_LOOKUP_FAILED", "MEMORY_LOOKUP_PENDING_IN_BATCH")


def test_a_search_that_failed_is_none(at: Session) -> None:
    at.classify("complex")
    at.call(SEARCH, {"query": "x"}, "q1")
    at.tell(
        "PostToolUseFailure",
        tool_name=SEARCH,
        tool_input={"query": "x"},
        tool_use_id="q1",
        error="no",
        is_interrupt=False,
    )
    at.tell("PostToolBatch")
    assert at.write() == "MEMORY_LOOKUP_FAILED"


OTHERS: dict[str, dict[str, Any]] = {
    "turn": {"prompt": "p2"},
    "session": {"id": "s2"},
    "subagent": {"agent": "a1"},
    "an hour later": {"now": 1_000_000.0 + 3_601},
}


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_crosses(name: str, at: Session) -> None:
    at.classify("complex")
    at.search()
    assert (at.write(), at._replace(**OTHERS[name]).write()) == ("", "CLASSIFICATION_REQUIRED")


def test_a_result_of_an_earlier_turn_counts_for_nothing(at: Session) -> None:
    at.call(SEARCH, {"query": "x"}, "q1")
    after = at._replace(prompt="p2")
    after.tell("UserPromptSubmit", prompt="go")
    after.classify("complex")
    at.done(SEARCH, {"query": "x"}, "q1")
    after.tell("PostToolBatch")
    assert after.write() == "CREATE_REQUIRES_SEARCH"


def test_audit_says_nothing_and_records(tmp_path: Path) -> None:
    at = gated(tmp_path, mode="audit")
    assert at.write() == ""
    assert os.path.exists(store_place(str(tmp_path / "state")))


def test_off_records_nothing(tmp_path: Path) -> None:
    at = gated(tmp_path, mode="off")
    told = (at.tell("UserPromptSubmit", prompt="x"), at.write())
    assert (told, os.path.exists(store_place(str(tmp_path / "state")))) == (("", ""), False)


@pytest.mark.parametrize("switch", ["off", "pause"])
def test_a_turn_that_was_not_seen_leaves_nothing_to_the_next(switch: str, at: Session) -> None:
    same = at._replace(prompt="")  # a host without ids of turns
    same.classify("simple")
    other = same._replace(id="s2")
    other.classify("simple")
    if switch == "off":
        gated(at.home, mode="off")
    else:
        pause(str(at.home / "state"), 600, at.now)
    same.tell("UserPromptSubmit", prompt="x")
    pause(str(at.home / "state"), 0, at.now)
    gated(at.home)
    assert (same.write(), other.write()) == ("CLASSIFICATION_REQUIRED", "")


def test_a_batch_end_that_never_comes_is_waited_for_in_one_turn_alone(at: Session) -> None:
    at.classify("complex")
    at.call(SEARCH, {"query": "x"}, "q1")
    at.done(SEARCH, {"query": "x"}, "q1")
    assert at.write() == "MEMORY_LOOKUP_PENDING_IN_BATCH"
    after = at._replace(prompt="p2")
    after.tell("UserPromptSubmit", prompt="x")
    after.classify("complex")
    after.call(SEARCH, {"query": "x"}, "q2")
    after.done(SEARCH, {"query": "x"}, "q2")
    assert after.write() == ""


# Files of a vault.


@pytest.fixture
def notes(at: Session) -> Path:
    """Give the folder of a configured vault."""
    folder = vault(at.home / "notes", index(20))
    (folder / "kettle.md").write_text("---\nname: kettle\n---\nIt boils.\n")
    (at.home / "memstile.toml").write_text('[[vault]]\npath = "notes"\n')
    return folder


def put(path: Path, content: str = "x\n") -> dict[str, object]:
    return {"file_path": str(path), "content": content}


def test_a_note_is_written_by_the_same_rules(at: Session, notes: Path) -> None:
    new, old = put(notes / "new.md"), {"file_path": str(notes / "MEMORY.md"), "old_string": "a", "new_string": "b"}
    told = [at.call("Write", new), at.call("Edit", old), at.call("Write", put(at.home / "README.md"))]
    at.classify("complex")
    told += [at.call("Write", new), at.call("Edit", old)]
    assert told == [
        "CLASSIFICATION_REQUIRED",
        "CLASSIFICATION_REQUIRED",
        "",
        "CREATE_REQUIRES_SEARCH",
        "MEMORY_LOOKUP_REQUIRED",
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "is_search"),
    [
        ("Read", {"file_path": "notes/MEMORY.md"}, True),
        ("Read", {"file_path": "notes/kettle.md"}, True),
        ("Grep", {"pattern": "kettle", "path": "notes"}, True),
        ("Grep", {"pattern": "kettle", "path": "."}, False),
        ("LS", {"path": "notes"}, False),
        ("Read", {"file_path": "README.md"}, False),
    ],
)
def test_looking_into_the_vault_is_a_search(
    tool: str, arguments: dict[str, str], is_search: bool, at: Session, notes: Path
) -> None:
    at.classify("complex")
    at.done(tool, arguments, "r1", {"type": "text", "file": {}})
    at.tell("PostToolBatch")
    assert (at.call("Write", put(notes / "new.md")) == "") is is_search


def test_a_look_that_failed_is_no_search(at: Session, notes: Path) -> None:
    at.classify("complex")
    at.tell(
        "PostToolUseFailure", tool_name="Read", tool_input={"file_path": "notes/no.md"}, tool_use_id="r1", error="x"
    )
    at.tell("PostToolBatch")
    assert at.call("Write", put(notes / "new.md")) == "MEMORY_LOOKUP_FAILED"


def test_a_note_is_not_replaced_unread_where_the_profile_is_strict(at: Session, notes: Path) -> None:
    gated(at.home, profile="strict")
    at.classify("complex")
    told = []
    for number, name in enumerate(("MEMORY.md", "kettle.md")):
        at.done("Read", {"file_path": str(notes / name)}, f"r{number}")
        at.tell("PostToolBatch")
        told.append(at.call("Write", put(notes / "kettle.md")))
    assert told == ["OVERWRITE_REQUIRES_READ", ""]


def test_files_do_not_count_where_that_is_off(at: Session, notes: Path) -> None:
    (at.home / "config.toml").write_text('[gate]\nmode = "enforce"\nvault_files = false\n')
    assert at.call("Write", put(notes / "new.md")) == ""


def test_the_cap_and_the_gate_are_both_told(at: Session, notes: Path) -> None:
    payload = event(
        "PreToolUse",
        at.home,
        tool_name="Write",
        tool_input=put(notes / "MEMORY.md", index(230).decode()),
        tool_use_id="t1",
    )
    text = hook(at.home, payload).text
    assert ("INDEX_GREW_OVER_CAP" in text, "CLASSIFICATION_REQUIRED" in text) == (True, True)


# Our own failure.


def broken(home: Path) -> None:
    (home / "state").mkdir(exist_ok=True)
    Path(store_place(str(home / "state"))).write_bytes(b"no database" * 100)


@pytest.mark.parametrize(
    ("mode", "on_error", "expected"),
    [
        ("enforce", "open", ("context", "silent")),
        ("enforce", "closed", ("deny", "silent")),
        ("audit", "closed", ("context", "silent")),
    ],
)
def test_a_store_that_is_broken_is_our_own_failure(
    mode: str, on_error: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    gated(tmp_path, mode=mode, on_error=on_error)
    broken(tmp_path)
    calls = [
        event("PreToolUse", tmp_path, tool_name=tool, tool_input=NOTE, tool_use_id="t1") for tool in (WRITE, SEARCH)
    ]
    replies = [hook(tmp_path, payload) for payload in calls]
    assert tuple(reply.decision for reply in replies) == expected
    assert "POLICY_INTERNAL_ERROR" in replies[0].text
    assert str(tmp_path) not in replies[0].text


@pytest.fixture
def spare(at: Session) -> Iterator[Path]:
    """Let no hook write the state folder, as a sandbox does, and give the folder that takes its place."""
    (at.home / "state").write_bytes(b"")
    folder = made_folder(str(at.home / "state"))
    yield Path(folder)
    shutil.rmtree(folder, ignore_errors=True)


def test_where_the_state_folder_cannot_be_written_turns_are_kept_in_tmp(at: Session, spare: Path) -> None:
    greeting = at.tell("SessionStart", source="startup")
    at.tell("UserPromptSubmit", prompt="x")
    told = [at.write(), at.classify("simple"), at.write()]
    assert (greeting, told) == ("memstile", ["CLASSIFICATION_REQUIRED", "", ""])
    assert os.path.exists(store_place(str(spare)))


def test_where_each_command_has_a_tmp_of_its_own_it_is_our_own_failure(at: Session, spare: Path) -> None:
    assert at.write() == "POLICY_INTERNAL_ERROR"


# The decision log.


def logged(home: Path) -> list[tuple[str, str, str, object, object]]:
    with reading(str(home / "state")) as connection:
        assert connection is not None
        return [
            (row.event, row.reason_code, row.action, row.lines_before, row.lines_after)
            for row in sorted(rows(connection), key=lambda row: row.id)
        ]


def test_a_write_of_an_index_is_logged_with_its_sizes(at: Session, notes: Path) -> None:
    at.call("Write", put(notes / "MEMORY.md", index(30).decode()), "t1")
    at.call("Write", put(notes / "MEMORY.md", index(230).decode()), "t2")
    assert logged(at.home) == [
        ("index_write", "", "allow", 20, 30),
        ("tool_call", "CLASSIFICATION_REQUIRED", "deny", None, None),
        ("index_write", "INDEX_GREW_OVER_CAP", "deny", 20, 230),
        ("tool_call", "CLASSIFICATION_REQUIRED", "deny", None, None),
    ]


def test_with_the_gate_off_what_was_said_of_an_index_is_logged(tmp_path: Path) -> None:
    at = gated(tmp_path, mode="off")
    folder = vault(tmp_path / "notes", index(20))
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "notes"\n')
    at.call("Write", put(folder / "MEMORY.md", index(30).decode()), "t1")
    at.call("Write", put(folder / "MEMORY.md", index(230).decode()), "t2")
    (folder / "MEMORY.md").write_bytes(index(210))
    at.done("Bash", {"command": "x"}, "t3")
    assert logged(tmp_path) == [
        ("index_write", "INDEX_GREW_OVER_CAP", "deny", 20, 230),
        ("index_look", "INDEX_GREW_OUTSIDE_A_TOOL", "", 20, 210),
    ]


@pytest.mark.parametrize("how", ["truncate", "hash", "full", "omit"])
def test_no_more_of_a_path_is_kept_than_the_settings_say(how: str, at: Session, notes: Path) -> None:
    with (at.home / "config.toml").open("a") as file:
        file.write(f'[audit]\npath_redaction = "{how}"\nmax_path_chars = 12\n')
    at.call("Write", put(notes / "MEMORY.md", index(30).decode()), "t1")
    with reading(str(at.home / "state")) as connection:
        assert connection is not None
        path = next(row.path for row in rows(connection) if row.event == "index_write")
    assert {
        "truncate": path == "...MEMORY.md",
        "hash": len(path) == 32 and "/" not in path,
        "full": path == str(notes / "MEMORY.md"),
        "omit": path == "",
    }[how]


def test_the_log_of_a_session_verifies(at: Session, notes: Path) -> None:
    test_each_write_waits_for_what_is_missing(at)
    after = at._replace(prompt="p2")
    after.tell("UserPromptSubmit", prompt="x")
    test_the_cap_and_the_gate_are_both_told(after, notes)
    assert verify(str(at.home / "state")).faults == ()


def test_a_failure_of_our_own_is_logged(at: Session) -> None:
    hook(at.home, b"no JSON")
    assert [row[:3] for row in logged(at.home)] == [("failure", "POLICY_INTERNAL_ERROR", "allow")]


def test_a_refusal_asked_for_on_the_command_line_holds_for_a_broken_store_too(at: Session) -> None:
    broken(at.home)
    payload = event("PreToolUse", at.home, tool_name=WRITE, tool_input=NOTE, tool_use_id="t1")
    assert hook(at.home, payload, "--on-error=closed").decision == "deny"


def test_old_rows_go_at_the_start_of_a_session(at: Session) -> None:
    at.write("old")
    at.write("older")
    later = at._replace(now=at.now + 100 * 86_400)
    later.tell("SessionStart", source="startup")
    assert [row[0] for row in logged(at.home)] == ["tool_call", "log_pruned"]
    assert verify(str(at.home / "state")).faults == ()


def test_a_vault_brings_its_settings_along(at: Session) -> None:
    (at.home / "config.toml").write_text('[gate]\nmode = "audit"\n')
    project = at.home / "project"
    folder = vault(project / "notes", index(20))
    (project / "memstile.toml").write_text('[[vault]]\npath = "notes"\n[gate]\nmode = "enforce"\n')
    assert at.call("Write", put(folder / "new.md")) == "CLASSIFICATION_REQUIRED"
    assert at.call("Write", put(project / "README.md")) == ""


# What a breaker found.


@pytest.mark.parametrize("how", ["cwd", "project"])
def test_a_shell_that_went_elsewhere_does_not_end_the_gate(how: str, at: Session, notes: Path) -> None:
    (at.home / "config.toml").write_text('[gate]\nmode = "audit"\n')
    with (at.home / "memstile.toml").open("a") as file:
        file.write('[gate]\nmode = "enforce"\n')
    elsewhere = at.home.parent / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    if how == "cwd":
        told = at.tell(
            "PreToolUse", cwd=str(elsewhere), tool_name="Write", tool_input=put(notes / "new.md"), tool_use_id="t1"
        )
    else:
        payload = {**event("PreToolUse", elsewhere), "tool_name": WRITE, "tool_input": NOTE, "tool_use_id": "t1"}
        told = hook(at.home, payload, environment={"CLAUDE_PROJECT_DIR": str(at.home)}).text.partition(":")[0]
    assert told == "CLASSIFICATION_REQUIRED"


FAILURES = [
    '[{"type":"text","text":"{\\"results\\": [], \\"error\\": \\"Unsupported MCP client\\"}"}]',
    '{"result":"\\n# Note Not Found in main: \\"X\\"\\n"}',
    '{"title": null, "error": "NOTE_NOT_FOUND"}',
    "# Error\n\nIdentifier is not allowed",
    "# No Search Criteria\n",
    "# Project Index Required\n\nNo Results Found",
]


@pytest.mark.parametrize("text", FAILURES)
def test_a_failure_without_a_flag_is_no_search(text: str, at: Session) -> None:
    at.classify("complex")
    at.search([{"type": "text", "text": text}])
    assert at.write() == "MEMORY_LOOKUP_FAILED"


@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionEnd"])
def test_a_turn_that_began_while_the_store_was_locked_is_fresh(
    name: str, at: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memstile.hook_turn_store._TIMEOUT_S", 0.05)
    same = at._replace(prompt="")
    same.classify("simple")
    store = open_store(str(at.home / "state"))
    store._connection.execute("BEGIN IMMEDIATE")
    same.tell(name, prompt="x", reason="other")
    store._connection.execute("ROLLBACK")
    store.close()
    assert (same.write(), same.classify("simple"), same.write()) == ("CLASSIFICATION_REQUIRED", "", "")


def test_a_session_that_goes_on_waits_for_the_end_of_a_batch_again(at: Session) -> None:
    at.tell("SessionStart", source="startup")
    at.tell("SessionEnd", reason="other")
    at.tell("SessionStart", source="resume")
    at.classify("complex")
    at.call(SEARCH, {"query": "x"}, "q1")
    at.done(SEARCH, {"query": "x"}, "q1")
    assert at.write() == "MEMORY_LOOKUP_PENDING_IN_BATCH"


def test_a_shell_is_no_look_where_the_host_has_tools_that_read(at: Session, notes: Path) -> None:
    at.classify("complex")
    at.done("Bash", {"command": f"cat {notes}/MEMORY.md"}, "b1", "text")
    at.tell("PostToolBatch")
    assert at.call("Write", put(notes / "new.md")) == "CREATE_REQUIRES_SEARCH"


def moved(source: Path, target: Path) -> tuple[str, dict[str, object]]:
    return "mcp__fs__move_file", {"source": str(source), "destination": str(target)}


@pytest.mark.parametrize("name", ["link", "away", "deleted", "into", "alias", "many"])
def test_ways_around_the_path_of_a_note(name: str, at: Session, notes: Path) -> None:
    outside = at.home.parent / "outside" / "deep"
    outside.mkdir(parents=True, exist_ok=True)
    (at.home / "link").symlink_to(outside)
    (at.home / "k.txt").symlink_to(notes / "kettle.md")
    (at.home / "folder").mkdir()
    lines = "".join(f"*** Add File: docs/d{number}.md\n+x\n" for number in range(100))
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "link": ("Write", put(Path(f"{at.home}/link/../notes/new.md"))),
        "away": moved(notes / "kettle.md", at.home / "k2.txt"),
        "deleted": ("mcp__fs__delete_file", {"path": str(notes / "kettle.md")}),
        "into": moved(at.home / "folder", notes / "far"),
        "alias": ("Write", put(at.home / "k.txt")),
        "many": (
            "mcp__x__apply_patch",
            {"patch": f"*** Begin Patch\n{lines}*** Add File: notes/new.md\n+x\n*** End Patch"},
        ),
    }
    assert at.call(*calls[name]) == "CLASSIFICATION_REQUIRED"


def test_a_search_that_names_a_note_has_not_read_it(at: Session, notes: Path) -> None:
    gated(at.home, profile="strict")
    at.classify("complex")
    at.done("Grep", {"pattern": "zzz", "path": str(notes / "kettle.md")}, "r1")
    at.tell("PostToolBatch")
    assert at.call("Write", put(notes / "kettle.md")) == "OVERWRITE_REQUIRES_READ"


def test_an_edit_that_takes_a_secret_out_passes(at: Session, notes: Path) -> None:
    gated(at.home, profile="strict")
    token = "ghp_" + "aB3dE6gH9kL2nP5rS8tU1wX4zA7cF0jM3qV6"
    edit = {"file_path": str(notes / "kettle.md"), "old_string": token, "new_string": "(kept elsewhere)"}
    at.classify("simple")
    assert at.call("Edit", edit) == ""
    assert at.call("Edit", {**edit, "old_string": "x", "new_string": token}) == "SECRET_PATTERN_DETECTED"


def test_a_note_may_be_written_again_after_it_was_deleted(at: Session) -> None:
    at.classify("simple")
    told = []
    for number, (tool, arguments) in enumerate([(WRITE, NOTE), (DELETE, {"identifier": "home/kettle"}), (WRITE, NOTE)]):
        told.append(at.call(tool, arguments, f"w{number}"))
        at.done(tool, arguments, f"w{number}")
    assert told == ["", "", ""]


@pytest.mark.parametrize("how", ["link", "folder"])
def test_a_store_that_is_no_file_is_no_sandbox(how: str, at: Session) -> None:
    state = at.home / "state"
    state.mkdir()
    place = Path(store_place(str(state)))
    place.symlink_to(at.home / "x") if how == "link" else place.mkdir()
    at.tell("UserPromptSubmit", prompt="x")
    assert (at.classify("simple"), at.write()) == ("", "POLICY_INTERNAL_ERROR")


def test_a_refused_write_of_a_guard_s_switch_is_logged(at: Session) -> None:
    at.call("Write", put(at.home / "config.toml"), "t1")
    assert ("index_write", "GUARD_SETTINGS_WRITE", "ask") in [row[:3] for row in logged(at.home)]


def elsewhere_with_vaults(at: Session) -> Path:
    """Make another project with two vaults of its own."""
    other = at.home.parent / f"other-{at.home.name}"
    for name in ("a", "b"):
        vault(other / name, index(20))
    (other / "memstile.toml").write_text('[[vault]]\npath = "a"\n[[vault]]\npath = "b"\n')
    return other


@pytest.mark.parametrize("name", ["write", "delete", "move", "link", "patch"])
@pytest.mark.parametrize("mode", ["enforce", "off"])
def test_the_settings_of_what_a_call_touches_hold_wherever_it_comes_from(
    name: str, mode: str, at: Session, notes: Path
) -> None:
    (at.home / "config.toml").write_text(f'[gate]\nmode = "{mode}"\n')
    with (at.home / "memstile.toml").open("a") as file:
        file.write('[gate]\nmode = "enforce"\n')
    other = elsewhere_with_vaults(at)
    (other / "k.txt").symlink_to(notes / "kettle.md")
    decoys = "".join(f"*** Add File: {other}/{part}/x.md\n+x\n" for part in "ab")
    envelope = f"*** Begin Patch\n{decoys}*** Add File: {notes}/new.md\n+x\n*** End Patch"
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "write": ("Write", put(notes / "new.md")),
        "delete": ("mcp__fs__delete_file", {"path": str(notes / "kettle.md")}),
        "move": moved(notes / "kettle.md", other / "k2.txt"),
        "link": ("Write", put(other / "k.txt")),
        "patch": ("mcp__x__apply_patch", {"patch": envelope}),
    }
    tool, arguments = calls[name]
    told = at.tell("PreToolUse", cwd=str(other), tool_name=tool, tool_input=arguments, tool_use_id="t1")
    assert told == "CLASSIFICATION_REQUIRED"


def test_servers_and_guards_of_the_project_hold_wherever_a_shell_went(at: Session) -> None:
    (at.home / "memstile.toml").write_text('[gate]\nservers = ["brain"]\nprofile = "strict"\n')
    other = elsewhere_with_vaults(at)
    payload = {
        **event("PreToolUse", other),
        "tool_name": "mcp__brain__write_note",
        "tool_input": NOTE,
        "tool_use_id": "1",
    }
    assert hook(at.home, payload, environment={"CLAUDE_PROJECT_DIR": str(at.home)}).decision == "deny"


@pytest.mark.parametrize("first", ["", "a1"])
def test_a_lost_turn_start_is_for_all_agents_of_the_session(
    first: str, at: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memstile.hook_turn_store._TIMEOUT_S", 0.05)
    main = at._replace(prompt="")
    agents = {"": main, "a1": main._replace(agent="a1")}
    for agent in agents.values():
        agent.classify("simple")
    store = open_store(str(at.home / "state"))
    store._connection.execute("BEGIN IMMEDIATE")
    main.tell("UserPromptSubmit", prompt="x")
    store._connection.execute("ROLLBACK")
    store.close()
    agents[first].call(SEARCH, {"query": "x"}, "q1")
    assert [agent.write() for agent in agents.values()] == ["CLASSIFICATION_REQUIRED"] * 2


def test_a_turn_that_began_in_the_other_store_is_fresh(at: Session) -> None:
    same, state = at._replace(prompt=""), at.home / "state"
    same.classify("simple")
    state.rename(at.home / "kept")
    state.write_bytes(b"")
    try:
        same.tell("UserPromptSubmit", prompt="x")
        state.unlink()
        (at.home / "kept").rename(state)
        told = [same.write(), same.classify("simple"), same.write()]
        same.tell("UserPromptSubmit", prompt="x")
        state.rename(at.home / "kept")
        state.write_bytes(b"")
        told.append(same.write())
    finally:
        shutil.rmtree(made_folder(str(state)), ignore_errors=True)
    assert told == ["CLASSIFICATION_REQUIRED", "", "", "CLASSIFICATION_REQUIRED"]


def test_a_result_that_names_another_tool_settles_nothing(at: Session) -> None:
    at.classify("complex")
    at.call(SEARCH, {"query": "x"}, "q1")
    at.done("mcp__basic-memory__list_directory", {}, "q1")
    at.tell("PostToolBatch")
    assert at.write() == "MEMORY_LOOKUP_PENDING_IN_BATCH"


@pytest.mark.parametrize("place", ["metadata", "content"])
def test_a_secret_is_found_wherever_it_is_written(place: str, at: Session) -> None:
    gated(at.home, profile="strict")
    token = "ghp_" + "aB3dE6gH9kL2nP5rS8tU1wX4zA7cF0jM3qV6"
    hidden = {"metadata": {"old": token}, "content": f"*** Begin Patch\n {token}\n"}
    at.classify("simple")
    assert at.call(WRITE, {**NOTE, place: hidden[place]}) == "SECRET_PATTERN_DETECTED"
