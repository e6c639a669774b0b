"""Ask git for the attributes by which it writes another content to the disk than it holds; no filter is run."""

from __future__ import annotations

from collections.abc import Sequence

from memstile.repository import Repository


def attributes(repository: Repository, paths: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give the attributes of paths by which git writes another content than it holds; {} for a path without any.

    filter: a clean and smudge filter, which is not run; working-tree-encoding, if it is not UTF-8; ident.
    """
    if not paths:
        return {}
    names = ("filter", "working-tree-encoding", "ident")
    fields = repository.git.names("check-attr", "--cached", "-z", *names, "--", *paths)
    found: dict[str, dict[str, str]] = {path: {} for path in paths}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        if value not in ("unspecified", "unset") and value.lower() not in ("utf-8", "utf8"):
            found[path][name] = value
    return found


def filtered(repository: Repository, paths: Sequence[str]) -> set[str]:
    """Pick the paths whose content on disk may be of quite another size than what git holds."""
    rows = attributes(repository, paths)
    return {path for path, row in rows.items() if row.keys() - {"ident"}}
