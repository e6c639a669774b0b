"""Render the pages of docs/ that follow from tables or from runs; a test holds them equal.

python docs/generate.py            write the pages
python docs/generate.py --check    name the pages that lag, exit 1
"""

from __future__ import annotations

import importlib
import os
import sys

from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.setting_key import Authority, Key
from memstile.core.setting_keys import KEYS
from memstile.core.settings import DEFAULTS
from memstile.core.windows import WINDOWS
from memstile.report import SUMMARIES

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))  # a script has its own folder there, and not the root

_RIGHTS = {Authority.TIGHTEN: "may tighten", Authority.OWN: "its own", Authority.USER_ONLY: "no (user's file)"}


def rules_page() -> str:
    """Render the rules: a table, then each rule's own page."""
    rows = [
        f"| [{rule.code}](#{_anchor(rule)}) | {rule.name} | {rule.severity.name.lower()} | {rule.summary} |"
        for rule in RULES
    ]
    pages = [f"## {rule.code} {rule.name}\n\nSeverity: {rule.severity.name.lower()}\n\n{_page(rule)}" for rule in RULES]
    head = (
        '# Rules\n\n`memstile rule CODE` prints the same pages. Codes are for ever. With `mode = "audit"` an error of\n'
        "a group is a warning; `--strict` fails on warnings.\n\n"
        "| code | name | severity | says |\n|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n\n" + "\n\n".join(pages) + "\n"


def _anchor(rule: Rule) -> str:
    return f"{rule.code.lower()}-{rule.name}"


def _page(rule: Rule) -> str:
    """Turn a docstring into markdown: indented examples become a code block."""
    blocks = rule.page.strip().split("\n\n")
    return "\n\n".join(f"```text\n{_dedent(block)}\n```" if block.startswith("    ") else block for block in blocks)


def _dedent(block: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in block.split("\n"))


def settings_page() -> str:
    """Render the table of settings."""
    windows = [
        f"| {row.name} | {row.max_lines:,} | {row.max_units:,} | {row.source} | {row.seen} |"
        for row in WINDOWS.values()
    ]
    with open(os.path.join(HERE, "settings.in.md"), encoding="utf-8") as file:
        text = file.read()
    tables = {
        "{keys}": _keys_table([key for key in KEYS if not _is_to_come(key)]),
        "{keys_to_come}": _keys_table([key for key in KEYS if _is_to_come(key)]),
        "{windows}": "| host | lines | UTF-16 units | source | date |\n|---|---|---|---|---|\n" + "\n".join(windows),
    }
    for mark, table in tables.items():
        text = text.replace(mark, table)
    return text


def _is_to_come(key: Key) -> bool:
    """Tell whether a key steers a part that is not in this version."""
    return key.table == "watch"


def _keys_table(keys: list[Key]) -> str:
    rows = [
        f"| `{key.name}` | {_values(key)} | {_default(key)} | {key.tighter.value} | {right} | {key.says} |"
        for key in keys
        for right in [_RIGHTS[key.authority]]
    ]
    head = "| key | value | default | tighter is | a project's file | what it does |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(rows)


def _values(key: Key) -> str:
    return " ".join(f"`{choice}`" for choice in key.choices) if key.choices else key.kind.value


def _default(key: Key) -> str:
    value = getattr(DEFAULTS, key.field)
    if isinstance(value, tuple):
        return ", ".join(f"`{item}`" for item in value) or "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def formats_page() -> str:
    """Render the list of output formats."""
    with open(os.path.join(HERE, "formats.in.md"), encoding="utf-8") as file:
        text = file.read()
    rows = "\n".join(f"| `{name}` | {summary} |" for name, summary in SUMMARIES.items())
    return text.replace("{formats}", f"| format | for |\n|---|---|\n{rows}")


PAGES = {
    "rules.md": rules_page,
    "settings.md": settings_page,
    "formats.md": formats_page,
    **importlib.import_module("docs.gate_pages").PAGES,
    **importlib.import_module("docs.host_pages").PAGES,
}


def main(words: list[str]) -> int:
    """Write the pages, or name those that lag."""
    lagging = []
    for name, render in PAGES.items():
        path = os.path.join(HERE, name)
        text = render()
        if "--check" in words:
            with open(path, encoding="utf-8") as file:
                lagging += [name] if file.read() != text else []
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    for name in lagging:
        print(f"docs/{name} lags behind its table: run python docs/generate.py")
    return 1 if lagging else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
