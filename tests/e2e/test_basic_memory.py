"""What core/memory_servers.py says about basic-memory, asked of the real server."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from memstile.core.gate_calls import classify_call, outcome_of
from memstile.core.gate_words import WRITES, CallClass
from memstile.core.memory_servers import BASIC_MEMORY, CREATE_TOOL
from memstile.core.turn_calls import Outcome
from memstile.hosts.host import opening_of
from tests.e2e.basic_memory import Server, installed, server
from tests.e2e.mcp_client import Client, Result, connected
from tests.e2e.npm import Missing


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server that may be started; skips one that cannot be had."""
    try:
        python = installed()
    except Missing as error:
        pytest.skip(str(error))
    return server(python, tmp_path_factory.mktemp("memory"))


@pytest.fixture(scope="module")
def client(memory: Server) -> Iterator[Client]:
    """A server that runs, with one note in it."""
    with connected(memory) as client:
        client.call("write_note", title="Kettle", content="It boils.", directory="home")
        yield client


def outcome(result: Result) -> Outcome:
    """Tell how a call ended as the gate does; a text has to give the same in each wrapping of the hosts."""
    blocks = [{"type": "text", "text": result.text}]
    wrappings: list[object] = [result.text, blocks, {"content": blocks}]
    if result.structured is not None:
        wrappings += [json.dumps(result.structured), json.dumps(result.structured, separators=(",", ":"))]
    outcomes = {outcome_of(result.is_error, opening_of(wrapped)) for wrapped in wrappings}
    assert len(outcomes) == 1, (result, outcomes)
    return outcomes.pop()


# Tools.


def test_every_tool_has_a_class_and_none_is_gone(client: Client) -> None:
    assert sorted(tool["name"] for tool in client.tools()) == sorted(BASIC_MEMORY)


def test_what_is_no_write_says_that_it_only_reads(client: Client) -> None:
    told = {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in client.tools()}
    assert told == {name: kind not in WRITES for name, kind in BASIC_MEMORY.items()}


def test_only_writes_are_told_as_destructive(client: Client) -> None:
    told = {tool["name"] for tool in client.tools() if tool["annotations"]["destructiveHint"]}
    classes = {name for name, kind in BASIC_MEMORY.items() if kind is CallClass.DESTRUCTIVE}
    assert told == {"write_note", "edit_note", *classes}


# Searches. A result without hits is a success; a failure has an error flag only sometimes.


def test_a_search_with_a_hit_is_done(client: Client) -> None:
    result = client.call("search_notes", query="kettle")
    assert result.text.startswith("# Search Results: kettle")
    assert outcome(result) is Outcome.DONE


@pytest.mark.parametrize("query", ["zeppelin", '"unbalanced AND (', "NOT"])
def test_a_search_without_a_hit_is_done(query: str, client: Client) -> None:
    result = client.call("search_notes", query=query)
    assert result.text.startswith(f"No results found for {query!r} in project 'main'.")
    assert outcome(result) is Outcome.DONE


@pytest.mark.parametrize(("tool", "arguments"), [("grep", {"pattern": "zeppelin"}), ("build_context", {"url": "no/x"})])
def test_other_searches_without_a_hit_are_done(tool: str, arguments: dict[str, str], client: Client) -> None:
    result = client.call(tool, **arguments)
    assert json.loads(result.text)["results"] == []
    assert outcome(result) is Outcome.DONE


@pytest.mark.parametrize(
    "arguments", [{"search_type": "boolean"}, {"search_type": "semantic"}, {"entity_types": ["nonsense"]}]
)
def test_a_failed_search_has_no_error_flag(arguments: dict[str, object], client: Client) -> None:
    result = client.call("search_notes", query="kettle", **arguments)
    assert (result.is_error, result.text.startswith("# Search Failed\n")) == (False, True)
    assert outcome(result) is Outcome.FAILED


def test_a_search_in_a_project_that_is_not_there_has_an_error_flag(client: Client) -> None:
    result = client.call("search_notes", query="kettle", project="no-such-project")
    assert (result.is_error, result.text) == (True, "Project not found: 'no-such-project'")
    assert outcome(result) is Outcome.FAILED


@pytest.mark.parametrize("arguments", [{}, {"query": ""}, {"query": " "}])
def test_a_search_for_nothing_is_no_search(arguments: dict[str, str], client: Client) -> None:
    result = client.call("search_notes", **arguments)
    assert (result.is_error, result.text.startswith("# No Search Criteria\n")) == (False, True)
    assert outcome(result) is Outcome.FAILED


def test_the_tool_search_refuses_clients_that_are_not_openais(client: Client) -> None:
    result = client.call("search", query="kettle")
    assert (result.is_error, "Unsupported MCP client" in result.text) == (False, True)
    assert outcome(result) is Outcome.FAILED


# Reads.


@pytest.mark.parametrize("tool", ["read_note", "view_note"])
def test_a_note_that_is_not_there_has_no_error_flag(tool: str, client: Client) -> None:
    result = client.call(tool, identifier="No Such Note")
    assert (result.is_error, result.text.startswith('\n# Note Not Found in main: "No Such Note"\n')) == (False, True)


def test_a_note_that_is_not_there_was_not_read(client: Client) -> None:
    assert outcome(client.call("read_note", identifier="No Such Note")) is Outcome.FAILED


@pytest.mark.parametrize("arguments", [{"identifier": "No Such Note", "output_format": "json"}, {"identifier": "../x"}])
def test_other_reads_that_fail_have_none_either(arguments: dict[str, str], client: Client) -> None:
    result = client.call("read_note", **arguments)
    assert not result.is_error
    assert '"NOTE_NOT_FOUND"' in result.text or result.text.startswith("# Error\n")


@pytest.mark.parametrize(("tool", "arguments"), [("read_content", {"path": "no.md"}), ("cat", {"identifier": "no"})])
def test_reads_of_files_fail_with_a_flag(tool: str, arguments: dict[str, str], client: Client) -> None:
    assert client.call(tool, **arguments).is_error


# Writes.


def test_a_note_that_is_there_is_not_replaced_unasked(client: Client, memory: Server) -> None:
    told = client.call(CREATE_TOOL, title="Kettle", content="It is cold.", directory="home")
    assert (told.is_error, told.text.startswith("# Error: Note already exists\n")) == (True, True)
    assert outcome(told) is Outcome.FAILED
    assert "It boils." in (memory.notes / "home/Kettle.md").read_text()


# Files are not looked at: what is replaced is on the disk a moment after the answer.
@pytest.mark.parametrize(("title", "value"), list(enumerate([True, "true", "yes", "on", "y", 1, "1"])))
def test_it_is_replaced_where_that_is_asked_for_and_words_for_true_ask(
    title: int, value: object, client: Client
) -> None:
    arguments = {"title": f"Pot {title}", "directory": "home"}
    client.call(CREATE_TOOL, content="Full.", **arguments)
    told = client.call(CREATE_TOOL, content="Empty.", overwrite=value, **arguments)
    assert (told.is_error, told.text.startswith("# Updated note\n")) == (False, True)
    assert "Empty." in client.call("read_note", identifier=f"Pot {title}").text


@pytest.mark.parametrize(
    "value",
    [True, "true", "yes", 1],
)
def test_words_for_true_are_an_overwrite_to_the_gate(value: object) -> None:
    arguments = {"title": "Pot", "directory": "home", "content": "Empty.", "overwrite": value}
    assert classify_call(f"mcp__basic-memory__{CREATE_TOOL}", arguments, ["basic-memory"]).is_overwrite


def test_an_unknown_note_is_edited_only_by_adding_to_it(client: Client) -> None:
    edit = {"identifier": "home/nope", "content": "x"}
    refused = client.call("edit_note", operation="find_replace", find_text="y", **edit)
    assert (refused.is_error, refused.text.startswith("# Edit Failed - Note Not Found\n")) == (True, True)
    assert not client.call("edit_note", operation="append", **edit).is_error


def test_a_deletion_of_nothing_is_no_error(client: Client) -> None:
    assert client.call("delete_note", identifier="home/never was") == Result("false", False, {"result": False})


def test_a_tool_that_is_not_there_is_an_error(client: Client) -> None:
    assert client.call("no_such_tool").is_error
