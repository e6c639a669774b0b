"""What of a vault's repositories the watcher keeps an eye on: ignore rules, the git index, HEAD."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from memstile.carriers import ancestors, git_folder, is_below
from memstile.disk import read_small
from memstile.watch_places import Signature, signature

_AT_WORK = (
    "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "rebase-merge", "rebase-apply", "index.lock",
    "HEAD.lock", "sequencer",
)  # fmt: skip
_MOST_HEAD_BYTES = 4_096


class Around(NamedTuple):
    """A repository around a vault. top: its work tree. folder: its git folder; common: that of all its work trees."""

    top: str
    folder: str
    common: str


def around(tops: Iterable[str]) -> tuple[Around, ...]:
    """Find the git folders of work trees; one that cannot be found is left out. tops: absolute, resolved."""
    return tuple(Around(top, folder, _common(folder)) for top in tops if (folder := git_folder(top)))


def _common(folder: str) -> str:
    named = read_small(os.path.join(folder, "commondir"), _MOST_HEAD_BYTES)
    return os.path.normpath(os.path.join(folder, os.fsdecode(named).strip())) if named else folder


def rules_signature(repositories: Iterable[Around], vault: str) -> tuple[Signature, ...]:
    """Tell the state of all that decides whether git carries a vault from another one, without reading it."""
    return tuple(signature(path) for row in repositories for path in _rules(row, vault))


def _rules(row: Around, vault: str) -> list[str]:
    folders = [folder for folder in ancestors(vault) if is_below(folder, row.top)]
    files = [os.path.join(folder, ".gitignore") for folder in folders]
    return [*files, os.path.join(row.common, "info", "exclude"), os.path.join(row.folder, "index")]


def head_mark(repositories: Iterable[Around]) -> bytes | None:
    """Give what tells whether HEAD moved, b"" where there is no repository; None while git is at work in one."""
    marks = []
    for row in repositories:
        if any(os.path.lexists(os.path.join(row.folder, name)) for name in _AT_WORK):
            return None
        marks.append(_head(row))
    return b"\n".join(marks)


def _head(row: Around) -> bytes:
    head = read_small(os.path.join(row.folder, "HEAD"), _MOST_HEAD_BYTES) or b""
    if not head.startswith(b"ref:"):
        return head
    name = os.fsdecode(head.removeprefix(b"ref:").strip())
    loose = read_small(os.path.join(row.common, name), _MOST_HEAD_BYTES)
    # Packed, its value is in a file that changes with every ref; so it does in a table of refs ("reftable").
    packed = [signature(os.path.join(row.common, place)) for place in ("packed-refs", "reftable/tables.list")]
    return head + (loose if loose is not None else repr(packed).encode())
