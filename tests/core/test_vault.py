"""core/vault.py: what a vault looks like."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.vault import (
    default_mode,
    has_memory_frontmatter,
    is_host_vault,
    looks_like_vault,
    points_to_siblings,
)

HEADS = [
    pytest.param(b"---\nname: x\ndescription: y\n---\n", True, id="name and description"),
    pytest.param(b"---\nname: x\nmetadata:\n  type: y\n---\n", True, id="name and metadata"),
    pytest.param(b"---\ndescription: x\ntype: y\n---\n", True, id="description and type"),
    pytest.param(b"---\ntitle: x\npermalink: y\ntype: z\n---\n", True, id="title, permalink and type"),
    pytest.param(b"---\nother: 1\nname: x\nmore: 2\ndescription: y\n---\n", True, id="among other keys"),
    pytest.param(b"\xef\xbb\xbf---\r\nname: x\r\ndescription: y\r\n---\r\n", True, id="BOM and CRLF"),
    pytest.param(b"---  \nname: x\ndescription: y\n", True, id="blanks after the fence, and cut off"),
    pytest.param(b"---\nname:\ndescription:\n---\n", True, id="without values"),
    pytest.param(b"---\ntitle: x\ndescription: y\n---\n", False, id="what documentation sites write"),
    pytest.param(b"---\ntitle: x\npermalink: y\n---\n", False, id="what Jekyll's pages have"),
    pytest.param(b"---\nlayout: z\ntitle: x\npermalink: y\ntags: t\n---\n", False, id="a page with a layout"),
    pytest.param(b"---\ntitle: x\npermalink: y\ntags: t\n---\n", True, id="title, permalink and tags"),
    pytest.param(b"---\nname: x\n---\ndescription: y\n", False, id="a key behind the fence"),
    pytest.param(b"---\nmetadata:\n  name: x\n  description: y\n---\n", False, id="nested keys"),
    pytest.param(b"name: x\ndescription: y\n", False, id="no fence"),
    pytest.param(b"\n---\nname: x\ndescription: y\n---\n", False, id="a line before the fence"),
    pytest.param(b"----\nname: x\ndescription: y\n---\n", False, id="another fence"),
    pytest.param(b"", False, id="nothing"),
    pytest.param(b"---", False, id="a fence alone"),
    pytest.param(b"\xff\xfe-\0-\0-\0", False, id="UTF-16"),
]


@pytest.mark.parametrize(("head", "expected"), HEADS)
def test_memory_frontmatter_is_a_pair_of_keys(head: bytes, expected: bool) -> None:
    assert has_memory_frontmatter(head) == expected


@given(st.binary(max_size=80))
def test_any_bytes_are_a_head(head: bytes) -> None:
    has_memory_frontmatter(head)
    has_memory_frontmatter(b"---\n" + head)


def test_an_index_points_to_a_note_beside_it() -> None:
    assert points_to_siblings(b"[a](a.md) [b](b.md)", ["b.md", "c.md"])
    assert not points_to_siblings(b"[a](a.md)", ["b.md"])
    assert not points_to_siblings(b"[a](a.md)", [])
    assert not points_to_siblings(b"", ["a.md"])
    assert points_to_siblings(b"[[A]]", ["a.md"])
    assert points_to_siblings(b"[a]: a.md", ["a.md"])
    assert not points_to_siblings(b"see README.md", ["README.md"])


def test_beside_an_index_that_was_not_read_any_note_will_do() -> None:
    assert (looks_like_vault(None, ["a.md"], ()), looks_like_vault(None, [], ())) == (True, False)


def test_heads_are_read_until_one_will_do() -> None:
    read = []

    def heads() -> Iterator[bytes]:
        for head in (b"", b"---\nname: x\ndescription: y\n", b"---\n"):
            read.append(head)
            yield head

    assert looks_like_vault(b"[a](a.md)", ["a.md"], heads())
    assert read == []
    assert looks_like_vault(b"", ["a.md"], heads())
    assert len(read) == 2
    assert not looks_like_vault(b"", ["a.md"], iter(()))


@pytest.mark.parametrize(
    ("folder", "mode"),
    [
        ("/p/.claude/agent-memory/reviewer", "shared"),
        ("/p/.claude/agent-memory-local/reviewer", "auto"),
        ("/p/.agent-memory", "auto"),
        ("/p/docs", "auto"),
    ],
)
def test_a_vault_that_is_not_configured_has_the_mode_of_its_host(folder: str, mode: str) -> None:
    assert default_mode(folder) == mode
    assert is_host_vault(folder) == ("memory" in folder)
