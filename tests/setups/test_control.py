"""The MCP server in each host's files: it comes, comes once, goes without a trace, and nothing else is touched."""

from __future__ import annotations

import importlib
import json
import tomllib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memstile.setups import SETUPS, json_members, toml_block
from memstile.setups.dsh import BRIDGE, MCP_CLIENT, TURN_BRIDGE
from memstile.setups.joined import joined, without
from memstile.setups.json_members import Member
from memstile.setups.setup import Command, File, Setup, Unmergeable, Where, own_file

PROGRAM = "/opt/venv/bin/memstile"
SERVER = Command(PROGRAM, ("mcp",), ("--config", "/home/me/c.toml"))
WORDS = ["mcp", "--config", "/home/me/c.toml"]
FOUND = {name: f"file:///n/{name.rpartition('/')[2]}.js" for name in (BRIDGE, TURN_BRIDGE, MCP_CLIENT)}
EACH_HOST = pytest.mark.parametrize("host", SETUPS)


def setup(host: str) -> Setup:
    found: Setup = importlib.import_module(SETUPS[host]).SETUP
    return found


def where(*, is_project: bool = False, environment: dict[str, str] | None = None) -> Where:
    return Where("/home/me", "/project", is_project, environment or {}, {}, FOUND)


def control(host: str, *, is_project: bool = False) -> dict[str, File]:
    rows = setup(host).control(where(is_project=is_project), SERVER)
    return {file.path: file for file in rows}


SERVERS = {
    "claude-code": ("/home/me/.claude.json", {"type": "stdio", "command": PROGRAM, "args": WORDS, "env": {}}),
    "gemini": (
        "/home/me/.gemini/settings.json",
        {"command": PROGRAM, "args": WORDS, "trust": True, "includeTools": ["classify", "status"]},
    ),
    "copilot": (
        "/home/me/.copilot/mcp-config.json",
        {"type": "local", "command": PROGRAM, "args": WORDS, "tools": ["classify", "status"]},
    ),
    "cursor": ("/home/me/.cursor/mcp.json", {"command": PROGRAM, "args": WORDS}),
    "windsurf": ("/home/me/.codeium/windsurf/mcp_config.json", {"command": PROGRAM, "args": WORDS}),
    "cline": (
        "/home/me/.cline/data/settings/cline_mcp_settings.json",
        {"command": PROGRAM, "args": WORDS, "transport": {"type": "stdio", "command": PROGRAM, "args": WORDS}},
    ),
}


@pytest.mark.parametrize("host", SERVERS)
def test_a_server_is_registered_in_the_hosts_own_form(host: str) -> None:
    path, entry = SERVERS[host]
    assert json.loads(control(host)[path].put(None)) == {"mcpServers": {"memstile": entry}}


def test_codex_gets_tables_at_the_end_of_its_file() -> None:
    [(path, file)] = control("codex").items()
    text = file.put('model = "x" # mine\n[mcp_servers.a]\ncommand = "b"\n')
    approved = {"approval_mode": "approve"}
    tables = {"command": PROGRAM, "args": WORDS, "tools": {"classify": approved, "status": approved}}
    assert path == "/home/me/.codex/config.toml"
    assert tomllib.loads(text) == {"model": "x", "mcp_servers": {"a": {"command": "b"}, "memstile": tables}}
    assert text.startswith('model = "x" # mine\n[mcp_servers.a]\ncommand = "b"\n\n# memstile: ')


def test_opencode_gets_a_server_and_leave_by_name() -> None:
    [(path, file)] = control("opencode").items()
    assert path == "/home/me/.config/opencode/opencode.json"
    entry = {"type": "local", "command": [PROGRAM, *WORDS], "enabled": True}
    leave = {"memstile_classify": "allow", "memstile_status": "allow"}
    assert json.loads(file.put(None)) == {"mcp": {"memstile": entry}, "permission": leave}
    own = '{"permission": "ask"}'
    assert json.loads(file.put(own)) == {"permission": "ask", "mcp": {"memstile": entry}}
    denied = '{"permission": {"memstile_classify": "deny"}}'
    assert json.loads(file.put(denied))["permission"] == {"memstile_classify": "deny", "memstile_status": "allow"}
    assert json.loads(file.take(file.put(denied)) or "") == json.loads(denied)


def test_dsh_gets_rows_of_modules_that_were_found_alone() -> None:
    [(path, file)] = control("dsh").items()
    config = {"serverName": "memstile", "transport": "stdio", "command": PROGRAM, "args": WORDS}
    row = {"id": "memstile-mcp", "name": FOUND[MCP_CLIENT], "config": config}
    text = file.put("- a: 1 # mine\n")
    assert (path, yaml.safe_load(text)) == ("/home/me/.dsh/cordis.patch.yml", [{"a": 1}, {"insert": [row]}])
    bare = Where("/home/me", "/project", False, {})
    [file] = setup("dsh").control(bare, SERVER)
    assert (file.put("- a: 1\n"), file.put(text), file.lines) == ("- a: 1\n", "- a: 1 # mine\n", ())
    assert setup("dsh").control_notes(bare) == (f"{MCP_CLIENT} was not found beside dsh: `classify` was left out",)


def test_dsh_mounts_the_bridge_that_tells_the_turn_where_it_was_found() -> None:
    command = Command("/py", ("-I", "-S", "/s/launcher/memstile_hook.py", "dsh"), ("--state", "/s"))
    files = {file.path: file for file in setup("dsh").files(where(), command)}
    hooks = json.loads(files["/home/me/.dsh/memstile/hooks-codex.json"].put(None))["hooks"]
    line = "/py -I -S /s/launcher/memstile_hook.py dsh codex-bridge --state /s"
    hook = {"type": "command", "command": line, "timeout": 30}
    assert hooks == {"UserPromptSubmit": [{"hooks": [hook]}]}
    [item] = yaml.safe_load(files["/home/me/.dsh/cordis.patch.yml"].put(None))
    assert [(row["id"], row["name"]) for row in item["insert"]] == [
        ("memstile-claude-code", FOUND[BRIDGE]),
        ("memstile-codex", FOUND[TURN_BRIDGE]),
    ]
    assert setup("dsh").former(where()) == ()


PLACES = [
    ("claude-code", {"CLAUDE_CONFIG_DIR": "/c"}, ["/c/.claude.json", "/c/settings.json"]),
    ("codex", {"CODEX_HOME": "/c"}, ["/c/config.toml"]),
    ("copilot", {"COPILOT_HOME": "/c"}, ["/c/mcp-config.json"]),
    ("opencode", {"XDG_CONFIG_HOME": "/c"}, ["/c/opencode/opencode.json"]),
]


@pytest.mark.parametrize(("host", "environment", "paths"), PLACES)
def test_a_variable_moves_the_file(host: str, environment: dict[str, str], paths: list[str]) -> None:
    assert [file.path for file in setup(host).control(where(environment=environment), SERVER)] == paths


PROJECT = {
    "claude-code": ["/project/.mcp.json", "/project/.claude/settings.json"],
    "codex": ["/project/.codex/config.toml"],
    "gemini": ["/project/.gemini/settings.json"],
    "cursor": ["/project/.cursor/mcp.json", "/project/.cursor/cli.json"],
    "opencode": ["/project/opencode.json"],
    "copilot": [],
    "windsurf": [],
    "cline": [],
}


@pytest.mark.parametrize("host", PROJECT)
def test_a_project_has_files_of_its_own_or_none(host: str) -> None:
    assert list(control(host, is_project=True)) == PROJECT[host]
    assert PROJECT[host] or "--project" in setup(host).control_notes(where(is_project=True))[0]


LEAVE = {
    "claude-code": ["mcp__memstile__classify", "mcp__memstile__status"],
    "cursor": ["Mcp(memstile:classify)", "Mcp(memstile:status)"],
}


@pytest.mark.parametrize("host", LEAVE)
def test_leave_is_for_our_tools_alone_and_what_was_refused_stays_so(host: str) -> None:
    file = list(control(host).values())[1]
    own = '{"permissions": {"deny": ["Bash"], "allow": ["Read"]}}'
    text = file.put(own)
    assert json.loads(text) == {"permissions": {"deny": ["Bash"], "allow": ["Read", *LEAVE[host]]}}
    assert (file.put(text), file.take(text)) == (text, own)


JSON_TEXTS = [
    "{}\n",
    '{"a": 1}',
    '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t}\n}\n',
    '{\r\n  "mcp": {"o": {}},\r\n  "permissions": {"allow": ["a"]}\r\n}\r\n',
    '{\n  // mine\n  "hooks": {}, /* too */\n  "permission": {"bash": "ask"}\n}\n',
]
YAML_TEXTS = ["", "# mine\n- a: 1 # too\n", '[{"insert": []}]']
TOML_TEXTS = [
    "",
    "[mcp_servers]\n",
    "# mine\n",
    'a = 1\r\n[mcp_servers.x]\r\ncommand = "y"\r\n',
    "[[list]]\nb = {c = 1} # too\n\n",
]


def texts_of(path: str) -> list[str]:
    return TOML_TEXTS if path.endswith(".toml") else YAML_TEXTS if path.endswith(".yml") else JSON_TEXTS


@EACH_HOST
def test_what_stands_there_stays_and_comes_back_to_the_byte(host: str) -> None:
    for file in control(host).values():
        for text in texts_of(file.path):
            after = file.put(text)
            back = None if text == "{}\n" else text  # what a new file starts from: nothing of anybody's
            assert ("memstile" in after, file.put(after), file.take(after)) == (True, after, back)
            assert file.take(text) == text


@EACH_HOST
def test_another_command_line_takes_the_place_of_the_first(host: str) -> None:
    moved = {file.path: file for file in setup(host).control(where(), SERVER._replace(program="/new/bin/memstile"))}
    for path, file in control(host).items():
        for text in texts_of(path):
            assert moved[path].put(file.put(text)) == moved[path].put(text)


@EACH_HOST
def test_a_file_that_cannot_be_read_is_refused(host: str) -> None:
    for file in control(host).values():
        for change in (file.put, file.take):
            with pytest.raises(Unmergeable):
                change("a = [\n")


FOREIGN = {
    "gemini": '{"mcpServers": {"memstile": {"command": "/their/server"}}}',
    "opencode": '{"mcp": {"memstile": {"command": ["node", "x.js"]}}}',
    "codex": '[mcp_servers.memstile]\ncommand = "/their/server"\n',
}


@pytest.mark.parametrize("host", FOREIGN)
def test_a_server_of_somebody_else_with_our_name_is_left_alone(host: str) -> None:
    [file] = control(host).values()
    with pytest.raises(Unmergeable) as caught:
        file.put(FOREIGN[host])
    assert "--no-control" in caught.value.hint
    assert file.take(FOREIGN[host]) == FOREIGN[host]


SHAPES = ['{"mcpServers": []}', '{"mcpServers": {"memstile": 1}}', "[]"]


@pytest.mark.parametrize("text", SHAPES)
def test_a_file_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(Unmergeable):
        control("cursor")["/home/me/.cursor/mcp.json"].put(text)


def test_toml_that_stands_in_the_way_is_refused() -> None:
    [file] = control("codex").values()
    with pytest.raises(Unmergeable, match=r"it is no TOML|would change"):
        file.put('mcp_servers = {a = {command = "b"}}\n')
    inline = f'[mcp_servers]\nmemstile = {{command = "{PROGRAM}"}}\n'
    for change in (file.put, file.take):
        with pytest.raises(Unmergeable, match="not written as tables"):
            change(inline)


def test_tables_that_codex_adds_after_ours_stay() -> None:
    [file] = control("codex").values()
    added = '\n[projects."/p"]\ntrust_level = "trusted"\n'
    assert file.take(file.put("a = 1\n") + added) == "a = 1\n" + added
    key = file.put("a = 1\n").replace("args", "enabled = false\nargs")
    assert file.take(key) == "a = 1\n"


LAID_OUT_ANEW = f"""\
# mine
[mcp_servers.other]
command = "y"

[mcp_servers.memstile]
command = "{PROGRAM}"
args = [
  "mcp", "--config",
  "/home/me/c.toml",
]

[mcp_servers.memstile.tools.classify]
approval_mode = "approve"

[mcp_servers.memstile.tools.status]
approval_mode = "approve"

[mcp_servers.third]
command = "z"
"""


def test_tables_that_codex_laid_out_anew_are_still_ours() -> None:
    [file] = control("codex").values()
    rest = '# mine\n[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.third]\ncommand = "z"\n'
    assert (file.put(LAID_OUT_ANEW), file.take(LAID_OUT_ANEW)) == (LAID_OUT_ANEW, rest)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=6,
)
MEMBERS = (Member(("s", "m"), {"command": "/x/memstile"}), Member(("p", "l"), "ours", is_listed=True))


@given(
    st.dictionaries(st.sampled_from("abp"), PLAIN.filter(bool), max_size=3),
    st.sampled_from([None, 1, 4, "\t"]),
)
def test_any_document_gets_our_members_and_comes_back(value: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    try:
        after = json_members.put(text, MEMBERS)
    except Unmergeable:
        assert not isinstance(value["p"], dict)
        return
    assert json.loads(after)["s"] == {"m": {"command": "/x/memstile"}}
    assert json_members.put(after, MEMBERS) == after
    assert json.loads(json_members.take(after, MEMBERS) or "{}") == value


@given(st.text(max_size=6), st.lists(st.text(max_size=4), max_size=2))
def test_any_text_is_written_as_toml_reads_it(text: str, words: list[str]) -> None:
    args = ["/x/memstile", text, *words]
    after = toml_block.put("a = 1\n", ("t", "m"), {"t.m": {"command": text, "args": args}})
    assert tomllib.loads(after) == {"a": 1, "t": {"m": {"command": text, "args": args}}}
    assert toml_block.take(after, ("t", "m")) == "a = 1\n"


def test_two_parts_that_write_into_one_file_are_one_row() -> None:
    first = File("/a", lambda before: f"{before or ''}1", lambda before: before.replace("1", ""), ("one",))
    then = File("/a", lambda before: f"{before}2", lambda before: before.replace("2", ""), ("two",))
    other = own_file("/b", "memstile")
    row, last = joined([first, other, then])
    assert (row.put(None), row.put("x"), row.take("x12"), row.lines) == ("12", "x12", "x", ("one", "two"))
    assert last is other
    [row, _] = joined([first, other, without(then)])
    assert (row.put("x2"), row.lines) == ("x1", ("one",))
