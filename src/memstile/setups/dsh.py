"""DeepSeek Harness: a row for its bridge to Claude Code's hooks in cordis.patch.yml, with a hooks file of our own.

Tool names are lowercase there, and a matcher `Write|Edit` never fires. dsh does not start with a row whose module it
cannot load. So the bridge to Codex's hooks, which carries nothing to judge, is not mounted; an earlier `memstile init`
did that, and what it wrote is taken out. Source: docs/hosts.md, runs of 0.1.0-rc.8 with bridges 0.1.1-rc.2 and
0.0.1-rc.5.
"""

from __future__ import annotations

import json
from functools import partial

from memstile.setups.json_edit import add, cut
from memstile.setups.json_source import Malformed, parse
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Unmergeable, Where, own_file
from memstile.setups.yaml_edit import insert_lines, quoted, root, sequence

MATCHERS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "PreToolUse": "^(write|edit|str_replace_editor|bash|pwsh|run_code|terminal_open|terminal_send|mcp__.*)$",
    "PostToolUse": "",
}
BRIDGE = "@deepseek-ai/dsh-hooks-claude-code"
"""An npm package. dsh looks for a bare name in its profile's folder, so that a row names the file that was found."""


def _home(where: Where) -> str:
    return where.folder("DSH_HOME", ".dsh")


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give the hooks file and the row that mounts the bridge with it."""
    hooks = _hooks_file(f"{_home(where)}/memstile/hooks-claude-code.json", command)
    row: dict[str, object] = {
        "id": "memstile-claude-code",
        "name": where.found.get(BRIDGE, BRIDGE),
        "config": {"configPath": hooks.path},
    }
    return (hooks, File(f"{_home(where)}/cordis.patch.yml", partial(put, rows=[row]), take, (f"row {row['id']}",)))


def _hooks_file(path: str, command: Command) -> File:
    hook = {"type": "command", "command": command.closing_line(), "timeout": TIMEOUT_S}
    hooks = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in MATCHERS.items()
    }
    text = json.dumps({"hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    return own_file(path, text, tuple(f"{event}: {matcher or 'all'}" for event, matcher in MATCHERS.items()))


def former(where: Where) -> tuple[File, ...]:
    """Give the hooks file of the Codex bridge; its row goes with each change of the patch."""
    return (own_file(f"{_home(where)}/memstile/hooks-codex.json", ""),)


def put(text: str | None, rows: list[dict[str, object]]) -> str:
    """Add our rows to the patch, in place of what stands there of ours. Raises Unmergeable."""
    text = text or ""
    item = {"insert": rows}
    if any(value == item for value in _values(text)):
        return text
    text = take(text)
    if _is_json(text):
        return add(text, parse(text), item)
    node = root(text)
    if node is None:
        return insert_lines(text, len(text), _lines("", rows))
    found = sequence(text, node)
    return insert_lines(text, found.end, _lines(found.indent, rows))


def take(text: str) -> str:
    """Take our rows out. Raises Unmergeable."""
    if _is_json(text):
        document = parse(text)
        for number in reversed(range(len(document.members))):
            if _is_ours(document.members[number].plain()):
                text = cut(text, parse(text), number)
        return text
    node = root(text)
    items = sequence(text, node).items if node is not None else ()
    for item in reversed(items):
        if _is_ours(item.value):
            text = text[: item.start] + text[item.end :]
    return text


def _values(text: str) -> list[object]:
    if _is_json(text):
        return [node.plain() for node in parse(text).members]
    node = root(text)
    return [item.value for item in sequence(text, node).items] if node is not None else []


def _is_json(text: str) -> bool:
    try:
        return parse(text).kind == "array"
    except Malformed:
        return False


def _is_ours(value: object) -> bool:
    rows = value.get("insert") if isinstance(value, dict) and len(value) == 1 else None
    ids = [str(row.get("id")) if isinstance(row, dict) else "" for row in rows] if isinstance(rows, list) else []
    ours = [name.startswith("memstile-") for name in ids]
    if any(ours) and not all(ours):
        raise Unmergeable("a row of memstile stands among others", "take the rows `id: memstile-...` out by hand")
    return any(ours)


def _lines(indent: str, rows: list[dict[str, object]]) -> list[str]:
    lines = [f"{indent}- insert:"]
    for row in rows:
        config = row["config"]
        lines += [
            f"{indent}    - id: {row['id']}",
            f"{indent}      name: {quoted(str(row['name']))}",
            f"{indent}      config:",
            *(f"{indent}        {key}: {quoted(str(value))}" for key, value in dict(config).items()),  # type: ignore[call-overload]
        ]
    return lines


def notes(where: Where) -> tuple[str, ...]:
    """Say what a bridge that is not there means."""
    return () if BRIDGE in where.found else (f"{BRIDGE} was not found: dsh does not start without it",)


SETUP = Setup(
    host="dsh",
    program="dsh",
    files=files,
    skill=lambda where: f"{_home(where)}/skills/memstile/SKILL.md",
    notes=notes,
    has_project=False,
    modules=(BRIDGE,),
    former=former,
)
