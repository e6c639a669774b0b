"""core/host_vaults.py: where hosts keep vaults."""

from __future__ import annotations

import pytest

from memstile.core.host_vaults import HOST_VAULTS, host_vault

SUB_AGENTS, LOCAL, PROJECTS = HOST_VAULTS[:3]

FOLDERS = [
    (".claude/agent-memory/reviewer", SUB_AGENTS),
    ("/a/b/.claude/agent-memory/x y", SUB_AGENTS),
    ("./.claude//agent-memory/./x/", SUB_AGENTS),
    ("/p/.claude/agent-memory-local/x", LOCAL),
    ("/h/.claude/projects/-p-q/memory", PROJECTS),
    (".claude/agent-memory", None),
    (".claude/agent-memory/x/deeper", None),
    ("claude/agent-memory/x", None),
    (".claude/projects/memory", None),
    (".claude/projects/a/b/memory", None),
    (".claude/projects/a/memories", None),
    ("", None),
    ("/", None),
]


@pytest.mark.parametrize(("folder", "expected"), FOLDERS)
def test_a_place_is_known_by_its_last_folders(folder: str, expected: object) -> None:
    assert host_vault(folder) == expected


def test_the_rows_are_those_of_the_contract() -> None:
    assert [(row.host, "/".join(row.parts), row.mode) for row in (SUB_AGENTS, LOCAL, PROJECTS)] == [
        ("claude-code", ".claude/agent-memory/*", "shared"),
        ("claude-code", ".claude/agent-memory-local/*", "auto"),
        ("claude-code", ".claude/projects/*/memory", "auto"),
    ]
    assert all(row.source and row.mode in ("auto", "shared") for row in HOST_VAULTS)
