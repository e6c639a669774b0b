"""Rows of a cordis patch and hooks of pre-commit are added and taken out as lines; the rest of a file stays."""

from __future__ import annotations

import pytest
import yaml

from memstile.setups import dsh, pre_commit
from memstile.setups.setup import Command, Unmergeable, Where

ROWS: list[dict[str, object]] = [{"id": "memstile-codex", "name": "@x/y: 'z'", "config": {"configPath": "/h #/a.json"}}]

PATCHES = [
    pytest.param("", id="empty"),
    pytest.param("# a comment\n", id="a comment"),
    pytest.param("- insert:\n    - id: a\n      name: b\n# the end\n", id="a comment after it"),
    pytest.param("- a: |\n    text\n    # no comment\n\n# the end", id="a block text, no last line break"),
    pytest.param("  - a: 1\n\n  # c\n  - b: {c: d}  # tail\n", id="indented"),
    pytest.param("---\n- a\n", id="a document mark"),
    pytest.param("-\n  a: 1\r\n", id="a dash alone"),
    pytest.param("- &a-b {c: 1}\n- d: *a-b\n", id="an anchor"),
    pytest.param("[]\n", id="JSON, empty"),
    pytest.param('[{"insert": []}]', id="JSON"),
]


@pytest.mark.parametrize("text", PATCHES)
def test_rows_come_and_go_without_a_trace(text: str) -> None:
    merged = dsh.put(text, ROWS)
    assert yaml.safe_load(merged) == [*(yaml.safe_load(text) or []), {"insert": ROWS}]
    assert dsh.put(merged, ROWS) == merged
    assert dsh.take(merged) == text


def test_rows_of_an_older_run_are_replaced() -> None:
    old: list[dict[str, object]] = [{**ROWS[0], "name": "old"}]
    assert dsh.put(dsh.put("- a: 1\n", old), ROWS) == dsh.put("- a: 1\n", ROWS)


REFUSED = [
    pytest.param("a: 1\n", "its list is not written with one item a line", id="a mapping"),
    pytest.param("[a, b]\n", "its list is not written with one item a line", id="a list in one line"),
    pytest.param("- a\n...\n", "it holds more than one document, or an end mark", id="an end mark"),
    pytest.param("- a\n---\n- b\n", "it holds more than one document, or an end mark", id="two documents"),
    pytest.param(
        "- a: [\n", "it is no YAML: expected the node content, but found '<stream end>' in line 2", id="cut off"
    ),
    pytest.param("- &a {b: 1}\n- *a\n", "an item of its list is an alias", id="an alias"),
    pytest.param("- &a [*a]\n", "an item of its list holds itself", id="a circle"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_cannot_be_merged_without_guessing_is_refused(text: str, message: str) -> None:
    with pytest.raises(Unmergeable) as caught:
        dsh.put(text, ROWS)
    assert caught.value.message == message


def test_rows_of_the_codex_bridge_go() -> None:
    claude_code = {**ROWS[0], "id": "memstile-claude-code"}
    both = dsh.put("- a: 1\n", [claude_code, *ROWS])
    assert dsh.take(both) == "- a: 1\n"
    assert dsh.put(both, [claude_code]) == dsh.put("- a: 1\n", [claude_code])


def test_the_bridge_has_lowercase_matchers() -> None:
    command = Command("/py", ("-I", "-S", "/s/launcher/memstile_hook.py", "dsh"), ())
    where = Where("/h", "/p", False, {"DSH_HOME": "/d"})
    hooks, patch = dsh.SETUP.files(where, command)
    assert (hooks.path, patch.lines) == ("/d/memstile/hooks-claude-code.json", ("row memstile-claude-code",))
    assert [file.path for file in dsh.SETUP.former(where)] == ["/d/memstile/hooks-codex.json"]
    assert (
        "PreToolUse: ^(write|edit|str_replace_editor|bash|pwsh|run_code|terminal_open|terminal_send|mcp__.*)$"
        in hooks.lines
    )
    assert patch.put(None) == (
        "- insert:\n"
        "    - id: memstile-claude-code\n"
        '      name: "@deepseek-ai/dsh-hooks-claude-code"\n'
        "      config:\n"
        '        configPath: "/d/memstile/hooks-claude-code.json"\n'
    )


CONFIGS = [
    pytest.param(
        "repos:\n- repo: a\n  rev: v1 # pinned\n  hooks:\n  - id: x\n\n# fast\nfail_fast: true\n", id="no indent"
    ),
    pytest.param("# ours\nrepos:\n    - repo: a\n      hooks: [{id: x}]\n", id="indented by four"),
    pytest.param("default_stages: [manual]\nrepos:\n  - repo: a\n    hooks:\n      - id: x", id="no last line break"),
]


@pytest.mark.parametrize("text", CONFIGS)
@pytest.mark.parametrize("origin", [("", ""), ("https://example.org/m", "abc")], ids=["local", "a repository"])
def test_a_hook_comes_and_goes_without_a_trace(text: str, origin: tuple[str, str]) -> None:
    file = pre_commit.config("x", *origin)
    merged = file.put(text)
    before, after = yaml.safe_load(text), yaml.safe_load(merged)
    assert after.pop("default_install_hook_types") == ["pre-commit", "pre-merge-commit"]
    added = after["repos"].pop()
    assert (after, added["repo"], added["hooks"][0]["id"]) == (before, origin[0] or "local", "memstile")
    assert file.put(merged) == merged
    assert (file.take(merged) or "").rstrip("\n") == text.rstrip("\n")


def test_without_a_configuration_one_is_written() -> None:
    assert yaml.safe_load(pre_commit.config("x", "https://example.org/m", "abc").put(None)) == {
        "default_install_hook_types": ["pre-commit", "pre-merge-commit"],
        "repos": [{"repo": "https://example.org/m", "rev": "abc", "hooks": [{"id": "memstile"}]}],
    }


def test_an_empty_list_and_own_stages_are_taken_as_they_are() -> None:
    merged = pre_commit.config("x").put("default_install_hook_types: [pre-commit]\nrepos: []\n")
    assert yaml.safe_load(merged)["default_install_hook_types"] == ["pre-commit"]
    assert yaml.safe_load(merged)["repos"][0]["hooks"][0]["entry"] == "memstile check --staged"
    assert pre_commit.misses_merges(merged)
    assert yaml.safe_load(pre_commit.config("x").take(merged) or "")["repos"] == []
