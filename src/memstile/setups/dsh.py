"""DeepSeek Harness: rows for its two hook bridges in cordis.patch.yml, each with a hooks file of our own.

Tool names are lowercase there, and a matcher `Write|Edit` never fires. The Claude Code bridge carries paths and
content; the Codex bridge carries a turn id and no more. Source: docs/hosts.md, runs of 0.1.0-rc.8 with bridges
0.1.1-rc.2.
"""

from __future__ import annotations

import json
from functools import partial

from memstile.setups.json_edit import add, cut
from memstile.setups.json_source import Malformed, parse
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Unmergeable, Where, own_file
from memstile.setups.yaml_edit import insert_lines, quoted, root, sequence

BRIDGES = {
    "claude-code": {
        "SessionStart": "",
        "UserPromptSubmit": "",
        "PreToolUse": "^(write|edit|str_replace_editor|bash|pwsh|run_code|terminal_open|terminal_send|mcp__.*)$",
        "PostToolUse": "",
    },
    # For the turn's id: its tool calls have no path and no content to judge.
    "codex": {"UserPromptSubmit": ""},
}
MODULES = tuple(f"@deepseek-ai/dsh-hooks-{bridge}" for bridge in BRIDGES)


def _home(where: Where) -> str:
    return where.folder("DSH_HOME", ".dsh")


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give the hooks files and the rows that mount the bridges with them."""
    hooks = {bridge: f"{_home(where)}/memstile/hooks-{bridge}.json" for bridge in BRIDGES}
    rows: list[dict[str, object]] = [
        {
            "id": f"memstile-{bridge}",
            "name": where.found.get(f"@deepseek-ai/dsh-hooks-{bridge}", f"@deepseek-ai/dsh-hooks-{bridge}"),
            "config": {"configPath": path},
        }
        for bridge, path in hooks.items()
    ]
    patch = File(
        f"{_home(where)}/cordis.patch.yml", partial(put, rows=rows), take, tuple(f"row {row['id']}" for row in rows)
    )
    return (*(_hooks_file(path, bridge, command) for bridge, path in hooks.items()), patch)


def _hooks_file(path: str, bridge: str, command: Command) -> File:
    line = command.line("codex-bridge") if bridge == "codex" else command.closing_line()
    hook = {"type": "command", "command": line, "timeout": TIMEOUT_S}
    matchers = BRIDGES[bridge]
    hooks = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in matchers.items()
    }
    text = json.dumps({"hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    return own_file(path, text, tuple(f"{event}: {matcher or 'all'}" for event, matcher in matchers.items()))


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
    missing = [name for name in MODULES if name not in where.found]
    if not missing:
        return ()
    return (f"not found beside dsh: {', '.join(missing)}; without it dsh starts no hook, and says nothing",)


SETUP = Setup(
    host="dsh",
    program="dsh",
    files=files,
    skill=lambda where: f"{_home(where)}/skills/memstile/SKILL.md",
    notes=notes,
    has_project=False,
    modules=MODULES,
)
