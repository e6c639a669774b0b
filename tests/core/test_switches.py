"""core/switches.py: which files are called as a switch is, and what their folder is judged by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.switches import SWITCHES, Switch, Where, alike, is_switch

ALIKE = [
    ("/p/memstile.toml", [("memstile", "/p", Where.UPWARDS)]),
    ("/memstile.toml", [("memstile", "/", Where.UPWARDS)]),
    ("/h/.config/memstile/config.toml", [("memstile", "/h/.config", Where.SHARED)]),
    ("/p/.claude/settings.json", [("claude-code", "/p", Where.ANYWHERE)]),
    ("/p/.cursor/hooks.json", [("cursor", "/p", Where.ANYWHERE)]),
    ("/p/src/cursor/hooks.json", [("cursor", "/p/src", Where.SHARED)]),
    ("/p/cordis.yml", [("dsh", "/p", Where.PROFILE)]),
    ("/h/.gemini/extensions/x/hooks/hooks.json", [("gemini", "/h", Where.ANYWHERE)]),
    ("/p/.cline/hooks/PreToolUse", [("cline", "/p", Where.ANYWHERE)]),
    ("/p/opencode.json", [("opencode", "/p", Where.UPWARDS)]),
    (
        "/h/.config/opencode/opencode.json",
        [("opencode", "/h/.config/opencode", Where.UPWARDS), ("opencode", "/h/.config", Where.SHARED)],
    ),
    ("/p/settings.json", []),
    ("/p/.claude/settings.json.bak", []),
    ("/p/.cline/hooks/a/b", []),
    ("/p/memstile.toml.md", []),
    ("", []),
]


@pytest.mark.parametrize(("path", "expected"), ALIKE)
def test_a_file_is_called_as_a_switch_by_the_end_of_its_path(path: str, expected: list[tuple[str, str, Where]]) -> None:
    assert [(switch.whose, root, switch.where) for switch, root in alike(path)] == expected
    assert is_switch(path) is bool(expected)


@given(st.sampled_from(SWITCHES), st.lists(st.sampled_from(["a", ".claude", "etc", "hooks"]), max_size=4))
def test_each_switch_is_one_below_any_folder(switch: Switch, names: list[str]) -> None:
    folder = "".join(f"/{name}" for name in names)
    assert (switch, folder or "/") in alike(f"{folder}/{switch.ending.replace('*', 'any')}")
