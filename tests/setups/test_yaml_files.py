"""Rows of a cordis patch and hooks of pre-commit are added and taken out as lines; the rest of a file stays."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memstile.setups import cordis_patch, dsh, pre_commit
from memstile.setups.setup import Command, Unmergeable, Where

OURS = ("memstile-claude-code", "memstile-codex")
ROWS: list[cordis_patch.Row] = [{"id": "memstile-codex", "name": "@x/y: 'z'", "config": {"configPath": "/h #/a.json"}}]

PATCHES = [
    pytest.param("", id="empty"),
    pytest.param("# a comment\n", id="a comment"),
    pytest.param("- insert:\n    - id: a\n      name: b\n# the end\n", id="a comment after it"),
    pytest.param("- a: |\n    text\n    # no comment\n\n# the end", id="a block text, no last line break"),
    pytest.param("  - a: 1\n\n  # c\n  - b: {c: d}  # tail\n", id="indented"),
    pytest.param("---\n- a\n", id="a document mark"),
    pytest.param("-\n  a: 1\r\n", id="a dash alone"),
    pytest.param("- &a-b {c: 1}\n- d: *a-b\n", id="an anchor"),
    pytest.param("---\n", id="a document mark alone"),
    pytest.param("- text: |+\n    a\n\n\n", id="a text that ends with blank lines"),
    pytest.param("- - b: >2+ # c\n       a\n\n", id="likewise, further in"),
    pytest.param("- text: |+\n    a\n\n\n# c\n\n", id="a text that ends with blank lines, a comment after it"),
    pytest.param("- text: |\n    a\n\n\n", id="a text that ends before blank lines"),
    pytest.param("- text: !!str &a |+\n\n", id="a text of blank lines"),
    pytest.param("[]\n", id="JSON, empty"),
    pytest.param('[{"insert": []}]', id="JSON"),
]


@pytest.mark.parametrize("text", PATCHES)
def test_rows_come_and_go_without_a_trace(text: str) -> None:
    merged = cordis_patch.put(text, ROWS, OURS)
    assert yaml.safe_load(merged) == [*(yaml.safe_load(text) or []), {"insert": ROWS}]
    assert cordis_patch.put(merged, ROWS, OURS) == merged
    assert cordis_patch.take(merged, OURS) == text


def test_rows_of_an_older_run_are_replaced() -> None:
    old: list[cordis_patch.Row] = [{**ROWS[0], "name": "old"}]
    assert cordis_patch.put(cordis_patch.put("- a: 1\n", old, OURS), ROWS, OURS) == cordis_patch.put(
        "- a: 1\n", ROWS, OURS
    )


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
    *(
        pytest.param(text, "a null stands in the place of its list", id=f"a null, {text!r}")
        for text in (
            "null\n",
            "~\n",
            "# c\nnull # x\n",
            "--- null\n",
            "Null",
            "--- !!null\n",
            "!!null ''\n",
            "--- &a\n",
        )
    ),
    pytest.param("- |\n  a", "a row at its end would change what is in it", id="a text without its line break"),
    pytest.param("- |+\n  a", "a row at its end would change what is in it", id="likewise, with all that follows"),
    pytest.param("[ // x\n]\n", "its list is not written with one item a line", id="a comment of JSON's"),
    pytest.param("[ /* x */ ]\n", "its list is not written with one item a line", id="another comment of JSON's"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_cannot_be_merged_without_guessing_is_refused(text: str, message: str) -> None:
    with pytest.raises(Unmergeable) as caught:
        cordis_patch.put(text, ROWS, OURS)
    assert caught.value.message == message


@pytest.mark.parametrize("text", ["null\n", "~", "--- null # x\n"])
def test_there_is_nothing_to_take_out_of_a_null(text: str) -> None:
    assert cordis_patch.take(text, OURS) == text
    assert pre_commit.config("x").take(text) == text
    assert pre_commit.config("x").take("repos: null\n") == "repos: null\n"
    for config in (text, "repos: null\n"):
        with pytest.raises(Unmergeable):
            pre_commit.config("x").put(config)


_LINES = st.lists(
    st.sampled_from(
        ["- a: 1", "- b", "- |+", "- c: >", "- |", "  x", "    y", "", "", "# c", "  # d", "---", "- null", "- ~"]
    ),
    max_size=7,
)


@given(_LINES, st.sampled_from(["", "\n", "\n\n"]))
def test_a_patch_holds_what_it_held_and_our_rows_or_is_left_alone(lines: list[str], end: str) -> None:
    text = "\n".join(lines) + end
    try:
        merged = cordis_patch.put(text, ROWS, OURS)
    except Unmergeable:
        return
    assert yaml.safe_load(merged) == [*(yaml.safe_load(text) or []), {"insert": ROWS}]
    # A last line that lacks its end has one afterwards.
    assert cordis_patch.take(merged, OURS) in (text, text + "\n")


def test_rows_of_the_codex_bridge_go() -> None:
    claude_code = {**ROWS[0], "id": "memstile-claude-code"}
    both = cordis_patch.put("- a: 1\n", [claude_code, *ROWS], OURS)
    assert cordis_patch.take(both, OURS) == "- a: 1\n"
    assert cordis_patch.put(both, [claude_code], OURS) == cordis_patch.put("- a: 1\n", [claude_code], OURS)


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
